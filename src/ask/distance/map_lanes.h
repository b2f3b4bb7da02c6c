// SPDX-License-Identifier: MIT
// The ranges of the eight boxes of a node along a direction. For files that are compiled for each SIMD width.
#ifndef GRZ_ASK_DISTANCE_MAP_LANES_H
#define GRZ_ASK_DISTANCE_MAP_LANES_H

#include "ask/distance/distance_frames.h"
#include "base/lanes.h"

static inline void grz_map_ranges(const grz_distance_row *row, const grz_bvh_node *node, grz_f32x8 *low,
                                  grz_f32x8 *high)
{
    *low = grz_f32x8_splat(row->m[3] - row->margin);
    *high = grz_f32x8_splat(row->m[3] + row->margin);
    if (row->only >= 0) {
        const int j = row->only, lower = row->m[j] < 0.0f;
        const grz_f32x8 m = grz_f32x8_splat(row->m[j]);
        *low = grz_f32x8_add(*low, grz_f32x8_multiply(m, grz_f32x8_load(node->bounds[lower][j])));
        *high = grz_f32x8_add(*high, grz_f32x8_multiply(m, grz_f32x8_load(node->bounds[1 - lower][j])));
        return;
    }
    for (int j = 0; j < 3; j++) {
        const int lower = row->m[j] < 0.0f;
        const grz_f32x8 m = grz_f32x8_splat(row->m[j]);
        *low = grz_f32x8_add(*low, grz_f32x8_multiply(m, grz_f32x8_load(node->bounds[lower][j])));
        *high = grz_f32x8_add(*high, grz_f32x8_multiply(m, grz_f32x8_load(node->bounds[1 - lower][j])));
    }
}

#endif
