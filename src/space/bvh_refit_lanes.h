// SPDX-License-Identifier: MIT
// The sweep of a refit, included by one file for each width of registers, which defines GRZ_BVH_REFIT, the name of its function. A
// triangle's three corners are compared with x, y and z side by side; rounding to floats is the build's.
#include "base/lanes.h"
#include "space/bvh_parts.h"

enum {
    AHEAD = 4 // nodes: about the time that memory takes to answer
};

// Three coordinates; the fourth lane is of no account.
typedef struct grz_refit_box {
    float min[4], max[4];
} grz_refit_box;

static inline grz_refit_box box_of_triangle(const grz_mesh *mesh, uint32_t triangle, grz_wide origin, grz_wide scale)
{
    const grz_float_box exact = grz_bvh_triangle_box(mesh, triangle, origin, scale);
    grz_refit_box box = {{0.0f}, {0.0f}};
    grz_quad_store(box.min, exact.min);
    grz_quad_store(box.max, exact.max);
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
        grz_quad_store(low, grz_quad_min(grz_quad_load(least), grz_quad_load(least + 4)));
        grz_quad_store(high, grz_quad_max(grz_quad_load(most), grz_quad_load(most + 4)));
        box.min[axis] = smaller(smaller(low[0], low[1]), smaller(low[2], low[3]));
        box.max[axis] = larger(larger(high[0], high[1]), larger(high[2], high[3]));
    }
    return box;
}

// Have the corners' numbers of a node's triangles brought near.
static inline void fetch_triangles(const grz_mesh *mesh, const grz_bvh_node *node)
{
    for (int i = 0; i < GRZ_BVH_WIDTH; i++)
        if (grz_bvh_is_triangle(node->child[i]) && node->child[i] != GRZ_BVH_NONE)
            __builtin_prefetch(mesh->triangles + (size_t)grz_bvh_triangle(node->child[i]) * 3);
}

void GRZ_BVH_REFIT(grz_bvh *bvh, const grz_mesh *mesh, uint32_t first, uint32_t end)
{
    const grz_wide origin = grz_wide_of(bvh->origin[0], bvh->origin[1], bvh->origin[2], 0.0), scale = grz_wide_all(bvh->scale);
    for (uint32_t n = end; n-- > first;) {
        grz_bvh_node *node = &bvh->nodes[n];
        if (n >= first + AHEAD)
            fetch_triangles(mesh, node - AHEAD);
        for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
            const uint32_t child = node->child[i];
            const grz_refit_box box = grz_bvh_is_triangle(child) ? box_of_triangle(mesh, grz_bvh_triangle(child), origin, scale)
                                                                 : box_of_node(&bvh->nodes[child]);
            for (int axis = 0; axis < 3; axis++) {
                node->bounds[0][axis][i] = box.min[axis];
                node->bounds[1][axis][i] = box.max[axis];
            }
        }
    }
}
