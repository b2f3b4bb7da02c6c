// SPDX-License-Identifier: MIT
// Judging fans, included by one file for each width of registers, which defines GRZ_FAN_JUDGE, the function's name. The triangles
// around a vertex are put in order, each meeting the next in an edge that no third one has. Let w be the sum of their normals. If
// each, seen along w, turns the same way for certain, and all of them together no more than once round, their shadows along w have
// nothing in common but the shadows of shared edges, and so have they. The proof and the bound are in docs/bvh.md.
#include "base/lanes.h"
#include "space/bvh_fans.h"

enum {
    LANES = 4,
    MOST = 16 // triangles; larger fans are left to others
};

// Derived: 14u + O(u²) of `reach`, u = 2^-53; and where products cannot underflow.
static const double FAN_FILTER = 16.0 * 0x1p-53;
static const double FAN_LEAST_REACH = 0x1p-700;

typedef struct grz_fan {
    uint32_t ring[2 * MOST + 1]; // names: the outer corners in order, in the middle of it
    uint32_t first, count;       // where they begin, and how many triangles
    bool closed;                 // the last outer corner is the first one
} grz_fan;

// Which of some numbers, at most MOST, are the wanted one. Three more are read.
static inline uint32_t among(const uint32_t *numbers, uint32_t count, uint32_t wanted)
{
    const grz_numbers all = grz_numbers_of(wanted, wanted, wanted, wanted);
    uint32_t bits = 0;
    for (uint32_t i = 0; i < count; i += LANES)
        bits |= grz_numbers_equal(grz_numbers_load(numbers + i), all) << i;
    return bits & ((1u << count) - 1);
}

// Put a vertex's corners in order, from the first one on to where nothing follows, then back from it. False: they are not one fan.
static inline bool order_fan(const uint32_t *after, const uint32_t *before, uint32_t count, grz_fan *fan)
{
    uint32_t last = MOST + 1, used = 1, bits;
    fan->ring[MOST] = after[0];
    fan->ring[last] = before[0];
    while ((bits = among(after, count, fan->ring[last])) != 0) {
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
    while (last - fan->first < count && (bits = among(before, count, fan->ring[fan->first])) != 0) {
        if ((bits & (bits - 1)) != 0 || (bits & used) != 0)
            return false;
        used |= bits;
        fan->ring[--fan->first] = after[__builtin_ctz(bits)];
    }
    fan->count = count;
    fan->closed = false;
    return last - fan->first == count && among(before, count, fan->ring[fan->first]) == 0;
}

// The edges from the vertex to the outer corners, side by side, and none behind them.
typedef struct grz_fan_edges {
    double axis[3][MOST + 2 * LANES];
} grz_fan_edges;

static inline void find_edges(const grz_fan_corners *corners, uint32_t vertex, const grz_fan *fan, grz_fan_edges *edges)
{
    const double *from = corners->positions + 3 * (size_t)vertex;
    const uint32_t *ring = fan->ring + fan->first;
    for (uint32_t i = 0; i <= fan->count; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            edges->axis[axis][i] = corners->positions[3 * (size_t)ring[i] + axis] - from[axis];
    for (uint32_t i = fan->count + 1; i <= fan->count + LANES; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            edges->axis[axis][i] = 0.0;
}

static inline double sum_of(grz_wide a)
{
    double lane[4];
    grz_wide_store(lane, a);
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

static inline double largest_of(grz_wide a)
{
    double lane[4];
    grz_wide_store(lane, a);
    const double x = lane[0] > lane[1] ? lane[0] : lane[1], y = lane[2] > lane[3] ? lane[2] : lane[3];
    return x > y ? x : y;
}

static inline double magnitude(double x)
{
    return x < 0.0 ? -x : x;
}

static inline bool turns_once(const grz_fan *fan, const grz_fan_edges *edges)
{
    grz_wide normal[3][MOST / LANES], sum[3], low[3], high[3];
    double w[3], reach[3], across[3];
    const size_t groups = (fan->count + LANES - 1) / LANES;
    const uint32_t all = (1u << fan->count) - 1;
    for (int axis = 0; axis < 3; axis++)
        sum[axis] = low[axis] = high[axis] = grz_wide_all(0.0);
    for (size_t g = 0; g < groups; g++) {
        grz_wide u[3], v[3];
        for (int axis = 0; axis < 3; axis++) {
            u[axis] = grz_wide_load(edges->axis[axis] + LANES * g);
            v[axis] = grz_wide_load(edges->axis[axis] + LANES * g + 1);
            low[axis] = grz_wide_min(low[axis], grz_wide_min(u[axis], v[axis]));
            high[axis] = grz_wide_max(high[axis], grz_wide_max(u[axis], v[axis]));
        }
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            normal[i][g] = grz_wide_subtract(grz_wide_multiply(u[j], v[k]), grz_wide_multiply(u[k], v[j]));
            sum[i] = grz_wide_add(sum[i], normal[i][g]);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        w[axis] = sum_of(sum[axis]);
        reach[axis] = largest_of(grz_wide_max(high[axis], grz_wide_subtract(grz_wide_all(0.0), low[axis])));
    }
    const double total =
        reach[1] * reach[2] * magnitude(w[0]) + reach[2] * reach[0] * magnitude(w[1]) + reach[0] * reach[1] * magnitude(w[2]);
    if (!(total > FAN_LEAST_REACH))
        return false;
    const grz_wide bound = grz_wide_all(FAN_FILTER * total), negative_bound = grz_wide_all(-FAN_FILTER * total);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        across[i] = w[j] * edges->axis[k][0] - w[k] * edges->axis[j][0];
    }
    uint32_t turning = 0, left = 0, right = 0;
    for (size_t g = 0; g < groups; g++) {
        grz_wide turn = grz_wide_all(0.0), side = turn;
        for (int axis = 0; axis < 3; axis++) {
            turn = grz_wide_add(turn, grz_wide_multiply(normal[axis][g], grz_wide_all(w[axis])));
            side =
                grz_wide_add(side, grz_wide_multiply(grz_wide_load(edges->axis[axis] + LANES * g + 1), grz_wide_all(across[axis])));
        }
        turning |= grz_wide_more(turn, bound) << (LANES * g);
        left |= grz_wide_more(side, bound) << (LANES * g);
        right |= grz_wide_more(negative_bound, side) << (LANES * g);
    }
    if ((~turning & all) != 0)
        return false;
    // Outer corners 1 to the last, or where that is the first one again, to the last but one: first to the left of the first edge, then
    // at most one that is not certain, then to its right.
    const uint32_t seen = fan->closed ? all >> 1 : all, start = left & seen;
    const uint32_t rest = seen & ~start & ~right;
    return (start & (start + 1)) == 0 && (rest & (rest - 1)) == 0 && (rest & ~(start + 1)) == 0;
}

void GRZ_FAN_JUDGE(const grz_fan_corners *corners, uint32_t first, uint32_t end, uint32_t *names)
{
    for (uint32_t vertex = first; vertex < end; vertex++) {
        const uint32_t start = corners->starts[vertex], count = corners->starts[vertex + 1] - start;
        grz_fan fan;
        grz_fan_edges edges;
        bool clear = false;
        if (count >= 1 && count <= MOST && order_fan(corners->after + start, corners->before + start, count, &fan)) {
            find_edges(corners, vertex, &fan, &edges);
            clear = turns_once(&fan, &edges);
        }
        if (!clear)
            names[vertex] = GRZ_FAN_UNCLEAR;
    }
}
