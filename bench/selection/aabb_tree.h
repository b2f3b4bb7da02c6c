// SPDX-License-Identifier: MIT
// The tree that the paper compares its two levels with: axis-aligned boxes, two children a node, one triangle a leaf,
// refitted from the leaves up. Source: G. van den Bergen (1997).
#ifndef GRZ_BENCH_SELECTION_AABB_TREE_H
#define GRZ_BENCH_SELECTION_AABB_TREE_H

#include "peer.h"

typedef struct aabb_tree aabb_tree;

// The mesh's triangles are borrowed.
aabb_tree *aabb_tree_build(const peer_mesh *mesh);

// Fit all boxes to new positions.
void aabb_tree_refit(aabb_tree *tree, const double (*positions)[3]);

void aabb_tree_free(aabb_tree *tree);

#endif
