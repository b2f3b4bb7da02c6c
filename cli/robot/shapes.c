// SPDX-License-Identifier: MIT
// The mesh of a sphere is a globe of triangles with its corners on a larger sphere: the radius is divided by the
// distance of the nearest plane of a face of the unit globe. A cylinder is a prism whose sides touch it. A relative
// 2^-40 on top covers every rounding.
#include "robot/shapes.h"

#include <math.h>
#include <stdlib.h>

#include <graze/object.h>

static const double pi = 3.14159265358979323846;
static const double margin = 1 + 0x1p-40;

static bool make_room(shape_mesh *out, size_t vertices, size_t indices, uint32_t corners)
{
    *out = (shape_mesh){.vertex_count = vertices, .index_count = indices, .corners_per_face = corners};
    out->positions = calloc(3 * vertices, sizeof *out->positions);
    out->indices = calloc(indices, sizeof *out->indices);
    if (out->positions != NULL && out->indices != NULL)
        return true;
    shape_finish(out);
    return false;
}

void shape_finish(shape_mesh *mesh)
{
    free(mesh->positions);
    free(mesh->indices);
    *mesh = (shape_mesh){0};
}

static bool make_box(const double size[3], shape_mesh *out)
{
    static const uint32_t quads[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
    if (!make_room(out, 8, 24, 4))
        return false;
    for (size_t i = 0; i < 8; i++)
        for (size_t axis = 0; axis < 3; axis++)
            out->positions[3 * i + axis] = (i >> axis & 1 ? 0.5 : -0.5) * size[axis];
    for (size_t i = 0; i < 24; i++)
        out->indices[i] = quads[i];
    return true;
}

static void add_triangle(shape_mesh *out, size_t *used, size_t a, size_t b, size_t c)
{
    out->indices[(*used)++] = (uint32_t)a;
    out->indices[(*used)++] = (uint32_t)b;
    out->indices[(*used)++] = (uint32_t)c;
}

static void put(shape_mesh *out, size_t vertex, double x, double y, double z)
{
    out->positions[3 * vertex] = x;
    out->positions[3 * vertex + 1] = y;
    out->positions[3 * vertex + 2] = z;
}

// Vertices 2i and 2i + 1: the lower and the upper end of edge i; the last two: the middles of the ends.
static bool make_cylinder(double radius, double length, shape_mesh *out)
{
    const size_t n = SHAPE_SIDES;
    double s, c;
    size_t used = 0;
    grz_sine_cosine(pi / (double)n, NULL, &c);
    const double out_to = radius / c * margin;
    if (!make_room(out, 2 * n + 2, 12 * n, 3))
        return false;
    for (size_t i = 0; i < n; i++) {
        grz_sine_cosine(2 * pi * (double)i / (double)n, &s, &c);
        put(out, 2 * i, out_to * c, out_to * s, -0.5 * length);
        put(out, 2 * i + 1, out_to * c, out_to * s, 0.5 * length);
    }
    put(out, 2 * n, 0, 0, -0.5 * length);
    put(out, 2 * n + 1, 0, 0, 0.5 * length);
    for (size_t i = 0; i < n; i++) {
        const size_t here = 2 * i, there = 2 * ((i + 1) % n);
        add_triangle(out, &used, here, there, there + 1);
        add_triangle(out, &used, here, there + 1, here + 1);
        add_triangle(out, &used, there, here, 2 * n);
        add_triangle(out, &used, here + 1, there + 1, 2 * n + 1);
    }
    return true;
}

// How far a triangle's plane is from the origin.
static double plane_distance(const double *a, const double *b, const double *c)
{
    double u[3], v[3], n[3];
    for (int i = 0; i < 3; i++) {
        u[i] = b[i] - a[i];
        v[i] = c[i] - a[i];
    }
    n[0] = u[1] * v[2] - u[2] * v[1];
    n[1] = u[2] * v[0] - u[0] * v[2];
    n[2] = u[0] * v[1] - u[1] * v[0];
    return (n[0] * a[0] + n[1] * a[1] + n[2] * a[2]) / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

// Ring 1 … rings - 1, each of n vertices, from south to north; then the south and the north pole.
static bool make_sphere(double radius, shape_mesh *out)
{
    const size_t n = SHAPE_SIDES, rings = SHAPE_RINGS, south = (rings - 1) * n, north = south + 1;
    size_t used = 0;
    double nearest = 1;
    if (!make_room(out, north + 1, 6 * n * (rings - 1), 3))
        return false;
    for (size_t ring = 1; ring < rings; ring++)
        for (size_t i = 0; i < n; i++) {
            double up[2], around[2]; // sine and cosine
            grz_sine_cosine(pi * (double)ring / (double)rings, &up[0], &up[1]);
            grz_sine_cosine(2 * pi * (double)i / (double)n, &around[0], &around[1]);
            put(out, (ring - 1) * n + i, up[0] * around[1], up[0] * around[0], -up[1]);
        }
    put(out, south, 0, 0, -1);
    put(out, north, 0, 0, 1);
    for (size_t i = 0; i < n; i++) {
        const size_t next = (i + 1) % n, last = (rings - 2) * n;
        add_triangle(out, &used, south, next, i);
        add_triangle(out, &used, north, last + i, last + next);
        for (size_t ring = 0; ring + 2 < rings; ring++) {
            add_triangle(out, &used, ring * n + i, ring * n + next, (ring + 1) * n + next);
            add_triangle(out, &used, ring * n + i, (ring + 1) * n + next, (ring + 1) * n + i);
        }
    }
    const double *p = out->positions;
    for (size_t i = 0; i < used; i += 3)
        nearest = fmin(nearest, plane_distance(p + 3 * (size_t)out->indices[i], p + 3 * (size_t)out->indices[i + 1],
                                               p + 3 * (size_t)out->indices[i + 2]));
    for (size_t i = 0; i < 3 * out->vertex_count; i++)
        out->positions[i] *= radius / nearest * margin;
    return true;
}

bool shape_make(const robot_collision *shape, shape_mesh *out)
{
    switch (shape->shape) {
    case ROBOT_BOX:
        return make_box(shape->size, out);
    case ROBOT_SPHERE:
        return make_sphere(shape->size[0], out);
    case ROBOT_CYLINDER:
        return make_cylinder(shape->size[0], shape->size[1], out);
    case ROBOT_MESH:
        break;
    }
    *out = (shape_mesh){0};
    return false;
}
