// SPDX-License-Identifier: MIT
// For walks through two trees of which the first one moves: pairs of nodes, and opening them.
#ifndef GRZ_ASK_MOVE_TRANSLATION_OPENING_H
#define GRZ_ASK_MOVE_TRANSLATION_OPENING_H

#include "ask/move/translation/translation_path.h"

// A pair of nodes that wait to be opened, or of a node and a triangle.
typedef struct grz_translating_pair {
    uint32_t a, b;             // as grz_bvh_node::child has them
    uint32_t place_a, place_b; // node · 8 + position in the node; GRZ_BVH_NONE for the roots
    float enter, leave;        // the frames' times at which they may meet
} grz_translating_pair;

static const grz_translating_pair grz_root_pair = {
    .place_a = GRZ_BVH_NONE, .place_b = GRZ_BVH_NONE, .leave = HUGE_VALF};

// Two opened nodes. Of a triangle it is its parent, with this child only.
typedef struct grz_opened_pair {
    const grz_bvh *bvh_a, *bvh_b;
    grz_translating_side a, b;
    grz_slab_spans spans; // filled in by a grz_slab_times
} grz_opened_pair;

static inline grz_translating_side grz_translating_side_of(const grz_bvh *bvh, uint32_t child, uint32_t place)
{
    const bool alone = grz_bvh_is_triangle(child);
    grz_translating_side side = {&bvh->nodes[alone ? place / GRZ_BVH_WIDTH : child], 0};
    if (alone)
        side.children = 1u << place % GRZ_BVH_WIDTH;
    for (int i = 0; i < GRZ_BVH_WIDTH && !alone; i++)
        side.children |= (uint32_t)(side.node->child[i] != GRZ_BVH_NONE) << i;
    return side;
}

static inline void grz_opened_pair_set(grz_opened_pair *opened, const grz_bvh *bvh_a, const grz_bvh *bvh_b,
                                       const grz_translating_pair *pair)
{
    opened->bvh_a = bvh_a;
    opened->bvh_b = bvh_b;
    opened->a = grz_translating_side_of(bvh_a, pair->a, pair->place_a);
    opened->b = grz_translating_side_of(bvh_b, pair->b, pair->place_b);
}

// Child i of A's node with child j of B's.
static inline grz_translating_pair grz_opened_child(const grz_opened_pair *opened, int i, int j)
{
    return (grz_translating_pair){
        .a = opened->a.node->child[i],
        .b = opened->b.node->child[j],
        .place_a = (uint32_t)(opened->a.node - opened->bvh_a->nodes) * GRZ_BVH_WIDTH + (uint32_t)i,
        .place_b = (uint32_t)(opened->b.node - opened->bvh_b->nodes) * GRZ_BVH_WIDTH + (uint32_t)j,
        .enter = opened->spans.enter[i][j],
        .leave = opened->spans.leave[i][j]};
}

// The triangles among these children of a node, as bits.
static inline uint32_t grz_triangles_of(const grz_bvh_node *node, uint32_t children)
{
    uint32_t triangles = 0;
    for (; children != 0; children &= children - 1) {
        const int i = __builtin_ctz(children);
        triangles |= (uint32_t)grz_bvh_is_triangle(node->child[i]) << i;
    }
    return triangles;
}

#endif
