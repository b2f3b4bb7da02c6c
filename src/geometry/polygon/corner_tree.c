// SPDX-License-Identifier: MIT
// Finds the corners in a triangle among those that are not convex: a k-d tree over the corners of a polygon, in the
// rotated frame of polygon_frame.c. A node is skipped if its box certainly lies beyond one of the triangle's three
// sides, so long thin triangles are as fast as small ones. A node is also skipped if none of its corners is listed,
// that is, can block a triangle: each node counts those, and the counts are updated when a corner becomes convex or is
// removed.
#include "geometry/polygon/polygon_parts.h"

#include <assert.h>

enum {
    LEAF_SIZE = 8, // corners per leaf, at most
    STACK_SIZE = 64,
    FIRST_TRY = 256, // boxes and corners that a search visits before it begins again
    NEXT_TRY = 64,
    TRIES = 4
};

// The position in `order` where a leaf's corners begin.
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

// The box of a leaf, from its corners, or of an inner node, from its children.
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
        const double *p = tree->rotated + 2 * (size_t)tree->order[i];
        const double low[2] = {p[0] - GRZ_ROTATED_MARGIN, p[1] - GRZ_ROTATED_MARGIN};
        const double high[2] = {p[0] + GRZ_ROTATED_MARGIN, p[1] + GRZ_ROTATED_MARGIN};
        add_to_box(&box, low, high);
    }
    return box;
}

// Partition order[first, end) along the axis: no corner before position `middle` has a larger coordinate than a corner
// at or after it. Quickselect with a three-way partition, because whole rows of corners may share a coordinate.
static void select_middle(grz_corner_tree *tree, size_t first, size_t end, size_t middle, int axis)
{
    uint32_t *order = tree->order, random = 1;
    assert(first <= middle && middle <= end);
    while (end - first > 1) {
        random = random * 1664525u + 1013904223u; // random pivots: no common outline is the worst case
        const double pivot = tree->rotated[2 * (size_t)order[first + random % (end - first)] + (size_t)axis];
        size_t less = first, at = first, more = end;
        while (at < more) {
            const uint32_t corner = order[at];
            const double x = tree->rotated[2 * (size_t)corner + (size_t)axis];
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

// Distribute the corners of the leaves [first, end) among them: halve along `axis`, then along the other axis, in turn.
// An axis-parallel line then meets only about sqrt(n) of n leaves, however long and thin the polygon is.
static void split(grz_corner_tree *tree, size_t first, size_t end, int axis)
{
    assert(first < end);
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
    return grz_array_reserve(allocator, &scratch->order, corners) &&
           grz_array_reserve(allocator, &scratch->leaves, corners) &&
           grz_array_reserve(allocator, &scratch->listed, 2 * leaf_count) &&
           grz_array_reserve(allocator, &scratch->boxes, 2 * leaf_count);
}

// Count the listed corners of each node, and note the leaf of each corner.
static void count_listed(grz_corner_tree *tree)
{
    for (size_t leaf = 0; leaf < tree->leaf_count; leaf++) {
        const size_t node = tree->leaf_count + leaf, end = leaf_start(tree, leaf + 1);
        tree->listed[node] = 0;
        for (size_t i = leaf_start(tree, leaf); i < end; i++) {
            tree->leaves[tree->order[i]] = (uint32_t)leaf;
            tree->listed[node] += tree->ring[tree->order[i]].listed;
        }
    }
    for (size_t node = tree->leaf_count - 1; node > 0; node--)
        tree->listed[node] = tree->listed[2 * node] + tree->listed[2 * node + 1];
}

void grz_corner_tree_list(grz_corner_tree *tree, uint32_t corner, bool listed)
{
    for (size_t node = tree->leaf_count + tree->leaves[corner]; node > 0; node /= 2)
        tree->listed[node] += listed ? 1 : UINT32_MAX; // one fewer
}

void grz_corner_tree_build(const grz_polygon_scratch *scratch, uint32_t count, int orientation, grz_corner_tree *tree)
{
    size_t leaf_count = 1;
    assert(count > 0);
    while (leaf_count * LEAF_SIZE < count)
        leaf_count *= 2;
    *tree = (grz_corner_tree){.rotated = scratch->rotated.items,
                              .ring = scratch->ring.items,
                              .order = scratch->order.items,
                              .leaves = scratch->leaves.items,
                              .listed = scratch->listed.items,
                              .boxes = scratch->boxes.items,
                              .count = count,
                              .leaf_count = leaf_count,
                              .orientation = orientation,
                              .steps = tree->steps};
    split(tree, 0, leaf_count, 0);
    for (size_t node = 2 * leaf_count - 1; node > 0; node--)
        tree->boxes[node] = box_of(tree, node);
    count_listed(tree);
}

// True if the whole box certainly lies to the right of the side from a to b; its leftmost corner decides. a and b have
// an error of 2^-51; the box is enlarged and needs no further margin. Coordinates are at most 1.5 in magnitude, so the
// error of the determinant (two products of differences, their sum, and all rounding) is below 2^-45.
static bool lies_beyond(const grz_corner_tree *tree, const grz_polygon_box *box, const double *a, const double *b)
{
    const double x = tree->orientation * (b[0] - a[0]), y = tree->orientation * (b[1] - a[1]);
    const double corner[2] = {y < 0.0 ? box->max[0] : box->min[0], x > 0.0 ? box->max[1] : box->min[1]};
    return x * (corner[1] - a[1]) - y * (corner[0] - a[0]) < -0x1p-45; // derived above
}

// False if the box certainly contains no point of the triangle. `bounds` is the AABB of the triangle. If the box
// contains all of `bounds`, no side of the triangle can separate the two, and the sides are not tested.
static bool may_meet(const grz_corner_tree *tree, const grz_polygon_box *box, const grz_polygon_box *bounds,
                     const double *const side[4])
{
    grz_polygon_box common;
    bool holds = true;
    for (int axis = 0; axis < 2; axis++) {
        const bool low = box->min[axis] <= bounds->min[axis], high = box->max[axis] >= bounds->max[axis];
        common.min[axis] = low ? bounds->min[axis] : box->min[axis];
        common.max[axis] = high ? bounds->max[axis] : box->max[axis];
        holds = holds && low && high;
        if (common.min[axis] > common.max[axis])
            return false;
    }
    for (int i = 0; i < 3 && !holds; i++)
        if (lies_beyond(tree, &common, side[i], side[i + 1]))
            return false;
    return true;
}

// How far a box is from a point, along the axis where that is more; negative if the point is in the box.
static double distance_to(const grz_polygon_box *box, const double at[2])
{
    double distance = -HUGE_VAL;
    for (int axis = 0; axis < 2; axis++) {
        distance = box->min[axis] - at[axis] > distance ? box->min[axis] - at[axis] : distance;
        distance = at[axis] - box->max[axis] > distance ? at[axis] - box->max[axis] : distance;
    }
    return distance;
}

// A search for the corners in a triangle.
typedef struct grz_tree_search {
    const double *side[4]; // its corners in the rotated frame, counter-clockwise or clockwise; the last is the first
    grz_polygon_box bounds;
    size_t stack[STACK_SIZE], count; // the nodes to visit
    bool aimed;                      // visit what is nearer to `aim` first
    double aim[2];                   // a point of the triangle
    uint32_t random;
    int tries;
    uint64_t try_end; // by the tree's steps
} grz_tree_search;

// Begin at the root, aimed at a random point of the triangle.
static void aim(grz_tree_search *search)
{
    search->random = search->random * 1664525u + 1013904223u;
    double u = (double)(search->random >> 20) / 4096.0, v = (double)(search->random >> 8 & 4095) / 4096.0;
    if (u + v > 1.0) {
        u = 1.0 - u;
        v = 1.0 - v;
    }
    for (int axis = 0; axis < 2; axis++)
        search->aim[axis] = search->side[0][axis] + u * (search->side[1][axis] - search->side[0][axis]) +
                            v * (search->side[2][axis] - search->side[0][axis]);
    search->aimed = true;
    search->stack[0] = search->count = 1;
}

static void begin_search(const grz_corner_tree *tree, const uint32_t triangle[3], uint32_t random,
                         grz_tree_search *search)
{
    search->bounds = empty_box();
    for (int i = 0; i < 3; i++) {
        search->side[i] = tree->rotated + 2 * (size_t)triangle[i];
        add_to_box(&search->bounds, search->side[i], search->side[i]);
    }
    search->side[3] = search->side[0];
    for (int axis = 0; axis < 2; axis++) { // twice the margin, because the corners in the tree have an error, too
        search->bounds.min[axis] -= 2.0 * GRZ_ROTATED_MARGIN;
        search->bounds.max[axis] += 2.0 * GRZ_ROTATED_MARGIN;
    }
    search->stack[0] = search->count = 1;
    search->aimed = false;
    search->random = random;
    search->tries = 0;
    search->try_end = tree->steps + FIRST_TRY;
    if (random != 0)
        aim(search);
}

// A search that takes long begins again a few times, aimed at random points: if many corners are in the triangle, one
// is found soon, although more may lie along its sides and just outside. The last try visits what it must.
static void try_again(const grz_corner_tree *tree, grz_tree_search *search)
{
    search->try_end = ++search->tries < TRIES ? tree->steps + NEXT_TRY : UINT64_MAX;
    aim(search);
}

// Visit the corners of a leaf. True if the test is true for one.
static bool visit_leaf(grz_corner_tree *tree, const grz_tree_search *search, size_t leaf, grz_corner_test *test,
                       const void *context)
{
    const grz_polygon_box *bounds = &search->bounds;
    const size_t end = leaf_start(tree, leaf + 1);
    for (size_t i = leaf_start(tree, leaf); i < end; i++) {
        const uint32_t corner = tree->order[i];
        const double *p = tree->rotated + 2 * (size_t)corner;
        if (!tree->ring[corner].listed || p[0] < bounds->min[0] || p[0] > bounds->max[0] || p[1] < bounds->min[1] ||
            p[1] > bounds->max[1])
            continue;
        tree->steps++;
        if (test(corner, context))
            return true;
    }
    return false;
}

bool grz_corner_tree_find(grz_corner_tree *tree, const uint32_t triangle[3], uint32_t random, grz_corner_test *test,
                          const void *context)
{
    grz_tree_search search;
    begin_search(tree, triangle, random, &search);
    while (search.count > 0) {
        if (tree->steps >= search.try_end)
            try_again(tree, &search);
        const size_t node = search.stack[--search.count];
        tree->steps++;
        if (tree->listed[node] == 0 || !may_meet(tree, &tree->boxes[node], &search.bounds, search.side))
            continue;
        if (node < tree->leaf_count) {
            assert(search.count + 2 <= STACK_SIZE);
            const size_t first = search.aimed && distance_to(&tree->boxes[2 * node], search.aim) <=
                                                     distance_to(&tree->boxes[2 * node + 1], search.aim)
                                     ? 2 * node
                                     : 2 * node + 1;
            search.stack[search.count++] = first ^ 1;
            search.stack[search.count++] = first;
        } else if (visit_leaf(tree, &search, node - tree->leaf_count, test, context)) {
            return true;
        }
    }
    return false;
}
