// SPDX-License-Identifier: MIT
// The first cell, a box around the mesh, and the polygons in it, which are the mesh's triangles.
#include "query/parts/begin.h"

#include <math.h>
#include <string.h>

#include "geometry/triangle/triangle.h"
#include "mesh/triangles.h"

uint32_t grz_parts_add_plane(grz_parts_pool *pool, const double a[3], const double b[3], const double c[3])
{
    if (!grz_array_add(pool->allocator, &pool->planes))
        return UINT32_MAX;
    grz_parts_plane *plane = &pool->planes.items[pool->planes.count - 1];
    memcpy(plane->at[0], a, sizeof plane->at[0]);
    memcpy(plane->at[1], b, sizeof plane->at[1]);
    memcpy(plane->at[2], c, sizeof plane->at[2]);
    return (uint32_t)(pool->planes.count - 1);
}

static bool add_given(grz_parts_pool *pool, const double p[3], uint32_t *corner)
{
    if (!grz_array_add(pool->allocator, &pool->corners))
        return false;
    *corner = (uint32_t)(pool->corners.count - 1);
    pool->corners.items[*corner] =
        (grz_parts_corner){.given = true, .at = {p[0], p[1], p[2]}, .planes = {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    return true;
}

bool grz_parts_begin_with_box(grz_parts_pool *pool, const grz_mesh *mesh, grz_parts_node *node)
{
    // Corners by bits 0 to 2: x, y, z is the larger one. Faces: below and above x, y, z.
    static const int faces[GRZ_PARTS_BOX_PLANES][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                       {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    double at[8][3], size = 0.0;
    uint32_t corners[8];
    const grz_box *box = &mesh->bounds;
    for (int k = 0; k < 3; k++)
        size = fmax(size, fmax(box->max[k] - box->min[k], 0x1p-50 * mesh->max_abs[k]));
    size = fmax(size, 0x1p-1074);
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++)
            at[i][k] = (i >> k & 1) != 0 ? box->max[k] + size : box->min[k] - size;
        if (!add_given(pool, at[i], &corners[i]))
            return false;
    }
    for (int f = 0; f < GRZ_PARTS_BOX_PLANES; f++)
        if (grz_parts_add_plane(pool, at[faces[f][0]], at[faces[f][1]], at[faces[f][2]]) == UINT32_MAX)
            return false;
    for (uint32_t f = 0; f < GRZ_PARTS_BOX_PLANES; f++) {
        if (!grz_parts_begin(pool->allocator, &node->cell, f, 1))
            return false;
        for (int i = 0; i < 4; i++) { // the edge to the next corner is also one of the face that has it backwards
            const int from = faces[f][i], to = faces[f][(i + 1) % 4];
            uint32_t along = 0;
            for (uint32_t g = 0; g < GRZ_PARTS_BOX_PLANES; g++)
                for (int j = 0; j < 4; j++)
                    if (faces[g][j] == to && faces[g][(j + 1) % 4] == from)
                        along = g;
            if (!grz_parts_add(pool->allocator, &node->cell, corners[from], along))
                return false;
        }
    }
    return true;
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

// A plane through an edge that is not the triangle's.
static uint32_t plane_along(grz_parts_pool *pool, const double c[3][3], int edge)
{
    double far[3];
    memcpy(far, c[edge], sizeof far);
    for (int axis = 0; axis < 3; axis++)
        if (grz_orient_projected(axis, c[0], c[1], c[2]) != 0) {
            double size = fabs(far[axis]) * 0x1p-20;
            for (int i = 1; i < 3; i++)
                for (int k = 0; k < 3; k++)
                    size = fmax(size, fabs(c[i][k] - c[0][k]));
            far[axis] += size;
            break;
        }
    return grz_parts_add_plane(pool, c[edge], c[(edge + 1) % 3], far);
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
            if (!add_given(pool, c[i], &corner) || !grz_parts_add(pool->allocator, &node->surface, corner, UINT32_MAX))
                return false;
        }
    }
    for (size_t p = 0; p < node->surface.all.count; p++) {
        grz_parts_place *places = node->surface.places.items + node->surface.all.items[p].from;
        double c[3][3];
        for (int i = 0; i < 3; i++)
            memcpy(c[i], pool->corners.items[places[i].corner].at, sizeof c[i]);
        for (int i = 0; i < 3; i++) {
            places[i].along = plane_along(pool, (const double(*)[3])c, i);
            if (places[i].along == UINT32_MAX)
                return false;
        }
    }
    return true;
}
