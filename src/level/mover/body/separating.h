// SPDX-License-Identifier: MIT
// What the kinds of cores share: pairs of near points, which propose directions, and directions that separate a core
// from a triangle.
#ifndef GRZ_LEVEL_MOVER_BODY_SEPARATING_H
#define GRZ_LEVEL_MOVER_BODY_SEPARATING_H

#include "level/mover/body/core_vectors.h"
#include "level/mover/body/separation.h"

// A point of a core, in the core's own coordinates, and one of a triangle, by the weights of its corners.
typedef struct grz_near_pair {
    double of_core[3], weights[3];
    double square; // of their distance
} grz_near_pair;

// The nearest pair. If several are as near, but for `error`, as where a core lies flat on the triangle: their mean. It
// is in the middle of the contact if they are its ends. count: at least 1.
grz_near_pair grz_near_pairs_mean(const grz_near_pair *pairs, int count, double error);

// Take a direction, or its opposite, if its gap to what is not round is larger by more than `margin`. False: not.
bool grz_separation_offer(const grz_core *core, const double c[3][3], const double direction[3], double margin,
                          grz_separation *out);

// `error`: what is rounded in a gap.
void grz_separation_of_round(const grz_core *core, const double c[3][3], double error, grz_separation *out);
void grz_separation_of_box(const grz_core *core, const double c[3][3], double error, grz_separation *out);
void grz_separation_of_cylinder(const grz_core *core, const double c[3][3], double error, grz_separation *out);
void grz_separation_of_ellipsoid(const grz_core *core, const double c[3][3], double error, grz_separation *out);

#endif
