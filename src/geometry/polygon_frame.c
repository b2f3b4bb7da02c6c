// SPDX-License-Identifier: MIT
// A frame for sorting a polygon: its corners moved, scaled and turned so that most of its edges, by length, run along an axis. A
// comb lies straight in it, however it lay before, and boxes tell its teeth apart. Only what is near what is asked of it: every
// sign that decides is exact and comes from the corners as they are.
//
// The error. The frame is the linear map of the two rounded numbers cosine and sine, which turns and scales exactly, whatever they
// are. Shifted coordinates are at most 1 and off by u = 2^-53; the products add u/2 each, their sum u, and what the shifted ones
// are off by becomes 1.5u: 3.5u in all, below 2^-51.
#include "geometry/polygon_parts.h"

enum {
    FEW = 32 // so many corners are sorted as quickly in any frame
};

// The direction of the frame's first axis: four times the angle of each edge, so that all four directions of a square add up,
// weighted by the square of the length. `shifted`: the corners relative to the first one, at most 1 large.
static void find_direction(const double *shifted, uint32_t count, double *cosine, double *sine)
{
    double sum[2] = {0.0, 0.0};
    for (size_t i = 0, before = count - 1; i < count; before = i++) {
        const double x = shifted[2 * i] - shifted[2 * before], y = shifted[2 * i + 1] - shifted[2 * before + 1];
        const double twice[2] = {x * x - y * y, 2.0 * x * y}, square = x * x + y * y;
        if (square > 0.0) {
            sum[0] += (twice[0] * twice[0] - twice[1] * twice[1]) / square;
            sum[1] += 2.0 * twice[0] * twice[1] / square;
        }
    }
    const double angle = 0.25 * atan2(sum[1], sum[0]);
    *cosine = cos(angle);
    *sine = sin(angle);
}

bool grz_polygon_turn(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count)
{
    if (!grz_array_reserve(allocator, &scratch->turned, (size_t)count * 2))
        return false;
    const double *points = scratch->points.items;
    double *turned = scratch->turned.items, largest = 0.0, cosine = 1.0, sine = 0.0;
    for (size_t i = 2; i < (size_t)count * 2; i++) {
        const double distance = fabs(points[i] - points[i % 2]);
        largest = distance > largest ? distance : largest;
    }
    const grz_power_of_two scale = grz_normalising_power(largest > 0.0 ? largest : 1.0);
    for (size_t i = 0; i < (size_t)count * 2; i++)
        turned[i] = 0.5 * ((points[i] - points[i % 2]) * scale.first * scale.second);
    if (count >= FEW)
        find_direction(turned, count, &cosine, &sine);
    // Two sums: gcc 12 makes a fused multiply-add of a sum beside a difference, whatever -ffp-contract says.
    const double minus_sine = -sine;
    for (size_t i = 0; i < count; i++) {
        const double x = turned[2 * i], y = turned[2 * i + 1];
        turned[2 * i] = cosine * x + sine * y;
        turned[2 * i + 1] = cosine * y + minus_sine * x;
    }
    return true;
}
