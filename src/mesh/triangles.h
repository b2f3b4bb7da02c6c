// SPDX-License-Identifier: MIT
// Corners and boxes of a mesh's triangles, in mesh or world coordinates.
#ifndef GRZ_MESH_TRIANGLES_H
#define GRZ_MESH_TRIANGLES_H

#include <string.h>

#include "geometry/pose.h"
#include "mesh/mesh.h"

static inline void grz_mesh_corners(const grz_mesh *mesh, uint32_t triangle, double corners[3][3])
{
    const uint32_t *vertex = mesh->triangles + (size_t)triangle * 3;
    for (int i = 0; i < 3; i++)
        memcpy(corners[i], grz_mesh_position(mesh, vertex[i]), sizeof corners[i]);
}

// pose NULL: mesh coordinates.
static inline void grz_world_corners(const grz_mesh *mesh, const grz_pose *pose, uint32_t triangle,
                                     double corners[3][3])
{
    const uint32_t *vertex = mesh->triangles + (size_t)triangle * 3;
    if (pose == NULL) {
        grz_mesh_corners(mesh, triangle, corners);
        return;
    }
    for (int i = 0; i < 3; i++)
        grz_world_position(pose, grz_mesh_position(mesh, vertex[i]), corners[i]);
}

static inline grz_box grz_world_triangle_box(const grz_mesh *mesh, const grz_pose *pose, uint32_t triangle)
{
    double corners[3][3];
    grz_world_corners(mesh, pose, triangle, corners);
    return grz_triangle_box((const double(*)[3])corners);
}

#endif
