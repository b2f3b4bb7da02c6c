// SPDX-License-Identifier: MIT
// Bounds the distance of two nodes that are nearly flat by their slabs (space/bvh/slabs.h). Surfaces that run side by
// side, at an angle to the trees' axes, are told apart by nothing else.
#ifndef GRZ_ASK_DISTANCE_DISTANCE_FLAT_H
#define GRZ_ASK_DISTANCE_DISTANCE_FLAT_H

#include "ask/distance/distance_frames.h"
#include "space/bvh/slabs.h"

// From a tree's coordinates to the first frame.
typedef struct grz_flat_map {
    float rows[3][3], at[3];
    float scale;  // of lengths
    float margin; // how far off a mapped point may be
} grz_flat_map;

typedef struct grz_flat {
    const grz_bvh_slab *slabs[2]; // of A's tree and of B's; NULL: they are not compared
    grz_flat_map maps[2];
} grz_flat;

// Set the maps. The slabs come later, by grz_flat_take().
void grz_flat_set(grz_flat *flat, const grz_distance_frames *frames);

// Take the slabs that the trees have by now. Once both have some, nodes can be compared by them.
void grz_flat_take(grz_flat *flat, const grz_distance_frames *frames, grz_control *control);

// The smallest distance of what is below two nodes, in the frames' unit, but for what grz_distance_limit() allows; 0 or
// less: nothing is known. Both trees must have slabs.
float grz_flat_gap(const grz_flat *flat, uint32_t node_a, uint32_t node_b);

#endif
