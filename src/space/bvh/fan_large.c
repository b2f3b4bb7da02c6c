// SPDX-License-Identifier: MIT
// The same proof as in fan_lanes.c, for fans of any size: put the triangles in order, look along the sum of their
// normals, and see that they turn around the vertex at most once. The order is found by sorting the triangles by the
// names of their outer corners. docs/internals/bvh.md ("Fans") has the proof and the error bound.
#include "space/bvh/fan_large.h"

#include <assert.h>
#include <math.h>

#include "base/number_sort.h"

// Relative error bound of the determinants below: 14u + O(u²) of `total`, u = 2^-53. It holds if `total` exceeds the
// second constant: then products cannot underflow.
static const double FAN_FILTER = 16.0 * 0x1p-53;
static const double FAN_LEAST_TOTAL = 0x1p-700;

// The working memory for a fan of `count` triangles: an array of numbers, cut into parts.
typedef struct large_fan {
    const uint32_t *after, *before; // for each triangle, the names of its next and previous outer corner
    uint32_t count;
    bool closed;
    uint64_t *by_after, *by_before, *spare; // count numbers each: a name in the upper half, a triangle in the lower
    uint64_t *ring;                         // count + 1 names: the outer corners in order
    double (*edges)[3];                     // count + 1 edges from the vertex to the outer corners
} large_fan;

static uint32_t name_in(uint64_t key)
{
    return (uint32_t)(key >> 32);
}

// Sort the triangles by one of their outer corners. False: two have the same, or the control says to end.
static bool sort_by(const uint32_t *names, uint64_t *keys, uint64_t *spare, uint32_t count, grz_control *control)
{
    for (uint32_t i = 0; i < count; i++)
        keys[i] = (uint64_t)names[i] << 32 | i;
    if (!grz_sort_numbers(keys, spare, count, control))
        return false;
    for (uint32_t i = 1; i < count; i++)
        if (name_in(keys[i]) == name_in(keys[i - 1]))
            return false;
    return true;
}

// The triangle whose next outer corner has this name. GRZ_FAN_NOBODY: none.
static uint32_t triangle_after(const large_fan *fan, uint32_t name)
{
    uint32_t low = 0, high = fan->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (name_in(fan->by_after[middle]) < name)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < fan->count && name_in(fan->by_after[low]) == name;
    return found ? (uint32_t)fan->by_after[low] : GRZ_FAN_NOBODY;
}

// The first triangle of an open fan: no other triangle ends where it begins. GRZ_FAN_NOBODY: the fan is closed, or has
// several pieces.
static uint32_t find_first(const large_fan *fan)
{
    uint32_t first = GRZ_FAN_NOBODY;
    for (uint32_t i = 0, j = 0; i < fan->count; i++) {
        while (j < fan->count && name_in(fan->by_before[j]) < name_in(fan->by_after[i]))
            j++;
        if (j < fan->count && name_in(fan->by_before[j]) == name_in(fan->by_after[i]))
            continue;
        if (first != GRZ_FAN_NOBODY)
            return GRZ_FAN_NOBODY;
        first = (uint32_t)fan->by_after[i];
    }
    return first;
}

// Put the triangles in order. False: they are not one fan.
static bool order_fan(large_fan *fan, grz_control *control)
{
    if (!sort_by(fan->after, fan->by_after, fan->spare, fan->count, control) ||
        !sort_by(fan->before, fan->by_before, fan->spare, fan->count, control))
        return false;
    const uint32_t first = find_first(fan), start = first == GRZ_FAN_NOBODY ? 0 : first;
    uint32_t triangle = start;
    fan->ring[0] = fan->after[start];
    for (uint32_t i = 0; i < fan->count; i++) {
        // No two triangles end in one corner, so the walk can return to its start only, not into its middle.
        if (triangle == GRZ_FAN_NOBODY || (i > 0 && triangle == start))
            return false;
        fan->ring[i + 1] = fan->before[triangle];
        triangle = triangle_after(fan, fan->before[triangle]);
    }
    fan->closed = triangle == start;
    return fan->closed || triangle == GRZ_FAN_NOBODY;
}

static void find_edges(const grz_fan_corners *corners, uint32_t vertex, const large_fan *fan)
{
    const double *from = corners->positions + 3 * (size_t)vertex;
    for (uint32_t i = 0; i <= fan->count; i++)
        for (int axis = 0; axis < 3; axis++)
            fan->edges[i][axis] = corners->positions[3 * (size_t)fan->ring[i] + (size_t)axis] - from[axis];
}

static void cross(const double u[3], const double v[3], double out[3])
{
    out[0] = u[1] * v[2] - u[2] * v[1];
    out[1] = u[2] * v[0] - u[0] * v[2];
    out[2] = u[0] * v[1] - u[1] * v[0];
}

static double dot(const double u[3], const double v[3])
{
    return (u[0] * v[0] + u[1] * v[1]) + u[2] * v[2];
}

// The direction to look along, and the error bound of the determinants.
static double choose_direction(const large_fan *fan, double w[3])
{
    double extent[3] = {0.0, 0.0, 0.0};
    w[0] = w[1] = w[2] = 0.0;
    for (uint32_t i = 0; i <= fan->count; i++)
        for (int axis = 0; axis < 3; axis++)
            extent[axis] = fmax(extent[axis], fabs(fan->edges[i][axis]));
    for (uint32_t i = 0; i < fan->count; i++) {
        double normal[3];
        cross(fan->edges[i], fan->edges[i + 1], normal);
        for (int axis = 0; axis < 3; axis++)
            w[axis] += normal[axis];
    }
    return extent[1] * extent[2] * fabs(w[0]) + extent[2] * extent[0] * fabs(w[1]) + extent[0] * extent[1] * fabs(w[2]);
}

// True if all triangles turn the same way, together at most once.
static bool turns_once(const large_fan *fan)
{
    double w[3], across[3];
    const double total = choose_direction(fan, w), bound = FAN_FILTER * total;
    if (!(total > FAN_LEAST_TOTAL))
        return false;
    cross(w, fan->edges[0], across);
    bool left = true, decided = true; // left: all corners so far; decided: so was the last one, on either side
    for (uint32_t i = 0; i < fan->count; i++) {
        double normal[3];
        cross(fan->edges[i], fan->edges[i + 1], normal);
        if (!(dot(normal, w) > bound))
            return false;
        if (fan->closed && i + 1 == fan->count)
            break; // the last outer corner is the first
        // The outer corners are to the left of the first edge, then one may be uncertain, then they are to the right.
        const double side = dot(fan->edges[i + 1], across);
        const bool is_left = side > bound, is_right = side < -bound;
        if (left && !is_left)
            left = decided = false;
        else if (!left && is_left)
            return false;
        if (!left && !is_right) {
            if (decided)
                return false;
            decided = true; // the only uncertain one
        } else if (!left) {
            decided = true;
        }
    }
    return true;
}

bool grz_fan_large_is_clear(const grz_fan_corners *corners, uint32_t vertex, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const uint32_t start = corners->starts[vertex], count = corners->starts[vertex + 1] - start;
    const size_t room = 4 * (size_t)count + 1 + 3 * ((size_t)count + 1);
    assert(count > 0 && sizeof(double) == sizeof(uint64_t));
    uint64_t *block = grz_allocate(allocator, room, sizeof *block);
    if (block == NULL)
        return false;
    large_fan fan = {.after = corners->after + start,
                     .before = corners->before + start,
                     .count = count,
                     .by_after = block,
                     .by_before = block + count,
                     .spare = block + 2 * (size_t)count,
                     .ring = block + 3 * (size_t)count,
                     .edges = (double(*)[3])(void *)(block + 4 * (size_t)count + 1)};
    bool clear = order_fan(&fan, control);
    if (clear) {
        find_edges(corners, vertex, &fan);
        clear = turns_once(&fan);
    }
    grz_release(allocator, block, room, sizeof *block);
    return clear;
}
