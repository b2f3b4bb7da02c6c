// SPDX-License-Identifier: MIT
// Two placed shapes: in doubles first, in integers where these leave it open.
#ifndef GRZ_ASK_SHAPE_COMPARE_H
#define GRZ_ASK_SHAPE_COMPARE_H

#include "ask/shape/placed.h"
#include "geometry/convex/depth/convex_depth.h"
#include "geometry/convex/convex_gap.h"
#include "geometry/convex/exact_convex.h"

// What is known of two shapes; lengths are those of the world times place.scale.
typedef struct grz_shape_pair {
    const grz_convex *a, *b;
    double radius_a, radius_b;      // in the world
    double radius_low, radius_high; // of their sum
    grz_place place;
    grz_convex_gap gap;     // of what is not grown by the radii
    grz_convex_depth depth; // the same
    bool has_depth;         // false: it is not measured, or only until it was above 0
    grz_convex_exact exact; // of shapes of corners
    bool has_exact;
    double normal[3]; // from A to B, of round shapes that touch
} grz_shape_pair;

// Two shapes that are placed.
void grz_shapes_join(const grz_placed_shape *a, const grz_placed_shape *b, const grz_place *place,
                     grz_shape_pair *pair);

// How do they lie to each other? Distances above `limit`, at the place, need not be known: the answer is then
// GRZ_SHAPES_APART, and the pair's gap may be wider than it need be. `depth`: grz_shapes_describe() will be asked
// for it.
grz_shape_relation grz_shapes_relate(grz_shape_pair *pair, double limit, bool depth);

// The distance of two shapes that are apart, or the depth of two that penetrate, in the answer. `exactly`: as
// grz_shape_options.exact_distance.
void grz_shapes_describe(const grz_shape_pair *pair, grz_shape_relation relation, bool exactly, bool depth,
                         grz_shape_answer *answer);

// A normal of the contact, from A to B, of length 1: that of the answer, or, where that has several, one of them.
// False: none is known.
bool grz_shapes_normal(const grz_shape_pair *pair, const grz_shape_answer *answer, double n[3]);

#endif
