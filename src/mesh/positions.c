// SPDX-License-Identifier: MIT
// Reading vertex positions of either width and any stride. Every number goes through memcpy, so nothing is asked of the pointer's
// alignment; float32 widens to double exactly, because the floating-point guard keeps subnormals.
#include "mesh/positions.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"

size_t grz_scalar_size(grz_scalar type)
{
    return type == GRZ_FLOAT32 ? sizeof(float) : sizeof(double);
}

static inline void load(const unsigned char *vertex, grz_scalar type, double position[3])
{
    if (type == GRZ_FLOAT64) {
        memcpy(position, vertex, 3 * sizeof(double));
        return;
    }
    float narrow[3];
    memcpy(narrow, vertex, sizeof narrow);
    for (int axis = 0; axis < 3; axis++)
        position[axis] = (double)narrow[axis];
}

static grz_status refuse(uint32_t vertex, const double position[3], grz_error *error)
{
    int axis = 0;
    while (axis < 2 && fabs(position[axis]) <= GRZ_MAX_COORDINATE)
        axis++;
    double x = position[axis];
    char name = "xyz"[axis];
    if (isnan(x))
        return grz_fail(error, GRZ_ERROR_MESH, vertex, "vertex %u: %c is NaN", vertex, name);
    if (isinf(x))
        return grz_fail(error, GRZ_ERROR_MESH, vertex, "vertex %u: %c is %sinfinite", vertex, name, x < 0.0 ? "minus " : "");
    return grz_fail(error, GRZ_ERROR_MESH, vertex, "vertex %u: %c is %g, larger than 2^300 in magnitude", vertex, name, x);
}

grz_status grz_positions_validate(const void *positions, grz_scalar type, size_t stride, uint32_t vertex_count, grz_error *error)
{
    const unsigned char *bytes = positions;
    for (uint32_t v = 0; v < vertex_count; v++) {
        double p[3];
        load(bytes + (size_t)v * stride, type, p);
        // Written so that NaN fails it too.
        if (!(fabs(p[0]) <= GRZ_MAX_COORDINATE && fabs(p[1]) <= GRZ_MAX_COORDINATE && fabs(p[2]) <= GRZ_MAX_COORDINATE))
            return refuse(v, p, error);
    }
    return GRZ_OK;
}

void grz_positions_store(grz_mesh *mesh, const void *positions)
{
    const unsigned char *bytes = positions;
    grz_box bounds = grz_box_empty();
    double max_abs[3] = {0.0, 0.0, 0.0};
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double *p = mesh->positions + (size_t)v * 3;
        load(bytes + (size_t)v * mesh->position_stride, mesh->position_type, p);
        if (grz_mesh_uses(mesh, v))
            grz_box_add_point(&bounds, p);
        for (int axis = 0; axis < 3; axis++)
            max_abs[axis] = fabs(p[axis]) > max_abs[axis] ? fabs(p[axis]) : max_abs[axis];
    }
    mesh->bounds = bounds;
    memcpy(mesh->max_abs, max_abs, sizeof max_abs);
}
