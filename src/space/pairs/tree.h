// SPDX-License-Identifier: MIT
// The dynamic AABB tree from inside: nodes of eight boxes side by side, all leaves at the same height.
#ifndef GRZ_SPACE_PAIRS_TREE_H
#define GRZ_SPACE_PAIRS_TREE_H

#include "space/pairs/finder.h"

enum {
    GRZ_TREE_WIDTH = 8,
    GRZ_TREE_MAX_HEIGHT = 40 // more than 2^32 objects need
};

// Eight children, whose boxes are in lanes. Those after `count` have boxes of NaN.
typedef struct grz_tree_node {
    float low[3][GRZ_TREE_WIDTH], high[3][GRZ_TREE_WIDTH];
    uint32_t child[GRZ_TREE_WIDTH]; // height 0: objects; else nodes
    uint32_t parent;                // GRZ_PAIRS_NONE: it is the root; of a free node: the next free one
    uint32_t count, height, unused;
} grz_tree_node;

typedef struct grz_tree {
    GRZ_ARRAY(grz_tree_node) nodes;
    grz_pairs_ids places; // by id: node << 3 | lane; GRZ_PAIRS_NONE: not in the tree
    grz_pairs_numbers keys, spare;
    uint32_t root, free; // nodes; GRZ_PAIRS_NONE: none
    uint32_t node_count; // without free ones
    size_t live, built_live, changes;
    uint32_t built_nodes;
} grz_tree;

void grz_tree_set_lane(grz_tree_node *node, uint32_t lane, const grz_pairs_box *box);
grz_pairs_box grz_tree_lane(const grz_tree_node *node, uint32_t lane);
grz_pairs_box grz_tree_node_box(const grz_tree_node *node);

// A node without children. Memory must have been reserved.
uint32_t grz_tree_new_node(grz_tree *tree, uint32_t height);

bool grz_tree_set(void *state, const grz_pairs_tools *tools, uint32_t id, const grz_pairs_box *box);
void grz_tree_remove(void *state, uint32_t id);

typedef bool grz_tree_joiner(const grz_tree *tree, grz_pairs_join *join);
grz_tree_joiner grz_tree_join_scalar, grz_tree_join_base;
#ifdef GRZ_SIMD_X86
grz_tree_joiner grz_tree_join_avx2, grz_tree_join_avx512;
#endif

typedef bool grz_tree_querier(const grz_tree *tree, const grz_pairs_tools *tools, const grz_pairs_box *box,
                              grz_pairs_ids *ids);
grz_tree_querier grz_tree_query_scalar, grz_tree_query_base;
#ifdef GRZ_SIMD_X86
grz_tree_querier grz_tree_query_avx2, grz_tree_query_avx512;
#endif

#endif
