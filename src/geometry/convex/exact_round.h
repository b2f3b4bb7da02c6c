// SPDX-License-Identifier: MIT
// Two convex sets of which one at least is an ellipsoid, a cylinder or a cone, each grown by a radius: do they touch?
// Exact, in integers; slow, for what convex_gap.h and convex_depth.h leave open. It is decided where a plane that
// separates them can be guessed, a point that both have in common, too, and both can be proved: bodies that stand or
// lie on each other at coordinates that are no roundings of others.
#ifndef GRZ_GEOMETRY_CONVEX_EXACT_ROUND_H
#define GRZ_GEOMETRY_CONVEX_EXACT_ROUND_H

#include "geometry/convex/exact_convex.h"

typedef struct grz_convex_round {
    const grz_convex *a, *b; // placed
    double radius_a, radius_b;
    double origin[3], scale;    // at which they are placed
    const double (*guesses)[3]; // directions from A to B, rounded; zeros are left out
    int guess_count;
} grz_convex_round;

// Decide, if one of the guesses leads to a proof. Sets that touch: `normal` receives a direction from A to B, of length
// 1, rounded from that of a plane that separates them.
grz_convex_relation grz_convex_decide_round(const grz_convex_round *is, double normal[3]);

#endif
