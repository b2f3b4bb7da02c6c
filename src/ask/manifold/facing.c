// SPDX-License-Identifier: MIT
// All pairs of triangles that touch while A moves out along the normal are visited. Seen along it, two triangles have a
// convex polygon in common, over which the depth is linear: its corners are corners of either, and crossings of edges.
#include "ask/manifold/facing.h"

#include <math.h>
#include <string.h>

#include "ask/move/translation/visit.h"
#include "base/call.h"
#include "geometry/exact/powers.h"
#include "geometry/triangle/normal.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"

enum {
    MOST_CORNERS = 15 // 3 of each, 9 crossings
};

static const double STEEP = 0x1p-12;  // the cosine from which a face counts as looking along or against the normal
static const double BEYOND = 0x1p-30; // of a depth: what its rounding may be
static const double INSIDE = 0x1p-40; // what counts as inside of a triangle's edge, as a share of the triangle

// A triangle seen along the normal; `height` is measured along it.
typedef struct flat_triangle {
    double at[3][3];
    double x[3], y[3], height[3];
    double normal[3]; // of length 1
    double turn;      // twice its area, seen along the normal; negative: clockwise
} flat_triangle;

typedef struct corner {
    double at[3], depth;
    double axis[3]; // along which the two part here
} corner;

typedef struct search {
    grz_move_call *call;
    const grz_object *a, *b;
    double normal[3], u[3], v[3], least, most;
    int shift; // triangles are seen at 2^shift times their size, about 1: so products neither underflow nor overflow
    grz_patch *patch; // NULL: only the deepest corner is wanted
    corner deepest;
    bool any;
} search;

// `from`: all is measured from there, so that no digits are lost.
static void flatten(const search *s, const double corners[3][3], const double from[3], flat_triangle *out)
{
    for (int i = 0; i < 3; i++) {
        double d[3];
        for (int k = 0; k < 3; k++)
            d[k] = grz_times_power(corners[i][k] - from[k], s->shift);
        memcpy(out->at[i], corners[i], sizeof out->at[i]);
        out->x[i] = grz_dot(s->u, d);
        out->y[i] = grz_dot(s->v, d);
        out->height[i] = grz_dot(s->normal, d);
    }
    out->turn = (out->x[1] - out->x[0]) * (out->y[2] - out->y[0]) - (out->y[1] - out->y[0]) * (out->x[2] - out->x[0]);
}

// Interpolate a triangle's height at a place, seen along the normal. False: the place is outside of the triangle.
static bool height_at(const flat_triangle *t, double x, double y, double *height)
{
    double share[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        share[i] = ((t->x[j] - x) * (t->y[k] - y) - (t->y[j] - y) * (t->x[k] - x)) / t->turn;
        if (!(share[i] >= -INSIDE))
            return false;
    }
    *height = share[0] * t->height[0] + share[1] * t->height[1] + share[2] * t->height[2];
    return true;
}

// The point half-way from `at`, a point of A's surface, to B's, which is `height` above, as seen.
static void set_corner(const search *s, const double at[3], double height, double share, const double axis[3],
                       corner *out)
{
    const double depth = grz_times_power(height, -s->shift);
    const double sign = grz_dot(axis, s->normal) < 0.0 ? -1.0 : 1.0;
    out->depth = depth;
    for (int k = 0; k < 3; k++) {
        out->at[k] = at[k] + share * depth * s->normal[k] + 0.0; // no -0
        out->axis[k] = sign * axis[k] + 0.0;
    }
}

static int add_corners(const search *s, const flat_triangle *a, const flat_triangle *b, corner *out)
{
    int count = 0;
    double height;
    for (int i = 0; i < 3; i++) {
        if (height_at(b, a->x[i], a->y[i], &height))
            set_corner(s, a->at[i], height - a->height[i], 0.5, b->normal, &out[count++]);
        if (height_at(a, b->x[i], b->y[i], &height))
            set_corner(s, b->at[i], b->height[i] - height, -0.5, a->normal, &out[count++]);
    }
    return count;
}

// Where edge i of A crosses edge j of B, seen along the normal.
static bool crossing(const search *s, const flat_triangle *a, int i, const flat_triangle *b, int j, corner *out)
{
    const int p = (i + 1) % 3, q = (j + 1) % 3;
    const double ax = a->x[p] - a->x[i], ay = a->y[p] - a->y[i], bx = b->x[q] - b->x[j], by = b->y[q] - b->y[j],
                 dx = b->x[j] - a->x[i], dy = b->y[j] - a->y[i], det = ax * by - ay * bx;
    if (!(fabs(det) > INSIDE * (fabs(ax) + fabs(ay)) * (fabs(bx) + fabs(by))))
        return false;
    const double of_a = (dx * by - dy * bx) / det, of_b = (dx * ay - dy * ax) / det;
    if (!(of_a > INSIDE && of_a < 1.0 - INSIDE && of_b > INSIDE && of_b < 1.0 - INSIDE))
        return false; // no crossing, or at a corner
    double at[3];
    for (int k = 0; k < 3; k++)
        at[k] = a->at[i][k] + of_a * (a->at[p][k] - a->at[i][k]);
    const double height =
        (b->height[j] + of_b * (b->height[q] - b->height[j])) - (a->height[i] + of_a * (a->height[p] - a->height[i]));
    grz_unit_normal across;
    grz_edge_normal(a->at[i], a->at[p], b->at[j], b->at[q], &across);
    set_corner(s, at, height, 0.5, across.unit, out);
    return true;
}

static int compare_places(const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

// Read a triangle, its corners sorted, so that their order in the mesh does not matter. Returns the cosine of the angle
// between its normal and the direction.
static double read_triangle(const search *s, const grz_object *object, uint32_t number, double c[3][3],
                            flat_triangle *flat)
{
    grz_unit_normal normal;
    grz_world_corners(object->mesh, &object->pose, number, c);
    grz_triangle_normal((const double(*)[3])c, &normal);
    for (int i = 0; i < 3; i++) { // 0 and 1, 1 and 2, 0 and 1
        double *p = c[i % 2], *q = c[i % 2 + 1], kept[3];
        if (compare_places(q, p) >= 0)
            continue;
        memcpy(kept, p, sizeof kept);
        memcpy(p, q, sizeof kept);
        memcpy(q, kept, sizeof kept);
    }
    memcpy(flat->normal, normal.unit, sizeof flat->normal);
    return grz_dot(normal.unit, s->normal);
}

// Keep a corner if it is deeper than others; of those as deep the first by its numbers.
static void offer_deepest(search *s, const corner *c)
{
    const double mine[7] = {-c->depth, c->at[0], c->at[1], c->at[2], c->axis[0], c->axis[1], c->axis[2]};
    const corner *d = &s->deepest;
    const double its[7] = {-d->depth, d->at[0], d->at[1], d->at[2], d->axis[0], d->axis[1], d->axis[2]};
    bool better = !s->any;
    for (int i = 0; i < 7 && s->any; i++)
        if (mine[i] != its[i]) {
            better = mine[i] < its[i];
            break;
        }
    if (better)
        s->deepest = *c;
    s->any = true;
}

static bool add_point(search *s, const corner *c, const double middle[3], uint32_t a, uint32_t b)
{
    if (!grz_array_add(grz_control_allocator(&s->call->frame.control), &s->patch->points))
        return false;
    grz_patch_point *point = &s->patch->points.items[s->patch->points.count - 1];
    *point = (grz_patch_point){.depth = c->depth,
                               .face_a = grz_mesh_triangle_face(s->a->mesh, a),
                               .face_b = grz_mesh_triangle_face(s->b->mesh, b)};
    memcpy(point->at, c->at, sizeof point->at);
    memcpy(point->middle, middle, sizeof point->middle);
    return true;
}

static bool add_pair(search *s, uint32_t a, uint32_t b)
{
    double of_a[3][3], of_b[3][3], middle[3] = {0.0, 0.0, 0.0};
    flat_triangle flat_a, flat_b;
    corner corners[MOST_CORNERS];
    if (!(read_triangle(s, s->a, a, of_a, &flat_a) < -STEEP && read_triangle(s, s->b, b, of_b, &flat_b) > STEEP))
        return true;
    flatten(s, (const double(*)[3])of_a, of_a[0], &flat_a);
    flatten(s, (const double(*)[3])of_b, of_a[0], &flat_b);
    int count = add_corners(s, &flat_a, &flat_b, corners);
    for (int i = 0; i < 9; i++)
        if (crossing(s, &flat_a, i / 3, &flat_b, i % 3, &corners[count]))
            count++;
    if (count < 3)
        return true; // no area in common
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            middle[k] += corners[i].at[k] / count;
    for (int i = 0; i < count; i++) {
        if (!(corners[i].depth >= s->least && corners[i].depth <= s->most))
            continue;
        if (s->patch == NULL)
            offer_deepest(s, &corners[i]);
        else if (!add_point(s, &corners[i], middle, a, b))
            return false;
    }
    return true;
}

static bool never_skip(void *context, double enter, double leave)
{
    (void)context;
    (void)enter;
    (void)leave;
    return false;
}

static bool compare_row(void *context, uint32_t triangle, const uint32_t *others, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!add_pair(context, triangle, others[i]))
            return false;
    return true;
}

int grz_facing_shift(const grz_object *a, const grz_object *b)
{
    const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds), box_b = grz_world_box(&b->pose, &b->mesh->bounds);
    double size = 0.0;
    for (int k = 0; k < 3; k++)
        size = fmax(size, fmax(box_a.max[k] - box_a.min[k], box_b.max[k] - box_b.min[k]));
    return grz_shift_to_one(size);
}

static grz_status visit(search *s, const double normal[3])
{
    double way[3], axis[3] = {0.0, 0.0, 0.0};
    grz_path path;
    int smallest = 0;
    s->shift = grz_facing_shift(s->a, s->b);
    if (s->patch != NULL)
        s->patch->shift = s->shift;
    memcpy(s->normal, normal, sizeof s->normal);
    for (int k = 0; k < 3; k++) {
        smallest = fabs(normal[k]) < fabs(normal[smallest]) ? k : smallest;
        way[k] = normal[k] * s->most;
    }
    axis[smallest] = 1.0;
    grz_cross(axis, normal, s->u);
    grz_make_unit(s->u);
    grz_cross(normal, s->u, s->v);
    grz_path_along(&path, s->a, way, 1.0, s->b);
    const grz_pair_visitor visitor = {.context = s, .skip = never_skip, .compare = compare_row};
    return grz_visit_pairs(s->call, &path, &visitor);
}

grz_status grz_facing_find(grz_move_call *call, const grz_object *a, const grz_object *b, const double normal[3],
                           double least, double most, grz_patch *patch)
{
    search s = {.call = call, .a = a, .b = b, .least = least, .most = most, .patch = patch};
    const grz_status status = visit(&s, normal);
    return grz_call_explain(&call->frame, status == GRZ_OK ? grz_patch_tidy(patch, &call->frame.control) : status);
}

grz_status grz_facing_axis(grz_move_call *call, const grz_object *a, const grz_object *b, const double normal[3],
                           double most, double axis[3], bool *any)
{
    search s = {.call = call, .a = a, .b = b, .most = most * (1.0 + BEYOND)};
    const grz_status status = visit(&s, normal);
    *any = status == GRZ_OK && s.any;
    if (*any)
        memcpy(axis, s.deepest.axis, sizeof s.deepest.axis);
    return grz_call_explain(&call->frame, status);
}
