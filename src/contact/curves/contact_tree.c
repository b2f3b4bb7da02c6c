// SPDX-License-Identifier: MIT
// The tree over contacts, and the walk of that tree with itself that finds which segments lie along other contacts.
// Two polygons are of no interest there: pairs of branches without a segment are left out. Else a stack of polygons,
// whose boxes all overlap, would cost the square of their number.
#include "contact/curves/contact_tree.h"

#include <assert.h>
#include <string.h>

#include "base/control.h"
#include "contact/curves/clip.h"

enum {
    ITEM_POLYGON = 1u << 0,
    ITEM_CROWDED = 1u << 1, // at least one of its nodes shares its place with another node
    MOST_STEPS = 32         // pairs of branches that are looked at, for each item
};

grz_box grz_curves_contact_box(const grz_joiner *joiner, size_t contact)
{
    const grz_contact *c = &joiner->contacts[contact];
    grz_box box = grz_box_empty();
    for (uint32_t i = 0; i < c->point_count; i++)
        grz_box_add_point(&box, joiner->own[c->first_point - joiner->first_point + i].at);
    return box;
}

static grz_box box_of_item(const void *owner, size_t item)
{
    return grz_curves_contact_box(owner, item);
}

static uint8_t flags_of_contact(const grz_joiner *joiner, size_t contact)
{
    const grz_contact *c = &joiner->contacts[contact];
    unsigned flags = c->point_count > 2 ? ITEM_POLYGON : 0;
    for (uint32_t i = 0; i < c->point_count; i++) {
        const size_t node = joiner->node_of[c->first_point - joiner->first_point + i];
        if ((joiner->flags[joiner->node_corner[node]] & GRZ_NODE_CROWDED) != 0)
            flags |= ITEM_CROWDED;
    }
    return (uint8_t)flags;
}

int grz_curves_compare_contacts(const grz_joiner *joiner, size_t p, size_t q)
{
    const grz_contact *x = &joiner->contacts[p], *y = &joiner->contacts[q];
    if (x->point_count != y->point_count)
        return x->point_count < y->point_count ? -1 : 1;
    for (uint32_t i = 0; i < x->point_count; i++) {
        const size_t own = joiner->node_of[x->first_point - joiner->first_point + i];
        const size_t other = joiner->node_of[y->first_point - joiner->first_point + i];
        if (own != other)
            return own < other ? -1 : 1;
    }
    return 0;
}

static int compare_items(const void *left, const void *right, void *context)
{
    return grz_curves_compare_contacts(context, *(const size_t *)left, *(const size_t *)right);
}

// Set the items' flags, and for each node of the tree whether there is a segment below it.
static bool flag_items(grz_contact_tree *tree)
{
    const grz_box_tree *boxes = &tree->tree;
    const grz_joiner *joiner = boxes->joiner;
    for (size_t i = 0; i < boxes->item_count; i++) {
        if (grz_control_expired_at(joiner->control, i, 12))
            return false;
        tree->flags[i] = flags_of_contact(joiner, boxes->items[i]);
        if ((tree->flags[i] & ITEM_POLYGON) == 0)
            tree->segments[boxes->leaf_count + i / GRZ_TREE_LEAF] = 1;
    }
    for (size_t node = boxes->leaf_count - 1; node > 0; node--) {
        tree->segments[node] = tree->segments[2 * node] | tree->segments[2 * node + 1];
        if (grz_control_expired_at(joiner->control, node, 14))
            return false;
    }
    return true;
}

bool grz_contact_tree_build(const grz_joiner *joiner, grz_contact_tree *tree)
{
    grz_box_tree *boxes = &tree->tree;
    const grz_tree_owner owner = {box_of_item, compare_items, (void *)joiner};
    size_t room = 0;
    for (size_t i = 0; i < joiner->contact_count; i++)
        room += joiner->contacts[i].point_count > 1;
    if (!grz_box_tree_reserve(joiner, room, boxes))
        return false;
    if (room == 0)
        return true;
    tree->flags = grz_allocate(joiner->allocator, room, sizeof *tree->flags);
    tree->segments = grz_allocate_zeroed(joiner->allocator, 2 * (room / GRZ_TREE_LEAF + 1), sizeof *tree->segments);
    if (tree->flags == NULL || tree->segments == NULL)
        return false;
    for (size_t i = 0; i < joiner->contact_count; i++) {
        if (grz_control_expired_at(joiner->control, i, 12))
            return false;
        if (joiner->contacts[i].point_count > 1)
            boxes->items[boxes->item_count++] = i;
    }
    return grz_box_tree_build(boxes, &owner) && flag_items(tree);
}

void grz_contact_tree_finish(const grz_joiner *joiner, grz_contact_tree *tree)
{
    const size_t room = tree->tree.room;
    grz_release(joiner->allocator, tree->flags, room, sizeof *tree->flags);
    grz_release(joiner->allocator, tree->segments, 2 * (room / GRZ_TREE_LEAF + 1), sizeof *tree->segments);
    grz_box_tree_finish(joiner, &tree->tree);
}

// ---- The tree with itself ----

// True if two overlapping boxes have more than a point in common.
static bool overlap_beyond_point(const grz_box *p, const grz_box *q)
{
    for (int i = 0; i < 3; i++) {
        const double low = p->min[i] > q->min[i] ? p->min[i] : q->min[i],
                     high = p->max[i] < q->max[i] ? p->max[i] : q->max[i];
        if (low < high)
            return true;
    }
    return false;
}

// Mark item p if it is a segment that item q may lie along.
static void mark_item(const grz_contact_tree *tree, size_t p, size_t q, uint8_t *marks)
{
    const grz_joiner *joiner = tree->tree.joiner;
    const size_t contact = tree->tree.items[p];
    if ((tree->flags[p] & ITEM_POLYGON) != 0 || marks[contact] != 0)
        return;
    const size_t *node = joiner->node_of + (joiner->contacts[contact].first_point - joiner->first_point);
    const grz_candidate_link link = {.low = node[0] < node[1] ? node[0] : node[1],
                                     .high = node[0] < node[1] ? node[1] : node[0]};
    marks[contact] = !grz_curves_is_beside(joiner, &link, tree->tree.items[q]);
}

static void mark_items(const grz_contact_tree *tree, size_t p, size_t q, uint8_t *marks)
{
    const grz_box *box = tree->tree.boxes;
    const unsigned either = tree->flags[p] | tree->flags[q], both = tree->flags[p] & tree->flags[q];
    if (!grz_boxes_overlap(&box[p], &box[q]) || (both & ITEM_POLYGON) != 0)
        return;
    // The boxes are those of places. If nodes are crowded, or a polygon's side is crossed, different points may have
    // one place, and boxes with only one point in common do not exclude a longer common part.
    if (either == 0 && !overlap_beyond_point(&box[p], &box[q]))
        return;
    mark_item(tree, p, q, marks);
    mark_item(tree, q, p, marks);
}

static void mark_leaves(const grz_contact_tree *tree, size_t p, size_t q, uint8_t *marks)
{
    const grz_box_tree *boxes = &tree->tree;
    const size_t first_p = (p - boxes->leaf_count) * GRZ_TREE_LEAF, first_q = (q - boxes->leaf_count) * GRZ_TREE_LEAF;
    for (size_t i = first_p; i < first_p + GRZ_TREE_LEAF && i < boxes->item_count; i++)
        for (size_t j = p == q ? i + 1 : first_q; j < first_q + GRZ_TREE_LEAF && j < boxes->item_count; j++)
            mark_items(tree, i, j, marks);
}

static bool mark_all(const grz_contact_tree *tree, uint8_t *marks)
{
    for (size_t i = 0; i < tree->tree.item_count; i++) {
        marks[tree->tree.items[i]] = 1;
        if (grz_control_expired_at(tree->tree.joiner->control, i, 14))
            return false;
    }
    return true;
}

bool grz_contact_tree_mark(const grz_contact_tree *tree, uint8_t *marks, uint64_t *work)
{
    const grz_box_tree *boxes = &tree->tree;
    size_t stack[400][2], height = 0, steps = 0; // each level leaves at most two pairs on the stack
    const size_t most = boxes->item_count * (boxes->joiner->crowd > 0 ? MOST_STEPS : 0);
    if (boxes->leaf_count == 0)
        return true;
    stack[height][0] = stack[height][1] = 1;
    height++;
    while (height > 0) {
        const size_t p = stack[--height][0], q = stack[height][1];
        assert(p < 2 * boxes->leaf_count && q < 2 * boxes->leaf_count && height + 3 <= sizeof stack / sizeof *stack);
        if (grz_control_expired_at(boxes->joiner->control, ++steps, 12))
            return false;
        ++*work;
        if (steps > most)
            return mark_all(tree, marks);
        if ((tree->segments[p] | tree->segments[q]) == 0 || !grz_boxes_overlap(&boxes->nodes[p], &boxes->nodes[q]))
            continue;
        const bool leaf_p = p >= boxes->leaf_count, leaf_q = q >= boxes->leaf_count;
        if (leaf_p && leaf_q) {
            mark_leaves(tree, p, q, marks);
        } else if (p == q) {
            const size_t pairs[3][2] = {{2 * p, 2 * p}, {2 * p + 1, 2 * p + 1}, {2 * p, 2 * p + 1}};
            memcpy(stack[height], pairs, sizeof pairs);
            height += 3;
        } else {
            const bool split_p = leaf_q || (!leaf_p && p < q); // the larger node: the one nearer to the root
            for (size_t child = 0; child < 2; child++, height++) {
                stack[height][0] = split_p ? 2 * p + child : p;
                stack[height][1] = split_p ? q : 2 * q + child;
            }
        }
    }
    return true;
}
