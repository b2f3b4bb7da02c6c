// SPDX-License-Identifier: MIT
// Predicates for the corners of two objects at one exact time t, which need not be a double: A has moved by t·v, B
// rests. Rounded positions decide most signs. The others are decided in integers: with t = p/q, all coordinates are
// multiplied by q. docs/use/penetration.md, "At one instant".
#ifndef GRZ_ASK_PENETRATION_MOMENT_MOMENT_H
#define GRZ_ASK_PENETRATION_MOMENT_MOMENT_H

#include "ask/move/translation/translation_path.h"
#include "ask/penetration/moment/instant.h"

enum {
    GRZ_MOMENT_LIMBS = GRZ_MAX_LIMBS / 3 - 4 // of a coordinate times q: determinants take three factors
};

// Not for two threads at once.
typedef struct grz_moment {
    const grz_path *path;
    grz_instant when;
    grz_integer numerator, denominator; // of the time, divided by 2^exponent; the denominator is above 0
    int exponent;
    grz_integer way[3]; // of A: numerator · v, divided by 2^(exponent - the motion's shift)
    double step[3];     // the same, divided by the denominator, too, and rounded
    double most;        // the largest coordinate, of A before and after the way and of B
    double error;       // of a coordinate of A after the way, as it is rounded
    bool too_long;      // some number needed more limbs: a sign that was returned may be wrong, so use none of them
} grz_moment;

// A corner: of A if `moves`, else of B.
typedef struct grz_moment_corner {
    double at[3];  // where the path begins
    double now[3]; // at the time, rounded
    bool moves;
} grz_moment_corner;

// The path and the instant are finite; the path is borrowed.
void grz_moment_set(grz_moment *moment, const grz_path *path, const grz_instant *when);

grz_moment_corner grz_moment_corner_of(const grz_moment *moment, const double at[3], bool moves);

// grz_orient3d() of four corners.
int grz_moment_orient3d(grz_moment *moment, const grz_moment_corner *a, const grz_moment_corner *b,
                        const grz_moment_corner *c, const grz_moment_corner *d);

// grz_orient_projected() of three corners.
int grz_moment_orient_projected(grz_moment *moment, int axis, const grz_moment_corner *a, const grz_moment_corner *b,
                                const grz_moment_corner *c);

// Compare coordinate k of two corners: -1, 0 or 1.
int grz_moment_compare(grz_moment *moment, int k, const grz_moment_corner *a, const grz_moment_corner *b);

#endif
