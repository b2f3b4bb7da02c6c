// SPDX-License-Identifier: MIT
// Build and walk of a binary tree of boxes. Both recur as deep as the tree, which is balanced: 31 levels at most.
#include "space/swept/swept_tree.h"

#include "base/control.h"

bool grz_swept_tree_init(grz_swept_tree *tree, uint32_t item_count, const grz_allocator *allocator)
{
    *tree = (grz_swept_tree){.allocator = allocator, .item_count = item_count};
    if (item_count == 0)
        return true;
    tree->node_room = item_count; // a leaf has two boxes at least, if there are several
    tree->boxes = grz_allocate(allocator, item_count, sizeof *tree->boxes);
    tree->items = grz_allocate(allocator, item_count, sizeof *tree->items);
    tree->nodes = grz_allocate(allocator, tree->node_room, sizeof *tree->nodes);
    return tree->boxes != NULL && tree->items != NULL && tree->nodes != NULL;
}

void grz_swept_tree_finish(grz_swept_tree *tree)
{
    grz_release(tree->allocator, tree->boxes, tree->item_count, sizeof *tree->boxes);
    grz_release(tree->allocator, tree->items, tree->item_count, sizeof *tree->items);
    grz_release(tree->allocator, tree->nodes, tree->node_room, sizeof *tree->nodes);
    *tree = (grz_swept_tree){0};
}

static double middle_of(const grz_swept_tree *tree, uint32_t item, int axis)
{
    return 0.5 * tree->boxes[item].min[axis] + 0.5 * tree->boxes[item].max[axis];
}

// The axis in which the middles of some items extend most.
static int widest_axis(const grz_swept_tree *tree, uint32_t first, uint32_t count)
{
    grz_box extent = grz_box_empty();
    for (uint32_t i = first; i < first + count; i++) {
        const double middle[3] = {middle_of(tree, tree->items[i], 0), middle_of(tree, tree->items[i], 1),
                                  middle_of(tree, tree->items[i], 2)};
        grz_box_add_point(&extent, middle);
    }
    int widest = 0;
    for (int axis = 1; axis < 3; axis++)
        if (extent.max[axis] - extent.min[axis] > extent.max[widest] - extent.min[widest])
            widest = axis;
    return widest;
}

// By the middle, then by number, so that the order is total.
static bool comes_before(const grz_swept_tree *tree, uint32_t x, uint32_t y, int axis)
{
    const double at_x = middle_of(tree, x, axis), at_y = middle_of(tree, y, axis);
    return at_x < at_y || (at_x == at_y && x < y);
}

static void exchange(uint32_t *x, uint32_t *y)
{
    const uint32_t kept = *x;
    *x = *y;
    *y = kept;
}

// Put the item that belongs at position `wanted` there, smaller ones before it, larger ones after it: Hoare's select.
static void select_item(grz_swept_tree *tree, uint32_t first, uint32_t last, uint32_t wanted, int axis)
{
    uint32_t *const items = tree->items;
    while (first < last) {
        const uint32_t pivot = items[first + (last - first) / 2];
        uint32_t i = first, j = last;
        for (;;) {
            while (comes_before(tree, items[i], pivot, axis))
                i++;
            while (comes_before(tree, pivot, items[j], axis))
                j--;
            if (i >= j)
                break;
            exchange(&items[i++], &items[j--]);
        }
        // None of items[first .. j] is above the pivot, none of items[j + 1 .. last] below it; j < last.
        if (wanted <= j)
            last = j;
        else
            first = j + 1;
    }
}

enum {
    CHECK_FROM = 4096 // the control is checked before a node of at least so many items is divided
};

// If the control has expired, the items that are left become leaves of any size, so that the build ends soon.
static uint32_t build_node(grz_swept_tree *tree, grz_control *control, uint32_t first, uint32_t count)
{
    const uint32_t number = tree->node_count++;
    grz_swept_node *const node = &tree->nodes[number];
    node->box = grz_box_empty();
    if (count <= GRZ_SWEPT_LEAF || (count >= CHECK_FROM && control != NULL && grz_control_expired(control))) {
        node->first = first;
        node->count = count;
        node->left = node->right = 0;
        for (uint32_t i = first; i < first + count; i++)
            grz_box_add_box(&node->box, &tree->boxes[tree->items[i]]);
        return number;
    }
    const uint32_t half = count / 2;
    select_item(tree, first, first + count - 1, first + half, widest_axis(tree, first, count));
    node->first = node->count = 0;
    node->left = build_node(tree, control, first, half);
    node->right = build_node(tree, control, first + half, count - half);
    grz_box_add_box(&node->box, &tree->nodes[node->left].box);
    grz_box_add_box(&node->box, &tree->nodes[node->right].box);
    return number;
}

bool grz_swept_tree_build(grz_swept_tree *tree, grz_control *control)
{
    for (uint32_t i = 0; i < tree->item_count; i++)
        tree->items[i] = i;
    tree->node_count = 0;
    if (tree->item_count > 0)
        build_node(tree, control, 0, tree->item_count);
    if (control == NULL || tree->item_count < CHECK_FROM || !grz_control_expired(control))
        return true;
    tree->node_count = 0;
    return false;
}

void grz_swept_tree_refit(grz_swept_tree *tree)
{
    for (uint32_t number = tree->node_count; number-- > 0;) { // a node comes before those below it
        grz_swept_node *const node = &tree->nodes[number];
        node->box = grz_box_empty();
        for (uint32_t i = node->first; i < node->first + node->count; i++)
            grz_box_add_box(&node->box, &tree->boxes[tree->items[i]]);
        if (node->count == 0) {
            grz_box_add_box(&node->box, &tree->nodes[node->left].box);
            grz_box_add_box(&node->box, &tree->nodes[node->right].box);
        }
    }
}

typedef struct walk {
    const grz_swept_tree *a, *b;
    grz_swept_visit *visit;
    void *user;
} walk;

static bool visit_leaves(const walk *w, const grz_swept_node *a, const grz_swept_node *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const uint32_t item_a = w->a->items[a->first + i];
        if (!grz_boxes_overlap(&w->a->boxes[item_a], &b->box))
            continue;
        for (uint32_t j = a == b ? i + 1 : 0; j < b->count; j++) {
            const uint32_t item_b = w->b->items[b->first + j];
            if (grz_boxes_overlap(&w->a->boxes[item_a], &w->b->boxes[item_b]) && !w->visit(w->user, item_a, item_b))
                return false;
        }
    }
    return true;
}

static double size_of(const grz_box *box)
{
    return fmax(fmax(box->max[0] - box->min[0], box->max[1] - box->min[1]), box->max[2] - box->min[2]);
}

static bool walk_nodes(const walk *w, uint32_t number_a, uint32_t number_b)
{
    const grz_swept_node *const a = &w->a->nodes[number_a], *const b = &w->b->nodes[number_b];
    if (!grz_boxes_overlap(&a->box, &b->box))
        return true;
    if (a->count > 0 && b->count > 0)
        return visit_leaves(w, a, b);
    if (a == b)
        return walk_nodes(w, a->left, a->left) && walk_nodes(w, a->left, a->right) && walk_nodes(w, a->right, a->right);
    if (b->count > 0 || (a->count == 0 && size_of(&a->box) >= size_of(&b->box)))
        return walk_nodes(w, a->left, number_b) && walk_nodes(w, a->right, number_b);
    return walk_nodes(w, number_a, b->left) && walk_nodes(w, number_a, b->right);
}

bool grz_swept_tree_pairs(const grz_swept_tree *a, const grz_swept_tree *b, grz_swept_visit *visit, void *user)
{
    const walk w = {a, b, visit, user};
    return a->node_count == 0 || b->node_count == 0 || walk_nodes(&w, 0, 0);
}
