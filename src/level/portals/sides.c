// SPDX-License-Identifier: MIT
// The triangles around an edge are sorted by their angle, exactly: which half of the turn they are in, seen from the
// first of them, and then two of one half by the sign of a determinant. Between one and the next there is a wedge of
// space that no other triangle enters, so the two sides that face it are joined. No two triangles have one angle:
// they would cover each other, which create.c has refused.
#include "level/portals/sides.h"

#include "base/control.h"
#include "base/fail.h"
#include "base/sort/sort.h"
#include "geometry/exact/predicates.h"
#include "level/portals/data/forest.h"
#include "mesh/mesh.h"

// A triangle at an edge.
typedef struct page {
    uint32_t v, w; // the edge's corners, v < w
    uint32_t triangle, opposite;
    int32_t half; // of the turn: 0 or 1
    bool along;   // the triangle runs from v to w
} page;

static int compare_edges(const void *x, const void *y, void *context)
{
    const page *a = x, *b = y;
    (void)context;
    if (a->v != b->v)
        return a->v < b->v ? -1 : 1;
    if (a->w != b->w)
        return a->w < b->w ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static int compare_angles(const void *x, const void *y, void *context)
{
    const page *a = x, *b = y;
    const grz_mesh *mesh = context;
    if (a->half != b->half)
        return a->half < b->half ? -1 : 1;
    return -grz_orient3d(grz_mesh_position(mesh, a->v), grz_mesh_position(mesh, a->w),
                         grz_mesh_position(mesh, a->opposite), grz_mesh_position(mesh, b->opposite));
}

// True if two triangles in one plane lie on the same side of their common edge.
static bool same_half_plane(const grz_mesh *mesh, const page *a, const page *b)
{
    const double *v = grz_mesh_position(mesh, a->v), *w = grz_mesh_position(mesh, a->w),
                 *p = grz_mesh_position(mesh, a->opposite), *q = grz_mesh_position(mesh, b->opposite);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double from[2] = {v[i], v[j]}, to[2] = {w[i], w[j]}, one[2] = {p[i], p[j]}, other[2] = {q[i], q[j]};
        const int turn = grz_orient2d(from, to, one);
        if (turn != 0)
            return turn == grz_orient2d(from, to, other);
    }
    return false;
}

// In which half of the turn from the first triangle is this one? The first half begins with the first triangle; the
// second half begins opposite to it.
static int half_of(const grz_mesh *mesh, const page *first, const page *other)
{
    const int side = grz_orient3d(grz_mesh_position(mesh, first->v), grz_mesh_position(mesh, first->w),
                                  grz_mesh_position(mesh, first->opposite), grz_mesh_position(mesh, other->opposite));
    if (side != 0)
        return side > 0 ? 0 : 1;
    return same_half_plane(mesh, first, other) ? 0 : 1;
}

static grz_status refuse_open(const grz_portals *level, const page *at, grz_error *error)
{
    const double *v = grz_mesh_position(level->all.mesh, at->v), *w = grz_mesh_position(level->all.mesh, at->w);
    const uint32_t face = level->all.faces[at->triangle];
    return grz_fail(error, GRZ_ERROR_MESH, face,
                    "portals: a cell leaks at %s %u: no other face has its edge from (%g, %g, %g) to (%g, %g, %g)",
                    level->is_portal[at->triangle] ? "portal" : "face", face, v[0], v[1], v[2], w[0], w[1], w[2]);
}

// The side of a triangle that faces larger angles, or smaller ones.
static uint32_t side_of(const page *at, bool larger)
{
    return 2 * at->triangle + (at->along == larger ? 0 : 1);
}

static grz_status join_pages(const grz_portals *level, bool open_walls, page *pages, size_t count, uint32_t *sides,
                             uint32_t *triangles, grz_control *control, grz_error *error)
{
    if (count == 1 && (!open_walls || level->is_portal[pages[0].triangle]))
        return refuse_open(level, &pages[0], error);
    for (size_t i = 0; i < count; i++)
        pages[i].half = i > 0 ? half_of(level->all.mesh, &pages[0], &pages[i]) : 0;
    const grz_status status = grz_sort(pages, count, sizeof *pages, compare_angles, level->all.mesh, control);
    if (status != GRZ_OK)
        return grz_control_explain(control, status, "portals", error);
    for (size_t i = 0; i < count; i++) {
        const page *next = &pages[(i + 1) % count];
        grz_forest_join(sides, side_of(&pages[i], true), side_of(next, false));
        grz_forest_join(triangles, pages[i].triangle, next->triangle);
    }
    return GRZ_OK;
}

static void list_pages(const grz_mesh *mesh, page *pages)
{
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (int i = 0; i < 3; i++) {
            const uint32_t *corners = mesh->triangles + 3 * (size_t)t;
            const uint32_t a = grz_mesh_identity(mesh, corners[i]), b = grz_mesh_identity(mesh, corners[(i + 1) % 3]);
            pages[3 * (size_t)t + (size_t)i] = (page){.v = a < b ? a : b,
                                                      .w = a < b ? b : a,
                                                      .triangle = t,
                                                      .opposite = grz_mesh_identity(mesh, corners[(i + 2) % 3]),
                                                      .along = a < b};
        }
}

grz_status grz_sides_join(const grz_portals *level, bool open_walls, uint32_t *sides, uint32_t *triangles,
                          grz_control *control, grz_error *error)
{
    const grz_mesh *mesh = level->all.mesh;
    const grz_allocator *allocator = grz_control_allocator(control);
    const size_t count = 3 * (size_t)mesh->triangle_count;
    page *pages = grz_allocate(allocator, count, sizeof *pages);
    if (pages == NULL)
        return grz_control_explain(control, GRZ_ERROR_MEMORY, "portals", error);
    list_pages(mesh, pages);
    grz_status status = grz_sort(pages, count, sizeof *pages, compare_edges, NULL, control);
    if (status != GRZ_OK)
        status = grz_control_explain(control, status, "portals", error);
    for (size_t first = 0, next; first < count && status == GRZ_OK; first = next) {
        for (next = first + 1; next < count && pages[next].v == pages[first].v && pages[next].w == pages[first].w;)
            next++;
        status = join_pages(level, open_walls, pages + first, next - first, sides, triangles, control, error);
    }
    grz_release(allocator, pages, count, sizeof *pages);
    return status;
}
