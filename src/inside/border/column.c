// SPDX-License-Identifier: MIT
// Counts the triangles over a place, each with the sign of its turn: the winding number, as the surface is closed. The
// place moves by an infinitely small amount, so that it is under no edge: inside/point_in_mesh.c has the shift.
// Whether a triangle is over the place is asked first of doubles below and above its height, then of the exact point.
#include "inside/border/column.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "geometry/triangle/triangle.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 9 // nodes between two checks of the control, as a power of two
};

typedef struct column_walk {
    const grz_column *column;
    uint32_t triangle;
    double corners[3][3];
    int turn;               // of the triangle
    double low[3], high[3]; // the place, with its height rounded down and up
    grz_exact_point point;
    grz_column_numbers *numbers;
} column_walk;

// ---- Layers -------------------------------------------------------------------------------------------------------

static int compare_points(const double *p, const double *q)
{
    for (int k = 0; k < 3; k++)
        if (p[k] != q[k])
            return p[k] < q[k] ? -1 : 1;
    return 0;
}

static void sort_corners(const double c[3][3], const double *sorted[3])
{
    for (int i = 0; i < 3; i++) {
        int at = i;
        for (; at > 0 && compare_points(c[i], sorted[at - 1]) < 0; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = c[i];
    }
}

// Of two triangles on each other, with their turns and numbers: is the first one the higher layer?
static bool is_higher(const double c[3][3], int turn, uint32_t number, const double d[3][3], int other_turn,
                      uint32_t other)
{
    const double *one[3], *two[3];
    sort_corners(c, one);
    sort_corners(d, two);
    for (int i = 0; i < 3; i++) {
        const int order = compare_points(one[i], two[i]);
        if (order != 0)
            return order < 0;
    }
    return turn != other_turn ? turn < other_turn : number < other;
}

// ---- The walk -----------------------------------------------------------------------------------------------------

// orient2d of u, v and the shifted place. 0 only if u and v coincide as seen.
static int shifted_turn(const column_walk *walk, const double *u, const double *v)
{
    const int axis = walk->column->axis, x = (axis + 1) % 3, y = (axis + 2) % 3,
              turn = grz_orient_projected(axis, u, v, walk->low);
    if (turn != 0)
        return turn;
    if (u[y] != v[y])
        return u[y] > v[y] ? 1 : -1;
    return (v[x] > u[x]) - (v[x] < u[x]);
}

static bool in_one_plane(const column_walk *walk, const double c[3][3])
{
    for (int i = 0; i < 3; i++)
        if (grz_orient3d(walk->corners[0], walk->corners[1], walk->corners[2], c[i]) != 0)
            return false;
    return true;
}

// Is the triangle, whose turn is known, over the place (1), under it (-1), or does it hold it (0)?
static int side_of(const column_walk *walk, const double c[3][3], int turn)
{
    const int low = grz_orient3d(c[0], c[1], c[2], walk->low), high = grz_orient3d(c[0], c[1], c[2], walk->high);
    if (low == high && low != 0)
        return -turn * low;
    return -turn * grz_exact_orient3d(c[0], c[1], c[2], &walk->point);
}

static void meet_triangle(column_walk *walk, uint32_t other)
{
    const grz_object *object = walk->column->object;
    double corners[3][3];
    if (other == walk->triangle)
        return;
    grz_world_corners(object->mesh, &object->pose, other, corners);
    const double(*c)[3] = (const double(*)[3])corners;
    const int turn = shifted_turn(walk, c[0], c[1]);
    if (turn == 0 || shifted_turn(walk, c[1], c[2]) != turn || shifted_turn(walk, c[2], c[0]) != turn)
        return;
    // Seen edge-on it has no turn, but the shifted place is then to one side of one of its edges.
    const int side = side_of(walk, c, turn);
    if (side > 0)
        walk->numbers->over += turn;
    if (side != 0)
        return;
    if (!in_one_plane(walk, c))
        walk->numbers->known = false;
    else if (is_higher(c, turn, other, (const double(*)[3])walk->corners, walk->turn, walk->triangle))
        walk->numbers->over += turn;
}

static bool may_meet(const column_walk *walk, const grz_box *box)
{
    const int axis = walk->column->axis, x = (axis + 1) % 3, y = (axis + 2) % 3;
    return box->min[x] <= walk->low[x] && walk->low[x] <= box->max[x] && box->min[y] <= walk->low[y] &&
           walk->low[y] <= box->max[y] && box->max[axis] >= walk->low[axis];
}

static bool run(column_walk *walk)
{
    const grz_bvh *bvh = walk->column->bvh;
    uint32_t stack[GRZ_BVH_STACK];
    size_t depth = 1, steps = 0;
    stack[0] = 0;
    while (depth > 0 && walk->numbers->known) {
        if (grz_control_expired_at(walk->column->control, ++steps, CHECK_BITS))
            return false;
        const uint32_t number = stack[--depth];
        assert(depth + GRZ_BVH_WIDTH <= GRZ_BVH_STACK);
        const grz_bvh_node *node = &bvh->nodes[number];
        for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
            if (grz_bvh_is_triangle(node->child[i])) {
                meet_triangle(walk, grz_bvh_triangle(node->child[i]));
                continue;
            }
            const grz_box child = grz_bvh_child_box(bvh, number, i),
                          world = grz_world_box(&walk->column->object->pose, &child);
            if (may_meet(walk, &world))
                stack[depth++] = node->child[i];
        }
    }
    return true;
}

bool grz_column_count(const grz_column *column, uint32_t triangle, const double at[2], grz_column_numbers *numbers)
{
    const int axis = column->axis, x = (axis + 1) % 3, y = (axis + 2) % 3;
    column_walk walk = {.column = column, .triangle = triangle, .numbers = numbers};
    *numbers = (grz_column_numbers){.known = true};
    grz_world_corners(column->object->mesh, &column->object->pose, triangle, walk.corners);
    const double(*c)[3] = (const double(*)[3])walk.corners;
    walk.turn = grz_orient_projected(axis, c[0], c[1], c[2]);
    assert(walk.turn != 0);
    double bottom[3], top[3];
    bottom[x] = top[x] = at[0];
    bottom[y] = top[y] = at[1];
    bottom[axis] = 0.0; // any two points of the line
    top[axis] = 1.0;
    walk.point = grz_exact_on_plane(bottom, top, c);
    memcpy(walk.low, bottom, sizeof bottom);
    memcpy(walk.high, bottom, sizeof bottom);
    walk.low[axis] = nextafter(walk.point.rounded[axis], -HUGE_VAL);
    walk.high[axis] = nextafter(walk.point.rounded[axis], HUGE_VAL);
    if (!run(&walk))
        return false;
    numbers->under = numbers->over + walk.turn;
    return true;
}
