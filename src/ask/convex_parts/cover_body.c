// SPDX-License-Identifier: MIT
// The bodies of a cover: their volume and their end. Cutting (cover.c, cover_plane.c) and joining (cover_join.c)
// share them.
#include "ask/convex_parts/cover.h"

void grz_cover_body_finish(const grz_allocator *allocator, grz_cover_body *body)
{
    grz_parts_node_finish(allocator, &body->node);
    grz_hull_shape_finish(allocator, &body->hull);
}

double grz_cover_volume(const grz_hull_shape *hull)
{
    double sum = 0.0;
    if (hull->dimension < 3)
        return 0.0;
    const double *from = hull->positions;
    for (uint32_t t = 0; t < hull->triangle_count; t++) {
        double side[3][3];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                side[i][k] =
                    hull->positions[3 * (size_t)hull->triangles[3 * (size_t)t + (size_t)i] + (size_t)k] - from[k];
        for (int k = 0; k < 3; k++)
            sum += side[0][k] *
                   (side[1][(k + 1) % 3] * side[2][(k + 2) % 3] - side[1][(k + 2) % 3] * side[2][(k + 1) % 3]);
    }
    return sum / 6.0;
}
