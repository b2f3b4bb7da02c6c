// SPDX-License-Identifier: MIT
// What cuts begin with: planes, given corners, and a box as the first cell.
#include <math.h>
#include <string.h>

#include "geometry/cut/cut.h"
#include "geometry/triangle/triangle.h"

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

uint32_t grz_parts_add_plane_across(grz_parts_pool *pool, const double a[3], const double b[3], int axis)
{
    double far[3], size = fabs(a[axis]) * 0x1p-20; // chosen: added to the coordinate it changes it
    memcpy(far, a, sizeof far);
    for (int k = 0; k < 3; k++)
        size = fmax(size, fabs(b[k] - a[k]));
    far[axis] += size;
    return grz_parts_add_plane(pool, a, b, far);
}

uint32_t grz_parts_add_plane_along(grz_parts_pool *pool, const double c[3][3], int edge)
{
    int axis = 0;
    while (axis < 2 && grz_orient_projected(axis, c[0], c[1], c[2]) == 0)
        axis++;
    return grz_parts_add_plane_across(pool, c[edge], c[(edge + 1) % 3], axis);
}

bool grz_parts_add_given(grz_parts_pool *pool, const double p[3], uint32_t *corner)
{
    if (!grz_array_add(pool->allocator, &pool->corners))
        return false;
    *corner = (uint32_t)(pool->corners.count - 1);
    pool->corners.items[*corner] =
        (grz_parts_corner){.given = true, .at = {p[0], p[1], p[2]}, .planes = {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    return true;
}

bool grz_parts_add_box(grz_parts_pool *pool, const double min[3], const double max[3], grz_parts_polygons *cell)
{
    // Corners by bits 0 to 2: x, y, z is the larger one.
    static const int faces[GRZ_PARTS_BOX_PLANES][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                       {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    double at[8][3];
    uint32_t corners[8];
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++)
            at[i][k] = (i >> k & 1) != 0 ? max[k] : min[k];
        if (!grz_parts_add_given(pool, at[i], &corners[i]))
            return false;
    }
    for (int f = 0; f < GRZ_PARTS_BOX_PLANES; f++)
        if (grz_parts_add_plane(pool, at[faces[f][0]], at[faces[f][1]], at[faces[f][2]]) == UINT32_MAX)
            return false;
    for (uint32_t f = 0; f < GRZ_PARTS_BOX_PLANES; f++) {
        if (!grz_parts_begin(pool->allocator, cell, f, 1))
            return false;
        for (int i = 0; i < 4; i++) { // the edge to the next corner is also one of the face that has it backwards
            const int from = faces[f][i], to = faces[f][(i + 1) % 4];
            uint32_t along = 0;
            for (uint32_t g = 0; g < GRZ_PARTS_BOX_PLANES; g++)
                for (int j = 0; j < 4; j++)
                    if (faces[g][j] == to && faces[g][(j + 1) % 4] == from)
                        along = g;
            if (!grz_parts_add(pool->allocator, cell, corners[from], along))
                return false;
        }
    }
    return true;
}
