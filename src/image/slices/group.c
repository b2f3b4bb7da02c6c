// SPDX-License-Identifier: MIT
// Groups tiles into collision volumes: neighbouring tiles whose slices overlap or are adjacent are one volume. If
// there are more volumes than wanted, each further one joins the volume whose box stays smallest. Source: J.
// Dinerstein, P. Egbert, section 3.1.1, for the volume of all cells.
#include "image/slices/slices.h"

#include <assert.h>

static uint32_t root_of(uint32_t *parent, uint32_t tile)
{
    while (parent[tile] != tile) {
        parent[tile] = parent[parent[tile]];
        tile = parent[tile];
    }
    return tile;
}

// True if both tiles have cells, and their slices overlap or are adjacent.
static bool belong_together(const grz_tile *a, const grz_tile *b)
{
    return a->cells > 0 && b->cells > 0 && a->least[2] <= b->last[2] + 1 && b->least[2] <= a->last[2] + 1;
}

static void join_neighbours(const grz_tile *tiles, uint32_t across, uint32_t *parent)
{
    for (uint32_t y = 0; y < across; y++)
        for (uint32_t x = 0; x < across; x++) {
            const uint32_t here = y * across + x;
            for (uint32_t next = 0; next < 4; next++) { // the neighbour to the right, and the three below
                const uint32_t to_x = x + (next == 0 || next == 3) - (next == 1), to_y = y + (next > 0);
                if (to_x >= across || to_y >= across) // unsigned: also left of column 0
                    continue;
                const uint32_t there = to_y * across + to_x;
                if (belong_together(&tiles[here], &tiles[there]))
                    parent[root_of(parent, there)] = root_of(parent, here);
            }
        }
}

static void add(grz_slices_found *to, const grz_slices_found *from)
{
    for (int i = 0; i < 3; i++) {
        if (to->cells == 0 || from->least[i] < to->least[i])
            to->least[i] = from->least[i];
        if (to->cells == 0 || from->last[i] > to->last[i])
            to->last[i] = from->last[i];
    }
    to->cells += from->cells;
}

static grz_slices_found found_of(const grz_tile *tile)
{
    assert(tile->cells > 0); // else the other words have no meaning
    return (grz_slices_found){
        tile->cells, {tile->least[0], tile->least[1], tile->least[2]}, {tile->last[0], tile->last[1], tile->last[2]}};
}

// The number of cells in the box around two groups.
static double common_size(const grz_slices_found *a, const grz_slices_found *b)
{
    grz_slices_found both = *a;
    double size = 1.0;
    add(&both, b);
    for (int i = 0; i < 3; i++)
        size *= (double)both.last[i] - (double)both.least[i] + 1.0;
    return size;
}

uint32_t grz_slices_group(const grz_tile *tiles, uint32_t across, uint32_t most, const grz_allocator *allocator,
                          grz_slices_found *groups, bool *has_memory)
{
    const uint32_t count = across * across;
    uint32_t group_count = 0;
    *has_memory = true;
    if (most <= 1) {
        grz_slices_found all = {.cells = 0};
        for (uint32_t i = 0; i < count; i++)
            if (tiles[i].cells > 0) {
                const grz_slices_found found = found_of(&tiles[i]);
                add(&all, &found);
            }
        groups[0] = all;
        return all.cells > 0;
    }
    uint32_t *parent = grz_allocate(allocator, count, 2 * sizeof *parent);
    *has_memory = parent != NULL;
    if (parent == NULL)
        return 0;
    uint32_t *group = parent + count; // the number of a root's group
    for (uint32_t i = 0; i < count; i++) {
        parent[i] = i;
        group[i] = UINT32_MAX;
    }
    join_neighbours(tiles, across, parent);
    for (uint32_t i = 0; i < count; i++) {
        if (tiles[i].cells == 0)
            continue;
        const uint32_t root = root_of(parent, i);
        const grz_slices_found found = found_of(&tiles[i]);
        if (group[root] == UINT32_MAX) {
            if (group_count == most) {
                // No room for one more: it joins the group that grows the least.
                uint32_t best = 0;
                for (uint32_t j = 1; j < most; j++)
                    if (common_size(&groups[j], &found) < common_size(&groups[best], &found))
                        best = j;
                group[root] = best;
            } else {
                group[root] = group_count;
                groups[group_count++] = (grz_slices_found){.cells = 0};
            }
        }
        assert(group[root] < group_count);
        add(&groups[group[root]], &found);
    }
    grz_release(allocator, parent, count, 2 * sizeof *parent);
    return group_count;
}
