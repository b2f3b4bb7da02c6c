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
    BLOCK = 4,              // vertices a step
    AHEAD = 32,             // how many vertices ahead to fetch if they may be outside the caches
    FAR_VERTICES = 1 << 16, // the lists of a mesh with positions of 1 MB or more have so many entries
#ifdef GRZ_LANES_PORTABLE
    CHAINS = 1 // more do not fit into registers
#else
    CHAINS = 2 // so many boxes a leaf: the processor works on both at once. More take longer to put together
#endif
};

typedef struct bounds {
    grz_f64x4 low[CHAINS], high[CHAINS];
} bounds;

static inline void add_point(bounds *b, int i, const double *p)
{
    const grz_f64x4 point = grz_f64x4_load(p);
    b->low[i % CHAINS] = grz_f64x4_min(point, b->low[i % CHAINS]);
    b->high[i % CHAINS] = grz_f64x4_max(point, b->high[i % CHAINS]);
}

// A block from the list. `ahead`: fetch the positions of a later one. (In a function of its own gcc drops the fetch.)
static inline void add_listed(bounds *b, const double *positions, const uint32_t *vertices, bool ahead)
{
    for (int i = 0; i < BLOCK && ahead; i++)
        __builtin_prefetch(positions + 3 * (size_t)vertices[i + AHEAD]);
    for (int i = 0; i < BLOCK; i++)
        add_point(b, i, positions + 3 * (size_t)vertices[i]);
}

// The bounds of a leaf's vertices: blocks from the list as far as `run`, blocks of positions that follow each other,
// and the last block, which may share vertices with the one before.
static inline bounds measure(const double *positions, const uint32_t *vertex, const uint32_t *run, const uint32_t *stop,
                             const uint32_t *end, bool far)
{
    bounds b;
    for (int i = 0; i < CHAINS; i++) {
        b.low[i] = grz_f64x4_splat(HUGE_VAL);
        b.high[i] = grz_f64x4_splat(-HUGE_VAL);
    }
    if (stop - vertex < BLOCK) {
        for (; vertex < stop; vertex++)
            add_point(&b, 0, positions + 3 * (size_t)*vertex);
        return b;
    }
    const uint32_t *last = stop - BLOCK;
    for (run = run < last ? run : last; vertex < run; vertex += BLOCK)
        add_listed(&b, positions, vertex, far && end - vertex >= AHEAD + BLOCK);
    if (vertex < last) {
        const double *p = positions + 3 * (size_t)*vertex, *p_last = p + 3 * (last - vertex);
        for (; p < p_last; p += (size_t)3 * BLOCK)
            for (int i = 0; i < BLOCK; i++)
                add_point(&b, i, p + (size_t)3 * (size_t)i);
    }
    add_listed(&b, positions, last, far && end - last >= AHEAD + BLOCK);
    return b;
}

static inline void refit(const double *positions, const grz_leaf_boxes *leaves, uint32_t first, uint32_t end, bool far)
{
    const grz_leaf *starts = leaves->leaves.items;
    const uint32_t *all = leaves->vertices, *all_end = all + starts[end].first_vertex;
    grz_box *boxes = leaves->boxes;
    double corners[7] = {0.0}; // of the last leaf
    static_assert(sizeof *boxes == 6 * sizeof(double), "three doubles, and three more");
    for (uint32_t leaf = first; leaf < end; leaf++) {
        const grz_leaf *start = &starts[leaf];
        bounds b = measure(positions, all + start->first_vertex, all + start->first_run, all + start[1].first_vertex,
                           all_end, far);
        assert(start->first_vertex <= start->first_run && start->first_run < start[1].first_vertex);
        for (int i = 1; i < CHAINS; i++) {
            b.low[0] = grz_f64x4_min(b.low[0], b.low[i]);
            b.high[0] = grz_f64x4_max(b.high[0], b.high[i]);
        }
        double *to = leaf + 1 < end ? boxes[leaf].min : corners;
        // The fourth lane means nothing. It is overwritten next: by `max`, and by the box of the leaf that follows.
        grz_f64x4_store(to, b.low[0]);
        grz_f64x4_store(to + 3, b.high[0]);
        if (leaf + 1 == end)
            memcpy(&boxes[leaf], corners, sizeof boxes[leaf]);
    }
}

void GRZ_OF_WIDTH(grz_leaf_refit)(const double *positions, const grz_leaf_boxes *leaves, uint32_t first, uint32_t end)
{
    if (leaves->vertex_total >= FAR_VERTICES)
        refit(positions, leaves, first, end, true);
    else
        refit(positions, leaves, first, end, false);
}
