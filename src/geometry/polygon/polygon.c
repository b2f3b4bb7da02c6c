// SPDX-License-Identifier: MIT
// Triangulates a polygon in space. This file chooses the projection to a plane and handles quads and convex polygons.
// The rest goes to polygon_crossing.c (does it cross itself?) and ears.c (ear clipping). The projection drops
// the coordinate in which the Newell normal is largest (M. Newell; F. Tampieri, Graphics Gems III). The normal is
// computed in doubles, relative to corner 0 and scaled by a power of two, so that it neither overflows nor underflows.
// It only chooses the axis: every decision uses exact signs of the original coordinates.
#include "geometry/polygon/polygon.h"

#include <assert.h>

#include "geometry/exact/predicates.h"
#include "geometry/polygon/polygon_parts.h"

// The Newell normal times a positive number. Zero if the area is zero or lost in rounding.
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

// The axis of the component with the largest magnitude; if several are equal, the lowest. -1 for the zero vector.
static int largest_axis(const double normal[3])
{
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(normal[k]) > fabs(normal[axis]))
            axis = k;
    return normal[axis] != 0.0 ? axis : -1;
}

// Drop one coordinate. The other two are kept in cyclic order, so that the projected area has the sign of the normal's
// component.
static void project(const double *corners, uint32_t count, int axis, double *points)
{
    assert(axis >= 0 && axis < 3);
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (size_t i = 0; i < count; i++) {
        points[2 * i] = corners[3 * i + (size_t)u];
        points[2 * i + 1] = corners[3 * i + (size_t)v];
    }
}

// True if the polygon is strictly convex: all corners turn the same way, and together they make one full turn. A
// pentagram makes two. Each full turn reverses the lexicographic direction of the edges twice, so reversals count the
// turns.
static bool is_strictly_convex(const double *points, uint32_t count)
{
    const double *before = points + 2 * (size_t)(count - 2), *here = points + 2 * (size_t)(count - 1);
    int turn = 0, direction = grz_polygon_step(before, here), reversals = 0;
    for (size_t i = 0; i < count; i++) {
        const double *after = points + 2 * i;
        int sign = grz_orient2d(before, here, after);
        if (sign == 0 || sign == -turn)
            return false;
        turn = sign;
        int step = grz_polygon_step(here, after);
        reversals += step != direction;
        direction = step;
        before = here;
        here = after;
    }
    return reversals == 2;
}

// True if all points lie on one line.
static bool is_collinear(const double *points, uint32_t count)
{
    size_t other = 1;
    while (other < count && grz_polygon_step(points, points + 2 * other) == 0)
        other++;
    for (size_t i = other + 1; i < count; i++)
        if (grz_orient2d(points, points + 2 * other, points + 2 * i) != 0)
            return false;
    return true;
}

// The triangles (0, 1, 2), (0, 2, 3), …
static void fan(uint32_t count, uint32_t *triangles)
{
    for (uint32_t i = 0; i + 2 < count; i++) {
        triangles[3 * (size_t)i] = 0;
        triangles[3 * (size_t)i + 1] = i + 1;
        triangles[3 * (size_t)i + 2] = i + 2;
    }
}

// A quad without a straight corner; nearly all quads are of this kind. False if it has one. If all four corners turn
// the same way, it is convex. If one differs, it is an arrowhead, and the diagonal must start at that corner. If two
// and two differ, its edges cross (a bow-tie), because a simple quad has at most one corner of more than 180 degrees.
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

// Triangulate the projection in scratch->points, which is not convex and whose points are not all on one line.
static bool triangulate_projection(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count,
                                   int orientation, uint32_t *triangles, grz_polygon_shape *shape)
{
    bool crosses = false, complete = false;
    if (!grz_polygon_rotate(allocator, scratch, count) || !grz_polygon_crosses(allocator, scratch, count, &crosses))
        return false;
    // If the area is almost zero, the sign of the Newell normal may be wrong. Then the other orientation succeeds. The
    // third and fourth attempt remove folded parts first (see ears.c).
    for (int attempt = 0; attempt < 4 && !crosses && !complete; attempt++, orientation = -orientation)
        if (!grz_polygon_clip_ears(allocator, scratch, count, orientation, attempt >= 2, triangles, &complete))
            return false;
    *shape = complete ? GRZ_POLYGON_SIMPLE : GRZ_POLYGON_NONSIMPLE;
    if (!complete)
        fan(count, triangles);
    return true;
}

bool grz_polygon_triangulate(const grz_allocator *allocator, grz_polygon_scratch *scratch, const double *corners,
                             uint32_t count, uint32_t *triangles, grz_polygon_shape *shape)
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
    // The area is zero, or so small that it may be a rounding error. Use the lowest axis along which the projected
    // corners are not all on one line.
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
    grz_array_finish(allocator, &scratch->rotated);
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
    grz_array_finish(allocator, &scratch->leaves);
    grz_array_finish(allocator, &scratch->listed);
    grz_array_finish(allocator, &scratch->ends);
    grz_array_finish(allocator, &scratch->sorted_ends);
    grz_array_finish(allocator, &scratch->nodes);
    grz_array_finish(allocator, &scratch->hubs);
    grz_array_finish(allocator, &scratch->hub_of);
    grz_array_finish(allocator, &scratch->targets);
    grz_array_finish(allocator, &scratch->watchers);
    grz_array_finish(allocator, &scratch->heads);
    grz_array_finish(allocator, &scratch->due_words);
}
