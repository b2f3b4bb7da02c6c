// SPDX-License-Identifier: MIT
// The tree over contacts: boxes sorted along a Morton curve, then joined in pairs from the bottom up; no pointers, built in linear
// time but for the sorting. After T. Karras, "Maximizing parallelism in the construction of BVHs, octrees, and k-d trees" (2012),
// without its hierarchy of prefixes.
#include "query/contact_tree.h"

#include <string.h>

#include "base/sort.h"
#include "query/curve_clip.h"

enum {
    LEAF = 4, // items a leaf
    BITS = 21 // of the Morton code, each axis
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

static uint8_t sort_of_contact(const grz_joiner *joiner, size_t contact)
{
    const grz_contact *c = &joiner->contacts[contact];
    unsigned sort = c->point_count > 2 ? GRZ_ITEM_POLYGON : 0;
    for (uint32_t i = 0; i < c->point_count; i++) {
        const size_t node = joiner->node_of[c->first_point - joiner->first_point + i];
        if ((joiner->flags[joiner->node_corner[node]] & GRZ_NODE_CROWDED) != 0)
            sort |= GRZ_ITEM_CROWDED;
    }
    return (uint8_t)sort;
}

// Spread the low 21 bits to every third place.
static uint64_t spread(uint64_t x)
{
    x = (x | x << 32) & UINT64_C(0x001f00000000ffff);
    x = (x | x << 16) & UINT64_C(0x001f0000ff0000ff);
    x = (x | x << 8) & UINT64_C(0x100f00f00f00f00f);
    x = (x | x << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (x | x << 2) & UINT64_C(0x1249249249249249);
}

// The cell of a box's middle; cells are cubes, so that boxes of neighbours are not long and thin.
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

// Sort by code, byte by byte from the least significant; the number of contacts breaks ties, as they come in that order.
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
    return true; // eight passes: back in `items`
}

// Contacts are the same set of points if their corners are the same nodes, for these come in an order that depends on nothing else.
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

// Keep of contacts that are the same the first one: where a mesh has faces twice, or is flattened to few places, there are many.
// Those that are the same have one code.
static bool leave_out_repeats(const grz_joiner *joiner, grz_coded_item *items, size_t *count)
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
    if (!radix_sort(joiner, coded, spare, count) || !leave_out_repeats(joiner, coded, &count))
        return false;
    tree->item_count = count;
    tree->leaf_count = (count + LEAF - 1) / LEAF;
    for (size_t i = 0; i < count; i++) {
        if (grz_control_expired_at(joiner->control, i, 12))
            return false;
        tree->items[i] = coded[i].contact;
        tree->boxes[i] = box_of_contact(joiner, coded[i].contact);
        tree->sorts[i] = sort_of_contact(joiner, coded[i].contact);
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
    tree->sorts = grz_allocate(joiner->allocator, tree->room, sizeof *tree->sorts);
    tree->nodes = grz_allocate(joiner->allocator, 2 * (tree->room / LEAF + 1), sizeof *tree->nodes);
    grz_coded_item *coded = grz_allocate(joiner->allocator, tree->room, sizeof *coded);
    grz_coded_item *spare = grz_allocate(joiner->allocator, tree->room, sizeof *spare);
    const bool done = tree->items != NULL && tree->boxes != NULL && tree->sorts != NULL && tree->nodes != NULL && coded != NULL &&
                      spare != NULL && fill(joiner, tree, coded, spare);
    grz_release(joiner->allocator, coded, tree->room, sizeof *coded);
    grz_release(joiner->allocator, spare, tree->room, sizeof *spare);
    return done;
}

void grz_contact_tree_finish(const grz_joiner *joiner, grz_contact_tree *tree)
{
    grz_release(joiner->allocator, tree->items, tree->room, sizeof *tree->items);
    grz_release(joiner->allocator, tree->boxes, tree->room, sizeof *tree->boxes);
    grz_release(joiner->allocator, tree->sorts, tree->room, sizeof *tree->sorts);
    grz_release(joiner->allocator, tree->nodes, 2 * (tree->room / LEAF + 1), sizeof *tree->nodes);
    grz_array_finish(joiner->allocator, &tree->found);
}

static bool look_at_leaf(grz_contact_tree *tree, size_t leaf, const grz_box *box)
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
    size_t stack[130], height = 0, steps = 0; // a level leaves one node behind
    tree->found.count = 0;
    if (tree->leaf_count == 0)
        return true;
    stack[height++] = 1;
    while (height > 0) {
        const size_t node = stack[--height];
        if (grz_control_expired_at(tree->joiner->control, ++steps, 14))
            return false;
        if (!grz_boxes_overlap(box, &tree->nodes[node]))
            continue;
        if (node >= tree->leaf_count) {
            if (!look_at_leaf(tree, node - tree->leaf_count, box))
                return false;
        } else {
            stack[height++] = 2 * node + 1;
            stack[height++] = 2 * node;
        }
    }
    return true;
}

// ---- The tree with itself
// ------------------------------------------------------------------------------------------------------------

// The boxes have more than a point in common; they meet.
static bool meet_in_more(const grz_box *p, const grz_box *q)
{
    for (int i = 0; i < 3; i++) {
        const double low = p->min[i] > q->min[i] ? p->min[i] : q->min[i], high = p->max[i] < q->max[i] ? p->max[i] : q->max[i];
        if (low < high)
            return true;
    }
    return false;
}

// Mark item p, a segment, if item q may lie along it.
static void mark_item(const grz_contact_tree *tree, size_t p, size_t q, uint8_t *marks)
{
    const grz_joiner *joiner = tree->joiner;
    const size_t contact = tree->items[p];
    if ((tree->sorts[p] & GRZ_ITEM_POLYGON) != 0 || marks[contact] != 0)
        return;
    const size_t *node = joiner->node_of + (joiner->contacts[contact].first_point - joiner->first_point);
    const grz_candidate_link link = {.low = node[0] < node[1] ? node[0] : node[1], .high = node[0] < node[1] ? node[1] : node[0]};
    marks[contact] = !grz_curves_is_beside(joiner, &link, tree->items[q]);
}

static void mark_items(const grz_contact_tree *tree, size_t p, size_t q, uint8_t *marks)
{
    const unsigned either = tree->sorts[p] | tree->sorts[q], both = tree->sorts[p] & tree->sorts[q];
    if (!grz_boxes_overlap(&tree->boxes[p], &tree->boxes[q]) || (both & GRZ_ITEM_POLYGON) != 0)
        return;
    // Boxes are those of places: different points may have one where nodes are crowded, or where a polygon's side is crossed.
    if (either == 0 && !meet_in_more(&tree->boxes[p], &tree->boxes[q]))
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
    size_t stack[400][2], height = 0, steps = 0; // a level leaves two pairs behind at most
    if (tree->leaf_count == 0)
        return true;
    stack[height][0] = stack[height][1] = 1;
    height++;
    while (height > 0) {
        const size_t p = stack[--height][0], q = stack[height][1];
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
            const bool split_p = leaf_q || (!leaf_p && p < q); // the larger one, nearer to the root
            for (size_t child = 0; child < 2; child++, height++) {
                stack[height][0] = split_p ? 2 * p + child : p;
                stack[height][1] = split_p ? q : 2 * q + child;
            }
        }
    }
    return true;
}
