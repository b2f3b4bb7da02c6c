// SPDX-License-Identifier: MIT
// The tree over a job's contacts with extent (segments and polygons), and which segments others may lie along.
#ifndef GRZ_CONTACT_CURVES_CONTACT_TREE_H
#define GRZ_CONTACT_CURVES_CONTACT_TREE_H

#include "contact/curves/box_tree.h"

typedef struct grz_contact_tree {
    grz_box_tree tree; // its items are contacts; of several with the same corners only the first
    uint8_t *flags;    // private to contact_tree.c
    uint8_t *segments; // private as well
} grz_contact_tree;

// The box of a contact's places. It also contains the places of all points in between, because rounding keeps the
// order.
grz_box grz_curves_contact_box(const grz_joiner *joiner, size_t contact);

// Compare contacts by their nodes. Contacts with the same nodes are the same set of points, because the order of a
// contact's points depends on the points only.
int grz_curves_compare_contacts(const grz_joiner *joiner, size_t p, size_t q);

// Build the tree; zero it before. False: there is no memory, or the control says to end.
bool grz_contact_tree_build(const grz_joiner *joiner, grz_contact_tree *tree);
void grz_contact_tree_finish(const grz_joiner *joiner, grz_contact_tree *tree);

// Mark the segments (marks[contact], zeroed before) that may have more than one point in common with another contact,
// as far as boxes and grz_curves_is_beside() can tell. Contacts with the same ends do not count. Where very many boxes
// overlap, and if grz_joiner::crowd is 0, all segments are marked. The pairs of branches that were looked at are added
// to `work`.
bool grz_contact_tree_mark(const grz_contact_tree *tree, uint8_t *marks, uint64_t *work);

#endif
