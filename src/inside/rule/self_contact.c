// SPDX-License-Identifier: MIT
// Walks the object's hierarchy against itself, in world coordinates, and tests the pairs of triangles whose boxes
// overlap. Nearly all of them are neighbours, and one or two signs of orient3d prove that they meet only in what they
// share.
#include "inside/rule/self_contact.h"

#include <assert.h>

#include "base/control.h"
#include "geometry/pose.h"
#include "geometry/triangle/triangle.h"

enum {
    CHECK_BITS = 8 // pairs of nodes between two checks of the control, as a power of two
};

typedef struct node_pair {
    uint32_t a, b;
} node_pair;

typedef struct self_walk {
    const grz_object *object;
    const grz_bvh *bvh;
    const double *positions;
    const uint32_t *lowest;
    const bool *has_area;
    const grz_allocator *allocator;
    GRZ_ARRAY(node_pair) stack;
    grz_triangle_pairs *pairs; // NULL: the first pair ends the walk
    bool found;
} self_walk;

static void corners_of(const self_walk *walk, uint32_t triangle, double corners[3][3])
{
    const uint32_t *vertex = walk->object->mesh->triangles + 3 * (size_t)triangle;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            corners[i][k] = walk->positions[3 * (size_t)vertex[i] + (size_t)k];
}

// The corners of two triangles that are at one position.
typedef struct shared_corners {
    int count, a[3], b[3];
} shared_corners;

static shared_corners find_shared(const self_walk *walk, uint32_t a, uint32_t b)
{
    const uint32_t *v = walk->object->mesh->triangles + 3 * (size_t)a,
                   *w = walk->object->mesh->triangles + 3 * (size_t)b;
    shared_corners shared = {.count = 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (walk->lowest[v[i]] == walk->lowest[w[j]]) {
                shared.a[shared.count] = i;
                shared.b[shared.count++] = j;
                break; // the corners of a triangle with area are at three positions
            }
    return shared;
}

// Two triangles with a common edge meet elsewhere only if one lies over the other in one plane.
static bool folded(const double a[3][3], const double b[3][3], const shared_corners *shared)
{
    const int free_a = 3 - shared->a[0] - shared->a[1], free_b = 3 - shared->b[0] - shared->b[1];
    if (grz_orient3d(a[0], a[1], a[2], b[free_b]) != 0)
        return false;
    int orientation;
    const int axis = grz_projection_axis(a, &orientation);
    const double *p = a[shared->a[0]], *q = a[shared->a[1]];
    return grz_orient_projected(axis, p, q, a[free_a]) == grz_orient_projected(axis, p, q, b[free_b]);
}

// Two triangles in one plane with a common corner meet elsewhere if and only if a side of one that begins at the corner
// runs into the other, or along its border.
static bool runs_into(int axis, int orientation, const double a[3][3], int corner, const double to[3])
{
    const double *at = a[corner], *first = a[(corner + 1) % 3], *last = a[(corner + 2) % 3];
    return grz_orient_projected(axis, at, first, to) != -orientation &&
           grz_orient_projected(axis, at, to, last) != -orientation;
}

static bool overlap_at_corner(const double a[3][3], const double b[3][3], int corner_a, int corner_b)
{
    int turn_a;
    const int axis = grz_projection_axis(a, &turn_a), turn_b = grz_orient_projected(axis, b[0], b[1], b[2]);
    for (int i = 1; i <= 2; i++)
        if (runs_into(axis, turn_a, a, corner_a, b[(corner_b + i) % 3]) ||
            runs_into(axis, turn_b, b, corner_b, a[(corner_a + i) % 3]))
            return true;
    return false;
}

// Two triangles with a common corner.
static bool meet_beside_corner(const double a[3][3], const double b[3][3], int corner_a, int corner_b)
{
    const int one = grz_orient3d(a[0], a[1], a[2], b[(corner_b + 1) % 3]),
              two = grz_orient3d(a[0], a[1], a[2], b[(corner_b + 2) % 3]);
    if (one == 0 && two == 0)
        return overlap_at_corner(a, b, corner_a, corner_b);
    if (one == two)
        return false;
    const int side = grz_orient3d(b[0], b[1], b[2], a[(corner_a + 1) % 3]);
    if (side != 0 && grz_orient3d(b[0], b[1], b[2], a[(corner_a + 2) % 3]) == side)
        return false;
    grz_intersection intersection;
    grz_triangles_intersect(a, b, &intersection);
    return intersection.node_count > 1;
}

static bool meet(const self_walk *walk, uint32_t first, uint32_t second)
{
    double corners_a[3][3], corners_b[3][3];
    if (!walk->has_area[first] || !walk->has_area[second])
        return false;
    corners_of(walk, first, corners_a);
    corners_of(walk, second, corners_b);
    const double(*a)[3] = (const double(*)[3])corners_a, (*b)[3] = (const double(*)[3])corners_b;
    const grz_box box_a = grz_triangle_box(a), box_b = grz_triangle_box(b);
    if (!grz_boxes_overlap(&box_a, &box_b))
        return false;
    const shared_corners shared = find_shared(walk, first, second);
    if (shared.count == 3)
        return true;
    if (shared.count == 2)
        return folded(a, b, &shared);
    if (shared.count == 1)
        return meet_beside_corner(a, b, shared.a[0], shared.b[0]);
    grz_intersection intersection;
    grz_triangles_intersect(a, b, &intersection);
    return intersection.node_count > 1;
}

// The children of a node: how many, and their world boxes.
static int children(const self_walk *walk, uint32_t number, grz_box boxes[GRZ_BVH_WIDTH])
{
    const grz_bvh_node *node = &walk->bvh->nodes[number];
    int count = 0;
    for (; count < GRZ_BVH_WIDTH && node->child[count] != GRZ_BVH_NONE; count++) {
        const grz_box box = grz_bvh_child_box(walk->bvh, number, count);
        boxes[count] = grz_world_box(&walk->object->pose, &box);
    }
    return count;
}

// Open a pair of children: test two triangles, or push. False: there is no memory.
static bool open_pair(self_walk *walk, uint32_t a, uint32_t b)
{
    if (grz_bvh_is_triangle(a) && grz_bvh_is_triangle(b)) {
        const grz_triangle_pair pair = {grz_bvh_triangle(a), grz_bvh_triangle(b)};
        const bool found = a != b && meet(walk, pair.a, pair.b);
        if (walk->pairs == NULL)
            walk->found = found;
        else if (found) {
            if (!grz_array_add(walk->allocator, walk->pairs))
                return false;
            walk->pairs->items[walk->pairs->count - 1] = pair;
        }
        return true;
    }
    if (!grz_array_add(walk->allocator, &walk->stack))
        return false;
    walk->stack.items[walk->stack.count - 1] = (node_pair){a, b};
    return true;
}

// One of the two is a node. A triangle stays as it is.
static bool expand(self_walk *walk, node_pair pair)
{
    grz_box boxes_a[GRZ_BVH_WIDTH], boxes_b[GRZ_BVH_WIDTH];
    const bool leaf_a = grz_bvh_is_triangle(pair.a), leaf_b = grz_bvh_is_triangle(pair.b);
    if (leaf_a || leaf_b) {
        const uint32_t node = leaf_a ? pair.b : pair.a, leaf = leaf_a ? pair.a : pair.b;
        double corners[3][3];
        corners_of(walk, grz_bvh_triangle(leaf), corners);
        const grz_box box = grz_triangle_box((const double(*)[3])corners);
        const int count = children(walk, node, boxes_a);
        for (int i = 0; i < count && !walk->found; i++)
            if (grz_boxes_overlap(&boxes_a[i], &box) && !open_pair(walk, walk->bvh->nodes[node].child[i], leaf))
                return false;
        return true;
    }
    const int count_a = children(walk, pair.a, boxes_a), count_b = children(walk, pair.b, boxes_b);
    const uint32_t *child_a = walk->bvh->nodes[pair.a].child, *child_b = walk->bvh->nodes[pair.b].child;
    for (int i = 0; i < count_a; i++)
        for (int j = pair.a == pair.b ? i : 0; j < count_b && !walk->found; j++)
            if (grz_boxes_overlap(&boxes_a[i], &boxes_b[j]) && !open_pair(walk, child_a[i], child_b[j]))
                return false;
    return true;
}

static grz_status run(self_walk *walk, grz_control *control)
{
    bool room = open_pair(walk, 0, 0);
    size_t steps = 0;
    grz_status status = GRZ_OK;
    while (room && walk->stack.count > 0 && !walk->found && status == GRZ_OK) {
        if (grz_control_expired_at(control, ++steps, CHECK_BITS))
            status = grz_control_status(control);
        else
            room = expand(walk, walk->stack.items[--walk->stack.count]);
    }
    grz_array_finish(walk->allocator, &walk->stack);
    return room ? status : GRZ_ERROR_MEMORY;
}

grz_status grz_find_self_contact(const grz_object *object, const grz_bvh *bvh, const double *positions,
                                 const uint32_t *lowest, const bool *has_area, grz_control *control, bool *found,
                                 grz_triangle_pairs *pairs)
{
    self_walk walk = {.object = object,
                      .bvh = bvh,
                      .positions = positions,
                      .lowest = lowest,
                      .has_area = has_area,
                      .allocator = grz_control_allocator(control),
                      .pairs = pairs};
    const grz_status status = run(&walk, control);
    *found = pairs != NULL ? pairs->count > 0 : walk.found;
    return status;
}
