// SPDX-License-Identifier: MIT
// Makes cells of leaves. A plane that divides one room also cuts others, where no wall lies in it; such leaves become
// one cell again, those with the largest open share first, as long as the cell does not get too many walls.
#include <string.h>

#include "base/sort/sort.h"
#include "level/portals/bsp/bsp_work.h"
#include "level/portals/data/forest.h"

static int compare(const void *x, const void *y, void *context)
{
    const grz_bsp_bond *a = x, *b = y;
    (void)context;
    return (a->share < b->share) - (a->share > b->share);
}

static void join(grz_bsp_work *w, uint32_t *parents)
{
    for (size_t i = 0; i < w->bonds.count; i++) {
        const uint32_t a = grz_forest_root(parents, w->bonds.items[i].leaves[0]),
                       b = grz_forest_root(parents, w->bonds.items[i].leaves[1]);
        const uint64_t walls = (uint64_t)w->leaf_walls[a] + w->leaf_walls[b];
        if (a == b || walls > w->options->cell_faces)
            continue;
        grz_forest_join(parents, a, b);
        w->leaf_walls[grz_forest_root(parents, a)] = (uint32_t)walls;
    }
}

// Openings within a cell go, but for marked ones.
static void renumber_portals(grz_bsp_work *w, const uint32_t *cells)
{
    size_t kept = 0;
    for (size_t i = 0; i < w->openings.count; i++) {
        grz_bsp_opening opening = w->openings.items[i];
        uint32_t *of = opening.portal.cells;
        for (int j = 0; j < 2; j++)
            of[j] = of[j] == GRZ_PORTALS_OUTSIDE ? of[j] : cells[of[j] - 1];
        if (of[0] != of[1] || opening.portal.face != UINT32_MAX)
            w->openings.items[kept++] = opening;
    }
    w->openings.count = kept;
}

static void renumber(grz_bsp_work *w, const uint32_t *cells, grz_cell_pairs *pairs)
{
    grz_portals *level = w->level;
    renumber_portals(w, cells);
    for (size_t i = 0; i < level->nodes.count; i++)
        if (level->nodes.items[i].children == 0)
            level->nodes.items[i].cell = cells[w->seams_of.items[i].leaf];
    for (size_t i = 0; i < pairs->all.count; i++) {
        const uint64_t pair = pairs->all.items[i], cell = pair >> 32;
        if (cell != GRZ_PORTALS_OUTSIDE)
            pairs->all.items[i] = (uint64_t)cells[cell - 1] << 32 | (pair & UINT32_MAX);
    }
}

bool grz_bsp_merge(grz_bsp_work *w, grz_cell_pairs *pairs)
{
    grz_portals *level = w->level;
    const size_t count = w->leaves.count;
    uint32_t *parents = grz_allocate(w->allocator, count, sizeof *parents);
    uint32_t *cells = grz_allocate(w->allocator, count, sizeof *cells);
    grz_status status = parents != NULL && cells != NULL ? grz_sort(w->bonds.items, w->bonds.count,
                                                                    sizeof *w->bonds.items, compare, NULL, w->control)
                                                         : GRZ_ERROR_MEMORY;
    if (status == GRZ_OK) {
        grz_forest_init(parents, count);
        join(w, parents);
        level->cell_count = 1;
        for (uint32_t i = 0; i < count; i++) { // roots are the lowest of their leaves
            const uint32_t root = grz_forest_root(parents, i);
            cells[i] = root == i ? level->cell_count++ : cells[root];
        }
        renumber(w, cells, pairs);
        level->cells = grz_allocate_zeroed(w->allocator, level->cell_count, sizeof *level->cells);
        status = level->cells != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < level->cell_count && status == GRZ_OK; i++)
        level->cells[i].box = i == GRZ_PORTALS_OUTSIDE ? level->box : grz_box_empty();
    for (size_t i = 0; i < count && status == GRZ_OK; i++)
        grz_box_add_box(&level->cells[cells[i]].box, &w->leaf_boxes[i]);
    grz_release(w->allocator, parents, count, sizeof *parents);
    grz_release(w->allocator, cells, count, sizeof *cells);
    return status == GRZ_OK || grz_bsp_fail(w, status);
}
