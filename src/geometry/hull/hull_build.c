// SPDX-License-Identifier: MIT
// Builds a hull: sorts the points along a space-filling curve, finds out exactly whether they lie in a point, a line or
// a plane, and calls the stage for that. Doubles propose far points; if the predicates refuse them, all points are
// tried in turn.
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/sort/number_sort.h"
#include "geometry/box.h"
#include "geometry/hull/hull_parts.h"

void grz_hull_shape_finish(const grz_allocator *allocator, grz_hull_shape *shape)
{
    grz_release(allocator, shape->positions, 3 * (size_t)shape->vertex_count, sizeof *shape->positions);
    grz_release(allocator, shape->points, shape->vertex_count, sizeof *shape->points);
    grz_release(allocator, shape->face_offsets, (size_t)shape->face_count + 1, sizeof *shape->face_offsets);
    grz_release(allocator, shape->corners, shape->corner_count, sizeof *shape->corners);
    grz_release(allocator, shape->triangles, 3 * (size_t)shape->triangle_count, sizeof *shape->triangles);
    *shape = (grz_hull_shape){.dimension = 0};
}

enum {
    LOOK = 15 // loops over points look at the clock once in 2^15 steps
};

// Ten bits of a number, with two zeros between each.
static uint32_t spread(uint32_t x)
{
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

static uint32_t morton_key(const grz_box *box, const double p[3])
{
    uint32_t key = 0;
    for (int k = 0; k < 3; k++) {
        const double share = (p[k] - box->min[k]) / (box->max[k] - box->min[k]); // NaN for a flat box
        const double cell = share * 1024.0;
        key |= spread(cell < 1023.0 ? (uint32_t)cell : cell >= 1023.0 ? 1023u : 0u) << k;
    }
    return key;
}

static const double *member(const double *points, const uint32_t *members, uint32_t i)
{
    return points + 3 * (size_t)(members != NULL ? members[i] : i);
}

// Copy the points in the order of a Morton curve. `keys` and `spare`: room for `count` numbers each.
static grz_status order_points(const double *points, const uint32_t *members, uint64_t *keys, uint64_t *spare,
                               grz_control *control, grz_hull_points *out)
{
    grz_box box = grz_box_empty();
    for (uint32_t i = 0; i < out->count && !grz_control_expired_at(control, i, LOOK); i++)
        grz_box_add_point(&box, member(points, members, i));
    for (int k = 0; k < 3; k++)
        out->extent[k] = nextafter(box.max[k] - box.min[k], HUGE_VAL);
    for (uint32_t i = 0; i < out->count && !grz_control_expired_at(control, i, LOOK); i++)
        keys[i] = (uint64_t)morton_key(&box, member(points, members, i)) << 32 | i;
    if (grz_control_expired(control) || !grz_sort_numbers(keys, spare, out->count, control))
        return grz_control_status(control);
    for (uint32_t i = 0; i < out->count; i++) {
        if (grz_control_expired_at(control, i, LOOK))
            return grz_control_status(control);
        const uint32_t from = (uint32_t)keys[i];
        const double *p = member(points, members, from);
        for (int k = 0; k < 3; k++)
            out->at[i][k] = p[k] + 0.0; // -0 becomes 0
        out->number[i] = members != NULL ? members[from] : from;
    }
    return GRZ_OK;
}

static bool same(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// An axis along which the projections of three points are not on one line: z if it can be, else y or x; -1: they are
// on one line. `sign` receives the orientation in the projection.
static int projection(const double a[3], const double b[3], const double c[3], int *sign)
{
    for (int axis = 2; axis >= 0; axis--) {
        const int i = (axis + 1) % 3, j = (axis + 2) % 3;
        const double p[2] = {a[i], a[j]}, q[2] = {b[i], b[j]}, r[2] = {c[i], c[j]};
        *sign = grz_orient2d(p, q, r);
        if (*sign != 0)
            return axis;
    }
    return -1;
}

static void difference(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static double magnitude(const double v[3])
{
    return fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
}

// About how far a point is from what the first `count` corners span: measures that ascend with the distance.
static double distance_from(const grz_hull_points *points, const uint32_t *corners, int count, const double p[3])
{
    double w[3], u[3], v[3], normal[3];
    difference(p, points->at[corners[0]], w);
    if (count == 1)
        return magnitude(w);
    difference(points->at[corners[1]], points->at[corners[0]], u);
    for (int k = 0; k < 3; k++)
        normal[k] = u[(k + 1) % 3] * w[(k + 2) % 3] - u[(k + 2) % 3] * w[(k + 1) % 3];
    if (count == 2)
        return magnitude(normal);
    difference(points->at[corners[2]], points->at[corners[0]], v);
    for (int k = 0; k < 3; k++)
        normal[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    return fabs(normal[0] * w[0] + normal[1] * w[1] + normal[2] * w[2]);
}

// Exactly: whether a point is not in what the corners span.
static bool is_apart(const grz_hull_points *points, const uint32_t *corners, int count, const double p[3])
{
    const double *a = points->at[corners[0]];
    int sign;
    if (count == 1)
        return !same(a, p);
    if (count == 2)
        return projection(a, points->at[corners[1]], p, &sign) >= 0;
    return grz_orient3d(a, points->at[corners[1]], points->at[corners[2]], p) != 0;
}

// Find a point that is not in what the corners span. Returns false if there is none, or the control says to end.
static bool next_corner(const grz_hull_points *points, uint32_t *corners, int count, grz_control *control)
{
    double most = -1.0;
    uint32_t best = 0;
    for (uint32_t i = 0; i < points->count; i++) {
        if (grz_control_expired_at(control, i, LOOK))
            return false;
        const double far = distance_from(points, corners, count, points->at[i]);
        if (far > most) {
            most = far;
            best = i;
        }
    }
    for (uint32_t i = best, tried = 0; tried <= points->count; i = tried++) {
        if (grz_control_expired_at(control, tried, 10))
            return false;
        if (!is_apart(points, corners, count, points->at[i]))
            continue;
        corners[count] = i;
        return true;
    }
    return false;
}

static uint32_t lowest(const grz_hull_points *points)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < points->count; i++) {
        const double *p = points->at[i], *q = points->at[best];
        if (p[0] < q[0] || (p[0] == q[0] && (p[1] < q[1] || (p[1] == q[1] && p[2] < q[2]))))
            best = i;
    }
    return best;
}

static uint32_t highest(const grz_hull_points *points)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < points->count; i++) {
        const double *p = points->at[i], *q = points->at[best];
        if (p[0] > q[0] || (p[0] == q[0] && (p[1] > q[1] || (p[1] == q[1] && p[2] > q[2]))))
            best = i;
    }
    return best;
}

static grz_status find_loops(const grz_hull_points *points, const uint32_t corners[4], int dimension,
                             grz_control *control, grz_hull_loops *loops)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    if (dimension == 2) {
        int sign;
        const int axis = projection(points->at[corners[0]], points->at[corners[1]], points->at[corners[2]], &sign);
        return grz_hull_flat(points, axis, control, loops);
    }
    grz_hull_facets facets = {.count = 0};
    grz_status status = grz_hull_grow(points, corners, control, &facets);
    if (status == GRZ_OK)
        status = grz_hull_merge(points, &facets, control, loops);
    grz_array_finish(allocator, &facets);
    return status;
}

static grz_status build(const grz_hull_points *points, grz_control *control, grz_hull_shape *out)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    grz_hull_loops loops = {.corners = {.count = 0}};
    uint32_t corners[4] = {lowest(points)};
    grz_status status = GRZ_OK;
    int dimension = 0;
    while (dimension < 3 && next_corner(points, corners, dimension + 1, control))
        dimension++;
    if (grz_control_expired(control))
        return grz_control_status(control);
    if (dimension >= 2)
        status = find_loops(points, corners, dimension, control, &loops);
    if (dimension == 1)
        corners[1] = highest(points);
    out->dimension = dimension;
    if (status == GRZ_OK)
        status = grz_hull_number(points, &loops, corners, (uint32_t)dimension + 1, control, out);
    grz_array_finish(allocator, &loops.corners);
    grz_array_finish(allocator, &loops.ends);
    return status;
}

grz_status grz_hull_build(const double *points, const uint32_t *members, uint32_t count, grz_control *control,
                          grz_hull_shape *out)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    grz_hull_points ordered = {.count = count};
    assert(count > 0 && count <= GRZ_HULL_SHAPE_MAX_POINTS);
    *out = (grz_hull_shape){.dimension = 0};
    ordered.at = grz_allocate(allocator, count, sizeof *ordered.at);
    ordered.number = grz_allocate(allocator, count, sizeof *ordered.number);
    uint64_t *keys = grz_allocate(allocator, 2 * (size_t)count, sizeof *keys);
    grz_status status = GRZ_ERROR_MEMORY;
    if (ordered.at != NULL && ordered.number != NULL && keys != NULL)
        status = order_points(points, members, keys, keys + count, control, &ordered);
    grz_release(allocator, keys, 2 * (size_t)count, sizeof *keys);
    if (status == GRZ_OK)
        status = build(&ordered, control, out);
    grz_release(allocator, ordered.at, count, sizeof *ordered.at);
    grz_release(allocator, ordered.number, count, sizeof *ordered.number);
    if (status != GRZ_OK)
        grz_hull_shape_finish(allocator, out);
    return status;
}
