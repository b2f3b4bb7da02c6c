// SPDX-License-Identifier: MIT
// The passes over points, written with SIMD vectors (base/lanes.h). The build compiles this file once for each SIMD
// width.
#include <assert.h>
#include <string.h>

#include "base/lanes.h"
#include "base/simd.h"
#include "geometry/point_stream.h"

// Four points fill three vectors of four doubles: lane i of vector j holds coordinate (4j + i) % 3.
static bool extent(const void *points, size_t count, grz_box *box)
{
    assert(points != NULL || count == 0);
    const char *bytes = points;
    grz_f64x4 min[3], max[3], zero[3];
    for (int j = 0; j < 3; j++) {
        min[j] = grz_f64x4_splat(HUGE_VAL);
        max[j] = grz_f64x4_splat(-HUGE_VAL);
        zero[j] = grz_f64x4_splat(0.0);
    }
    for (; count >= 4; count -= 4, bytes += 12 * sizeof(double))
        for (int j = 0; j < 3; j++) {
            const grz_f64x4 x = grz_f64x4_load(bytes + (size_t)j * sizeof x);
            min[j] = grz_f64x4_min(x, min[j]);
            max[j] = grz_f64x4_max(x, max[j]);
            // Stays 0 for finite numbers and becomes NaN at the first NaN or infinity, which min and max may not show.
            zero[j] = grz_f64x4_add(zero[j], grz_f64x4_multiply(x, grz_f64x4_splat(0.0)));
        }
    double low[12], high[12], none[12], sum = 0.0;
    for (size_t j = 0; j < 3; j++) {
        grz_f64x4_store(low + 4 * j, min[j]);
        grz_f64x4_store(high + 4 * j, max[j]);
        grz_f64x4_store(none + 4 * j, zero[j]);
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
        box->min[i] += 0.0; // -0 becomes +0, because which of two zeros is found first depends on the SIMD width
        box->max[i] += 0.0;
    }
    return fits;
}

// One point at a time: its world x, y and z are one lane each, computed by the operations of grz_world_position() in
// the same order. The fourth lane is 0 and never outside.
static void outcodes(const grz_pose *pose, const grz_box *box, const double *points, size_t count, uint8_t *codes)
{
    const grz_f64x4 low = grz_f64x4_of(box->min[0], box->min[1], box->min[2], 0.0);
    const grz_f64x4 high = grz_f64x4_of(box->max[0], box->max[1], box->max[2], 0.0);
    grz_f64x4 m[4];
    for (int j = 0; j < 4; j++)
        m[j] = grz_f64x4_of(pose->m[0][j], pose->m[1][j], pose->m[2][j], 0.0);
    for (size_t i = 0; i < count; i++) {
        const double *p = points + 3 * i;
        grz_f64x4 at = grz_f64x4_add(grz_f64x4_multiply(m[0], grz_f64x4_splat(p[0])),
                                     grz_f64x4_multiply(m[1], grz_f64x4_splat(p[1])));
        at = grz_f64x4_add(grz_f64x4_add(at, grz_f64x4_multiply(m[2], grz_f64x4_splat(p[2]))), m[3]);
        codes[i] = (uint8_t)(grz_f64x4_greater(low, at) | grz_f64x4_greater(at, high) << 4);
    }
}

const grz_point_stream GRZ_OF_WIDTH(grz_point_stream) = {.extent = extent, .outcodes = outcodes};
