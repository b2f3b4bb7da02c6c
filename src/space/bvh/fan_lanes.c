// SPDX-License-Identifier: MIT
// Proves that the triangles around a vertex meet only where they share edges or corners. The build compiles this file
// once for each SIMD width. Method: put the triangles in order, so that each meets the next in an edge that no third
// one has. Let w be the sum of their normals. Look along w: if all triangles certainly turn the same way, and all
// together turn at most once around the vertex, their projections along w meet only in the projections of shared edges
// and corners. Then so do the triangles. docs/internals/bvh.md ("Fans") has the proof and the error bound.
#include <assert.h>

#include "base/lanes.h"
#include "base/simd.h"
#include "space/bvh/fan_large.h"

enum {
    LANES = 4,
    MOST = GRZ_FAN_SMALL // the most triangles of a fan; larger ones are judged by fan_large.c
};

typedef struct grz_fan {
    uint32_t ring[2 * MOST + 1]; // names of the outer corners, in order; the used part begins at `first`
    uint32_t first, count;       // begin of the used part; number of triangles
    bool closed;                 // the last outer corner is also the first
} grz_fan;

// Where `wanted` occurs among at most MOST numbers, as a bit mask. Reads up to three numbers more.
static inline uint32_t positions_of(const uint32_t *numbers, uint32_t count, uint32_t wanted)
{
    const grz_u32x4 all = grz_u32x4_of(wanted, wanted, wanted, wanted);
    uint32_t bits = 0;
    assert(0 < count && count <= MOST);
    for (uint32_t i = 0; i < count; i += LANES)
        bits |= grz_u32x4_equal(grz_u32x4_load(numbers + i), all) << i;
    return bits & ((1u << count) - 1);
}

// Put the triangles around a vertex in order: from the first one forwards until none follows, then backwards from it.
// False: they are not one fan.
static inline bool order_fan(const uint32_t *after, const uint32_t *before, uint32_t count, grz_fan *fan)
{
    uint32_t last = MOST + 1, used = 1, bits;
    fan->ring[MOST] = after[0];
    fan->ring[last] = before[0];
    while ((bits = positions_of(after, count, fan->ring[last])) != 0) {
        if ((bits & (bits - 1)) != 0)
            return false;
        if ((bits & used) != 0) {
            fan->first = MOST;
            fan->count = count;
            fan->closed = true;
            return bits == 1 && last == MOST + count;
        }
        used |= bits;
        fan->ring[++last] = before[__builtin_ctz(bits)];
    }
    fan->first = MOST;
    while (last - fan->first < count && (bits = positions_of(before, count, fan->ring[fan->first])) != 0) {
        if ((bits & (bits - 1)) != 0 || (bits & used) != 0)
            return false;
        used |= bits;
        fan->ring[--fan->first] = after[__builtin_ctz(bits)];
    }
    fan->count = count;
    fan->closed = false;
    return last - fan->first == count && positions_of(before, count, fan->ring[fan->first]) == 0;
}

// The other triangle at an outer corner of triangle `own`. Its number as a bit mask; 0 if there is none, more than one
// bit if there are several.
static inline uint32_t others_at(const uint32_t *after, const uint32_t *before, uint32_t count, uint32_t corner,
                                 uint32_t own)
{
    return (positions_of(after, count, corner) | positions_of(before, count, corner)) & ~(1u << own);
}

// The same as order_fan() for triangles that are wound in different ways; it takes longer. No outer corner has more
// than two triangles, so each walk ends where no triangle follows, or at its start.
static inline bool order_mixed_fan(const uint32_t *after, const uint32_t *before, uint32_t vertex, uint32_t count,
                                   grz_fan *fan)
{
    uint32_t last = MOST + 1, used = 1, own = 0, bits;
    for (uint32_t i = 0; i < count; i++)
        if (after[i] == before[i] || after[i] == vertex || before[i] == vertex)
            return false;
    fan->first = MOST;
    fan->count = count;
    fan->closed = false;
    fan->ring[MOST] = after[0];
    fan->ring[last] = before[0];
    while ((bits = others_at(after, before, count, fan->ring[last], own)) != 0) {
        if ((bits & (bits - 1)) != 0)
            return false;
        if ((bits & used) != 0) {
            fan->closed = true;
            return bits == 1 && fan->ring[last] == fan->ring[MOST] && last == MOST + count;
        }
        used |= bits;
        own = (uint32_t)__builtin_ctz(bits);
        const uint32_t next = after[own] == fan->ring[last] ? before[own] : after[own];
        fan->ring[++last] = next;
    }
    own = 0;
    while ((bits = others_at(after, before, count, fan->ring[fan->first], own)) != 0) {
        if ((bits & (bits - 1)) != 0 || (bits & used) != 0)
            return false;
        used |= bits;
        own = (uint32_t)__builtin_ctz(bits);
        const uint32_t next = after[own] == fan->ring[fan->first] ? before[own] : after[own];
        fan->ring[--fan->first] = next;
    }
    return last - fan->first == count;
}

// The edges from the vertex to the outer corners, each coordinate in an array of its own, followed by zeros.
typedef struct grz_fan_edges {
    double axis[3][MOST + 2 * LANES];
} grz_fan_edges;

static inline void find_edges(const grz_fan_corners *corners, uint32_t vertex, const grz_fan *fan, grz_fan_edges *edges)
{
    const double *from = corners->positions + 3 * (size_t)vertex;
    const uint32_t *ring = fan->ring + fan->first;
    assert(fan->first + fan->count < sizeof fan->ring / sizeof *fan->ring);
    for (uint32_t i = 0; i <= fan->count; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            edges->axis[axis][i] = corners->positions[3 * (size_t)ring[i] + axis] - from[axis];
    for (uint32_t i = fan->count + 1; i <= fan->count + LANES; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            edges->axis[axis][i] = 0.0;
}

static inline double sum_of(grz_f64x4 a)
{
    double lane[4];
    grz_f64x4_store(lane, a);
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

static inline double largest_of(grz_f64x4 a)
{
    double lane[4];
    grz_f64x4_store(lane, a);
    const double x = lane[0] > lane[1] ? lane[0] : lane[1], y = lane[2] > lane[3] ? lane[2] : lane[3];
    return x > y ? x : y;
}

static inline double magnitude(double x)
{
    return x < 0.0 ? -x : x;
}

// True if the fan is clear: all triangles turn the same way, together at most once.
static inline bool turns_once(const grz_fan *fan, const grz_fan_edges *edges)
{
    grz_f64x4 normal[3][MOST / LANES], sum[3], low[3], high[3];
    double w[3], extent[3], across[3];
    const size_t groups = (fan->count + LANES - 1) / LANES;
    const uint32_t all = (1u << fan->count) - 1;
    for (int axis = 0; axis < 3; axis++)
        sum[axis] = low[axis] = high[axis] = grz_f64x4_splat(0.0);
    for (size_t g = 0; g < groups; g++) {
        grz_f64x4 u[3], v[3];
        for (int axis = 0; axis < 3; axis++) {
            u[axis] = grz_f64x4_load(edges->axis[axis] + LANES * g);
            v[axis] = grz_f64x4_load(edges->axis[axis] + LANES * g + 1);
            low[axis] = grz_f64x4_min(low[axis], grz_f64x4_min(u[axis], v[axis]));
            high[axis] = grz_f64x4_max(high[axis], grz_f64x4_max(u[axis], v[axis]));
        }
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            normal[i][g] = grz_f64x4_subtract(grz_f64x4_multiply(u[j], v[k]), grz_f64x4_multiply(u[k], v[j]));
            sum[i] = grz_f64x4_add(sum[i], normal[i][g]);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        w[axis] = sum_of(sum[axis]);
        extent[axis] = largest_of(grz_f64x4_max(high[axis], grz_f64x4_subtract(grz_f64x4_splat(0.0), low[axis])));
    }
    const double total = extent[1] * extent[2] * magnitude(w[0]) + extent[2] * extent[0] * magnitude(w[1]) +
                         extent[0] * extent[1] * magnitude(w[2]);
    if (!(total > GRZ_FAN_LEAST_TOTAL))
        return false;
    const grz_f64x4 bound = grz_f64x4_splat(GRZ_FAN_FILTER * total),
                    negative_bound = grz_f64x4_splat(-GRZ_FAN_FILTER * total);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        across[i] = w[j] * edges->axis[k][0] - w[k] * edges->axis[j][0];
    }
    uint32_t turning = 0, left = 0, right = 0;
    for (size_t g = 0; g < groups; g++) {
        grz_f64x4 turn = grz_f64x4_splat(0.0), side = turn;
        for (int axis = 0; axis < 3; axis++) {
            turn = grz_f64x4_add(turn, grz_f64x4_multiply(normal[axis][g], grz_f64x4_splat(w[axis])));
            side = grz_f64x4_add(side, grz_f64x4_multiply(grz_f64x4_load(edges->axis[axis] + LANES * g + 1),
                                                          grz_f64x4_splat(across[axis])));
        }
        turning |= grz_f64x4_greater(turn, bound) << (LANES * g);
        left |= grz_f64x4_greater(side, bound) << (LANES * g);
        right |= grz_f64x4_greater(negative_bound, side) << (LANES * g);
    }
    if ((~turning & all) != 0)
        return false;
    // Outer corners 1 to the last (of a closed fan, to the last but one): first some to the left of the first edge,
    // then at most one whose side is uncertain, then the rest to the right.
    const uint32_t seen = fan->closed ? all >> 1 : all, start = left & seen;
    const uint32_t rest = seen & ~start & ~right;
    return (start & (start + 1)) == 0 && (rest & (rest - 1)) == 0 && (rest & ~(start + 1)) == 0;
}

void GRZ_OF_WIDTH(grz_fan_judge)(const grz_fan_corners *corners, uint32_t first, uint32_t end, uint32_t *names)
{
    for (uint32_t vertex = first; vertex < end; vertex++) {
        const uint32_t start = corners->starts[vertex], count = corners->starts[vertex + 1] - start;
        grz_fan fan;
        grz_fan_edges edges;
        bool clear = false;
        const uint32_t *after = corners->after + start, *before = corners->before + start;
        if (count >= 1 && count <= MOST &&
            (order_fan(after, before, count, &fan) || order_mixed_fan(after, before, vertex, count, &fan))) {
            find_edges(corners, vertex, &fan, &edges);
            clear = turns_once(&fan, &edges);
        }
        if (!clear)
            names[vertex] = GRZ_FAN_UNCLEAR;
    }
}
