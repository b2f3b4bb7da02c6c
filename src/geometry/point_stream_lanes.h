// SPDX-License-Identifier: MIT
// Passes over points, included by one file for each width of registers, which defines GRZ_POINT_STREAM, the name of its table.
#include <string.h>

#include "base/lanes.h"
#include "geometry/point_stream.h"

// Four points fill three registers: lane i of register j holds coordinate (4j + i) % 3.
static bool extent(const void *points, size_t count, grz_box *box)
{
    const char *bytes = points;
    grz_wide min[3], max[3], zero[3];
    for (int j = 0; j < 3; j++) {
        min[j] = grz_wide_all(HUGE_VAL);
        max[j] = grz_wide_all(-HUGE_VAL);
        zero[j] = grz_wide_all(0.0);
    }
    for (; count >= 4; count -= 4, bytes += 12 * sizeof(double))
        for (int j = 0; j < 3; j++) {
            const grz_wide x = grz_wide_load(bytes + (size_t)j * sizeof x);
            min[j] = grz_wide_min(x, min[j]); // the second where the first is NaN
            max[j] = grz_wide_max(x, max[j]);
            zero[j] = grz_wide_add(zero[j], grz_wide_multiply(x, grz_wide_all(0.0))); // NaN once there was a NaN or an infinity
        }
    double low[12], high[12], none[12], sum = 0.0;
    for (size_t j = 0; j < 3; j++) {
        grz_wide_store(low + 4 * j, min[j]);
        grz_wide_store(high + 4 * j, max[j]);
        grz_wide_store(none + 4 * j, zero[j]);
    }
    for (int i = 0; i < 12; i++) {
        box->min[i % 3] = low[i] < box->min[i % 3] ? low[i] : box->min[i % 3];
        box->max[i % 3] = high[i] > box->max[i % 3] ? high[i] : box->max[i % 3];
        sum += none[i];
    }
    for (; count > 0; count--, bytes += 3 * sizeof(double)) {
        double p[3];
        memcpy(p, bytes, sizeof p);
        grz_box_add_point(box, p);
        sum += (p[0] * 0.0 + p[1] * 0.0) + p[2] * 0.0;
    }
    bool fits = sum == 0.0;
    for (int i = 0; i < 3; i++) {
        fits = fits && box->min[i] >= -GRZ_MAX_COORDINATE && box->max[i] <= GRZ_MAX_COORDINATE;
        box->min[i] += 0.0; // of two zeros either may have come first
        box->max[i] += 0.0;
    }
    return fits;
}

// A point at a time: its x, y and z are a lane each, as grz_world_position() computes them; the fourth lane is never outside.
static void outcodes(const grz_pose *pose, const grz_box *box, const double *points, size_t count, uint8_t *codes)
{
    const grz_wide low = grz_wide_of(box->min[0], box->min[1], box->min[2], 0.0);
    const grz_wide high = grz_wide_of(box->max[0], box->max[1], box->max[2], 0.0);
    grz_wide m[4];
    for (int j = 0; j < 4; j++)
        m[j] = grz_wide_of(pose->m[0][j], pose->m[1][j], pose->m[2][j], 0.0);
    for (size_t i = 0; i < count; i++) {
        const double *p = points + 3 * i;
        grz_wide at = grz_wide_add(grz_wide_multiply(m[0], grz_wide_all(p[0])), grz_wide_multiply(m[1], grz_wide_all(p[1])));
        at = grz_wide_add(grz_wide_add(at, grz_wide_multiply(m[2], grz_wide_all(p[2]))), m[3]);
        codes[i] = (uint8_t)(grz_wide_more(low, at) | grz_wide_more(at, high) << 4);
    }
}

const grz_point_stream GRZ_POINT_STREAM = {.extent = extent, .outcodes = outcodes};
