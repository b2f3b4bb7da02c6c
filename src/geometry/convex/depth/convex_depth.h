// SPDX-License-Identifier: MIT
// How far must a convex set move to be free of another? In doubles, enclosed from both sides.
#ifndef GRZ_GEOMETRY_CONVEX_CONVEX_DEPTH_H
#define GRZ_GEOMETRY_CONVEX_CONVEX_DEPTH_H

#include "base/memory.h"
#include "geometry/convex/convex_set.h"

// lower <= exact depth <= upper, at the scale at which the sets were placed. The depth is the length of the shortest
// translation of A after which no plane is crossed by both: 0 if they touch or are apart.
typedef struct grz_convex_depth {
    double lower, upper;
    double along[3]; // of length 1, rounded: A moved by upper · along is free of B
} grz_convex_depth;

// Enclose the depth. The search ends early once `lower` is above `enough`.
void grz_convex_measure_depth(const grz_convex *a, const grz_convex *b, double enough, grz_convex_depth *depth);

// A triangle between differences a - b of corners, for corners of these numbers.
typedef struct grz_convex_facet {
    uint32_t a[3], b[3];
} grz_convex_facet;

enum {
    GRZ_CONVEX_MOST_NEAREST = 256
};

// The facets of the polytope that are nearest to 0, however roundings fell. It is part of the set of differences, so a
// ball around 0 that reaches none of its facets is in that set.
typedef struct grz_convex_nearest {
    bool all;      // these, and what is said of the others, hold
    double beyond; // no other facet is nearer than this, at the scale at which the sets were placed
    int count;
    grz_convex_facet facets[GRZ_CONVEX_MOST_NEAREST];
} grz_convex_nearest;

// For sets spanned by corners: as grz_convex_measure_depth(), with a polytope of up to 32,000 corners. So the bounds
// meet but for roundings, unless the sets have more. False if there is no memory.
bool grz_convex_measure_depth_fully(const grz_convex *a, const grz_convex *b, const grz_allocator *allocator,
                                    grz_convex_depth *depth, grz_convex_nearest *nearest);

#endif
