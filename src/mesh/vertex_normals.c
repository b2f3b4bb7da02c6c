// SPDX-License-Identifier: MIT
// Vertex normals weighted by angle. With this weight they do not depend on how faces are divided into triangles.
// Source: G. Thürmer, C. Wüthrich, "Computing vertex normals from polygonal facets" (1998).
#include "mesh/vertex_normals.h"

#include <assert.h>
#include <math.h>

#include "base/control.h"
#include "geometry/functions/functions.h"
#include "geometry/vector.h"

enum {
    CHECK_BITS = 13 // check the control once in 2^13 triangles or vertices
};

// The edges of a triangle: edge i goes from corner i to the next. They are scaled so that the largest coordinate is 1;
// the normal does not depend on the scale. False if all three corners are equal.
static bool find_edges(const grz_mesh *mesh, const uint32_t *corners, double edges[3][3])
{
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        const double *from = grz_mesh_position(mesh, corners[i]), *to = grz_mesh_position(mesh, corners[(i + 1) % 3]);
        for (int j = 0; j < 3; j++) {
            edges[i][j] = to[j] - from[j];
            most = fmax(most, fabs(edges[i][j]));
        }
    }
    for (int i = 0; i < 3 && most > 0.0; i++)
        for (int j = 0; j < 3; j++)
            edges[i][j] /= most;
    return most > 0.0;
}

// Add a triangle's unit normal to its three corners, each times the angle there.
static void add_triangle(const grz_mesh *mesh, uint32_t triangle, double *sums)
{
    const uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    double edges[3][3], normal[3];
    if (!find_edges(mesh, corners, edges))
        return;
    grz_cross(edges[0], edges[1], normal);
    const double size = sqrt(grz_dot(normal, normal));
    if (!(size > 0.0))
        return;
    for (int i = 0; i < 3; i++) {
        const double *out = edges[i], *in = edges[(i + 2) % 3];
        const double angle = grz_arctangent(size, -grz_dot(out, in));
        assert(angle >= 0.0 && angle <= 3.1416);
        double *sum = sums + 3 * (size_t)grz_mesh_representative(mesh, corners[i]);
        for (int j = 0; j < 3; j++)
            sum[j] += normal[j] / size * angle;
    }
}

grz_status grz_vertex_normals(const grz_mesh *mesh, grz_control *control, float *normals)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    double *sums = grz_allocate_zeroed(allocator, mesh->vertex_count, 3 * sizeof *sums);
    if (sums == NULL)
        return GRZ_ERROR_MEMORY;
    bool running = true;
    for (uint32_t i = 0; i < mesh->triangle_count && running; i++) {
        add_triangle(mesh, i, sums);
        running = !grz_control_expired_at(control, i, CHECK_BITS);
    }
    for (uint32_t v = 0; v < mesh->vertex_count && running; v++) {
        const double *sum = sums + 3 * (size_t)grz_mesh_representative(mesh, v), length = sqrt(grz_dot(sum, sum));
        for (size_t j = 0; j < 3; j++)
            normals[3 * (size_t)v + j] = length > 1e-9 ? (float)(sum[j] / length) : 0.0f;
        running = !grz_control_expired_at(control, v, CHECK_BITS);
    }
    grz_release(allocator, sums, mesh->vertex_count, 3 * sizeof *sums);
    return running ? GRZ_OK : grz_control_status(control);
}
