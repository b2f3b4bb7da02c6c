// SPDX-License-Identifier: MIT
// Positions and boxes along the axes of a turned tree (bvh_axes.c chooses them). A turned position is rounded, so boxes
// are enlarged by a bound on that. docs/internals/bvh.md ("Axes") derives it.
#include <assert.h>
#include <math.h>

#include "space/bvh/bvh_parts.h"

static const double TURN_ERROR = 0x1p-50; // of a coordinate, and of the sums here, relative to the largest coordinate

void grz_bvh_turned_position(const grz_bvh *bvh, const double position[3], double turned[4])
{
    const double x = (position[0] - bvh->origin[0]) * bvh->scale, y = (position[1] - bvh->origin[1]) * bvh->scale,
                 z = (position[2] - bvh->origin[2]) * bvh->scale;
    assert(bvh->turned);
    for (int i = 0; i < 3; i++)
        turned[i] = bvh->axes[i][0] * x + bvh->axes[i][1] * y + bvh->axes[i][2] * z;
    turned[3] = 0.0;
}

void grz_bvh_turned_bounds(const grz_bvh *bvh, const grz_mesh *mesh, uint32_t triangle, float min[4], float max[4])
{
    const uint32_t *vertex = mesh->triangles + (size_t)triangle * 3;
    const double error = TURN_ERROR * bvh->max_abs;
    double corners[3][4];
    assert(triangle < mesh->triangle_count);
    for (int k = 0; k < 3; k++)
        grz_bvh_turned_position(bvh, grz_mesh_position(mesh, vertex[k]), corners[k]);
    for (int i = 0; i < 3; i++) {
        const double a = corners[0][i], b = corners[1][i], c = corners[2][i];
        const double low = a < b ? a : b, high = a < b ? b : a;
        min[i] = (float)((c < low ? c : low) - error);
        max[i] = (float)((c > high ? c : high) + error);
    }
    min[3] = max[3] = 0.0f;
}

grz_box grz_bvh_turned_child_box(const grz_bvh *bvh, uint32_t node, int i)
{
    const grz_bvh_node *n = &bvh->nodes[node];
    const grz_f64x4 origin = grz_f64x4_of(bvh->origin[0], bvh->origin[1], bvh->origin[2], 0.0),
                    unit = grz_f64x4_splat(bvh->unit);
    grz_f64x4 low = grz_f64x4_splat(0.0), high = low;
    double min[4], max[4];
    assert(bvh->turned);
    for (int j = 0; j < 3; j++) { // back along the axes
        const grz_f64x4 axis = grz_f64x4_load(bvh->axes[j]),
                        from = grz_f64x4_multiply(axis, grz_f64x4_splat((double)n->bounds[0][j][i])),
                        to = grz_f64x4_multiply(axis, grz_f64x4_splat((double)n->bounds[1][j][i]));
        low = grz_f64x4_add(low, grz_f64x4_min(from, to));
        high = grz_f64x4_add(high, grz_f64x4_max(from, to));
    }
    const grz_f64x4 margin = grz_f64x4_of(bvh->margin[0], bvh->margin[1], bvh->margin[2], 0.0);
    grz_f64x4_store(min, grz_f64x4_subtract(grz_f64x4_add(origin, grz_f64x4_multiply(low, unit)), margin));
    grz_f64x4_store(max, grz_f64x4_add(grz_f64x4_add(origin, grz_f64x4_multiply(high, unit)), margin));
    return (grz_box){{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
}
