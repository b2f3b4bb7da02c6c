// SPDX-License-Identifier: MIT
// A tree over the boxes of a job's contacts that have extent (segments and polygons), to find those near a link or a
// point.
#ifndef GRZ_CONTACT_CURVES_TREE_H
#define GRZ_CONTACT_CURVES_TREE_H

#include "geometry/box.h"
#include "contact/curves/curves.h"

enum {
    GRZ_ITEM_POLYGON = 1u << 0,
    GRZ_ITEM_CROWDED = 1u << 1 // at least one of its nodes shares its place with another node
};

typedef struct grz_contact_tree {
    const grz_joiner *joiner;
    size_t room;       // capacity of the arrays of items
    size_t item_count; // contacts with extent; of several with the same corners only the first
    size_t *items;     // the contacts, sorted along a Morton curve
    grz_box *boxes;    // item_count boxes of the items
    uint8_t *flags;    // item_count bytes of GRZ_ITEM_…
    size_t leaf_count;
    grz_box *nodes; // 2 · leaf_count boxes: the children of node i are 2i and 2i + 1; leaf i is node leaf_count + i
    GRZ_ARRAY(size_t) found;
} grz_contact_tree;

// Build the tree; zero it before. The boxes are those of the corners' places. They also contain the places of all
// points in between, because rounding keeps the order. False: memory is out, or the control says to end.
bool grz_contact_tree_build(const grz_joiner *joiner, grz_contact_tree *tree);
void grz_contact_tree_finish(const grz_joiner *joiner, grz_contact_tree *tree);

// List the contacts whose boxes overlap `box`, in tree->found.
bool grz_contact_tree_find(grz_contact_tree *tree, const grz_box *box);

// Mark the segments (marks[contact], zeroed before) that may have more than one point in common with another contact,
// as far as boxes and grz_curves_is_beside() can tell. Contacts with the same ends do not count.
bool grz_contact_tree_mark(const grz_contact_tree *tree, uint8_t *marks);

#endif
