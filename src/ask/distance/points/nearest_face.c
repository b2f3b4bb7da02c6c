// SPDX-License-Identifier: MIT
// The nearest face from a point. A walk through the mesh's tree, the nearest boxes first, keeps the triangles whose
// lower bound is not above the best upper bound (geometry/distance/gap.h, with the point as a triangle of three equal
// corners). Of these, the nearest features are found by signs, and squared distances are compared as fractions of
// integers. So the answer does not depend on where the walk began. docs/use/distance.md, "From points", has the bounds.
#include "ask/distance/points/nearest_face.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "ask/distance/user_feature.h"
#include "base/control.h"
#include "geometry/distance/nearest.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 8 // nodes or triangles between two checks of the control, as a power of two
};

// More than the roundings of a squared distance of a point and a box: of a difference, twice, and of a square and two
// sums.
static const double ROUNDING = 1.0 + 0x1p-48;
// More than all that underflows there.
static const double UNDERFLOW = 0x1p-1040;
// Coordinates are scaled by a power of two if the largest is not in this range (gap.h).
static const double SMALLEST = 0x1p-60, LARGEST = 0x1p100;

// A point as a triangle, and a triangle.
typedef struct corners {
    double point[3][3], triangle[3][3];
} corners;

#define P(c) ((const double(*)[3])(c)->point)
#define T(c) ((const double(*)[3])(c)->triangle)

void grz_nearest_face_target_set(grz_nearest_face_target *target, const grz_object *object, const grz_bvh *bvh,
                                 grz_simd simd)
{
    const grz_box box = grz_world_box(&object->pose, &object->mesh->bounds);
    *target = (grz_nearest_face_target){.object = object, .bvh = bvh, .bounds = grz_distance_point_bounds_for(simd)};
    for (int k = 0; k < 3; k++)
        target->size = fmax(target->size, fmax(fabs(box.min[k]), fabs(box.max[k])));
    grz_distance_frames_set(&target->frames, bvh, object, bvh, object);
}

static double scale_for(double size)
{
    if (size > SMALLEST && size <= LARGEST)
        return 1.0;
    const int exponent = size > 0.0 ? -ilogb(size) : 0;
    return ldexp(1.0, exponent < 1000 ? exponent : 1000);
}

static corners corners_of(const grz_nearest_face *s, uint32_t triangle)
{
    corners c;
    for (int i = 0; i < 3; i++)
        memcpy(c.point[i], s->point, sizeof c.point[i]); // cppcheck-suppress uninitvar ; filled
    grz_world_corners(s->target->object->mesh, &s->target->object->pose, triangle, c.triangle);
    return c;
}

// ---- The walk -----------------------------------------------------------------------------------------------------

static void set_upper(grz_nearest_face *s, double upper)
{
    s->upper = upper;
    if (s->placed)
        s->limit = (double)grz_distance_limit(&s->target->frames, upper);
    else
        s->limit = upper > 0.0 ? upper * upper * ROUNDING + UNDERFLOW : 0.0;
}

static grz_gap gap_of(const grz_nearest_face *s, const corners *c)
{
    if (s->scale == 1.0)
        return grz_point_gap(s->point, T(c), s->upper);
    corners scaled;
    for (int i = 0; i < 9; i++)
        scaled.triangle[i / 3][i % 3] = c->triangle[i / 3][i % 3] * s->scale;
    for (int k = 0; k < 3; k++)
        scaled.point[0][k] = s->point[k] * s->scale;
    return grz_point_gap(scaled.point[0], T(&scaled), s->upper); // its error covers what the scale rounded
}

// Keep a triangle if it may be the nearest. False if there is no memory.
static bool compare(grz_nearest_face *s, uint32_t triangle)
{
    const corners c = corners_of(s, triangle);
    const grz_near_triangle near = {triangle, gap_of(s, &c)};
    if (near.gap.lower > s->upper)
        return true;
    if (near.gap.lower == 0.0 && grz_triangles_touch(P(&c), T(&c))) {
        s->touching = true;
        set_upper(s, 0.0);
    }
    if (near.gap.upper < s->upper)
        set_upper(s, near.gap.upper);
    if (!grz_array_add(grz_control_allocator(s->control), &s->near)) {
        grz_control_fail(s->control, GRZ_ERROR_MEMORY);
        return false;
    }
    s->near.items[s->near.count - 1] = near;
    return true;
}

// A node or a triangle that has yet to be looked at, and the square of the distance of its box from the point.
typedef struct waiting {
    double square;
    uint32_t child;
} waiting;

// The box is around the posed positions, rounded as they are.
static double square_to(const grz_nearest_face *s, uint32_t node, int i)
{
    const grz_box child = grz_bvh_child_box(s->target->bvh, node, i),
                  box = grz_world_box(&s->target->object->pose, &child);
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double below = box.min[k] - s->point[k], above = s->point[k] - box.max[k],
                     gap = below > above ? below : above;
        if (gap > 0.0)
            square += gap * s->scale * (gap * s->scale);
    }
    return square;
}

// The squares of all children. Returns those that are within the limit, as bits.
static uint32_t bound_children(const grz_nearest_face *s, uint32_t number, double squares[GRZ_BVH_WIDTH])
{
    const grz_bvh_node *node = &s->target->bvh->nodes[number];
    float in_frame[GRZ_BVH_WIDTH];
    uint32_t within = 0, bits = 0;
    if (s->placed)
        bits = s->target->bounds(&s->target->frames.frames[0].maps[0], node, &s->place, (float)s->limit, in_frame);
    for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
        squares[i] = s->placed ? (double)in_frame[i] : square_to(s, number, i);
        within |= (s->placed ? bits >> i & 1 : (uint32_t)(squares[i] <= s->limit)) << i;
    }
    return within;
}

// Let the children of a node wait, the nearest on top.
static size_t push_children(const grz_nearest_face *s, uint32_t number, waiting *stack)
{
    double squares[GRZ_BVH_WIDTH];
    size_t count = 0;
    for (uint32_t left = bound_children(s, number, squares); left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        size_t at = count++;
        for (; at > 0 && stack[at - 1].square < squares[i]; at--)
            stack[at] = stack[at - 1];
        stack[at] = (waiting){squares[i], s->target->bvh->nodes[number].child[i]};
    }
    return count;
}

// False: the control says to end.
static bool walk(grz_nearest_face *s)
{
    waiting stack[GRZ_BVH_STACK];
    size_t depth = 1;
    stack[0] = (waiting){0.0, 0};
    while (depth > 0) {
        const waiting next = stack[--depth];
        assert(depth + GRZ_BVH_WIDTH <= GRZ_BVH_STACK);
        if (next.square > s->limit)
            continue;
        if (grz_control_expired_at(s->control, ++s->steps, CHECK_BITS))
            return false;
        if (!grz_bvh_is_triangle(next.child))
            depth += push_children(s, next.child, stack + depth);
        else if (grz_bvh_triangle(next.child) != s->guess && !compare(s, grz_bvh_triangle(next.child)))
            return false;
    }
    return true;
}

// ---- The decision -------------------------------------------------------------------------------------------------

// The nearest triangle so far.
typedef struct best_triangle {
    bool any;
    uint32_t triangle;
    corners corners;
    grz_nearest nearest;
    bool has_square; // which is only needed to compare it with another one
    grz_square square;
} best_triangle;

// Triangles are in the order of their faces.
static bool is_first(const best_triangle *best, uint32_t triangle)
{
    return !best->any || triangle < best->triangle;
}

static bool same_place(const double p[3], const double q[3])
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

// True if two nearest features are the same corner or edge: then they are equally far. False tells nothing.
static bool same_span(const corners *c, grz_nearest nearest, const best_triangle *best)
{
    const double *x[3], *y[3];
    const int count = grz_feature_corners(T(c), nearest.b, x);
    if (grz_feature_corners(T(&best->corners), best->nearest.b, y) != count || count == 3)
        return false;
    return (same_place(x[0], y[0]) && same_place(x[count - 1], y[count - 1])) ||
           (same_place(x[0], y[count - 1]) && same_place(x[count - 1], y[0]));
}

// Keep the nearer of two triangles, `best` and this one; of two that are equally near, the one with the smaller number.
static void consider(const grz_nearest_face *s, uint32_t triangle, best_triangle *best)
{
    const corners c = corners_of(s, triangle);
    grz_square square;
    if (s->touching) {
        if (is_first(best, triangle) && grz_triangles_touch(P(&c), T(&c)))
            *best = (best_triangle){.any = true, .triangle = triangle, .corners = c};
        return;
    }
    const grz_nearest nearest = grz_triangles_nearest(P(&c), T(&c));
    int order = best->any ? 0 : -1;
    if (best->any && !same_span(&c, nearest, best)) {
        if (!best->has_square)
            grz_square_of(P(&best->corners), T(&best->corners), best->nearest, &best->square);
        grz_square_of(P(&c), T(&c), nearest, &square);
        order = grz_square_compare(&square, &best->square);
        if (order < 0)
            best->square = square;
        best->has_square = true;
    }
    if (order < 0 || (order == 0 && is_first(best, triangle))) {
        best->any = true;
        best->triangle = triangle;
        best->corners = c;
        best->nearest = nearest;
    }
}

static void describe(const grz_nearest_face *s, const best_triangle *best, grz_point_distance *answer)
{
    const grz_mesh *mesh = s->target->object->mesh;
    const corners *c = &best->corners;
    grz_root root = {0.0, 0.0, 0.0};
    uint8_t feature = best->nearest.b;
    double same[3];
    if (s->touching) {
        grz_intersection meeting;
        grz_triangles_intersect(P(c), T(c), &meeting);
        assert(meeting.node_count == 1);
        feature = meeting.nodes[0].b;
        for (int k = 0; k < 3; k++)
            answer->point[k] = s->point[k] + 0.0; // no -0
    } else {
        root = grz_distance_root(P(c), T(c), best->nearest);
        grz_nearest_points(P(c), T(c), best->nearest, same, answer->point);
    }
    answer->distance = root.nearest;
    answer->lower = root.lower;
    answer->upper = root.upper;
    answer->face = grz_mesh_triangle_face(mesh, best->triangle);
    answer->feature = grz_user_feature(mesh, best->triangle, feature);
    answer->location = s->touching ? GRZ_ON_SURFACE : GRZ_LOCATION_UNKNOWN;
}

// False: the control says to end.
static bool decide(grz_nearest_face *s, grz_point_distance *answer)
{
    best_triangle best = {.any = false};
    for (size_t i = 0; i < s->near.count; i++) {
        if (s->near.items[i].gap.lower > s->upper)
            continue;
        if (grz_control_expired_at(s->control, ++s->steps, CHECK_BITS))
            return false;
        consider(s, s->near.items[i].triangle, &best);
    }
    assert(best.any);
    describe(s, &best, answer);
    s->guess = best.triangle;
    return true;
}

bool grz_nearest_face_find(grz_nearest_face *s, const double point[3], grz_point_distance *answer)
{
    double size = s->target->size;
    for (int k = 0; k < 3; k++) {
        s->point[k] = point[k];
        size = fmax(size, fabs(point[k]));
    }
    s->scale = scale_for(size);
    s->placed = s->scale == 1.0 && grz_distance_place_set(&s->place, &s->target->frames, point);
    s->touching = false;
    s->near.count = 0;
    set_upper(s, HUGE_VAL);
    return compare(s, s->guess) && walk(s) && decide(s, answer);
}

void grz_nearest_face_finish(grz_nearest_face *s)
{
    grz_array_finish(grz_control_allocator(s->control), &s->near);
}
