// SPDX-License-Identifier: MIT
// The boxes of two trees in motion: how long they stay apart for certain.
#ifndef GRZ_ASK_MOVE_RIGID_RIGID_BOXES_H
#define GRZ_ASK_MOVE_RIGID_RIGID_BOXES_H

#include "ask/move/rigid/safe_time.h"
#include "space/bvh/bvh.h"

enum {
    GRZ_AHEAD_AXES = 7 // three of each tree, and one of the caller's
};

// A linear function of a point in tree coordinates: m · x + m[3].
typedef struct grz_linear {
    double m[4];
} grz_linear;

// Two trees at a time, seen along some directions in space.
typedef struct grz_moving_boxes {
    const grz_moving_pair *pair;
    const grz_bvh *bvhs[2];
    double t;
    grz_moving_state states[2];
    double middle[3]; // places are measured from here
    int count;        // directions
    grz_linear places[2][GRZ_AHEAD_AXES], rates[2][GRZ_AHEAD_AXES];
    double margins[GRZ_AHEAD_AXES]; // of the distance of two boxes
    double rate_error;              // of the rate at which they approach each other
} grz_moving_boxes;

// Children of a node.
typedef struct grz_moving_side {
    const grz_bvh_node *node;
    uint32_t children; // bit i: child i
} grz_moving_side;

// The place of a child: node · 8 + position in the node.
static inline uint32_t grz_moving_place(const grz_bvh *bvh, const grz_moving_side *side, int i)
{
    return (uint32_t)(side->node - bvh->nodes) * GRZ_BVH_WIDTH + (uint32_t)i;
}

// A child by itself, at its place.
static inline grz_moving_side grz_moving_one_child(const grz_bvh *bvh, uint32_t place)
{
    return (grz_moving_side){&bvh->nodes[place / GRZ_BVH_WIDTH], 1u << place % GRZ_BVH_WIDTH};
}

// The children of a node; a triangle, as grz_bvh_node::child has it, by itself.
static inline grz_moving_side grz_moving_side_of(const grz_bvh *bvh, uint32_t child, uint32_t place)
{
    if (grz_bvh_is_triangle(child))
        return grz_moving_one_child(bvh, place);
    grz_moving_side side = {&bvh->nodes[child], 0};
    for (int i = 0; i < GRZ_BVH_WIDTH; i++)
        side.children |= (uint32_t)(side.node->child[i] != GRZ_BVH_NONE) << i;
    return side;
}

// Bring both trees to a time. `look`: a direction of length 1, or NULL.
void grz_moving_boxes_set(grz_moving_boxes *boxes, const grz_moving_pair *pair, const grz_bvh *const bvhs[2], double t,
                          const double look[3]);

// Until when each child of A and each of B are certainly apart: times[i][j]. boxes->t: nothing is known. Others than
// the children given are not written.
void grz_moving_boxes_ahead(const grz_moving_boxes *boxes, const grz_moving_side sides[2],
                            double times[GRZ_BVH_WIDTH][GRZ_BVH_WIDTH]);

#endif
