// SPDX-License-Identifier: MIT
// The mesh of a sphere is a globe of triangles with its corners on a larger sphere: the radius is divided by the
// distance of the nearest plane of a face of the unit globe. A capsule is such a globe whose halves are parted. A
// cylinder is a prism whose sides touch it. A relative 2^-40 on top covers every rounding.
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

// A unit globe: rings of SHAPE_SIDES vertices from south to north, then the south and the north pole. Of a capsule it
// is cut at the equator, whose ring is there twice.
typedef struct globe {
    size_t rings;
    bool cut;
} globe;

static void put_vertices(const globe *g, shape_mesh *out)
{
    const size_t n = SHAPE_SIDES;
    for (size_t ring = 0; ring < g->rings; ring++) {
        const size_t step = g->cut && ring >= SHAPE_RINGS / 2 ? ring : ring + 1; // of the half turn from pole to pole
        for (size_t i = 0; i < n; i++) {
            double up[2], around[2]; // sine and cosine
            grz_sine_cosine(pi * (double)step / (double)SHAPE_RINGS, &up[0], &up[1]);
            grz_sine_cosine(2 * pi * (double)i / (double)n, &around[0], &around[1]);
            put(out, ring * n + i, up[0] * around[1], up[0] * around[0], -up[1]);
        }
    }
    put(out, g->rings * n, 0, 0, -1);
    put(out, g->rings * n + 1, 0, 0, 1);
}

static void add_faces(const globe *g, shape_mesh *out)
{
    const size_t n = SHAPE_SIDES, south = g->rings * n, north = south + 1;
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t next = (i + 1) % n, last = (g->rings - 1) * n;
        add_triangle(out, &used, south, next, i);
        add_triangle(out, &used, north, last + i, last + next);
        for (size_t ring = 0; ring + 1 < g->rings; ring++) {
            add_triangle(out, &used, ring * n + i, ring * n + next, (ring + 1) * n + next);
            add_triangle(out, &used, ring * n + i, (ring + 1) * n + next, (ring + 1) * n + i);
        }
    }
}

// True for the faces between the two rings of the equator: in a capsule they are upright. They are no nearer than the
// planes of their neighbours, which share their edges with them.
static bool is_between_halves(const globe *g, const size_t corner[3])
{
    const size_t lower = SHAPE_RINGS / 2 - 1;
    for (int k = 0; k < 3; k++)
        if (corner[k] / SHAPE_SIDES != lower && corner[k] / SHAPE_SIDES != lower + 1)
            return false;
    return g->cut;
}

// The distance of the nearest plane of a face from the middle.
static double nearest_plane(const globe *g, const shape_mesh *mesh)
{
    const double *p = mesh->positions;
    double nearest = 1;
    for (size_t i = 0; i < mesh->index_count; i += 3) {
        const size_t corner[3] = {mesh->indices[i], mesh->indices[i + 1], mesh->indices[i + 2]};
        if (!is_between_halves(g, corner))
            nearest = fmin(nearest, plane_distance(p + 3 * corner[0], p + 3 * corner[1], p + 3 * corner[2]));
    }
    return nearest;
}

// A sphere; or, with a length, a capsule: the halves of the globe are moved apart by it.
static bool make_round(double radius, double length, shape_mesh *out)
{
    const bool cut = length > 0;
    const globe g = {.rings = cut ? SHAPE_RINGS : SHAPE_RINGS - 1, .cut = cut};
    const size_t n = SHAPE_SIDES;
    if (!make_room(out, g.rings * n + 2, 6 * n * g.rings, 3))
        return false;
    put_vertices(&g, out);
    add_faces(&g, out);
    const double nearest = nearest_plane(&g, out);
    for (size_t i = 0; i < 3 * out->vertex_count; i++)
        out->positions[i] *= radius / nearest * margin;
    for (size_t i = 0; i < out->vertex_count && cut; i++) {
        const bool north = i == g.rings * n + 1 || (i < g.rings * n && i / n >= SHAPE_RINGS / 2);
        out->positions[3 * i + 2] += (north ? 0.5 : -0.5) * length;
    }
    return true;
}

bool shape_make(const robot_collision *shape, shape_mesh *out)
{
    switch (shape->shape) {
    case ROBOT_BOX:
        return make_box(shape->size, out);
    case ROBOT_SPHERE:
        return make_round(shape->size[0], 0, out);
    case ROBOT_CYLINDER:
        return make_cylinder(shape->size[0], shape->size[1], out);
    case ROBOT_CAPSULE:
        return make_round(shape->size[0], shape->size[1], out);
    case ROBOT_MESH:
        break;
    }
    *out = (shape_mesh){0};
    return false;
}
