// SPDX-License-Identifier: MIT
// The feature of the caller's face that a feature of one of its triangles is.
#include "ask/distance/user_feature.h"

#include "geometry/triangle/pair.h"
#include "mesh/triangles.h"

static bool same_place(const double p[3], const double q[3])
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

grz_feature grz_user_feature(const grz_mesh *mesh, uint32_t triangle, uint8_t feature)
{
    const uint32_t *vertex = mesh->triangles + 3 * (size_t)triangle;
    grz_feature own = {{GRZ_NO_VERTEX, GRZ_NO_VERTEX}};
    if (feature <= GRZ_CORNER_2) {
        const double *at = grz_mesh_position(mesh, vertex[feature]);
        own.vertex[0] = vertex[feature];
        for (int i = 0; i < 3; i++)
            if (vertex[i] < own.vertex[0] && same_place(grz_mesh_position(mesh, vertex[i]), at))
                own.vertex[0] = vertex[i];
        own.vertex[0] = grz_mesh_vertex_number(mesh, own.vertex[0]);
    } else if (feature <= GRZ_EDGE_2 && grz_mesh_edge_is_side(mesh, triangle, feature - GRZ_EDGE_0)) {
        const uint32_t v = grz_mesh_vertex_number(mesh, vertex[feature - GRZ_EDGE_0]),
                       w = grz_mesh_vertex_number(mesh, vertex[(feature - GRZ_EDGE_0 + 1) % 3]);
        own = (grz_feature){{v < w ? v : w, v < w ? w : v}};
    }
    return own;
}
