// SPDX-License-Identifier: MIT
// The sides of all faces by a counting sort over their lower ends, then a sort of each list. Lists are short, so that
// is nearly linear.
#include "mesh/shells/shell_edges.h"

#include "base/control.h"
#include "base/sort/number_sort.h"
#include "mesh/weld.h"

enum {
    CHECK_BITS = 13 // triangles or vertices between two checks of the control, as a power of two
};

// The lower end of side i of a triangle, and the side as a number. False: it is no side of a face, or no edge.
static inline bool side_of(const grz_shell_edges *edges, uint32_t triangle, int i, uint32_t *low, uint64_t *side)
{
    const uint32_t *vertex = edges->mesh->triangles + 3 * (size_t)triangle;
    const uint32_t from = edges->lowest[vertex[i]], to = edges->lowest[vertex[(i + 1) % 3]];
    *low = from < to ? from : to;
    *side = (uint64_t)(from < to ? to : from) << 32 | (uint64_t)triangle << 1 | (from < to);
    return from != to && grz_mesh_edge_is_side(edges->mesh, triangle, i);
}

static grz_status count_sides(grz_shell_edges *edges, grz_control *control)
{
    const grz_mesh *mesh = edges->mesh;
    uint32_t low;
    uint64_t side;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        if (grz_control_expired_at(control, t, CHECK_BITS))
            return grz_control_status(control);
        for (int i = 0; i < 3; i++)
            if (side_of(edges, t, i, &low, &side))
                edges->starts[(size_t)low + 2]++;
    }
    for (size_t v = 0; v < mesh->vertex_count; v++)
        edges->starts[v + 2] += edges->starts[v + 1];
    edges->side_count = edges->starts[(size_t)mesh->vertex_count + 1];
    return GRZ_OK;
}

// starts[v + 1] is the start of list v; filling the list moves it to the end.
static grz_status put_sides(grz_shell_edges *edges, grz_control *control)
{
    uint32_t low;
    uint64_t side;
    for (uint32_t t = 0; t < edges->mesh->triangle_count; t++) {
        if (grz_control_expired_at(control, t, CHECK_BITS))
            return grz_control_status(control);
        for (int i = 0; i < 3; i++)
            if (side_of(edges, t, i, &low, &side))
                edges->sides[edges->starts[(size_t)low + 1]++] = side;
    }
    return GRZ_OK;
}

static grz_status sort_sides(grz_shell_edges *edges, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    size_t longest = 0;
    for (size_t v = 0; v < edges->mesh->vertex_count; v++) {
        const size_t count = edges->starts[v + 1] - edges->starts[v];
        longest = count > longest ? count : longest;
    }
    uint64_t *spare = grz_allocate(allocator, longest, sizeof *spare);
    grz_status status = spare != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
    for (size_t v = 0; v < edges->mesh->vertex_count && status == GRZ_OK; v++)
        if (grz_control_expired_at(control, v, CHECK_BITS) ||
            !grz_sort_numbers(edges->sides + edges->starts[v], spare, edges->starts[v + 1] - edges->starts[v], control))
            status = grz_control_status(control);
    grz_release(allocator, spare, longest, sizeof *spare);
    return status;
}

grz_status grz_shell_edges_init(grz_shell_edges *edges, const grz_mesh *mesh, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    uint32_t duplicates;
    *edges = (grz_shell_edges){.mesh = mesh};
    edges->lowest = grz_allocate(allocator, mesh->vertex_count, sizeof *edges->lowest);
    edges->starts = grz_allocate_zeroed(allocator, (size_t)mesh->vertex_count + 2, sizeof *edges->starts);
    if (edges->lowest == NULL || edges->starts == NULL)
        return GRZ_ERROR_MEMORY;
    grz_status status = grz_weld_current(mesh, control, edges->lowest, &duplicates);
    if (status == GRZ_OK)
        status = count_sides(edges, control);
    if (status != GRZ_OK || edges->side_count == 0)
        return status;
    edges->sides = grz_allocate(allocator, edges->side_count, sizeof *edges->sides);
    if (edges->sides == NULL)
        return GRZ_ERROR_MEMORY;
    status = put_sides(edges, control);
    return status == GRZ_OK ? sort_sides(edges, control) : status;
}

void grz_shell_edges_finish(const grz_allocator *allocator, grz_shell_edges *edges)
{
    if (edges->mesh == NULL)
        return;
    grz_release(allocator, edges->lowest, edges->mesh->vertex_count, sizeof *edges->lowest);
    grz_release(allocator, edges->starts, (size_t)edges->mesh->vertex_count + 2, sizeof *edges->starts);
    grz_release(allocator, edges->sides, edges->side_count, sizeof *edges->sides);
    *edges = (grz_shell_edges){.mesh = NULL};
}

bool grz_shell_edges_next(const grz_shell_edges *edges, grz_edge_place *place, grz_shell_edge *edge)
{
    if (place->at == edges->side_count)
        return false;
    while (place->at == edges->starts[(size_t)place->low + 1])
        place->low++;
    const size_t end = edges->starts[(size_t)place->low + 1];
    const uint32_t high = grz_side_high(edges->sides[place->at]);
    size_t count = 1;
    while (place->at + count < end && grz_side_high(edges->sides[place->at + count]) == high)
        count++;
    *edge = (grz_shell_edge){place->low, high, edges->sides + place->at, count};
    place->at += count;
    return true;
}
