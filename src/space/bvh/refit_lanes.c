// SPDX-License-Identifier: MIT
// Refits nodes: computes their boxes again, from the last node to the first. The build compiles this file once for each
// SIMD width. A triangle's corners are compared with x, y and z side by side; boxes are rounded to floats in the same
// way as in a build.
#include <assert.h>

#include "base/lanes.h"
#include "base/simd.h"
#include "space/bvh/bvh_parts.h"

enum {
    AHEAD = 4 // how many nodes ahead to prefetch: about the latency of memory
};

// A box; the fourth entries have no meaning.
typedef struct grz_refit_box {
    float min[4], max[4];
} grz_refit_box;

static inline grz_refit_box box_of_triangle(const grz_mesh *mesh, uint32_t triangle, grz_f64x4 origin, grz_f64x4 scale)
{
    const grz_float_box exact = grz_bvh_triangle_box(mesh, triangle, origin, scale);
    grz_refit_box box = {{0.0f}, {0.0f}};
    grz_f32x4_store(box.min, exact.min);
    grz_f32x4_store(box.max, exact.max);
    return box;
}

static inline float smaller(float a, float b)
{
    return a < b ? a : b;
}

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

static inline grz_refit_box box_of_node(const grz_bvh_node *node)
{
    grz_refit_box box;
    for (int axis = 0; axis < 3; axis++) {
        const float *least = node->bounds[0][axis], *most = node->bounds[1][axis];
        float low[4], high[4];
        grz_f32x4_store(low, grz_f32x4_min(grz_f32x4_load(least), grz_f32x4_load(least + 4)));
        grz_f32x4_store(high, grz_f32x4_max(grz_f32x4_load(most), grz_f32x4_load(most + 4)));
        box.min[axis] = smaller(smaller(low[0], low[1]), smaller(low[2], low[3]));
        box.max[axis] = larger(larger(high[0], high[1]), larger(high[2], high[3]));
    }
    return box;
}

// Prefetch the corner indices of a node's triangles.
static inline void fetch_triangles(const grz_mesh *mesh, const grz_bvh_node *node)
{
    for (int i = 0; i < GRZ_BVH_WIDTH; i++)
        if (grz_bvh_is_triangle(node->child[i]) && node->child[i] != GRZ_BVH_NONE)
            __builtin_prefetch(mesh->triangles + (size_t)grz_bvh_triangle(node->child[i]) * 3);
}

static inline void refit_nodes(grz_bvh *bvh, const grz_mesh *mesh, uint32_t first, uint32_t end, bool turned)
{
    const grz_f64x4 origin = grz_f64x4_of(bvh->origin[0], bvh->origin[1], bvh->origin[2], 0.0),
                    scale = grz_f64x4_splat(bvh->scale);
    for (uint32_t n = end; n-- > first;) {
        grz_bvh_node *node = &bvh->nodes[n];
        if (n >= first + AHEAD)
            fetch_triangles(mesh, node - AHEAD);
        for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
            const uint32_t child = node->child[i];
            assert(grz_bvh_is_triangle(child) || (n < child && child < bvh->node_count));
            grz_refit_box box;
            if (!grz_bvh_is_triangle(child))
                box = box_of_node(&bvh->nodes[child]);
            else if (turned)
                grz_bvh_turned_bounds(bvh, mesh, grz_bvh_triangle(child), box.min, box.max);
            else
                box = box_of_triangle(mesh, grz_bvh_triangle(child), origin, scale);
            for (int axis = 0; axis < 3; axis++) {
                node->bounds[0][axis][i] = box.min[axis];
                node->bounds[1][axis][i] = box.max[axis];
            }
        }
    }
}

void GRZ_OF_WIDTH(grz_bvh_refit)(grz_bvh *bvh, const grz_mesh *mesh, uint32_t first, uint32_t end)
{
    if (bvh->turned)
        refit_nodes(bvh, mesh, first, end, true);
    else
        refit_nodes(bvh, mesh, first, end, false);
}
