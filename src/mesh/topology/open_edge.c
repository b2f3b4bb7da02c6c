// SPDX-License-Identifier: MIT
// All triangle sides, sorted by edge. Only a mesh that is refused pays for this.
#include "mesh/topology/open_edge.h"

#include "base/fail.h"
#include "base/sort.h"
#include "mesh/weld.h"

typedef struct side {
    uint32_t low, high; // its ends, the lower one first, of equal positions the lowest vertex
    uint64_t number;    // 3 · triangle + side, twice; the last bit says that it goes from high to low
} side;

static int compare_sides(const void *x, const void *y, void *context)
{
    const side *a = x, *b = y;
    (void)context;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static uint64_t collect(const grz_mesh *mesh, const uint32_t *lowest, side *sides)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < 3 * (uint64_t)mesh->triangle_count; i++) {
        const uint32_t from = lowest[mesh->triangles[i]], to = lowest[mesh->triangles[i % 3 == 2 ? i - 2 : i + 1]];
        if (from != to)
            sides[count++] = (side){from < to ? from : to, from < to ? to : from, 2 * i + (from > to)};
    }
    return count;
}

// The lowest number of a side at a fault; UINT64_MAX if there is none.
static uint64_t find_fault(const side *sides, uint64_t count, bool directions)
{
    uint64_t found = UINT64_MAX;
    for (uint64_t i = 0, end; i < count; i = end) {
        int64_t forward = 0, back = 0;
        for (end = i; end < count && sides[end].low == sides[i].low && sides[end].high == sides[i].high; end++) {
            back += (int64_t)(sides[end].number & 1);
            forward += (int64_t)(~sides[end].number & 1);
        }
        if ((directions ? forward != back : (forward + back) % 2 != 0) && sides[i].number / 2 < found)
            found = sides[i].number / 2;
    }
    return found;
}

// Find the side; UINT64_MAX if the control says to end or there is no memory.
static uint64_t find(const grz_mesh *mesh, bool directions, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const uint64_t most = 3 * (uint64_t)mesh->triangle_count;
    uint32_t *lowest = grz_allocate(allocator, mesh->vertex_count, sizeof *lowest), duplicates;
    side *sides = grz_allocate(allocator, most, sizeof *sides);
    uint64_t found = UINT64_MAX;
    if (lowest != NULL && sides != NULL && grz_weld_current(mesh, control, lowest, &duplicates) == GRZ_OK) {
        const uint64_t count = collect(mesh, lowest, sides);
        if (grz_sort(sides, count, sizeof *sides, compare_sides, NULL, control) == GRZ_OK)
            found = find_fault(sides, count, directions);
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
                   to = grz_mesh_vertex_number(mesh, mesh->triangles[found % 3 == 2 ? found - 2 : found + 1]);
    return grz_fail(error, GRZ_ERROR_MESH, face,
                    closed ? "%s: edge %u-%u: face %u runs through it in the same direction as another face"
                           : "%s: edge %u-%u of face %u: the mesh is not closed there, it has no inside",
                    name, (unsigned)from, (unsigned)to, (unsigned)face);
}
