// SPDX-License-Identifier: MIT
// A binary tree of boxes in doubles, built from the top: the boxes are divided at the median of their middles along the
// axis in which these extend most. For boxes that hold for one question only, such as those of moving triangles.
#ifndef GRZ_SPACE_SWEPT_SWEPT_TREE_H
#define GRZ_SPACE_SWEPT_SWEPT_TREE_H

#include <stdint.h>

#include "base/control_type.h"
#include "geometry/box.h"

enum {
    GRZ_SWEPT_LEAF = 4 // boxes in a leaf, at most
};

typedef struct grz_swept_node {
    grz_box box;
    uint32_t first, count; // a leaf: items[first] to items[first + count - 1]; count 0: not a leaf
    uint32_t left, right;  // otherwise: the two nodes below it
} grz_swept_node;

typedef struct grz_swept_tree {
    const grz_allocator *allocator;
    grz_box *boxes;  // of each item
    uint32_t *items; // numbers of boxes, in the order of the leaves
    uint32_t item_count;
    grz_swept_node *nodes; // 0 is the root
    uint32_t node_count, node_room;
} grz_swept_tree;

// Make room for `item_count` boxes, below 2^31. The caller fills in `boxes`, then calls _build(). Finish it in any
// case. False: out of memory.
bool grz_swept_tree_init(grz_swept_tree *tree, uint32_t item_count, const grz_allocator *allocator);
// Returns false, and leaves the tree empty, if the call was cancelled or its deadline passed. `control` may be NULL:
// then the build always completes.
bool grz_swept_tree_build(grz_swept_tree *tree, grz_control *control);
// The boxes have changed, a little: keep the tree's shape, which costs a fiftieth of building it.
void grz_swept_tree_refit(grz_swept_tree *tree);
void grz_swept_tree_finish(grz_swept_tree *tree);

// Called with the numbers of two boxes that overlap. False ends the walk.
typedef bool grz_swept_visit(void *user, uint32_t item_a, uint32_t item_b);

// Visit every pair of overlapping boxes once, in an order that depends on the boxes only. b == a: the tree with itself,
// each pair once, no box with itself. False if a visit ended it.
bool grz_swept_tree_pairs(const grz_swept_tree *a, const grz_swept_tree *b, grz_swept_visit *visit, void *user);

#endif
