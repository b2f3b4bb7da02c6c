// SPDX-License-Identifier: MIT
// Walks the uniform grid: all pairs of boxes that overlap, or all boxes that overlap one. Entries of neighbouring cells
// of a row follow each other, so a box is compared with a run of entries, eight at a time. The build compiles this file
// once for each SIMD width.
#include <assert.h>

#include "base/lanes.h"
#include "base/simd.h"
#include "space/pairs/pairs_grid.h"

enum {
    CHECK_BITS = 12, // runs between two checks of the control, as a power of two
    LANES = 8
};

// A box that entries are compared with.
typedef struct probe {
    grz_f32x8 low[3], high[3];
    grz_pairs_box box;
    uint32_t id;
} probe;

static inline probe probe_of(const grz_pairs_box *box, uint32_t id)
{
    probe p = {.box = *box, .id = id};
    for (int axis = 0; axis < 3; axis++) {
        p.low[axis] = grz_f32x8_splat(box->low[axis]);
        p.high[axis] = grz_f32x8_splat(box->high[axis]);
    }
    return p;
}

// Which of eight entries from `at` on, of which the first `count` matter, overlap the probe.
static inline uint32_t overlapping(const grz_grid *grid, const probe *p, size_t at, size_t count)
{
    grz_mask8 all = grz_mask8_and(grz_f32x8_less_equal(grz_f32x8_load(grid->low[0].items + at), p->high[0]),
                                  grz_f32x8_less_equal(p->low[0], grz_f32x8_load(grid->high[0].items + at)));
    for (int axis = 1; axis < 3; axis++)
        all = grz_mask8_and(
            all, grz_mask8_and(grz_f32x8_less_equal(grz_f32x8_load(grid->low[axis].items + at), p->high[axis]),
                               grz_f32x8_less_equal(p->low[axis], grz_f32x8_load(grid->high[axis].items + at))));
    return grz_mask8_bits(all) & (count < LANES ? (1u << count) - 1u : 0xffu);
}

// As in tree_lanes.c: where floats differ, they decide; rounding keeps the order.
static inline bool overlap_exactly(const grz_pairs_join *join, const grz_grid *grid, const probe *p, size_t entry)
{
    bool strictly = true;
    for (int axis = 0; axis < 3; axis++)
        strictly = strictly & (p->box.low[axis] < grid->high[axis].items[entry]) &
                   (grid->low[axis].items[entry] < p->box.high[axis]);
    return strictly || grz_boxes_overlap(&join->exact[p->id], &join->exact[grid->ids.items[entry]]);
}

// The pairs of the probe with the entries from `at` on, before `end`.
static inline bool join_run(const grz_grid *grid, grz_pairs_join *join, const probe *p, size_t at, size_t end)
{
    if (at >= end)
        return true;
    if (grz_pairs_expired(join->tools, join->steps++, CHECK_BITS) ||
        !grz_array_reserve(join->tools->allocator, join->found, join->found->count + (end - at)))
        return false;
    uint64_t *to = join->found->items + join->found->count;
    for (; at < end; at += LANES)
        for (uint32_t bits = overlapping(grid, p, at, end - at); bits != 0; bits &= bits - 1) {
            const size_t entry = at + (size_t)__builtin_ctz(bits);
            *to = grz_pairs_number(p->id, grid->ids.items[entry], join->bits);
            to += join->exact == NULL || overlap_exactly(join, grid, p, entry);
        }
    join->found->count = (size_t)(to - join->found->items);
    return true;
}

// The pairs of the probe with all entries of a level.
static bool join_level(const grz_grid *grid, grz_pairs_join *join, const grz_grid_level *level, const probe *p)
{
    const uint32_t *starts = grid->starts.items + level->starts;
    uint32_t first[3], last[3];
    for (int axis = 0; axis < 3; axis++) {
        first[axis] = grz_grid_first_cell(level, axis, (double)p->box.low[axis]);
        last[axis] = grz_grid_cell(level, axis, (double)p->box.high[axis]);
    }
    for (uint32_t z = first[2]; z <= last[2]; z++)
        for (uint32_t y = first[1]; y <= last[1]; y++) {
            const size_t row = ((size_t)z * level->cells[1] + y) * level->cells[0];
            if (!join_run(grid, join, p, starts[row + first[0]], starts[row + last[0] + 1]))
                return false;
        }
    return true;
}

static inline grz_pairs_box entry_box(const grz_grid *grid, size_t entry)
{
    return (grz_pairs_box){{grid->low[0].items[entry], grid->low[1].items[entry], grid->low[2].items[entry], -1.0f},
                           {grid->high[0].items[entry], grid->high[1].items[entry], grid->high[2].items[entry], 1.0f}};
}

// The pairs of an entry with those behind it in its level: the rest of its own row, the rows after it in its layer, the
// layers after it. In those every low corner is at or above the entry's own along y or z.
static inline bool join_behind(const grz_grid *grid, grz_pairs_join *join, const grz_grid_level *level, size_t entry,
                               uint32_t y, uint32_t z)
{
    const uint32_t *starts = grid->starts.items + level->starts;
    const grz_pairs_box box = entry_box(grid, entry);
    const probe p = probe_of(&box, grid->ids.items[entry]);
    const uint32_t from_x = grz_grid_first_cell(level, 0, (double)box.low[0]),
                   to_x = grz_grid_cell(level, 0, (double)box.high[0]),
                   from_y = grz_grid_first_cell(level, 1, (double)box.low[1]),
                   to_y = grz_grid_cell(level, 1, (double)box.high[1]),
                   to_z = grz_grid_cell(level, 2, (double)box.high[2]);
    const size_t own = ((size_t)z * level->cells[1] + y) * level->cells[0];
    if (!join_run(grid, join, &p, entry + 1, starts[own + to_x + 1]))
        return false;
    for (uint32_t layer = z; layer <= to_z; layer++)
        for (uint32_t row_y = layer == z ? y + 1 : from_y; row_y <= to_y; row_y++) {
            const size_t row = ((size_t)layer * level->cells[1] + row_y) * level->cells[0];
            if (!join_run(grid, join, &p, starts[row + from_x], starts[row + to_x + 1]))
                return false;
        }
    return true;
}

// The pairs of two entries of a level, and of its entries with those of finer levels.
static bool join_entries(const grz_grid *grid, grz_pairs_join *join, uint32_t which)
{
    const grz_grid_level *level = &grid->levels[which];
    const uint32_t *starts = grid->starts.items + level->starts;
    size_t row = 0;
    for (uint32_t z = 0; z < level->cells[2]; z++)
        for (uint32_t y = 0; y < level->cells[1]; y++, row += level->cells[0])
            for (size_t entry = starts[row]; entry < starts[row + level->cells[0]]; entry++) {
                if (!join_behind(grid, join, level, entry, y, z))
                    return false;
                if (which == 0)
                    continue;
                const grz_pairs_box box = entry_box(grid, entry);
                const probe p = probe_of(&box, grid->ids.items[entry]);
                for (uint32_t finer = 0; finer < which; finer++)
                    if (!join_level(grid, join, &grid->levels[finer], &p))
                        return false;
            }
    return true;
}

bool GRZ_OF_WIDTH(grz_grid_join)(const grz_grid *grid, grz_pairs_join *join)
{
    for (uint32_t level = 0; level < grid->level_count; level++)
        if (!join_entries(grid, join, level))
            return false;
    if (grid->tree.live == 0)
        return true;
    for (size_t n = 0; n < grid->tree.nodes.count; n++) {
        const grz_tree_node *node = &grid->tree.nodes.items[n];
        for (uint32_t lane = 0; node->height == 0 && lane < node->count; lane++) {
            const grz_pairs_box box = {{node->low[0][lane], node->low[1][lane], node->low[2][lane], -1.0f},
                                       {node->high[0][lane], node->high[1][lane], node->high[2][lane], 1.0f}};
            const probe p = probe_of(&box, node->child[lane]);
            for (uint32_t level = 0; level < grid->level_count; level++)
                if (!join_level(grid, join, &grid->levels[level], &p))
                    return false;
        }
    }
    return GRZ_OF_WIDTH(grz_tree_join)(&grid->tree, join);
}

bool GRZ_OF_WIDTH(grz_grid_query)(const grz_grid *grid, const grz_pairs_tools *tools, const grz_pairs_box *box,
                                  grz_pairs_ids *ids)
{
    const probe p = probe_of(box, 0);
    for (uint32_t which = 0; which < grid->level_count; which++) {
        const grz_grid_level *level = &grid->levels[which];
        const uint32_t *starts = grid->starts.items + level->starts;
        uint32_t first[3], last[3];
        for (int axis = 0; axis < 3; axis++) {
            first[axis] = grz_grid_first_cell(level, axis, (double)box->low[axis]);
            last[axis] = grz_grid_cell(level, axis, (double)box->high[axis]);
        }
        for (uint32_t z = first[2]; z <= last[2]; z++)
            for (uint32_t y = first[1]; y <= last[1]; y++) {
                const size_t row = ((size_t)z * level->cells[1] + y) * level->cells[0];
                const size_t end = starts[row + last[0] + 1];
                size_t at = starts[row + first[0]];
                if (!grz_array_reserve(tools->allocator, ids, ids->count + (end - at) + 1))
                    return false;
                for (; at < end; at += LANES)
                    for (uint32_t bits = overlapping(grid, &p, at, end - at); bits != 0; bits &= bits - 1)
                        ids->items[ids->count++] = grid->ids.items[at + (size_t)__builtin_ctz(bits)];
            }
    }
    return true;
}
