// SPDX-License-Identifier: MIT
// A tree over the boxes of a job's contacts that have extent, to find those near a link or a point.
#ifndef GRZ_QUERY_CONTACT_TREE_H
#define GRZ_QUERY_CONTACT_TREE_H

#include "geometry/box.h"
#include "query/curves.h"

enum {
    GRZ_ITEM_POLYGON = 1u << 0,
    GRZ_ITEM_CROWDED = 1u << 1 // other nodes have the places of some of its nodes
};

typedef struct grz_contact_tree {
    const grz_joiner *joiner;
    size_t room;       // for items
    size_t item_count; // contacts with extent; of those with the same corners the first one
    size_t *items;     // along a space-filling curve
    grz_box *boxes;    // item_count, of the items
    uint8_t *sorts;    // item_count: GRZ_ITEM_…
    size_t leaf_count;
    grz_box *nodes; // 2 · leaf_count: node i holds nodes 2i and 2i + 1; leaf i is node leaf_count + i
    GRZ_ARRAY(size_t) found;
} grz_contact_tree;

// Boxes are those of the corners' places, which hold the places of all points in between: rounding keeps the order. Zero the tree
// before.
bool grz_contact_tree_build(const grz_joiner *joiner, grz_contact_tree *tree);
void grz_contact_tree_finish(const grz_joiner *joiner, grz_contact_tree *tree);

// List the contacts whose boxes meet this one, in tree->found.
bool grz_contact_tree_find(grz_contact_tree *tree, const grz_box *box);

// Mark the segments (marks[contact], zeroed) that may have more than a point in common with another contact, as far as boxes and
// grz_curves_is_beside() tell. Contacts with the same ends do not count.
bool grz_contact_tree_mark(const grz_contact_tree *tree, uint8_t *marks);

#endif
