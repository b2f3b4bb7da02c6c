// SPDX-License-Identifier: MIT
// Lower bounds of a depth where a circle or an arc of directions is nearly the best, so that no polytope comes near.
#ifndef GRZ_GEOMETRY_CONVEX_DEPTH_INNER_H
#define GRZ_GEOMETRY_CONVEX_DEPTH_INNER_H

#include "geometry/convex/depth/convex_depth.h"

// The depth of two parts of the sets: it is not above that of the sets. 0 if nothing is found. `slack`: how far a
// difference of two computed points may be off. `along`: the best direction to move A; it may become a better one.
double grz_convex_inner_depth(const grz_convex *a, const grz_convex *b, double slack, double along[3]);

// A set that is a point or a ball, for a ball; else the set itself.
typedef struct grz_shrunk {
    grz_convex point;
    double corner[1][3];
    const grz_convex *set;
    double radius_low, radius_high; // of the ball
} grz_shrunk;

// Ellipsoids whose half axes differ only by rounding are treated as balls: a point with a radius.
void grz_convex_shrink(const grz_convex *c, grz_shrunk *out);

#endif
