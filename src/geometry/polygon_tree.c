// SPDX-License-Identifier: MIT
// Finding the corners that lie in a triangle among those that are not convex: a k-d tree over the corners of a polygon, in the
// frame of polygon_frame.c. A box is left out where it lies certainly beyond one of the triangle's sides, so long thin triangles
// are answered as quickly as small ones. The boxes stay as they were built; corners that are convex or removed by now are passed
// over.
#include "geometry/polygon_parts.h"

enum {
    LEAF_SIZE = 8,
    DEEPEST = 64
};

static size_t leaf_start(const grz_corner_tree *tree, size_t leaf)
{
    return (size_t)((uint64_t)leaf * tree->count / tree->leaf_count);
}

static grz_polygon_box empty_box(void)
{
    return (grz_polygon_box){{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
}

static void add_to_box(grz_polygon_box *box, const double low[2], const double high[2])
{
    for (int axis = 0; axis < 2; axis++) {
        box->min[axis] = low[axis] < box->min[axis] ? low[axis] : box->min[axis];
        box->max[axis] = high[axis] > box->max[axis] ? high[axis] : box->max[axis];
    }
}

// The box of a leaf or, from its children, of an inner node.
static grz_polygon_box box_of(const grz_corner_tree *tree, size_t node)
{
    grz_polygon_box box = empty_box();
    if (node < tree->leaf_count) {
        for (size_t child = 2 * node; child < 2 * node + 2; child++)
            add_to_box(&box, tree->boxes[child].min, tree->boxes[child].max);
        return box;
    }
    const size_t leaf = node - tree->leaf_count, end = leaf_start(tree, leaf + 1);
    for (size_t i = leaf_start(tree, leaf); i < end; i++) {
        const double *p = tree->turned + 2 * (size_t)tree->order[i];
        const double low[2] = {p[0] - GRZ_TURNED_SLACK, p[1] - GRZ_TURNED_SLACK};
        const double high[2] = {p[0] + GRZ_TURNED_SLACK, p[1] + GRZ_TURNED_SLACK};
        add_to_box(&box, low, high);
    }
    return box;
}

// Put the corners order[first, end) in such an order that those before `middle` come before those from it on along the axis.
// Quickselect in three parts, since whole rows of corners may share a coordinate.
static void select_middle(grz_corner_tree *tree, size_t first, size_t end, size_t middle, int axis)
{
    uint32_t *order = tree->order, random = 1;
    while (end - first > 1) {
        random = random * 1664525u + 1013904223u; // so that no outline is the worst case by habit
        const double pivot = tree->turned[2 * (size_t)order[first + random % (end - first)] + (size_t)axis];
        size_t less = first, at = first, more = end;
        while (at < more) {
            const uint32_t corner = order[at];
            const double x = tree->turned[2 * (size_t)corner + (size_t)axis];
            if (x < pivot) {
                order[at++] = order[less];
                order[less++] = corner;
            } else if (x > pivot) {
                order[at] = order[--more];
                order[more] = corner;
            } else {
                at++;
            }
        }
        if (middle >= less && middle <= more)
            return;
        first = middle > more ? more : first;
        end = middle < less ? less : end;
    }
}

// Sort the corners of the leaves [first, end) into them, halving them along `axis` first and then along the other in turn: so a
// line along either axis meets no more leaves than about the root of their number, however long and thin the polygon is.
static void split(grz_corner_tree *tree, size_t first, size_t end, int axis)
{
    const size_t middle = first + (end - first) / 2;
    if (end - first == 1)
        return;
    select_middle(tree, leaf_start(tree, first), leaf_start(tree, end), leaf_start(tree, middle), axis);
    split(tree, first, middle, 1 - axis);
    split(tree, middle, end, 1 - axis);
}

bool grz_corner_tree_reserve(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t corners)
{
    size_t leaf_count = 1;
    while (leaf_count * LEAF_SIZE < corners)
        leaf_count *= 2;
    return grz_array_reserve(allocator, &scratch->order, corners) && grz_array_reserve(allocator, &scratch->boxes, 2 * leaf_count);
}

void grz_corner_tree_build(const grz_polygon_scratch *scratch, uint32_t first, uint32_t count, int orientation,
                           grz_corner_tree *tree)
{
    size_t leaf_count = 1;
    while (leaf_count * LEAF_SIZE < count)
        leaf_count *= 2;
    *tree = (grz_corner_tree){.turned = scratch->turned.items,
                              .ring = scratch->ring.items,
                              .order = scratch->order.items,
                              .boxes = scratch->boxes.items,
                              .count = count,
                              .leaf_count = leaf_count,
                              .orientation = orientation,
                              .steps = tree->steps};
    for (uint32_t i = 0, corner = first; i < count; i++, corner = tree->ring[corner].next)
        tree->order[i] = corner;
    split(tree, 0, leaf_count, 0);
    for (size_t node = 2 * leaf_count - 1; node > 0; node--)
        tree->boxes[node] = box_of(tree, node);
}

// Whether all of the box lies to the right of the side from a to b, by its corner furthest to the left. Turned corners are off by
// 2^-51, the box is as much too wide as makes up for its own; coordinates are at most 1.5, so products of differences, the sum of
// two, are off by less than 2^-45 with all rounding.
static bool lies_beyond(const grz_corner_tree *tree, const grz_polygon_box *box, const double *a, const double *b)
{
    const double x = tree->orientation * (b[0] - a[0]), y = tree->orientation * (b[1] - a[1]);
    const double corner[2] = {y < 0.0 ? box->max[0] : box->min[0], x > 0.0 ? box->max[1] : box->min[1]};
    return x * (corner[1] - a[1]) - y * (corner[0] - a[0]) < -0x1p-45;
}

// Whether the box may have a point of the triangle, whose corners' box is `around`. It cannot be told to have none by one of the
// sides where it holds all of `around`.
static bool may_meet(const grz_corner_tree *tree, const grz_polygon_box *box, const grz_polygon_box *around,
                     const double *const side[4])
{
    grz_polygon_box common;
    bool holds = true;
    for (int axis = 0; axis < 2; axis++) {
        const bool low = box->min[axis] <= around->min[axis], high = box->max[axis] >= around->max[axis];
        common.min[axis] = low ? around->min[axis] : box->min[axis];
        common.max[axis] = high ? around->max[axis] : box->max[axis];
        holds = holds && low && high;
        if (common.min[axis] > common.max[axis])
            return false;
    }
    for (int i = 0; i < 3 && !holds; i++)
        if (lies_beyond(tree, &common, side[i], side[i + 1]))
            return false;
    return true;
}

bool grz_corner_tree_find(grz_corner_tree *tree, const uint32_t triangle[3], grz_corner_test *test, const void *context)
{
    const double *side[4];
    grz_polygon_box around = empty_box();
    size_t waiting[DEEPEST], count = 1;
    for (int i = 0; i < 3; i++) {
        side[i] = tree->turned + 2 * (size_t)triangle[i];
        add_to_box(&around, side[i], side[i]);
    }
    side[3] = side[0];
    for (int axis = 0; axis < 2; axis++) { // twice: the corners sought are off, too
        around.min[axis] -= 2.0 * GRZ_TURNED_SLACK;
        around.max[axis] += 2.0 * GRZ_TURNED_SLACK;
    }
    waiting[0] = 1;
    while (count > 0) {
        const size_t node = waiting[--count];
        tree->steps++;
        if (!may_meet(tree, &tree->boxes[node], &around, side))
            continue;
        if (node < tree->leaf_count) {
            waiting[count++] = 2 * node;
            waiting[count++] = 2 * node + 1;
            continue;
        }
        const size_t leaf = node - tree->leaf_count, end = leaf_start(tree, leaf + 1);
        for (size_t i = leaf_start(tree, leaf); i < end; i++) {
            const uint32_t corner = tree->order[i];
            const double *p = tree->turned + 2 * (size_t)corner;
            if (tree->ring[corner].convex || tree->ring[corner].removed || p[0] < around.min[0] || p[0] > around.max[0] ||
                p[1] < around.min[1] || p[1] > around.max[1])
                continue;
            tree->steps++;
            if (test(corner, context))
                return true;
        }
    }
    return false;
}
