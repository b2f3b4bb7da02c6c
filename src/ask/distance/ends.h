// SPDX-License-Identifier: MIT
// How far the triangles below a node extend along the way from A to B, towards the other object. Where the children of
// a node are triangles, their corners say it, not their boxes: far apart objects differ in little else. Kept for the
// nodes that were asked about last.
#ifndef GRZ_ASK_DISTANCE_ENDS_H
#define GRZ_ASK_DISTANCE_ENDS_H

#include "ask/distance/distance_frames.h"
#include "base/memory.h"
#include "base/simd.h"

// The ends of a node's children, in the frames' unit: upper bounds.
typedef struct grz_node_ends {
    uint32_t node, looks; // it holds for this node and this direction
    float most;           // of all children
    uint32_t refined;     // bit i: ends[i] is as the children of child i say, or its corners, if it is a triangle
    float ends[GRZ_BVH_WIDTH];
} grz_node_ends;

typedef struct grz_distance_reach {
    const grz_distance_frames *frames;
    grz_distance_ends *ends_of_boxes;
    uint32_t looks;           // how often the direction was changed
    uint32_t mask[2];         // node & mask is the place of a node
    grz_node_ends *places[2]; // of A's tree and of B's, in one block
} grz_distance_reach;

// `frames` is borrowed. False if there is no memory.
bool grz_distance_reach_init(grz_distance_reach *reach, const grz_distance_frames *frames, grz_simd simd,
                             const grz_allocator *allocator);
void grz_distance_reach_finish(grz_distance_reach *reach, const grz_allocator *allocator);

// The direction of the frames was changed.
static inline void grz_distance_reach_turn(grz_distance_reach *reach)
{
    reach->looks++;
}

const grz_node_ends *grz_distance_reach_find(grz_distance_reach *reach, int side, uint32_t node);

// Borrowed until the next call for this side.
static inline const grz_node_ends *grz_distance_reach_of(grz_distance_reach *reach, int side, uint32_t node)
{
    const grz_node_ends *place = &reach->places[side][node & reach->mask[side]];
    return place->node == node && place->looks == reach->looks ? place : grz_distance_reach_find(reach, side, node);
}

// The end of a node: `most`, or less, where the children of its children say so.
float grz_distance_reach_refined(grz_distance_reach *reach, int side, uint32_t node);

#endif
