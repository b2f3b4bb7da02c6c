// SPDX-License-Identifier: MIT
// The mesh of a sphere is a globe of triangles with its corners on a larger sphere: the radius is divided by the
// distance of the nearest plane of a face of the unit globe. A capsule is such a globe whose halves are parted. A
// cylinder is a prism whose sides touch it. A relative 2^-40 on top covers every rounding.
#include "arithmetic.h"

#include "reader.h"

#include <graze/io_robot.h>

#include <math.h>
#include <stdio.h>

enum {
    SHAPE_SIDES = 64,              // of a cylinder, and round a sphere's equator
    SHAPE_RINGS = SHAPE_SIDES / 2, // of a sphere, from pole to pole; even
    MOST_VERTICES = SHAPE_SIDES * SHAPE_RINGS + 2
};

static const double pi = 3.14159265358979323846;
static const double margin = 1 + 0x1p-40;

static bool make_box(reader *r, const double size[3])
{
    static const uint32_t quads[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
    for (int i = 0; i < 8; i++)
        if (!reader_add_vertex(r, ((i & 1) != 0 ? 0.5 : -0.5) * size[0], ((i & 2) != 0 ? 0.5 : -0.5) * size[1],
                               ((i & 4) != 0 ? 0.5 : -0.5) * size[2]))
            return false;
    for (int i = 0; i < 24; i++)
        if (!reader_add_corner(r, quads[i]) || (i % 4 == 3 && !reader_end_face(r, 4)))
            return false;
    return true;
}

static bool add_triangle(reader *r, size_t a, size_t b, size_t c)
{
    return reader_add_triangle(r, (uint32_t)a, (uint32_t)b, (uint32_t)c);
}

// Vertices 2i and 2i + 1: the lower and the upper end of edge i; the last two: the middles of the ends.
static bool make_cylinder(reader *r, double radius, double length)
{
    const size_t n = SHAPE_SIDES;
    double s, c;
    grz_io_sines(pi / (double)n, &s, &c);
    const double out_to = radius / c * margin;
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        grz_io_sines(2 * pi * (double)i / (double)n, &s, &c);
        ok = reader_add_vertex(r, out_to * c, out_to * s, -0.5 * length) &&
             reader_add_vertex(r, out_to * c, out_to * s, 0.5 * length);
    }
    ok = ok && reader_add_vertex(r, 0, 0, -0.5 * length) && reader_add_vertex(r, 0, 0, 0.5 * length);
    for (size_t i = 0; i < n && ok; i++) {
        const size_t here = 2 * i, there = 2 * ((i + 1) % n);
        ok = add_triangle(r, here, there, there + 1) && add_triangle(r, here, there + 1, here + 1) &&
             add_triangle(r, there, here, 2 * n) && add_triangle(r, here + 1, there + 1, 2 * n + 1);
    }
    return ok;
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

static bool put_vertices(const globe *g, reader *r)
{
    const size_t n = SHAPE_SIDES;
    for (size_t ring = 0; ring < g->rings; ring++) {
        const size_t step = g->cut && ring >= SHAPE_RINGS / 2 ? ring : ring + 1; // of the half turn from pole to pole
        for (size_t i = 0; i < n; i++) {
            double up[2], around[2]; // sine and cosine
            grz_io_sines(pi * (double)step / (double)SHAPE_RINGS, &up[0], &up[1]);
            grz_io_sines(2 * pi * (double)i / (double)n, &around[0], &around[1]);
            if (!reader_add_vertex(r, up[0] * around[1], up[0] * around[0], -up[1]))
                return false;
        }
    }
    return reader_add_vertex(r, 0, 0, -1) && reader_add_vertex(r, 0, 0, 1);
}

static bool add_faces(const globe *g, reader *r)
{
    const size_t n = SHAPE_SIDES, south = g->rings * n, north = south + 1;
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        const size_t next = (i + 1) % n, last = (g->rings - 1) * n;
        ok = add_triangle(r, south, next, i) && add_triangle(r, north, last + i, last + next);
        for (size_t ring = 0; ring + 1 < g->rings && ok; ring++)
            ok = add_triangle(r, ring * n + i, ring * n + next, (ring + 1) * n + next) &&
                 add_triangle(r, ring * n + i, (ring + 1) * n + next, (ring + 1) * n + i);
    }
    return ok;
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
static double nearest_plane(const globe *g, const growing_model *mesh)
{
    const double *p = mesh->positions;
    double nearest = 1;
    for (uint64_t i = 0; i < mesh->index_count; i += 3) {
        const size_t corner[3] = {mesh->indices[i], mesh->indices[i + 1], mesh->indices[i + 2]};
        if (!is_between_halves(g, corner))
            nearest = fmin(nearest, plane_distance(p + 3 * corner[0], p + 3 * corner[1], p + 3 * corner[2]));
    }
    return nearest;
}

// A sphere; or, with a length, a capsule: the halves of the globe are moved apart by it.
static bool make_round(reader *r, double radius, double length)
{
    const bool cut = length > 0;
    const globe g = {.rings = cut ? SHAPE_RINGS : SHAPE_RINGS - 1, .cut = cut};
    const size_t n = SHAPE_SIDES;
    if (!put_vertices(&g, r) || !add_faces(&g, r))
        return false;
    double *positions = r->model.positions;
    const double nearest = nearest_plane(&g, &r->model);
    for (size_t i = 0; i < 3 * r->model.vertex_count; i++)
        positions[i] *= radius / nearest * margin;
    for (size_t i = 0; i < r->model.vertex_count && cut; i++) {
        const bool north = i == g.rings * n + 1 || (i < g.rings * n && i / n >= SHAPE_RINGS / 2);
        positions[3 * i + 2] += (north ? 0.5 : -0.5) * length;
    }
    return true;
}

static bool make(reader *r, const grz_io_collision *shape)
{
    switch (shape->kind) {
    case GRZ_IO_SHAPE_BOX:
        return make_box(r, shape->size);
    case GRZ_IO_SHAPE_SPHERE:
        return make_round(r, shape->size[0], 0);
    case GRZ_IO_SHAPE_CYLINDER:
        return make_cylinder(r, shape->size[0], shape->size[1]);
    case GRZ_IO_SHAPE_CAPSULE:
        return make_round(r, shape->size[0], shape->size[1]);
    case GRZ_IO_SHAPE_MESH:
        break;
    }
    return grz_io_control_fail(r->control, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "it is a mesh: load its file");
}

// Whether the sizes that a shape has are finite and above 0; the length of a capsule may be 0.
static bool check(load_control *control, const grz_io_collision *shape)
{
    static const int sizes[] = {
        [GRZ_IO_SHAPE_BOX] = 3, [GRZ_IO_SHAPE_SPHERE] = 1, [GRZ_IO_SHAPE_CYLINDER] = 2, [GRZ_IO_SHAPE_CAPSULE] = 2};
    if ((unsigned)shape->kind > GRZ_IO_SHAPE_CAPSULE)
        return grz_io_control_fail(control, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "kind is %d, which is no shape",
                                   (int)shape->kind);
    for (int i = 0; i < sizes[shape->kind]; i++) {
        const bool may_be_zero = shape->kind == GRZ_IO_SHAPE_CAPSULE && i == 1;
        if (!isfinite(shape->size[i]) || shape->size[i] < 0 || (shape->size[i] == 0 && !may_be_zero))
            return grz_io_control_fail(control, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "size[%d] is %g: must be above 0",
                                       i, shape->size[i]);
    }
    return true;
}

grz_status grz_io_shape_model(const grz_io_collision *shape, const grz_io_options *options, grz_io_model **model,
                              grz_error *error)
{
    static const char call[] = "make shape";
    load_control control;
    if (model != NULL)
        *model = NULL;
    if (shape == NULL || model == NULL)
        return grz_io_refuse(call, shape == NULL ? "shape is NULL" : "model is NULL", error);
    const grz_status status = grz_io_control_begin(&control, call, options, error);
    if (status != GRZ_OK)
        return status;
    reader r = {.control = &control, .unit_in_metres = 1, .up_axis = GRZ_IO_UP_Z};
    const fp_state before = grz_io_fp_enter();
    if (grz_io_control_goes_on(&control) && check(&control, shape) && make(&r, shape))
        *model = grz_io_hand_over(&r, "URDF");
    grz_io_fp_leave(before);
    if (*model != NULL)
        return GRZ_OK;
    grz_io_release_model(&r.model, &control.allocator);
    return grz_io_control_explain(&control, call, error);
}
