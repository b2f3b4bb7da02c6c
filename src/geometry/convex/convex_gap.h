// SPDX-License-Identifier: MIT
// The distance of two convex sets in doubles, enclosed from both sides.
#ifndef GRZ_GEOMETRY_CONVEX_CONVEX_GAP_H
#define GRZ_GEOMETRY_CONVEX_CONVEX_GAP_H

#include "geometry/convex/convex_set.h"

// Up to four points of the set of all differences b - a, each with the points that it comes from.
typedef struct grz_simplex {
    int count;
    uint32_t a[4], b[4]; // numbers of corners
    double on_a[4][3], on_b[4][3], difference[4][3];
    double weight[4]; // of the point that is nearest to 0; they add up to 1
} grz_simplex;

// lower <= exact distance <= upper, at the scale at which the sets were placed.
typedef struct grz_convex_gap {
    double lower, upper;
    double way[3];           // from on_a to on_b, rounded
    double on_a[3], on_b[3]; // nearly the nearest points
    double along[3];         // a direction that proves `lower`, of length 1 or so; zeros if lower is 0
    bool inside;             // 0 is certainly inside the last simplex: no plane separates the sets
    grz_simplex simplex;     // the last one
} grz_convex_gap;

// Enclose the distance. The search ends early once `lower` is above `limit`, or `upper` at most `near`.
void grz_convex_measure_gap(const grz_convex *a, const grz_convex *b, double near, double limit, grz_convex_gap *gap);

#endif
