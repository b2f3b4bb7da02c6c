// SPDX-License-Identifier: MIT
// Closedness alone, without the fans and counts of mesh/stars.h: every triangle's side is put, by counting, into the list of its
// lower end as the number of its upper end, and each list must fall into pairs of equal numbers. Lists are short, so pairs are
// found by looking; the list of a hub is sorted.
#include "mesh/edge_parity.h"

#include "base/number_sort.h"

enum {
    SHORT_LIST = 32 // numbers that are paired without sorting
};

typedef struct edge_lists {
    const grz_mesh *mesh;
    const uint32_t *lowest;
    const grz_allocator *allocator;
    uint64_t *starts; // vertex_count + 1 offsets into uppers; while the lists are filled, [v + 1] is where that of v ends so far
    uint32_t *uppers; // side_count upper ends, list after list
    size_t side_count, longest;
} edge_lists;

static inline uint32_t place_of(const edge_lists *l, uint32_t vertex)
{
    return l->lowest != NULL ? l->lowest[vertex] : vertex;
}

// A side whose ends lie at one place is none.
static inline void count_side(edge_lists *l, uint32_t p, uint32_t q)
{
    if (p != q)
        l->starts[(size_t)(p < q ? p : q) + 1]++;
}

static inline void put_side(edge_lists *l, uint32_t p, uint32_t q)
{
    if (p != q)
        l->uppers[l->starts[(size_t)(p < q ? p : q) + 1]++] = p < q ? q : p;
}

static grz_status fill(edge_lists *l)
{
    const uint32_t *corners = l->mesh->triangles;
    const size_t corner_count = 3 * (size_t)l->mesh->triangle_count, vertex_count = l->mesh->vertex_count;
    l->starts = grz_allocate_zeroed(l->allocator, vertex_count + 1, sizeof *l->starts);
    if (l->starts == NULL)
        return GRZ_ERROR_MEMORY;
    for (size_t i = 0; i < corner_count; i += 3) {
        const uint32_t a = place_of(l, corners[i]), b = place_of(l, corners[i + 1]), c = place_of(l, corners[i + 2]);
        count_side(l, a, b);
        count_side(l, b, c);
        count_side(l, c, a);
    }
    for (size_t v = 1; v <= vertex_count; v++) {
        const uint64_t count = l->starts[v];
        l->longest = count > l->longest ? (size_t)count : l->longest;
        l->starts[v] = l->side_count;
        l->side_count += (size_t)count;
    }
    if (l->side_count == 0)
        return GRZ_OK;
    l->uppers = grz_allocate(l->allocator, l->side_count, sizeof *l->uppers);
    if (l->uppers == NULL)
        return GRZ_ERROR_MEMORY;
    // Putting the sides moves each start, kept one place further on, to its list's end.
    for (size_t i = 0; i < corner_count; i += 3) {
        const uint32_t a = place_of(l, corners[i]), b = place_of(l, corners[i + 1]), c = place_of(l, corners[i + 2]);
        put_side(l, a, b);
        put_side(l, b, c);
        put_side(l, c, a);
    }
    return GRZ_OK;
}

// Whether a short list falls into pairs; reorders it.
static bool pairs_up(uint32_t *list, size_t count)
{
    for (size_t i = 0; i < count; i += 2) {
        size_t twin = i + 1;
        while (twin < count && list[twin] != list[i])
            twin++;
        if (twin == count)
            return false;
        list[twin] = list[i + 1];
    }
    return true;
}

// The same for a list of any length. `room`: twice as many numbers.
static bool pairs_up_sorted(const uint32_t *list, size_t count, uint64_t *room, grz_control *control)
{
    for (size_t i = 0; i < count; i++)
        room[i] = list[i];
    (void)grz_sort_numbers(room, room + count, count, control); // this control never ends it
    for (size_t i = 0; i < count; i += 2)
        if (i + 1 == count || room[i] != room[i + 1])
            return false;
    return true;
}

grz_status grz_edges_are_even(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control, bool *even)
{
    edge_lists l = {.mesh = mesh, .lowest = lowest, .allocator = grz_control_allocator(control)};
    uint64_t *room = NULL;
    grz_status status = fill(&l);
    if (status == GRZ_OK && l.longest > SHORT_LIST) {
        room = grz_allocate(l.allocator, 2 * l.longest, sizeof *room);
        status = room != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
    }
    *even = status == GRZ_OK;
    for (size_t v = 0; *even && l.side_count > 0 && v < mesh->vertex_count; v++) {
        uint32_t *list = l.uppers + l.starts[v];
        const size_t count = (size_t)(l.starts[v + 1] - l.starts[v]);
        *even = count <= SHORT_LIST || room == NULL ? pairs_up(list, count) : pairs_up_sorted(list, count, room, control);
    }
    grz_release(l.allocator, room, 2 * l.longest, sizeof *room);
    grz_release(l.allocator, l.starts, (size_t)mesh->vertex_count + 1, sizeof *l.starts);
    grz_release(l.allocator, l.uppers, l.side_count, sizeof *l.uppers);
    return status;
}
