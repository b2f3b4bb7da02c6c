// SPDX-License-Identifier: MIT
// The boxes of leaves, from the positions of their vertices: x, y and z side by side in one vector. The build compiles
// this file once for each SIMD width.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/lanes.h"
#include "base/simd.h"
#include "mesh/leaves/leaf_boxes.h"

enum {
    AHEAD = 16 // how many vertices ahead to fetch: they need not lie next to each other
};

void GRZ_OF_WIDTH(grz_leaf_refit)(const double *positions, const grz_leaf_boxes *leaves, uint32_t first, uint32_t end)
{
    const grz_f64x4 none = grz_f64x4_splat(HUGE_VAL), most = grz_f64x4_splat(-HUGE_VAL);
    const grz_leaf *starts = leaves->leaves.items;
    const uint32_t *last = leaves->vertices + starts[end].first_vertex;
    for (uint32_t leaf = first; leaf < end; leaf++) {
        const uint32_t *vertex = leaves->vertices + starts[leaf].first_vertex,
                       *stop = leaves->vertices + starts[leaf + 1].first_vertex;
        grz_f64x4 low[2] = {none, none}, high[2] = {most, most}; // two of each: the processor works on both at once
        assert(vertex < stop && stop <= last);
        for (; stop - vertex >= 2; vertex += 2)
            for (int i = 0; i < 2; i++) {
                const grz_f64x4 p = grz_f64x4_load(positions + 3 * (size_t)vertex[i]);
                if (vertex + i + AHEAD < last)
                    __builtin_prefetch(positions + 3 * (size_t)vertex[i + AHEAD]);
                low[i] = grz_f64x4_min(p, low[i]);
                high[i] = grz_f64x4_max(p, high[i]);
            }
        if (vertex < stop) {
            const grz_f64x4 p = grz_f64x4_load(positions + 3 * (size_t)*vertex);
            low[0] = grz_f64x4_min(p, low[0]);
            high[0] = grz_f64x4_max(p, high[0]);
        }
        double least[4], largest[4];
        grz_f64x4_store(least, grz_f64x4_min(low[0], low[1]));
        grz_f64x4_store(largest, grz_f64x4_max(high[0], high[1]));
        memcpy(leaves->boxes[leaf].min, least, sizeof leaves->boxes[leaf].min);
        memcpy(leaves->boxes[leaf].max, largest, sizeof leaves->boxes[leaf].max);
    }
}
