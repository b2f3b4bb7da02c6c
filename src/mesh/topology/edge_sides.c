// SPDX-License-Identifier: MIT
#include "mesh/topology/edge_sides.h"

#include "base/sort/sort.h"

static int compare(const void *x, const void *y, void *context)
{
    const grz_edge_side *a = x, *b = y;
    (void)context;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

uint64_t grz_edge_sides_list(const grz_mesh *mesh, const uint32_t *lowest, grz_edge_side *sides)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < 3 * (uint64_t)mesh->triangle_count; i++) {
        const uint32_t from = lowest[mesh->triangles[i]], to = lowest[mesh->triangles[grz_edge_side_next(i)]];
        if (from != to)
            sides[count++] = (grz_edge_side){from < to ? from : to, from < to ? to : from, i};
    }
    return count;
}

grz_status grz_edge_sides_sort(grz_edge_side *sides, uint64_t count, grz_control *control)
{
    return grz_sort(sides, count, sizeof *sides, compare, NULL, control);
}
