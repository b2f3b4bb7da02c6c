// SPDX-License-Identifier: MIT
// The least depth of two convex solids in integers: along the normals of some facets, or along all that can count.
#ifndef GRZ_ASK_PENETRATION_CONVEX_EXACT_H
#define GRZ_ASK_PENETRATION_CONVEX_EXACT_H

#include "ask/penetration/convex_solid.h"
#include "geometry/convex/depth/convex_depth.h"
#include "geometry/distance/nearest.h"

typedef struct grz_exact_pair {
    const grz_convex_solid *solids; // A and B, both exactly convex
    int shift;                      // all coordinates times 2^shift are integers
} grz_exact_pair;

// False: the numbers would be too long.
bool grz_exact_pair_init(const grz_convex_solid solids[2], grz_exact_pair *pair);

// What is known of the depth. Zeroed memory knows nothing.
typedef struct grz_exact_depth {
    bool any;
    grz_square lower, upper;
    double direction[3]; // of A, whose way is the root of `upper`
} grz_exact_depth;

// Called for one facet of the polytope after the other. `lower` is the distance of the nearest plane of a facet from 0;
// `upper` is the least overlap along the normal of a facet. False: the plane of this facet does not separate 0 from
// the outside, so nothing is known.
bool grz_exact_add_facet(const grz_exact_pair *pair, const grz_convex_facet *facet, grz_exact_depth *depth);

// All normals of faces and of pairs of edges: `lower` and `upper` are the exact depth. False: they are too many, or the
// control says to end.
bool grz_exact_add_all(const grz_exact_pair *pair, const grz_posed_surface surfaces[2], grz_control *control,
                       grz_exact_depth *depth);

#endif
