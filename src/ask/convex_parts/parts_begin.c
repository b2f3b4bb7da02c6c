// SPDX-License-Identifier: MIT
// The first cell, a box around the mesh, and the polygons in it, which are the mesh's triangles.
#include "ask/convex_parts/parts_begin.h"

#include <math.h>
#include <string.h>

#include "base/control.h"
#include "geometry/triangle/triangle.h"
#include "mesh/triangles.h"

bool grz_parts_begin_with_box(grz_parts_pool *pool, const grz_mesh *mesh, grz_parts_node *node)
{
    double min[3], max[3], size = 0.0;
    const grz_box *box = &mesh->bounds;
    for (int k = 0; k < 3; k++) // 8 roundings of a coordinate at least: added to it, they change it
        size = fmax(size, fmax(box->max[k] - box->min[k], 0x1p-50 * mesh->max_abs[k]));
    size = fmax(size, 0x1p-1074); // the smallest double: a mesh that is the origin
    for (int k = 0; k < 3; k++) {
        min[k] = box->min[k] - size;
        max[k] = box->max[k] + size;
    }
    return grz_parts_add_box(pool, min, max, &node->cell);
}

// The plane of a triangle: an earlier one's if they lie in the same. `facing` receives its side.
static uint32_t plane_of(grz_parts_pool *pool, const double c[3][3], int *facing)
{
    *facing = 1;
    for (uint32_t i = GRZ_PARTS_BOX_PLANES; i < pool->planes.count; i++) {
        const double(*at)[3] = (const double(*)[3])pool->planes.items[i].at;
        if (grz_orient3d(at[0], at[1], at[2], c[0]) != 0 || grz_orient3d(at[0], at[1], at[2], c[1]) != 0 ||
            grz_orient3d(at[0], at[1], at[2], c[2]) != 0)
            continue;
        for (int axis = 0; axis < 3; axis++) {
            const int sign = grz_orient_projected(axis, at[0], at[1], at[2]);
            if (sign != 0) {
                *facing = sign * grz_orient_projected(axis, c[0], c[1], c[2]);
                return i;
            }
        }
    }
    return grz_parts_add_plane(pool, c[0], c[1], c[2]);
}

// Planes of edges come after those of all triangles, so that plane_of() does not look at them.
bool grz_parts_begin_with_surface(grz_parts_pool *pool, const grz_mesh *mesh, bool joined, grz_control *control,
                                  grz_parts_node *node)
{
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double c[3][3];
        int facing = 1;
        grz_mesh_corners(mesh, t, c);
        if (grz_orient_projected(0, c[0], c[1], c[2]) == 0 && grz_orient_projected(1, c[0], c[1], c[2]) == 0 &&
            grz_orient_projected(2, c[0], c[1], c[2]) == 0)
            continue;
        const uint32_t plane =
            joined ? plane_of(pool, (const double(*)[3])c, &facing) : grz_parts_add_plane(pool, c[0], c[1], c[2]);
        if (plane == UINT32_MAX || !grz_parts_begin(pool->allocator, &node->surface, plane, facing) ||
            grz_control_expired_at(control, t, 4))
            return false;
        for (int i = 0; i < 3; i++) {
            uint32_t corner;
            if (!grz_parts_add_given(pool, c[i], &corner) ||
                !grz_parts_add(pool->allocator, &node->surface, corner, UINT32_MAX))
                return false;
        }
    }
    for (size_t p = 0; p < node->surface.all.count; p++) {
        grz_parts_place *places = node->surface.places.items + node->surface.all.items[p].from;
        double c[3][3];
        for (int i = 0; i < 3; i++)
            memcpy(c[i], pool->corners.items[places[i].corner].at, sizeof c[i]);
        for (int i = 0; i < 3; i++) {
            places[i].along = grz_parts_add_plane_along(pool, (const double(*)[3])c, i);
            if (places[i].along == UINT32_MAX)
                return false;
        }
    }
    return true;
}
