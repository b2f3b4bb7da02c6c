// SPDX-License-Identifier: MIT
// Builds and changes the uniform grid. Levels differ by a factor of four in size. Boxes of a size get a level if they
// are spread evenly enough; all others go into the tree (pairs_grid.h). Sources: C. Ericson, "Real-Time Collision
// Detection" (2005), 7.1 and 7.2, for grids and hierarchical grids.
#include "space/pairs/pairs_grid.h"

#include "base/rounding.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum {
    CLASSES = 512,       // of sizes, half an octave each
    CLASSES_A_LEVEL = 4, // sizes within a factor of four share a level
    LEAST_IN_LEVEL = 64, // a largest class of a level with fewer boxes goes into the tree,
    FEW_LARGE = 32,      // also one with fewer than this part of the level's boxes
    MOST_CROWDED = 24,   // a level with more other boxes in a box's cell, on average, goes into the tree
    CELLS_A_BOX = 2,     // the most cells, but for SPARE_CELLS
    SPARE_CELLS = 64,
    LANES = 8,
    AHEAD = 12
};

static void finish(void *state, const grz_allocator *allocator)
{
    grz_grid *grid = state;
    grz_pairs_tree.finish(&grid->tree, allocator);
    grz_array_finish(allocator, &grid->starts);
    for (int axis = 0; axis < 3; axis++) {
        grz_array_finish(allocator, &grid->low[axis]);
        grz_array_finish(allocator, &grid->high[axis]);
    }
    grz_array_finish(allocator, &grid->ids);
    grz_array_finish(allocator, &grid->places);
    grz_array_finish(allocator, &grid->cells);
    grz_array_finish(allocator, &grid->sorted);
}

static bool grow(void *state, const grz_pairs_tools *tools, size_t ids_end)
{
    grz_grid *grid = state;
    if (!grz_array_reserve(tools->allocator, &grid->places, ids_end) ||
        !grz_pairs_tree.grow(&grid->tree, tools, ids_end))
        return false;
    for (; grid->places.count < ids_end; grid->places.count++)
        grid->places.items[grid->places.count] = (uint32_t)GRZ_PAIRS_NONE;
    return true;
}

static float longest_edge(const grz_pairs_box *box)
{
    float longest = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        const float edge = box->high[axis] - box->low[axis];
        longest = edge > longest ? edge : longest;
    }
    return longest;
}

// The class of a box, larger for larger ones: the exponent of its longest edge and one more bit. CLASSES: it is
// unbounded.
static int class_of(const grz_pairs_box *box)
{
    const float longest = longest_edge(box);
    for (int axis = 0; axis < 3; axis++) // chosen, as FARTHEST in tree.c
        if (!(fabsf(box->low[axis]) < 0x1p100f) || !(fabsf(box->high[axis]) < 0x1p100f))
            return CLASSES;
    uint32_t bits;
    memcpy(&bits, &longest, sizeof bits);
    return (int)(bits >> 22);
}

// Which class each class is put into: the largest of its level, or CLASSES: the tree. A few boxes that are larger than
// the others do not make the others' cells larger: they go into the tree.
static void choose_classes(const size_t counts[CLASSES + 1], int into[CLASSES + 1])
{
    int levels = 0;
    for (int class = 0; class <= CLASSES; class ++)
        into[class] = CLASSES;
    for (int class = CLASSES - 1; class >= 0 && levels < GRZ_GRID_MOST_LEVELS;) {
        const int last = class >= CLASSES_A_LEVEL ? class - CLASSES_A_LEVEL + 1 : 0;
        size_t together = 0;
        for (int smaller = class; smaller >= last; smaller--)
            together += counts[smaller];
        if (counts[class] < LEAST_IN_LEVEL || counts[class] * FEW_LARGE < together) {
            class --;
            continue;
        }
        for (int smaller = class; smaller >= last; smaller--)
            into[smaller] = class;
        class = last - 1;
        levels++;
    }
}

// Choose the cells of a level for the objects sorted[first … end - 1].
static void choose_cells(grz_grid_level *level, const grz_pairs_box *boxes, const uint32_t *ids, size_t count)
{
    double least[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, most[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    level->reach = 0.0;
    for (size_t i = 0; i < count; i++) {
        const grz_pairs_box *box = &boxes[ids[i]];
        for (int axis = 0; axis < 3; axis++) {
            const double low = (double)box->low[axis], edge = (double)box->high[axis] - low;
            least[axis] = low < least[axis] ? low : least[axis];
            most[axis] = low > most[axis] ? low : most[axis];
            level->reach = edge > level->reach ? edge : level->reach;
        }
    }
    level->reach *= GRZ_MORE(8);
    double edge = level->reach > 0.0 ? level->reach : DBL_MIN;
    for (;;) {
        double product = 1.0;
        for (int axis = 0; axis < 3; axis++)
            product *= floor((most[axis] - least[axis]) / edge) + 1.0;
        if (product <= (double)(CELLS_A_BOX * count + SPARE_CELLS))
            break;
        edge *= product > 1e3 * (double)count ? 8.0 : 1.125;
    }
    for (int axis = 0; axis < 3; axis++) {
        level->origin[axis] = least[axis];
        level->inverse[axis] = 1.0 / edge < DBL_MAX ? 1.0 / edge : 0.0;
        level->cells[axis] = (uint32_t)(floor((most[axis] - least[axis]) / edge) + 1.0);
    }
}

static uint32_t cell_of_box(const grz_grid_level *level, const grz_pairs_box *box)
{
    return (grz_grid_cell(level, 2, (double)box->low[2]) * level->cells[1] +
            grz_grid_cell(level, 1, (double)box->low[1])) *
               level->cells[0] +
           grz_grid_cell(level, 0, (double)box->low[0]);
}

static void set_entry(grz_grid *grid, size_t entry, const grz_pairs_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        grid->low[axis].items[entry] = box->low[axis];
        grid->high[axis].items[entry] = box->high[axis];
    }
}

// Make a level of these objects. `made` receives whether it is evenly enough filled. False: there is no memory, or the
// control says to end.
static bool make_level(grz_grid *grid, const grz_pairs_tools *tools, const grz_pairs_box *boxes, const uint32_t *ids,
                       size_t count, size_t first, bool *made)
{
    grz_grid_level *level = &grid->levels[grid->level_count];
    *level = (grz_grid_level){.first = first, .count = count, .starts = grid->starts.count};
    choose_cells(level, boxes, ids, count);
    const size_t cells = (size_t)level->cells[0] * level->cells[1] * level->cells[2];
    *made = false;
    if (!grz_array_reserve(tools->allocator, &grid->starts, grid->starts.count + cells + 1))
        return false;
    uint32_t *starts = grid->starts.items + level->starts;
    memset(starts, 0, (cells + 1) * sizeof *starts);
    for (size_t i = 0; i < count; i++) {
        if (grz_pairs_expired(tools, i, 16))
            return false;
        const uint32_t cell = cell_of_box(level, &boxes[ids[i]]);
        grid->cells.items[i] = cell;
        starts[cell]++;
    }
    double crowd = 0.0;
    uint32_t start = (uint32_t)first;
    for (size_t cell = 0; cell <= cells; cell++) {
        const uint32_t size = starts[cell];
        crowd += (double)size * (double)size;
        starts[cell] = start;
        start += size;
    }
    if (crowd > (double)(MOST_CROWDED + 1) * (double)count)
        return true;
    for (size_t i = 0; i < count; i++)
        grid->ids.items[starts[grid->cells.items[i]]++] = ids[i];
    for (size_t cell = cells; cell > 0; cell--)
        starts[cell] = starts[cell - 1];
    starts[0] = (uint32_t)first;
    for (size_t entry = first; entry < first + count; entry++) {
#if defined(__GNUC__)
        if (entry + AHEAD < first + count)
            __builtin_prefetch(&boxes[grid->ids.items[entry + AHEAD]]);
#endif
        const uint32_t id = grid->ids.items[entry];
        set_entry(grid, entry, &boxes[id]);
        grid->places.items[id] = (uint32_t)entry;
    }
    grid->starts.count += cells + 1;
    grid->level_count++;
    *made = true;
    return true;
}

static bool reserve_entries(grz_grid *grid, const grz_pairs_tools *tools, size_t count)
{
    for (int axis = 0; axis < 3; axis++)
        if (!grz_array_reserve(tools->allocator, &grid->low[axis], count + LANES) ||
            !grz_array_reserve(tools->allocator, &grid->high[axis], count + LANES))
            return false;
    return grz_array_reserve(tools->allocator, &grid->ids, count + LANES) &&
           grz_array_reserve(tools->allocator, &grid->cells, count + 1) &&
           grz_array_reserve(tools->allocator, &grid->sorted, count + 1);
}

// Sort the objects by class into `sorted`. ends: where each class ends.
static void sort_by_class(grz_grid *grid, const grz_pairs_box *boxes, const uint32_t *ids, size_t count,
                          size_t ends[CLASSES + 1])
{
    size_t counts[CLASSES + 1] = {0};
    int into[CLASSES + 1];
    for (size_t i = 0; i < count; i++)
        counts[class_of(&boxes[ids[i]])]++;
    choose_classes(counts, into);
    memset(ends, 0, (CLASSES + 1) * sizeof *ends);
    for (int class = 0; class <= CLASSES; class ++)
        ends[into[class]] += counts[class];
    size_t start = 0;
    for (int class = 0; class <= CLASSES; class ++) {
        const size_t size = ends[class];
        ends[class] = start;
        start += size;
    }
    for (size_t i = 0; i < count; i++)
        grid->sorted.items[ends[into[class_of(&boxes[ids[i]])]]++] = ids[i];
}

static bool build(void *state, const grz_pairs_tools *tools, const grz_pairs_box *boxes, const uint32_t *ids,
                  size_t count, size_t ids_end)
{
    grz_grid *grid = state;
    grid->places.count = grid->starts.count = 0;
    grid->level_count = 0;
    grid->moved_out = 0;
    grid->live = count;
    grz_pairs_ids *rest = &grid->ids; // objects for the tree are collected at the end of `sorted`
    if (!reserve_entries(grid, tools, count) || !grow(grid, tools, ids_end))
        return false;
    size_t ends[CLASSES + 1], entries = 0, left = 0;
    sort_by_class(grid, boxes, ids, count, ends);
    for (int class = 0; class <= CLASSES; class ++) {
        const size_t first = class > 0 ? ends[class - 1] : 0, size = ends[class] - first;
        bool made = false;
        if (size > 0 && class < CLASSES &&
            !make_level(grid, tools, boxes, grid->sorted.items + first, size, entries, &made))
            return false;
        if (made) {
            entries += size;
        } else { // it moves to the front, over what is done with
            memmove(grid->sorted.items + left, grid->sorted.items + first, size * sizeof *grid->sorted.items);
            left += size;
        }
    }
    const grz_pairs_box none = {{nanf(""), nanf(""), nanf(""), nanf("")}, {nanf(""), nanf(""), nanf(""), nanf("")}};
    for (size_t entry = entries; entry < entries + LANES; entry++) {
        set_entry(grid, entry, &none);
        rest->items[entry] = 0;
    }
    return grz_pairs_tree.build(&grid->tree, tools, boxes, grid->sorted.items, left, ids_end);
}

static const grz_grid_level *level_of(const grz_grid *grid, size_t entry)
{
    uint32_t level = 0;
    while (entry >= grid->levels[level].first + grid->levels[level].count) {
        level++;
        assert(level < grid->level_count);
    }
    return &grid->levels[level];
}

// Take an object out of its cell.
static void clear_entry(grz_grid *grid, uint32_t id)
{
    const grz_pairs_box none = {{nanf(""), nanf(""), nanf(""), nanf("")}, {nanf(""), nanf(""), nanf(""), nanf("")}};
    set_entry(grid, grid->places.items[id], &none);
    grid->places.items[id] = (uint32_t)GRZ_PAIRS_NONE;
    grid->moved_out++;
}

static bool set(void *state, const grz_pairs_tools *tools, uint32_t id, const grz_pairs_box *box)
{
    grz_grid *grid = state;
    const uint32_t entry = grid->places.items[id];
    if (entry != (uint32_t)GRZ_PAIRS_NONE) {
        const grz_grid_level *level = level_of(grid, entry);
        const uint32_t cell = cell_of_box(level, box);
        const uint32_t *starts = grid->starts.items + level->starts;
        double edge = 0.0;
        for (int axis = 0; axis < 3; axis++)
            edge = fmax(edge, (double)box->high[axis] - (double)box->low[axis]);
        if (starts[cell] <= entry && entry < starts[cell + 1] && edge * GRZ_MORE(8) <= level->reach) {
            set_entry(grid, entry, box);
            return true;
        }
        clear_entry(grid, id);
    }
    return grz_tree_set(&grid->tree, tools, id, box);
}

static void remove_object(void *state, uint32_t id)
{
    grz_grid *grid = state;
    if (grid->places.items[id] != (uint32_t)GRZ_PAIRS_NONE)
        clear_entry(grid, id);
    else
        grz_tree_remove(&grid->tree, id);
}

static bool worn(const void *state)
{
    const grz_grid *grid = state;
    return grid->moved_out > grid->live / 4 + 64 || grid->tree.changes > 4 * grid->live + 64 ||
           grid->tree.live > 2 * grid->tree.built_live + grid->live / 4 + 64;
}

static bool join(const void *state, grz_pairs_join *join)
{
    return GRZ_SIMD_PICK(join->tools->simd, grz_grid_join)(state, join);
}

static bool query(const void *state, const grz_pairs_tools *tools, const grz_pairs_box *box, grz_pairs_ids *ids)
{
    const grz_grid *grid = state;
    return GRZ_SIMD_PICK(tools->simd, grz_grid_query)(grid, tools, box, ids) &&
           (grid->tree.live == 0 || grz_pairs_tree.query(&grid->tree, tools, box, ids));
}

const grz_pairs_finder_type grz_pairs_grid = {.name = "uniform grid",
                                              .size = sizeof(grz_grid),
                                              .finish = finish,
                                              .build = build,
                                              .grow = grow,
                                              .join = join,
                                              .set = set,
                                              .remove = remove_object,
                                              .query = query,
                                              .worn = worn};
