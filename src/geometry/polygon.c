// SPDX-License-Identifier: MIT
// Triangulating a polygon: choose the projection, test for convexity, and hand the rest to polygon_crossing.c and polygon_ears.c.
// The axis comes from the Newell normal (M. Newell; F. Tampieri, Graphics Gems III), computed in doubles on coordinates relative to
// corner 0 and scaled by a power of two, so that neither tiny nor huge polygons lose it. It only picks an axis: every sign that
// decides is exact and taken from the coordinates as they are.
#include "geometry/polygon.h"

#include <assert.h>

#include "geometry/polygon_parts.h"
#include "geometry/predicates.h"

// The Newell normal times a positive number. Zero where doubles find no area.
static void newell_normal(const double *corners, uint32_t count, double normal[3])
{
    double largest = 0.0;
    for (size_t i = 3; i < (size_t)count * 3; i++) {
        double distance = fabs(corners[i] - corners[i % 3]);
        largest = distance > largest ? distance : largest;
    }
    normal[0] = normal[1] = normal[2] = 0.0;
    if (largest == 0.0)
        return;
    grz_power_of_two scale = grz_normalising_power(largest);
    double before[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 1; i < count; i++) {
        double here[3];
        for (int k = 0; k < 3; k++)
            here[k] = (corners[(size_t)i * 3 + (size_t)k] - corners[k]) * scale.first * scale.second;
        for (int k = 0; k < 3; k++) {
            int u = (k + 1) % 3, v = (k + 2) % 3;
            normal[k] += before[u] * here[v] - before[v] * here[u];
        }
        for (int k = 0; k < 3; k++)
            before[k] = here[k];
    }
}

// The axis of the largest component, the lowest of several; -1 for a zero vector.
static int largest_axis(const double normal[3])
{
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(normal[k]) > fabs(normal[axis]))
            axis = k;
    return normal[axis] != 0.0 ? axis : -1;
}

// Leave out one coordinate; the others in cyclic order, so that the sign of the normal's component is that of the projected area.
static void project(const double *corners, uint32_t count, int axis, double *points)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (size_t i = 0; i < count; i++) {
        points[2 * i] = corners[3 * i + (size_t)u];
        points[2 * i + 1] = corners[3 * i + (size_t)v];
    }
}

// Strictly convex: every corner turns the same way, and all of them together turn round once. A pentagram turns round twice; each
// turn reverses the direction along the coordinates twice.
static bool is_strictly_convex(const double *points, uint32_t count)
{
    const double *before = points + 2 * (size_t)(count - 2), *here = points + 2 * (size_t)(count - 1);
    int turn = 0, direction = grz_polygon_order(before, here), reversals = 0;
    for (size_t i = 0; i < count; i++) {
        const double *after = points + 2 * i;
        int sign = grz_orient2d(before, here, after);
        if (sign == 0 || sign == -turn)
            return false;
        turn = sign;
        int onward = grz_polygon_order(here, after);
        reversals += onward != direction;
        direction = onward;
        before = here;
        here = after;
    }
    return reversals == 2;
}

static bool is_collinear(const double *points, uint32_t count)
{
    size_t other = 1;
    while (other < count && grz_polygon_order(points, points + 2 * other) == 0)
        other++;
    for (size_t i = other + 1; i < count; i++)
        if (grz_orient2d(points, points + 2 * other, points + 2 * i) != 0)
            return false;
    return true;
}

static void fan(uint32_t count, uint32_t *triangles)
{
    for (uint32_t i = 0; i + 2 < count; i++) {
        triangles[3 * (size_t)i] = 0;
        triangles[3 * (size_t)i + 1] = i + 1;
        triangles[3 * (size_t)i + 2] = i + 2;
    }
}

// Quads with no straight corner, which are nearly all: four turns alike are convex; one that differs is the notch of an arrowhead,
// which the diagonal must leave from; two and two is a bow-tie, for a simple quad has one corner beyond 180 degrees at most.
static bool triangulate_quad(const double *points, uint32_t *triangles, grz_polygon_shape *shape)
{
    int turns[4], sum = 0;
    for (size_t i = 0; i < 4; i++) {
        turns[i] = grz_orient2d(points + 2 * ((i + 3) % 4), points + 2 * i, points + 2 * ((i + 1) % 4));
        if (turns[i] == 0)
            return false;
        sum += turns[i];
    }
    fan(4, triangles);
    *shape = sum == 4 || sum == -4 ? GRZ_POLYGON_CONVEX : sum == 0 ? GRZ_POLYGON_NONSIMPLE : GRZ_POLYGON_SIMPLE;
    if (*shape == GRZ_POLYGON_SIMPLE && (turns[1] != turns[3])) {
        const uint32_t from_corner_1[6] = {1, 2, 3, 1, 3, 0};
        for (int i = 0; i < 6; i++)
            triangles[i] = from_corner_1[i];
    }
    return true;
}

// The projection in scratch->points has area or at least three corners that are not in line, and is not convex.
static bool triangulate_projection(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count, int orientation,
                                   uint32_t *triangles, grz_polygon_shape *shape)
{
    bool crosses = false, complete = false;
    if (!grz_polygon_turn(allocator, scratch, count) || !grz_polygon_crosses(allocator, scratch, count, &crosses))
        return false;
    // Where the area is almost nothing, the Newell normal's sign may be wrong; the other orientation completes then.
    for (int attempt = 0; attempt < 4 && !crosses && !complete; attempt++, orientation = -orientation)
        if (!grz_polygon_clip_ears(allocator, scratch, count, orientation, attempt >= 2, triangles, &complete))
            return false;
    *shape = complete ? GRZ_POLYGON_SIMPLE : GRZ_POLYGON_NONSIMPLE;
    if (!complete)
        fan(count, triangles);
    return true;
}

bool grz_polygon_triangulate(const grz_allocator *allocator, grz_polygon_scratch *scratch, const double *corners, uint32_t count,
                             uint32_t *triangles, grz_polygon_shape *shape)
{
    assert(count >= 3);
    if (!grz_array_reserve(allocator, &scratch->points, (size_t)count * 2))
        return false;
    double *points = scratch->points.items, normal[3];
    newell_normal(corners, count, normal);
    int axis = largest_axis(normal);
    if (axis >= 0)
        project(corners, count, axis, points);
    if (axis >= 0 && count == 4 && triangulate_quad(points, triangles, shape))
        return true;
    *shape = GRZ_POLYGON_CONVEX;
    if (axis >= 0 && is_strictly_convex(points, count)) {
        fan(count, triangles);
        return true;
    }
    // No area, or so little that rounding made it up: the lowest axis along which the corners are not all in line.
    if (axis < 0 || is_collinear(points, count)) {
        for (axis = 0; axis < 3; axis++) {
            project(corners, count, axis, points);
            if (!is_collinear(points, count))
                break;
        }
        if (axis == 3 || is_strictly_convex(points, count)) {
            *shape = axis == 3 ? GRZ_POLYGON_COLLINEAR : GRZ_POLYGON_CONVEX;
            fan(count, triangles);
            return true;
        }
    }
    return triangulate_projection(allocator, scratch, count, normal[axis] < 0.0 ? -1 : 1, triangles, shape);
}

void grz_polygon_scratch_finish(const grz_allocator *allocator, grz_polygon_scratch *scratch)
{
    grz_array_finish(allocator, &scratch->points);
    grz_array_finish(allocator, &scratch->turned);
    grz_array_finish(allocator, &scratch->spans);
    grz_array_finish(allocator, &scratch->sorted_spans);
    grz_array_finish(allocator, &scratch->boxes);
    grz_array_finish(allocator, &scratch->ring);
    grz_array_finish(allocator, &scratch->round);
    grz_array_finish(allocator, &scratch->next_round);
    grz_array_finish(allocator, &scratch->cell_starts);
    grz_array_finish(allocator, &scratch->cell_corners);
    grz_array_finish(allocator, &scratch->corner_cells);
    grz_array_finish(allocator, &scratch->order);
}
