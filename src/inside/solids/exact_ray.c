// SPDX-License-Identifier: MIT
// Rays from exact points (geometry/exact/point.h). The walk through the hierarchy takes an interval for each of the
// point's coordinates: its rounded value and the doubles beside it. All decisions are signs of exact predicates. The
// symbolic shift is that of inside/point_in_mesh.c.
#include "inside/solids/exact_ray.h"

#include <assert.h>
#include <math.h>

#include "base/control.h"
#include "geometry/triangle/triangle.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 9 // nodes between two checks of the control, as a power of two
};

static const double MOST = 0x1p300; // of a coordinate that the predicates take

// ---- Points inside triangles ----

// The line from p = a + b - (k - 1)·c - k·d to q = c + d passes through (a + b + (k - 1)·c) / (k + 1), whatever d is:
// that is the place which divides p-q as k to 1. Rounding moves the line, so the result is checked exactly.
bool grz_exact_interior_point(const double corners[3][3], int attempt, grz_exact_point *point)
{
    assert(attempt >= 0 && attempt < GRZ_INTERIOR_ATTEMPTS);
    const int weight = 2 + attempt / 3;
    const double k = weight;
    const double *a = corners[attempt % 3], *b = corners[(attempt + 1) % 3], *c = corners[(attempt + 2) % 3];
    int orientation;
    const int axis = grz_projection_axis(corners, &orientation);
    const grz_box box = grz_triangle_box(corners);
    double size = 0.0, p[3], q[3];
    for (int i = 0; i < 3; i++)
        size = fmax(size, box.max[i] - box.min[i]);
    for (int i = 0; i < 3; i++) {
        const double d = i == axis ? size : 0.0;
        p[i] = (a[i] - c[i]) + b[i] - k * d;
        q[i] = c[i] + d;
        if (!(fabs(p[i]) <= MOST) || !(fabs(q[i]) <= MOST))
            return false;
    }
    const int side_p = grz_orient3d(a, b, c, p), side_q = grz_orient3d(a, b, c, q);
    const int turn = grz_orient3d(p, q, a, b);
    if (side_p * side_q >= 0 || turn == 0 || grz_orient3d(p, q, b, c) != turn || grz_orient3d(p, q, c, a) != turn)
        return false;
    *point = grz_exact_on_plane(p, q, corners);
    return true;
}

// ---- The walk ----

typedef struct exact_walk {
    const grz_object *object;
    const grz_exact_point *point;
    double low[3], high[3]; // the point's coordinates lie between these
    bool count;             // send a ray; false: only find what holds the point
    int axis, x, y;         // the ray's axis, and the two others in cyclic order
    bool up;
    uint32_t skip;
    grz_exact_hits *hits;
    uint32_t *list; // of triangles that hold the point
    uint32_t room, found;
} exact_walk;

static void set_point(exact_walk *walk, const grz_exact_point *point)
{
    walk->point = point;
    for (int i = 0; i < 3; i++) {
        const bool given = point->form == GRZ_POINT_GIVEN;
        walk->low[i] = given ? point->p[0][i] : nextafter(point->rounded[i], -HUGE_VAL);
        walk->high[i] = given ? point->p[0][i] : nextafter(point->rounded[i], HUGE_VAL);
    }
}

// True if the ray, or the point itself, may meet something in a world box.
static bool may_meet(const exact_walk *walk, const grz_box *box)
{
    for (int i = 0; i < 3; i++) {
        const bool ahead = walk->count && i == walk->axis;
        if (walk->low[i] > box->max[i] && !(ahead && !walk->up))
            return false;
        if (walk->high[i] < box->min[i] && !(ahead && walk->up))
            return false;
    }
    return true;
}

// True if a triangle with area holds the point.
static bool holds(const exact_walk *walk, const double c[3][3])
{
    int orientation;
    if (grz_exact_orient3d(c[0], c[1], c[2], walk->point) != 0 || grz_triangle_dimension(c) < 2)
        return false;
    const int axis = grz_projection_axis(c, &orientation);
    for (int i = 0; i < 3; i++)
        if (grz_exact_orient_projected(axis, c[i], c[(i + 1) % 3], walk->point) == -orientation)
            return false;
    return true;
}

// orient2d of u, v and the shifted point, seen along the axis. 0 only if u and v coincide in the plane.
static int shifted_turn(const exact_walk *walk, const double *u, const double *v)
{
    const int x = walk->x, y = walk->y, turn = grz_exact_orient_projected(walk->axis, u, v, walk->point);
    if (turn != 0)
        return turn;
    if (u[y] != v[y])
        return u[y] > v[y] ? 1 : -1;
    return (v[x] > u[x]) - (v[x] < u[x]);
}

static void meet_triangle(exact_walk *walk, uint32_t triangle)
{
    double corners[3][3];
    grz_world_corners(walk->object->mesh, &walk->object->pose, triangle, corners);
    const double(*c)[3] = (const double(*)[3])corners;
    const grz_box box = grz_triangle_box(c);
    if (triangle == walk->skip || !may_meet(walk, &box))
        return;
    if (!walk->count) {
        if (holds(walk, c)) {
            if (walk->found < walk->room)
                walk->list[walk->found] = triangle;
            walk->found++;
        }
        return;
    }
    if (holds(walk, c)) {
        walk->hits->on_surface = true;
        return;
    }
    const int turn = shifted_turn(walk, c[0], c[1]);
    if (turn == 0 || shifted_turn(walk, c[1], c[2]) != turn || shifted_turn(walk, c[2], c[0]) != turn)
        return;
    // `turn` is the orientation of the triangle's projection. If it is counter-clockwise, the normal points along the
    // axis.
    const int beyond = walk->up ? -turn : turn;
    if (grz_exact_orient3d(c[0], c[1], c[2], walk->point) != beyond)
        return;
    walk->hits->odd = !walk->hits->odd;
    walk->hits->winding -= beyond;
}

// False: the control says to end. `control` may be NULL.
static bool run(exact_walk *walk, const grz_bvh *bvh, grz_control *control)
{
    uint32_t stack[GRZ_BVH_STACK];
    size_t depth = 1, steps = 0;
    stack[0] = 0;
    while (depth > 0) {
        if (control != NULL && grz_control_expired_at(control, ++steps, CHECK_BITS))
            return false;
        const uint32_t number = stack[--depth];
        assert(depth + GRZ_BVH_WIDTH <= GRZ_BVH_STACK);
        const grz_bvh_node *node = &bvh->nodes[number];
        for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
            if (grz_bvh_is_triangle(node->child[i])) {
                meet_triangle(walk, grz_bvh_triangle(node->child[i]));
                if (walk->count && walk->hits->on_surface)
                    return true;
                if (!walk->count && walk->found > walk->room)
                    return true;
                continue;
            }
            const grz_box child = grz_bvh_child_box(bvh, number, i), world = grz_world_box(&walk->object->pose, &child);
            if (may_meet(walk, &world))
                stack[depth++] = node->child[i];
        }
    }
    return true;
}

bool grz_exact_ray(const grz_object *object, const grz_bvh *bvh, const grz_exact_point *point, int axis, bool up,
                   uint32_t skip, grz_control *control, grz_exact_hits *hits)
{
    exact_walk walk = {.object = object,
                       .count = true,
                       .axis = axis,
                       .x = (axis + 1) % 3,
                       .y = (axis + 2) % 3,
                       .up = up,
                       .skip = skip,
                       .hits = hits};
    *hits = (grz_exact_hits){.odd = false};
    set_point(&walk, point);
    return run(&walk, bvh, control);
}

uint32_t grz_exact_holders(const grz_object *object, const grz_bvh *bvh, const grz_exact_point *point,
                           uint32_t *triangles, uint32_t room)
{
    exact_walk walk = {.object = object, .skip = UINT32_MAX, .room = room};
    walk.list = triangles;
    set_point(&walk, point);
    (void)run(&walk, bvh, NULL);
    return walk.found;
}
