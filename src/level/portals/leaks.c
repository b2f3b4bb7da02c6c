// SPDX-License-Identifier: MIT
// Refuses walls that end free, where faces need not meet corner to corner. Along a line, edges of triangles cover each
// place a number of times, which must be even. That is so everywhere if at each corner on the line an even number of
// edges begin or end; edges that come in pairs between the same corners need not be looked at. Where a marked portal
// begins or ends along the line, walls may end free: it fills the hole. All signs are exact.
#include "base/control.h"
#include "base/fail.h"
#include "base/sort/sort.h"
#include "geometry/triangle/triangle.h"
#include "level/portals/portal_cells.h"
#include "mesh/mesh.h"

// An edge, as seen from its corner v.
typedef struct half_edge {
    uint32_t v, w, triangle;
} half_edge;

static int compare(const void *x, const void *y, void *context)
{
    const half_edge *a = x, *b = y;
    (void)context;
    if (a->v != b->v)
        return a->v < b->v ? -1 : 1;
    if (a->w != b->w)
        return a->w < b->w ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static bool same_line(const grz_mesh *mesh, const half_edge *a, const half_edge *b)
{
    const double *v = grz_mesh_position(mesh, a->v), *p = grz_mesh_position(mesh, a->w),
                 *q = grz_mesh_position(mesh, b->w);
    for (int axis = 0; axis < 3; axis++)
        if (grz_orient_projected(axis, v, p, q) != 0)
            return false;
    return true;
}

static void list_edges(const grz_mesh *mesh, half_edge *edges)
{
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (size_t i = 0; i < 3; i++) {
            const uint32_t *corners = mesh->triangles + 3 * (size_t)t;
            const uint32_t a = grz_mesh_identity(mesh, corners[i]), b = grz_mesh_identity(mesh, corners[(i + 1) % 3]);
            edges[3 * (size_t)t + i] = (half_edge){a < b ? a : b, a < b ? b : a, t};
        }
}

// Keep one of each odd number of walls' edges between the same corners, and one of marks there; and their other
// directions. Edges without length go.
static size_t keep_odd(const grz_portals *level, half_edge *edges, size_t count)
{
    size_t kept = 0;
    for (size_t first = 0, next; first < count; first = next) {
        const half_edge one = edges[first]; // `kept` may come up to it
        size_t walls = 0;
        uint32_t wall = 0, mark = UINT32_MAX;
        for (next = first; next < count && edges[next].v == one.v && edges[next].w == one.w; next++) {
            const uint32_t triangle = edges[next].triangle;
            if (level->is_portal[triangle] != 0)
                mark = triangle;
            else if (walls++ == 0)
                wall = triangle;
        }
        if (one.v == one.w)
            continue;
        if (walls % 2 == 1)
            edges[kept++] = (half_edge){one.v, one.w, wall};
        if (mark != UINT32_MAX)
            edges[kept++] = (half_edge){one.v, one.w, mark};
    }
    for (size_t i = 0; i < kept; i++)
        edges[kept + i] = (half_edge){edges[i].w, edges[i].v, edges[i].triangle};
    return 2 * kept;
}

static grz_status refuse(const grz_portals *level, const half_edge *at, grz_error *error)
{
    const double *v = grz_mesh_position(level->all.mesh, at->v), *w = grz_mesh_position(level->all.mesh, at->w);
    const uint32_t face = level->all.faces[at->triangle];
    return grz_fail(error, GRZ_ERROR_MESH, face,
                    "portals: the walls are open at face %u, at its edge from (%g, %g, %g) to (%g, %g, %g); see "
                    "options.open_walls",
                    face, v[0], v[1], v[2], w[0], w[1], w[2]);
}

// Edges of one corner.
static const half_edge *find_free(const grz_portals *level, const half_edge *edges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t walls = 0, marks = 0;
        for (size_t j = 0; j < count && level->is_portal[edges[i].triangle] == 0; j++) {
            const bool is_mark = level->is_portal[edges[j].triangle] != 0;
            if (same_line(level->all.mesh, &edges[i], &edges[j]))
                *(is_mark ? &marks : &walls) += 1;
        }
        if (walls % 2 == 1 && marks == 0)
            return &edges[i];
    }
    return NULL;
}

grz_status grz_leaks_refuse(const grz_portals *level, grz_control *control, grz_error *error)
{
    const grz_mesh *mesh = level->all.mesh;
    const grz_allocator *allocator = grz_control_allocator(control);
    const size_t room = 6 * (size_t)mesh->triangle_count;
    half_edge *edges = grz_allocate(allocator, room, sizeof *edges);
    if (edges == NULL)
        return grz_control_explain(control, GRZ_ERROR_MEMORY, "portals", error);
    list_edges(mesh, edges);
    grz_status status = grz_sort(edges, room / 2, sizeof *edges, compare, NULL, control);
    size_t count = 0;
    if (status == GRZ_OK) {
        count = keep_odd(level, edges, room / 2);
        status = grz_sort(edges, count, sizeof *edges, compare, NULL, control);
    }
    if (status != GRZ_OK)
        status = grz_control_explain(control, status, "portals", error);
    for (size_t first = 0, next; first < count && status == GRZ_OK; first = next) {
        for (next = first + 1; next < count && edges[next].v == edges[first].v;)
            next++;
        const half_edge *at = find_free(level, edges + first, next - first);
        if (at != NULL)
            status = refuse(level, at, error);
    }
    grz_release(allocator, edges, room, sizeof *edges);
    return status;
}
