// SPDX-License-Identifier: MIT
// A balanced binary tree over numbers below 2^32 - 1: nothing but its links. The caller compares and finds the place of
// a new node; the tree keeps its height below 2.41 log2(n + 1), for any order of insertions and removals.
#ifndef GRZ_GEOMETRY_POLYGON_BALANCED_H
#define GRZ_GEOMETRY_POLYGON_BALANCED_H

#include <stdint.h>

#define GRZ_NO_NODE UINT32_MAX

typedef struct grz_balanced_node {
    uint32_t parent, child[2]; // GRZ_NO_NODE where there is none; child 0 comes before the node, child 1 after it
    uint32_t size;             // nodes of the subtree, this one included
} grz_balanced_node;

// Insert a node as child `side` of `parent`, which has none there. GRZ_NO_NODE as parent: the tree is empty.
void grz_balanced_insert(grz_balanced_node *nodes, uint32_t *root, uint32_t node, uint32_t parent, int side);

void grz_balanced_remove(grz_balanced_node *nodes, uint32_t *root, uint32_t node);

// The node before (side 0) or after (side 1) a node in the tree's order, or GRZ_NO_NODE.
uint32_t grz_balanced_neighbour(const grz_balanced_node *nodes, uint32_t node, int side);

// The first (side 0) or last (side 1) node, or GRZ_NO_NODE if the tree is empty.
uint32_t grz_balanced_end(const grz_balanced_node *nodes, uint32_t root, int side);

// How many nodes a subtree has; 0 for GRZ_NO_NODE.
static inline uint32_t grz_balanced_size(const grz_balanced_node *nodes, uint32_t node)
{
    return node == GRZ_NO_NODE ? 0 : nodes[node].size;
}

// The node before which there are `rank` others, fewer than there are in all.
uint32_t grz_balanced_at(const grz_balanced_node *nodes, uint32_t root, uint32_t rank);

#endif
