// SPDX-License-Identifier: MIT
// A tree over boxes, to find those near a link or a point. The items are numbers; their owner knows what they stand
// for.
#ifndef GRZ_CONTACT_CURVES_BOX_TREE_H
#define GRZ_CONTACT_CURVES_BOX_TREE_H

#include "base/sort/sort.h"
#include "contact/curves/curves.h"
#include "geometry/box.h"

enum {
    GRZ_TREE_LEAF = 4 // items in a leaf
};

typedef struct grz_box_tree {
    const grz_joiner *joiner;
    size_t room; // capacity of the arrays of items
    size_t item_count;
    size_t *items;  // sorted along a Morton curve
    grz_box *boxes; // item_count boxes of the items
    size_t leaf_count;
    grz_box *nodes; // 2 · leaf_count boxes: the children of node i are 2i and 2i + 1; leaf i is node leaf_count + i
    GRZ_ARRAY(size_t) found;
} grz_box_tree;

// What a tree's items are. `order` is called with two items' addresses and `owner`; of items that it calls equal only
// the first is kept. Equal items must have equal boxes.
typedef struct grz_tree_owner {
    grz_box (*box_of)(const void *owner, size_t item);
    grz_compare *order;
    void *owner;
} grz_tree_owner;

// Make room for `room` items; zero the tree before. The owner then fills `items` and `item_count`. False: memory is
// out.
bool grz_box_tree_reserve(const grz_joiner *joiner, size_t room, grz_box_tree *tree);

// Build the tree of its items. False: there is no memory, or the control says to end.
bool grz_box_tree_build(grz_box_tree *tree, const grz_tree_owner *owner);
void grz_box_tree_finish(const grz_joiner *joiner, grz_box_tree *tree);

// List the items whose boxes overlap `box`, in tree->found; if there are more than `most`, any `most` + 1 of them.
bool grz_box_tree_find(grz_box_tree *tree, const grz_box *box, size_t most);

#endif
