// SPDX-License-Identifier: MIT
// The walls of a BSP tree's leaves: all triangles that come as near as the margin to a cell, and some more. A
// triangle is left out only if its box is apart from the grown box of the cell, or if it lies beyond a face's plane by
// more than the margin and all that may have been rounded.
#include <math.h>

#include "base/control.h"
#include "base/rounding.h"
#include "geometry/vector.h"
#include "level/portals/bsp/bsp_work.h"
#include "level/portals/data/near_triangles.h"
#include "mesh/mesh.h"
#include "mesh/triangles.h"

typedef struct gatherer {
    grz_bsp_work *w;
    grz_cell_pairs *pairs;
    const grz_parts_polygons *faces; // of the leaf
    uint32_t cell;
} gatherer;

static double size_of(const double v[3])
{
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

// 64 roundings, in a normal u × v and in its product with w; and more than what underflows.
static const double PLANE_ROUNDING = 0x1p-47, PLANE_UNDERFLOW = 0x1p-900;

// True if three points lie on one side of a plane, the upper one if `side` is 1, and further away than the margin.
// With u, v, w: differences of points, each off by 2^-53 of itself: a component of u × v is off by less than
// 2^-50 |u||v|, and its product with w by less than 2^-49 |u||v||w| in all. That is doubled twice.
static bool is_beyond(const grz_parts_plane *plane, const double c[3][3], int side, double margin)
{
    double u[3], v[3], n[3];
    for (int k = 0; k < 3; k++) {
        u[k] = plane->at[1][k] - plane->at[0][k];
        v[k] = plane->at[2][k] - plane->at[0][k];
    }
    grz_cross(u, v, n);
    const double product = size_of(u) * size_of(v), length = size_of(n) + PLANE_ROUNDING * product; // at least
    for (int i = 0; i < 3; i++) {
        double w[3];
        for (int k = 0; k < 3; k++)
            w[k] = c[i][k] - plane->at[0][k];
        const double reach = margin * length * GRZ_MORE(8192) + PLANE_ROUNDING * product * size_of(w) + PLANE_UNDERFLOW;
        if (!(side * grz_dot(n, w) > reach))
            return false;
    }
    return true;
}

static bool add_near(void *context, uint32_t triangle)
{
    const gatherer *g = context;
    double c[3][3];
    if (grz_bsp_is_mark(g->w, triangle))
        return true;
    grz_mesh_corners(g->w->level->all.mesh, triangle, c);
    for (size_t f = 0; f < g->faces->all.count; f++) {
        const grz_parts_polygon *face = &g->faces->all.items[f];
        if (is_beyond(&g->w->pool.planes.items[face->plane], (const double(*)[3])c, face->facing, g->w->level->margin))
            return true;
    }
    g->w->leaf_walls[g->cell - 1]++;
    return grz_cell_pairs_add(g->pairs, g->w->control, g->cell, triangle) || grz_bsp_fail(g->w, GRZ_ERROR_MEMORY);
}

// What is near the outside: all but the triangles that are further inside the box than the margin.
static bool add_outside(grz_bsp_work *w, grz_cell_pairs *pairs)
{
    const grz_portals *level = w->level;
    for (uint32_t t = 0; t < level->all.count; t++) {
        double c[3][3];
        bool is_inside = true;
        if (grz_bsp_is_mark(w, t))
            continue;
        grz_mesh_corners(level->all.mesh, t, c);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                is_inside = is_inside && c[i][k] > nextafter(level->box.min[k] + level->margin, HUGE_VAL) &&
                            c[i][k] < nextafter(level->box.max[k] - level->margin, -HUGE_VAL);
        if (!is_inside && !grz_cell_pairs_add(pairs, w->control, GRZ_PORTALS_OUTSIDE, t))
            return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    }
    return true;
}

bool grz_bsp_find_walls(grz_bsp_work *w, grz_cell_pairs *pairs)
{
    const grz_portals *level = w->level;
    const grz_bvh *bvh;
    const grz_status status = grz_mesh_bvh(level->all.mesh, w->control, &bvh, NULL);
    if (status != GRZ_OK)
        return grz_bsp_fail(w, status);
    for (size_t i = 0; i < w->leaves.count; i++) {
        gatherer g = {.w = w, .pairs = pairs, .faces = &w->leaves.items[i], .cell = (uint32_t)i + 1};
        const grz_box box = grz_box_grown(&w->leaf_boxes[i], level->margin);
        if (grz_control_expired_at(w->control, i, 4))
            return grz_bsp_fail(w, grz_control_status(w->control));
        if (!grz_near_visit(level->all.mesh, bvh, &box, add_near, &g))
            return false;
    }
    return add_outside(w, pairs);
}
