// SPDX-License-Identifier: MIT
// The tree over boxes: they are sorted along a Morton curve, then joined in pairs from the bottom up. It has no
// pointers, and apart from sorting it takes linear time. After T. Karras, "Maximizing parallelism in the construction
// of BVHs, octrees, and k-d trees" (2012), without its hierarchy of prefixes.
#include "contact/curves/box_tree.h"

#include "base/control.h"

#include <assert.h>

enum {
    BITS = 21 // of the Morton code, for each axis
};

typedef struct grz_coded_item {
    uint64_t code;
    size_t item;
} grz_coded_item;

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

// Sort by code, least significant byte first. The sort is stable, so items with equal codes stay in order.
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

static int compare_coded(const void *left, const void *right, void *context)
{
    const grz_tree_owner *owner = context;
    return owner->order(&((const grz_coded_item *)left)->item, &((const grz_coded_item *)right)->item, owner->owner);
}

// Of equal items keep the first. There are many if a mesh has faces twice, or is flattened to few places. Equal items
// have equal codes.
static bool remove_repeats(const grz_joiner *joiner, const grz_tree_owner *owner, grz_coded_item *items, size_t *count)
{
    size_t kept = 0;
    for (size_t i = 0, end = 0; i < *count; i = end) {
        while (end < *count && items[end].code == items[i].code)
            end++;
        if (grz_control_expired_at(joiner->control, i, 8) ||
            grz_sort(items + i, end - i, sizeof *items, compare_coded, (void *)owner, joiner->control) != GRZ_OK)
            return false;
        const size_t first = kept;
        for (; i < end; i++)
            if (kept == first || compare_coded(&items[kept - 1], &items[i], (void *)owner) != 0)
                items[kept++] = items[i];
    }
    *count = kept;
    return true;
}

// Sort the items along the curve and fill `boxes`.
static bool sort_items(grz_box_tree *tree, const grz_tree_owner *owner, grz_coded_item *coded, grz_coded_item *spare)
{
    const grz_joiner *joiner = tree->joiner;
    size_t count = tree->item_count;
    grz_box all = grz_box_empty();
    for (size_t i = 0; i < count; i++) {
        if (grz_control_expired_at(joiner->control, i, 12))
            return false;
        tree->boxes[i] = owner->box_of(owner->owner, tree->items[i]);
        grz_box_add_box(&all, &tree->boxes[i]);
    }
    for (size_t i = 0; i < count; i++) {
        if (grz_control_expired_at(joiner->control, i, 14))
            return false;
        coded[i] = (grz_coded_item){code_of(&tree->boxes[i], &all), tree->items[i]};
    }
    if (!radix_sort(joiner, coded, spare, count) || !remove_repeats(joiner, owner, coded, &count))
        return false;
    assert(0 < count && count <= tree->room);
    tree->item_count = count;
    for (size_t i = 0; i < count; i++) {
        if (grz_control_expired_at(joiner->control, i, 12))
            return false;
        tree->items[i] = coded[i].item;
        tree->boxes[i] = owner->box_of(owner->owner, coded[i].item);
    }
    return true;
}

static bool join_nodes(grz_box_tree *tree)
{
    const grz_joiner *joiner = tree->joiner;
    const size_t count = tree->item_count;
    tree->leaf_count = (count + GRZ_TREE_LEAF - 1) / GRZ_TREE_LEAF;
    for (size_t leaf = 0; leaf < tree->leaf_count; leaf++) {
        grz_box *box = &tree->nodes[tree->leaf_count + leaf];
        *box = grz_box_empty();
        for (size_t i = leaf * GRZ_TREE_LEAF; i < (leaf + 1) * GRZ_TREE_LEAF && i < count; i++)
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

bool grz_box_tree_reserve(const grz_joiner *joiner, size_t room, grz_box_tree *tree)
{
    tree->joiner = joiner;
    tree->room = room;
    if (room == 0)
        return true;
    tree->items = grz_allocate(joiner->allocator, room, sizeof *tree->items);
    tree->boxes = grz_allocate(joiner->allocator, room, sizeof *tree->boxes);
    tree->nodes = grz_allocate(joiner->allocator, 2 * (room / GRZ_TREE_LEAF + 1), sizeof *tree->nodes);
    return tree->items != NULL && tree->boxes != NULL && tree->nodes != NULL;
}

bool grz_box_tree_build(grz_box_tree *tree, const grz_tree_owner *owner)
{
    const grz_joiner *joiner = tree->joiner;
    const size_t count = tree->item_count;
    assert(count <= tree->room);
    if (count == 0)
        return true;
    grz_coded_item *coded = grz_allocate(joiner->allocator, count, sizeof *coded);
    grz_coded_item *spare = grz_allocate(joiner->allocator, count, sizeof *spare);
    const bool done = coded != NULL && spare != NULL && sort_items(tree, owner, coded, spare) && join_nodes(tree);
    grz_release(joiner->allocator, coded, count, sizeof *coded);
    grz_release(joiner->allocator, spare, count, sizeof *spare);
    return done;
}

void grz_box_tree_finish(const grz_joiner *joiner, grz_box_tree *tree)
{
    grz_release(joiner->allocator, tree->items, tree->room, sizeof *tree->items);
    grz_release(joiner->allocator, tree->boxes, tree->room, sizeof *tree->boxes);
    grz_release(joiner->allocator, tree->nodes, 2 * (tree->room / GRZ_TREE_LEAF + 1), sizeof *tree->nodes);
    grz_array_finish(joiner->allocator, &tree->found);
}

static bool search_leaf(grz_box_tree *tree, size_t leaf, const grz_box *box, size_t most)
{
    const size_t first = leaf * GRZ_TREE_LEAF;
    for (size_t i = first; i < first + GRZ_TREE_LEAF && i < tree->item_count && tree->found.count <= most; i++) {
        if (!grz_boxes_overlap(box, &tree->boxes[i]))
            continue;
        if (!grz_array_add(tree->joiner->allocator, &tree->found))
            return false;
        tree->found.items[tree->found.count - 1] = tree->items[i];
    }
    return true;
}

bool grz_box_tree_find(grz_box_tree *tree, const grz_box *box, size_t most)
{
    size_t stack[130], height = 0, steps = 0; // each level leaves one node on the stack
    tree->found.count = 0;
    if (tree->leaf_count == 0)
        return true;
    stack[height++] = 1;
    while (height > 0 && tree->found.count <= most) {
        const size_t node = stack[--height];
        assert(node < 2 * tree->leaf_count && height + 2 <= sizeof stack / sizeof *stack);
        if (grz_control_expired_at(tree->joiner->control, ++steps, 14))
            return false;
        if (!grz_boxes_overlap(box, &tree->nodes[node]))
            continue;
        if (node >= tree->leaf_count) {
            if (!search_leaf(tree, node - tree->leaf_count, box, most))
                return false;
        } else {
            stack[height++] = 2 * node + 1;
            stack[height++] = 2 * node;
        }
    }
    return true;
}
