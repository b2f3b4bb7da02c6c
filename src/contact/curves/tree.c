// SPDX-License-Identifier: MIT
// The tree over contacts: boxes are sorted along a Morton curve, then joined in pairs from the bottom up. It has no
// pointers, and apart from sorting it takes linear time. After T. Karras, "Maximizing parallelism in the construction
// of BVHs, octrees, and k-d trees" (2012), without its hierarchy of prefixes.
#include "contact/curves/tree.h"

#include <assert.h>
#include <string.h>

#include "base/sort.h"
#include "contact/curves/clip.h"

enum {
    LEAF = 4, // items in a leaf
    BITS = 21 // of the Morton code, for each axis
};

typedef struct grz_coded_item {
    uint64_t code;
    size_t contact;
} grz_coded_item;

static grz_box box_of_contact(const grz_joiner *joiner, size_t contact)
{
    const grz_contact *c = &joiner->contacts[contact];
    grz_box box = grz_box_empty();
    for (uint32_t i = 0; i < c->point_count; i++)
        grz_box_add_point(&box, joiner->own[c->first_point - joiner->first_point + i].at);
    return box;
}

static uint8_t flags_of_contact(const grz_joiner *joiner, size_t contact)
{
    const grz_contact *c = &joiner->contacts[contact];
    unsigned flags = c->point_count > 2 ? GRZ_ITEM_POLYGON : 0;
    for (uint32_t i = 0; i < c->point_count; i++) {
        const size_t node = joiner->node_of[c->first_point - joiner->first_point + i];
        if ((joiner->flags[joiner->node_corner[node]] & GRZ_NODE_CROWDED) != 0)
            flags |= GRZ_ITEM_CROWDED;
    }
    return (uint8_t)flags;
}

// Spread the low 21 bits: bit i moves to bit 3i.
static uint64_t spread(uint64_t x)
{
    x = (x | x << 32) & UINT64_C(0x001f00000000ffff);
    x = (x | x << 16) & UINT64_C(0x001f0000ff0000ff);
    x = (x | x << 8) & UINT64_C(0x100f00f00f00f00f);
    x = (x | x << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (x | x << 2) & UINT64_C(0x1249249249249249);
}

// The Morton code of the cell that holds a box's centre. Cells are cubes, so boxes of neighbours are not long and thin.
static uint64_t code_of(const grz_box *box, const grz_box *all)
{
    const double cells = (double)(1 << BITS);
    double size = 0.0;
    uint64_t code = 0;
    for (int i = 0; i < 3; i++)
        size = all->max[i] - all->min[i] > size ? all->max[i] - all->min[i] : size;
    for (int i = 0; i < 3; i++) {
        const double at = 0.5 * box->min[i] + 0.5 * box->max[i] - all->min[i];
        const double cell = size > 0.0 ? at / size * cells : 0.0;
        code |= spread(cell > 0.0 ? (uint64_t)(cell < cells - 1.0 ? cell : cells - 1.0) : 0) << i;
    }
    return code;
}

// Sort by code, least significant byte first. The sort is stable, so contacts with equal codes stay in order.
static bool radix_sort(const grz_joiner *joiner, grz_coded_item *items, grz_coded_item *spare, size_t count)
{
    grz_coded_item *from = items, *to = spare;
    for (unsigned shift = 0; shift < 8 * sizeof items->code; shift += 8) {
        size_t start[257] = {0};
        for (size_t i = 0; i < count; i++)
            start[(from[i].code >> shift & 255u) + 1]++;
        if (grz_control_expired(joiner->control))
            return false;
        for (int i = 0; i < 256; i++)
            start[i + 1] += start[i];
        for (size_t i = 0; i < count; i++) {
            if (grz_control_expired_at(joiner->control, i, 16))
                return false;
            to[start[from[i].code >> shift & 255u]++] = from[i];
        }
        grz_coded_item *sorted = to;
        to = from;
        from = sorted;
    }
    return true; // an even number of passes: the result is in `items`
}

// Compare contacts by their nodes. Contacts with the same nodes are the same set of points, because the order of a
// contact's points depends on the points only.
static int compare_items(const void *left, const void *right, void *context)
{
    const grz_joiner *joiner = context;
    const grz_contact *p = &joiner->contacts[((const grz_coded_item *)left)->contact];
    const grz_contact *q = &joiner->contacts[((const grz_coded_item *)right)->contact];
    if (p->point_count != q->point_count)
        return p->point_count < q->point_count ? -1 : 1;
    for (uint32_t i = 0; i < p->point_count; i++) {
        const size_t own = joiner->node_of[p->first_point - joiner->first_point + i];
        const size_t other = joiner->node_of[q->first_point - joiner->first_point + i];
        if (own != other)
            return own < other ? -1 : 1;
    }
    return 0;
}

// Of equal contacts keep the first. There are many if a mesh has faces twice, or is flattened to few places. Equal
// contacts have equal codes.
static bool remove_repeats(const grz_joiner *joiner, grz_coded_item *items, size_t *count)
{
    size_t kept = 0;
    for (size_t i = 0, end = 0; i < *count; i = end) {
        while (end < *count && items[end].code == items[i].code)
            end++;
        if (grz_control_expired_at(joiner->control, i, 8) ||
            grz_sort(items + i, end - i, sizeof *items, compare_items, (void *)joiner, joiner->control) != GRZ_OK)
            return false;
        const size_t first = kept;
        for (; i < end; i++)
            if (kept == first || compare_items(&items[kept - 1], &items[i], (void *)joiner) != 0)
                items[kept++] = items[i];
    }
    *count = kept;
    return true;
}

static bool fill(const grz_joiner *joiner, grz_contact_tree *tree, grz_coded_item *coded, grz_coded_item *spare)
{
    grz_box all = grz_box_empty();
    size_t count = 0;
    for (size_t i = 0; i < joiner->corner_count; i++) {
        grz_box_add_point(&all, joiner->own[i].at);
        if (grz_control_expired_at(joiner->control, i, 14))
            return false;
    }
    for (size_t i = 0; i < joiner->contact_count; i++) {
        if (grz_control_expired_at(joiner->control, i, 12))
            return false;
        if (joiner->contacts[i].point_count < 2)
            continue;
        const grz_box box = box_of_contact(joiner, i);
        coded[count++] = (grz_coded_item){code_of(&box, &all), i};
    }
    if (!radix_sort(joiner, coded, spare, count) || !remove_repeats(joiner, coded, &count))
        return false;
    assert(0 < count && count <= tree->room);
    tree->item_count = count;
    tree->leaf_count = (count + LEAF - 1) / LEAF;
    for (size_t i = 0; i < count; i++) {
        if (grz_control_expired_at(joiner->control, i, 12))
            return false;
        tree->items[i] = coded[i].contact;
        tree->boxes[i] = box_of_contact(joiner, coded[i].contact);
        tree->flags[i] = flags_of_contact(joiner, coded[i].contact);
    }
    for (size_t leaf = 0; leaf < tree->leaf_count; leaf++) {
        grz_box *box = &tree->nodes[tree->leaf_count + leaf];
        *box = grz_box_empty();
        for (size_t i = leaf * LEAF; i < (leaf + 1) * LEAF && i < count; i++)
            grz_box_add_box(box, &tree->boxes[i]);
        if (grz_control_expired_at(joiner->control, leaf, 12))
            return false;
    }
    for (size_t node = tree->leaf_count - 1; node > 0; node--) {
        tree->nodes[node] = tree->nodes[2 * node];
        grz_box_add_box(&tree->nodes[node], &tree->nodes[2 * node + 1]);
        if (grz_control_expired_at(joiner->control, node, 14))
            return false;
    }
    return true;
}

bool grz_contact_tree_build(const grz_joiner *joiner, grz_contact_tree *tree)
{
    tree->joiner = joiner;
    for (size_t i = 0; i < joiner->contact_count; i++)
        tree->room += joiner->contacts[i].point_count > 1;
    if (tree->room == 0)
        return true;
    tree->items = grz_allocate(joiner->allocator, tree->room, sizeof *tree->items);
    tree->boxes = grz_allocate(joiner->allocator, tree->room, sizeof *tree->boxes);
    tree->flags = grz_allocate(joiner->allocator, tree->room, sizeof *tree->flags);
    tree->nodes = grz_allocate(joiner->allocator, 2 * (tree->room / LEAF + 1), sizeof *tree->nodes);
    grz_coded_item *coded = grz_allocate(joiner->allocator, tree->room, sizeof *coded);
    grz_coded_item *spare = grz_allocate(joiner->allocator, tree->room, sizeof *spare);
    const bool done = tree->items != NULL && tree->boxes != NULL && tree->flags != NULL && tree->nodes != NULL &&
                      coded != NULL && spare != NULL && fill(joiner, tree, coded, spare);
    grz_release(joiner->allocator, coded, tree->room, sizeof *coded);
    grz_release(joiner->allocator, spare, tree->room, sizeof *spare);
    return done;
}

void grz_contact_tree_finish(const grz_joiner *joiner, grz_contact_tree *tree)
{
    grz_release(joiner->allocator, tree->items, tree->room, sizeof *tree->items);
    grz_release(joiner->allocator, tree->boxes, tree->room, sizeof *tree->boxes);
    grz_release(joiner->allocator, tree->flags, tree->room, sizeof *tree->flags);
    grz_release(joiner->allocator, tree->nodes, 2 * (tree->room / LEAF + 1), sizeof *tree->nodes);
    grz_array_finish(joiner->allocator, &tree->found);
}

static bool search_leaf(grz_contact_tree *tree, size_t leaf, const grz_box *box)
{
    for (size_t i = leaf * LEAF; i < (leaf + 1) * LEAF && i < tree->item_count; i++) {
        if (!grz_boxes_overlap(box, &tree->boxes[i]))
            continue;
        if (!grz_array_add(tree->joiner->allocator, &tree->found))
            return false;
        tree->found.items[tree->found.count - 1] = tree->items[i];
    }
    return true;
}

bool grz_contact_tree_find(grz_contact_tree *tree, const grz_box *box)
{
    size_t stack[130], height = 0, steps = 0; // each level leaves one node on the stack
    tree->found.count = 0;
    if (tree->leaf_count == 0)
        return true;
    stack[height++] = 1;
    while (height > 0) {
        const size_t node = stack[--height];
        assert(node < 2 * tree->leaf_count && height + 2 <= sizeof stack / sizeof *stack);
        if (grz_control_expired_at(tree->joiner->control, ++steps, 14))
            return false;
        if (!grz_boxes_overlap(box, &tree->nodes[node]))
            continue;
        if (node >= tree->leaf_count) {
            if (!search_leaf(tree, node - tree->leaf_count, box))
                return false;
        } else {
            stack[height++] = 2 * node + 1;
            stack[height++] = 2 * node;
        }
    }
    return true;
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
    const grz_joiner *joiner = tree->joiner;
    const size_t contact = tree->items[p];
    if ((tree->flags[p] & GRZ_ITEM_POLYGON) != 0 || marks[contact] != 0)
        return;
    const size_t *node = joiner->node_of + (joiner->contacts[contact].first_point - joiner->first_point);
    const grz_candidate_link link = {.low = node[0] < node[1] ? node[0] : node[1],
                                     .high = node[0] < node[1] ? node[1] : node[0]};
    marks[contact] = !grz_curves_is_beside(joiner, &link, tree->items[q]);
}

static void mark_items(const grz_contact_tree *tree, size_t p, size_t q, uint8_t *marks)
{
    const unsigned either = tree->flags[p] | tree->flags[q], both = tree->flags[p] & tree->flags[q];
    if (!grz_boxes_overlap(&tree->boxes[p], &tree->boxes[q]) || (both & GRZ_ITEM_POLYGON) != 0)
        return;
    // The boxes are those of places. If nodes are crowded, or a polygon's side is crossed, different points may have
    // one place, and boxes with only one point in common do not exclude a longer common part.
    if (either == 0 && !overlap_beyond_point(&tree->boxes[p], &tree->boxes[q]))
        return;
    mark_item(tree, p, q, marks);
    mark_item(tree, q, p, marks);
}

static void mark_leaves(const grz_contact_tree *tree, size_t p, size_t q, uint8_t *marks)
{
    const size_t first_p = (p - tree->leaf_count) * LEAF, first_q = (q - tree->leaf_count) * LEAF;
    for (size_t i = first_p; i < first_p + LEAF && i < tree->item_count; i++)
        for (size_t j = p == q ? i + 1 : first_q; j < first_q + LEAF && j < tree->item_count; j++)
            mark_items(tree, i, j, marks);
}

bool grz_contact_tree_mark(const grz_contact_tree *tree, uint8_t *marks)
{
    size_t stack[400][2], height = 0, steps = 0; // each level leaves at most two pairs on the stack
    if (tree->leaf_count == 0)
        return true;
    stack[height][0] = stack[height][1] = 1;
    height++;
    while (height > 0) {
        const size_t p = stack[--height][0], q = stack[height][1];
        assert(p < 2 * tree->leaf_count && q < 2 * tree->leaf_count && height + 3 <= sizeof stack / sizeof *stack);
        if (grz_control_expired_at(tree->joiner->control, ++steps, 12))
            return false;
        if (!grz_boxes_overlap(&tree->nodes[p], &tree->nodes[q]))
            continue;
        const bool leaf_p = p >= tree->leaf_count, leaf_q = q >= tree->leaf_count;
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
