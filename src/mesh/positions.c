// SPDX-License-Identifier: MIT
// Reads vertex positions of float32 or float64 with any stride. All positions are validated first, in blocks, with SIMD
// passes (geometry/point_stream.h); they are copied only if all are valid. Numbers are read with memcpy, so the
// caller's array may have any alignment. Converting float32 to double is exact, because the floating-point guard keeps
// subnormal numbers.
#include "mesh/positions.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "geometry/point_stream.h"

enum {
    BLOCK = 1 << 9 // vertices validated at a time
};

size_t grz_scalar_size(grz_scalar type)
{
    return type == GRZ_FLOAT32 ? sizeof(float) : sizeof(double);
}

// Read one position.
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

// False for NaN as well, because a comparison with NaN is false.
static bool is_in_range(const double p[3])
{
    return fabs(p[0]) <= GRZ_MAX_COORDINATE && fabs(p[1]) <= GRZ_MAX_COORDINATE && fabs(p[2]) <= GRZ_MAX_COORDINATE;
}

grz_status grz_position_refuse(uint32_t vertex, const double position[3], grz_error *error)
{
    int axis = 0;
    while (axis < 2 && fabs(position[axis]) <= GRZ_MAX_COORDINATE)
        axis++;
    double x = position[axis];
    char name = "xyz"[axis];
    if (isnan(x))
        return grz_fail(error, GRZ_ERROR_MESH, vertex, "vertex %u: %c is NaN", vertex, name);
    if (isinf(x))
        return grz_fail(error, GRZ_ERROR_MESH, vertex, "vertex %u: %c is %sinfinite", vertex, name,
                        x < 0.0 ? "minus " : "");
    return grz_fail(error, GRZ_ERROR_MESH, vertex, "vertex %u: %c is %g, larger than 2^300 in magnitude", vertex, name,
                    x);
}

// `count` positions from vertex `first` on, as packed doubles: a pointer into the caller's array if it has that layout,
// else `room`, filled with converted positions.
static const void *widen(const grz_positions *p, uint32_t first, uint32_t count, double room[][3])
{
    assert(p->stride >= 3 * grz_scalar_size(p->type));
    const unsigned char *bytes = (const unsigned char *)p->bytes + (size_t)first * p->stride;
    if (p->type == GRZ_FLOAT64 && p->stride == 3 * sizeof(double))
        return bytes;
    for (uint32_t v = 0; v < count; v++)
        load(bytes + (size_t)v * p->stride, p->type, room[v]);
    return room;
}

grz_status grz_positions_validate(const grz_positions *p, uint32_t vertex_count, grz_simd simd, grz_box *extent,
                                  grz_error *error)
{
    const grz_point_stream *stream = grz_point_stream_for(simd);
    double room[BLOCK][3];
    *extent = grz_box_empty();
    for (uint32_t first = 0, count; first < vertex_count; first += count) {
        count = vertex_count - first < BLOCK ? vertex_count - first : BLOCK;
        if (stream->extent(widen(p, first, count, room), count, extent))
            continue;
        for (uint32_t v = first;; v++) { // a vertex of this block is out of range
            assert(v < first + count);
            load((const unsigned char *)p->bytes + (size_t)v * p->stride, p->type, room[0]);
            if (!is_in_range(room[0]))
                return grz_position_refuse(v, room[0], error);
        }
    }
    return GRZ_OK;
}

void grz_positions_store(grz_mesh *mesh, const void *positions, const grz_box *extent)
{
    const grz_positions p = {positions, mesh->position_type, mesh->position_stride};
    const uint32_t vertex_count = mesh->vertex_count;
    assert(!grz_box_is_empty(extent));
    const void *doubles = widen(&p, 0, vertex_count, (double(*)[3])mesh->positions);
    if (doubles != mesh->positions)
        memcpy(mesh->positions, doubles, (size_t)vertex_count * 3 * sizeof(double));
    for (int axis = 0; axis < 3; axis++)
        mesh->max_abs[axis] = fmax(0.0, fmax(-extent->min[axis], extent->max[axis]));
    mesh->bounds = *extent;
    if (mesh->used == NULL)
        return;
    mesh->bounds = grz_box_empty();
    for (uint32_t v = 0; v < vertex_count; v++)
        if (grz_mesh_uses(mesh, v))
            grz_box_add_point(&mesh->bounds, grz_mesh_position(mesh, v));
}
