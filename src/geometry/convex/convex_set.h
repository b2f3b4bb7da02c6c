// SPDX-License-Identifier: MIT
// Convex sets as their farthest points: which point of a set lies farthest along a direction? That is all that the
// distance and the depth of two convex sets ask for (convex_gap.h, convex_depth.h). Where rounded arithmetic cannot
// decide, exact_convex.h does, for sets that are spanned by corners.
#ifndef GRZ_GEOMETRY_CONVEX_CONVEX_SET_H
#define GRZ_GEOMETRY_CONVEX_CONVEX_SET_H

#include <stdbool.h>
#include <stdint.h>

#include <graze/object.h>

// Of the extents of both sets: what rounding does to the difference of two farthest points, or to its product with a
// direction of length 1. Fewer than 16 roundings; 32 are taken.
#define GRZ_CONVEX_ROUNDING 0x1p-48
// Of the extent, chosen: where faces are looked for, lengths below it count as 0. 64 times as much as rounding does.
#define GRZ_CONVEX_FLAT 0x1p-42

typedef enum grz_convex_form {
    GRZ_CONVEX_CORNERS,   // all points between corners
    GRZ_CONVEX_ELLIPSOID, // of these half axes
    GRZ_CONVEX_CYLINDER,  // along z: half[0] and half[1] are the half axes of its ellipse, half[2] half its height
    GRZ_CONVEX_CONE       // the ellipse is at z = -half[2], the apex at z = half[2]
} grz_convex_form;

// A convex set: local points, mapped by a pose in real numbers, that is without rounding. The first part is given; the
// second is made from it by grz_convex_place().
typedef struct grz_convex {
    grz_convex_form form;
    grz_pose pose;
    const double (*local)[3]; // `count` corners; borrowed
    uint32_t count;
    double far;      // a power of two, or 0. If it is not 0, there are two corners, and far · along is added to the
    double along[3]; // second of them; of a line it is also taken from the first
    bool both_ways;  // of a line
    double half[3];  // of the other forms

    // In coordinates relative to a common origin, times a power of two.
    double (*corners)[3];           // room for `count`; the caller's. Read by grz_convex_corner()
    double *heights;                // room for `count`; the caller's. Then corners are placed when they are asked for:
                                    // one thread at a time. NULL: all are placed at once
    double matrix[3][3], middle[3]; // of the other forms; of corners that wait: the pose, scaled, and their mean
    double origin[3], scale, size;  // of corners that wait: size, the largest sum of magnitudes that make one up
    double error;                   // no computed point is farther from a point of the set; nor is the set farther
                                    // out along a direction than its computed farthest point, by more than this
    double extent;                  // no computed point is farther from the common origin
} grz_convex;

// Compute the second part: exact points are rounded once (2^-53 of themselves, and 2^-99 of the numbers that are added
// up to them). `scale` is a power of two, such that the results are at most 2^200 in magnitude.
void grz_convex_place(grz_convex *c, const double origin[3], double scale);

// The point that lies farthest along n, which is not 0 and between 2^-300 and 2^300 in magnitude. Returns the number of
// the corner, 0 for other forms.
uint32_t grz_convex_farthest(const grz_convex *c, const double n[3], double out[3]);

// Corner i, placed.
const double *grz_convex_corner(const grz_convex *c, uint32_t i);

// A point in the midst of the set, rounded: it gives a first direction.
void grz_convex_middle(const grz_convex *c, double out[3]);

#endif
