// SPDX-License-Identifier: MIT
// Looks at the sides on each edge. This runs only for meshes that are refused.
#include "mesh/topology/open_edge.h"

#include "base/control.h"
#include "base/fail.h"
#include "mesh/topology/edge_sides.h"
#include "mesh/weld.h"

// The first side that lies on a bad edge; UINT64_MAX if there is none.
static uint64_t first_bad(const grz_mesh *mesh, const uint32_t *lowest, const grz_edge_side *sides, uint64_t count,
                          bool directions)
{
    uint64_t found = UINT64_MAX;
    for (uint64_t i = 0, end; i < count; i = end) {
        uint64_t forward = 0;
        for (end = i; end < count && sides[end].low == sides[i].low && sides[end].high == sides[i].high; end++)
            forward += lowest[mesh->triangles[sides[end].number]] == sides[end].low;
        const bool bad = directions ? 2 * forward != end - i : (end - i) % 2 != 0;
        if (bad && sides[i].number < found)
            found = sides[i].number;
    }
    return found;
}

// The same from the mesh alone; UINT64_MAX also if the control says to end or there is no memory.
static uint64_t find(const grz_mesh *mesh, bool directions, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const uint64_t most = 3 * (uint64_t)mesh->triangle_count;
    uint32_t *lowest = grz_allocate(allocator, mesh->vertex_count, sizeof *lowest), duplicates;
    grz_edge_side *sides = grz_allocate(allocator, most, sizeof *sides);
    uint64_t found = UINT64_MAX;
    if (lowest != NULL && sides != NULL && grz_weld_current(mesh, control, lowest, &duplicates) == GRZ_OK) {
        const uint64_t count = grz_edge_sides_list(mesh, lowest, sides);
        if (grz_edge_sides_sort(sides, count, control) == GRZ_OK)
            found = first_bad(mesh, lowest, sides, count, directions);
    }
    grz_release(allocator, lowest, mesh->vertex_count, sizeof *lowest);
    grz_release(allocator, sides, most, sizeof *sides);
    return found;
}

grz_status grz_mesh_refuse_open(const grz_mesh *mesh, const char *name, bool closed, grz_control *control,
                                grz_error *error)
{
    const uint64_t found = find(mesh, closed, control);
    if (found == UINT64_MAX)
        return grz_fail(error, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "%s: the mesh %s", name,
                        closed ? "has faces that run through an edge in the same direction"
                               : "is not closed: it has no inside");
    const uint32_t face = grz_mesh_triangle_face(mesh, (uint32_t)(found / 3)),
                   from = grz_mesh_vertex_number(mesh, mesh->triangles[found]),
                   to = grz_mesh_vertex_number(mesh, mesh->triangles[grz_edge_side_next(found)]);
    return grz_fail(error, GRZ_ERROR_MESH, face,
                    closed ? "%s: edge %u-%u: face %u runs through it in the same direction as another face"
                           : "%s: edge %u-%u of face %u: the mesh is not closed there, it has no inside",
                    name, (unsigned)from, (unsigned)to, (unsigned)face);
}
