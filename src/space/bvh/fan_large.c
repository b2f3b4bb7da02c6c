// SPDX-License-Identifier: MIT
// The same proof as in fan_lanes.c, for fans of any size: put the triangles in order, look along the sum of their
// normals, and see that they turn around the vertex at most once. The order is found by sorting the names of the outer
// corners. Faces wound the other way, and single faces without area, which exported files often have, do no harm.
// docs/internals/bvh.md ("Fans") has the proof and the error bound.
#include "space/bvh/fan_large.h"

#include <assert.h>
#include <math.h>

#include "base/control.h"
#include "base/sort/number_sort.h"

// The working memory for a fan: an array of numbers, cut into parts. `given` is the number of corners at the vertex.
typedef struct large_fan {
    const uint32_t *after, *before; // for each triangle, the names of its next and previous outer corner
    uint32_t given;
    uint32_t count; // triangles with two different outer corners
    bool closed;    // the last outer corner is also the first
    uint64_t
        *ends; // room for 2 * given: the outer corners of these triangles, a name in the upper half, a triangle below
    uint64_t *flat;     // given: for the other triangles, the name of their only outer corner
    uint64_t *spare;    // 2 * given
    uint64_t *ring;     // given + 1 names: the outer corners in order
    double (*edges)[3]; // given + 1 edges from the vertex to the outer corners
} large_fan;

static uint32_t name_in(uint64_t key)
{
    return (uint32_t)(key >> 32);
}

// Take the triangles apart: those with two outer corners, and flat ones of which corners coincide. Returns the number
// of flat ones.
static uint32_t split_flat(large_fan *fan, uint32_t vertex)
{
    uint32_t flat_count = 0;
    fan->count = 0;
    for (uint32_t i = 0; i < fan->given; i++) {
        const uint32_t p = fan->after[i], q = fan->before[i];
        if (p == q || p == vertex || q == vertex) {
            fan->flat[flat_count++] = p == vertex ? q : p;
            continue;
        }
        fan->ends[2 * (size_t)fan->count] = (uint64_t)p << 32 | i;
        fan->ends[2 * (size_t)fan->count + 1] = (uint64_t)q << 32 | i;
        fan->count++;
    }
    return flat_count;
}

// Where the outer corners of this name begin in fan->ends, which is sorted; 2 * fan->count at most.
static size_t find_name(const large_fan *fan, uint32_t name)
{
    size_t low = 0, high = 2 * (size_t)fan->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (name_in(fan->ends[middle]) < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_name(const large_fan *fan, size_t at, uint32_t name)
{
    return at < 2 * (size_t)fan->count && name_in(fan->ends[at]) == name;
}

// The triangle beside this one on the edge to an outer corner. GRZ_FAN_NOBODY: none.
static uint32_t triangle_beside(const large_fan *fan, uint32_t triangle, uint32_t name)
{
    const size_t at = find_name(fan, name);
    assert(has_name(fan, at, name));
    if ((uint32_t)fan->ends[at] != triangle)
        return (uint32_t)fan->ends[at];
    return has_name(fan, at + 1, name) ? (uint32_t)fan->ends[at + 1] : GRZ_FAN_NOBODY;
}

// A flat triangle is a segment: an edge of the fan, with which no other triangle has more in common than that edge.
// True if each lies on an edge that the fan has, and no two on one: three shared corners always collide.
static bool flat_ones_lie_on_edges(large_fan *fan, uint32_t flat_count, grz_control *control)
{
    if (flat_count > 0 && !grz_sort_numbers(fan->flat, fan->spare, flat_count, control))
        return false;
    for (uint32_t i = 0; i < flat_count; i++) {
        const uint32_t name = (uint32_t)fan->flat[i];
        if ((i > 0 && fan->flat[i] == fan->flat[i - 1]) || !has_name(fan, find_name(fan, name), name))
            return false;
    }
    return true;
}

// The outer corner where an open fan begins, and the triangle there; of a closed one, any. False if a corner belongs to
// three triangles.
static bool find_start(const large_fan *fan, uint32_t *name, uint32_t *triangle)
{
    const size_t end_count = 2 * (size_t)fan->count;
    *name = name_in(fan->ends[0]);
    *triangle = (uint32_t)fan->ends[0];
    for (size_t i = 0, next; i < end_count; i = next) {
        next = i + 1;
        while (next < end_count && name_in(fan->ends[next]) == name_in(fan->ends[i]))
            next++;
        if (next - i > 2)
            return false;
        if (next - i == 1) {
            *name = name_in(fan->ends[i]);
            *triangle = (uint32_t)fan->ends[i];
        }
    }
    return true;
}

// Put the triangles in order, whichever way they are wound. False: they are not one fan.
static bool order_fan(large_fan *fan, uint32_t vertex, grz_control *control)
{
    uint32_t name, triangle;
    const uint32_t flat_count = split_flat(fan, vertex);
    if (fan->count == 0 || !grz_sort_numbers(fan->ends, fan->spare, 2 * (size_t)fan->count, control) ||
        !flat_ones_lie_on_edges(fan, flat_count, control) || !find_start(fan, &name, &triangle))
        return false;
    const uint32_t first = name;
    fan->ring[0] = first;
    for (uint32_t i = 0; i < fan->count; i++) {
        // No corner has three triangles, so the walk can return to its start only, not into its middle.
        if (triangle == GRZ_FAN_NOBODY || (i > 0 && name == first))
            return false;
        name = fan->after[triangle] == name ? fan->before[triangle] : fan->after[triangle];
        fan->ring[i + 1] = name;
        triangle = triangle_beside(fan, triangle, name);
    }
    fan->closed = name == first;
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
    const double total = choose_direction(fan, w), bound = GRZ_FAN_FILTER * total;
    if (!(total > GRZ_FAN_LEAST_TOTAL))
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
    const uint32_t start = corners->starts[vertex], given = corners->starts[vertex + 1] - start;
    const size_t n = given, room = 5 * n + (n + 1) + 3 * (n + 1);
    assert(given > 0 && sizeof(double) == sizeof(uint64_t));
    uint64_t *block = grz_allocate(allocator, room, sizeof *block);
    if (block == NULL)
        return false;
    large_fan fan = {.after = corners->after + start,
                     .before = corners->before + start,
                     .given = given,
                     .ends = block,
                     .flat = block + 2 * n,
                     .spare = block + 3 * n,
                     .ring = block + 5 * n,
                     .edges = (double(*)[3])(void *)(block + 6 * n + 1)};
    bool clear = order_fan(&fan, vertex, control);
    if (clear) {
        find_edges(corners, vertex, &fan);
        clear = turns_once(&fan);
    }
    grz_release(allocator, block, room, sizeof *block);
    return clear;
}
