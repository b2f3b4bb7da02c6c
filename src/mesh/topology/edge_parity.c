// SPDX-License-Identifier: MIT
// Tests whether a mesh is closed, and nothing else; mesh/topology/stars.h finds out more and is slower.
// Every vertex has a list. For every triangle side from vertex v to a higher vertex w, w is added to the list of v. The
// mesh is closed if every number occurs an even number of times in each list. Lists are usually short, so pairs of
// equal numbers are found by linear search. The list of a vertex with many edges is sorted.
#include "mesh/topology/edge_parity.h"

#include <assert.h>

#include "base/control.h"
#include "base/sort/number_sort.h"

enum {
    SHORT_LIST = 32 // up to this many numbers are paired without sorting
};

typedef struct edge_lists {
    const grz_mesh *mesh;
    const uint32_t *lowest;
    const grz_allocator *allocator;
    // vertex_count + 1 offsets into `uppers`. While the lists are filled, starts[v + 1] is the end of list v.
    uint64_t *starts;
    uint32_t *uppers;  // side_count higher vertices, list after list
    size_t side_count; // triangle sides with two different ends
    size_t longest;    // the length of the longest list
} edge_lists;

// The number of a vertex's position: the lowest vertex there.
static inline uint32_t position_of(const edge_lists *lists, uint32_t vertex)
{
    return lists->lowest != NULL ? lists->lowest[vertex] : vertex;
}

// Count a side in the list of its lower end. A side whose ends are at one position does not count.
static inline void count_side(edge_lists *lists, uint32_t p, uint32_t q)
{
    if (p != q)
        lists->starts[(size_t)(p < q ? p : q) + 1]++;
}

// Add a side to the list of its lower end.
static inline void add_side(edge_lists *lists, uint32_t p, uint32_t q)
{
    assert(p == q || lists->starts[(size_t)(p < q ? p : q) + 1] < lists->side_count);
    if (p != q)
        lists->uppers[lists->starts[(size_t)(p < q ? p : q) + 1]++] = p < q ? q : p;
}

// Fill all lists, by a counting sort: count, add up the offsets, distribute.
static grz_status fill(edge_lists *lists)
{
    const uint32_t *corners = lists->mesh->triangles;
    const size_t corner_count = 3 * (size_t)lists->mesh->triangle_count, vertex_count = lists->mesh->vertex_count;
    lists->starts = grz_allocate_zeroed(lists->allocator, vertex_count + 1, sizeof *lists->starts);
    if (lists->starts == NULL)
        return GRZ_ERROR_MEMORY;
    for (size_t i = 0; i < corner_count; i += 3) {
        const uint32_t a = position_of(lists, corners[i]), b = position_of(lists, corners[i + 1]),
                       c = position_of(lists, corners[i + 2]);
        count_side(lists, a, b);
        count_side(lists, b, c);
        count_side(lists, c, a);
    }
    for (size_t v = 1; v <= vertex_count; v++) {
        const uint64_t count = lists->starts[v];
        lists->longest = count > lists->longest ? (size_t)count : lists->longest;
        lists->starts[v] = lists->side_count;
        lists->side_count += (size_t)count;
    }
    if (lists->side_count == 0)
        return GRZ_OK;
    lists->uppers = grz_allocate(lists->allocator, lists->side_count, sizeof *lists->uppers);
    if (lists->uppers == NULL)
        return GRZ_ERROR_MEMORY;
    // starts[v + 1] now holds the start of list v. Adding sides moves it to the end of list v, where list v + 1 starts.
    for (size_t i = 0; i < corner_count; i += 3) {
        const uint32_t a = position_of(lists, corners[i]), b = position_of(lists, corners[i + 1]),
                       c = position_of(lists, corners[i + 2]);
        add_side(lists, a, b);
        add_side(lists, b, c);
        add_side(lists, c, a);
    }
    return GRZ_OK;
}

// True if a list consists of pairs of equal numbers. Reorders the list. For short lists.
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

// The same for a list of any length. `room` has space for 2 · count numbers.
static bool pairs_up_sorted(const uint32_t *list, size_t count, uint64_t *room, grz_control *control)
{
    for (size_t i = 0; i < count; i++)
        room[i] = list[i];
    (void)grz_sort_numbers(room, room + count, count, control); // the control has no limits, so this completes
    for (size_t i = 0; i < count; i += 2)
        if (i + 1 == count || room[i] != room[i + 1])
            return false;
    return true;
}

grz_status grz_edges_are_even(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control, bool *even)
{
    edge_lists lists = {.mesh = mesh, .lowest = lowest, .allocator = grz_control_allocator(control)};
    uint64_t *room = NULL;
    grz_status status = fill(&lists);
    if (status == GRZ_OK && lists.longest > SHORT_LIST) {
        room = grz_allocate(lists.allocator, 2 * lists.longest, sizeof *room);
        status = room != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
    }
    *even = status == GRZ_OK;
    for (size_t v = 0; *even && lists.side_count > 0 && v < mesh->vertex_count; v++) {
        uint32_t *list = lists.uppers + lists.starts[v];
        const size_t count = (size_t)(lists.starts[v + 1] - lists.starts[v]);
        assert(count <= lists.longest);
        *even =
            count <= SHORT_LIST || room == NULL ? pairs_up(list, count) : pairs_up_sorted(list, count, room, control);
    }
    grz_release(lists.allocator, room, 2 * lists.longest, sizeof *room);
    grz_release(lists.allocator, lists.starts, (size_t)mesh->vertex_count + 1, sizeof *lists.starts);
    grz_release(lists.allocator, lists.uppers, lists.side_count, sizeof *lists.uppers);
    return status;
}
