// SPDX-License-Identifier: MIT
// The uniform grid from inside. Boxes of similar size share a level: a dense grid whose cells are at least as large as
// they are. A box is in the cell of its low corner. Entries are sorted by cell, so the cells of a row that a box
// reaches are one run of entries. What has no level is in a tree: few or unbounded boxes of a size, levels that are too
// unevenly filled, and boxes that left their cell after the grid was built.
#ifndef GRZ_SPACE_PAIRS_PAIRS_GRID_H
#define GRZ_SPACE_PAIRS_PAIRS_GRID_H

#include "space/pairs/tree.h"

enum {
    GRZ_GRID_MOST_LEVELS = 12
};

typedef struct grz_grid_level {
    size_t first, count;          // entries
    size_t starts;                // index into grz_grid::starts of its first cell; one more start than cells
    uint32_t cells[3];            // along each axis; cells are numbered x first, then y, then z
    double origin[3], inverse[3]; // a coordinate's cell is (x - origin) * inverse, rounded down
    double reach;                 // no box is longer along any axis
} grz_grid_level;

typedef struct grz_grid {
    grz_tree tree;
    uint32_t level_count; // the finest first
    grz_grid_level levels[GRZ_GRID_MOST_LEVELS];
    GRZ_ARRAY(uint32_t) starts; // of each cell, an entry
    // Entries. A removed one has a box of NaN. There are eight more at the end, so that a vector can be read anywhere.
    GRZ_ARRAY(float) low[3];
    GRZ_ARRAY(float) high[3];
    grz_pairs_ids ids;
    grz_pairs_ids places;        // by id: entry; GRZ_PAIRS_NONE: in the tree, or unknown
    grz_pairs_ids cells, sorted; // scratch
    size_t moved_out, live;
} grz_grid;

static inline uint32_t grz_grid_cell(const grz_grid_level *level, int axis, double x)
{
    const double cell = (x - level->origin[axis]) * level->inverse[axis];
    return cell >= (double)level->cells[axis] ? level->cells[axis] - 1 : cell > 0.0 ? (uint32_t)cell : 0;
}

// The first cell in which a box may start that reaches up to `low`, whatever is rounded.
static inline uint32_t grz_grid_first_cell(const grz_grid_level *level, int axis, double low)
{
    const double from = low - level->reach;
    // 8 roundings of the difference, which has one.
    return grz_grid_cell(level, axis, from - (from < 0.0 ? -from : from) * 0x1p-50);
}

typedef bool grz_grid_joiner(const grz_grid *grid, grz_pairs_join *join);
grz_grid_joiner grz_grid_join_scalar, grz_grid_join_base;
#ifdef GRZ_SIMD_X86
grz_grid_joiner grz_grid_join_avx2, grz_grid_join_avx512;
#endif

typedef bool grz_grid_querier(const grz_grid *grid, const grz_pairs_tools *tools, const grz_pairs_box *box,
                              grz_pairs_ids *ids);
grz_grid_querier grz_grid_query_scalar, grz_grid_query_base;
#ifdef GRZ_SIMD_X86
grz_grid_querier grz_grid_query_avx2, grz_grid_query_avx512;
#endif

#endif
