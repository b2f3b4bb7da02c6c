// SPDX-License-Identifier: MIT
// A uniform grid: the mesh's box is cut into cells of equal size, and each cell lists the triangles whose boxes reach
// into it. Fast to build, and fast where triangles are of one size and evenly spread; poor where most of them lie in
// few cells. Source: the space subdivisions of T. Munzner's lecture on collision detection.
// The cell of a coordinate is found by operations that are monotone in it, whatever they round. So two boxes that have
// a point in common have its cell in common, and no triangle is missed.
#include <assert.h>
#include <math.h>

#include "base/control.h"
#include "geometry/functions/functions.h"
#include "space/structures/structure_build.h"

enum {
    CELLS_PER_TRIANGLE = 2,
    COPIES = 6, // so many entries a triangle at most; a grid that needs more is made coarser
    MOST_CELLS = 1 << 27,
    BLOCK = 2
};

typedef struct grz_triangle_grid {
    double min[3];
    double per_unit[3]; // cells in a unit of length; 0: one cell
    uint32_t cells[3];
    uint32_t *starts; // where each cell's list starts in `items`; one more at the end
    uint32_t *items;
    size_t start_count, item_count;
    // Blocks of BLOCK cells along each axis. sums[z][y][x], of one more along each axis, is the number of blocks before
    // (x, y, z) that have triangles: how many there are in a range of blocks is a sum of eight.
    uint32_t blocks[3];
    uint32_t *sums;
    size_t sum_count;
} grz_triangle_grid;

static void release(const grz_mesh *mesh, void *state)
{
    grz_triangle_grid *grid = state;
    grz_release(mesh->allocator, grid->starts, grid->start_count, sizeof *grid->starts);
    grz_release(mesh->allocator, grid->items, grid->item_count, sizeof *grid->items);
    grz_release(mesh->allocator, grid->sums, grid->sum_count, sizeof *grid->sums);
    grz_release(mesh->allocator, grid, 1, sizeof *grid);
}

// The cell that a coordinate is in; one outside the grid is in the nearest cell.
static uint32_t cell_of(const grz_triangle_grid *grid, int axis, double x)
{
    const double place = (x - grid->min[axis]) * grid->per_unit[axis];
    if (!(place > 0.0)) // also 0 · infinity: with one cell
        return 0;
    return place < (double)grid->cells[axis] ? (uint32_t)place : grid->cells[axis] - 1;
}

// Cells, the last included.
typedef struct cell_range {
    uint32_t first[3], last[3];
} cell_range;

static cell_range range_of(const grz_triangle_grid *grid, const grz_box *box)
{
    cell_range range;
    for (int axis = 0; axis < 3; axis++) {
        range.first[axis] = cell_of(grid, axis, box->min[axis]);
        range.last[axis] = cell_of(grid, axis, box->max[axis]);
    }
    return range;
}

static size_t size_of(const cell_range *range)
{
    size_t size = 1;
    for (int axis = 0; axis < 3; axis++)
        size *= (size_t)(range->last[axis] - range->first[axis]) + 1;
    return size;
}

// The side of a box of this volume, all of whose `dimensions` sides are equal.
static double root_of(double volume, int dimensions)
{
    switch (dimensions) {
    case 0:
        return 1.0;
    case 1:
        return volume;
    case 2:
        return sqrt(volume);
    default:
        return grz_cube_root(volume);
    }
}

// Choose how many cells there are along each axis: about `wanted` in all, about as long as wide.
static void choose_cells(grz_triangle_grid *grid, const grz_box *bounds, double wanted)
{
    double extent[3], largest = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        grid->min[axis] = bounds->min[axis];
        extent[axis] = bounds->max[axis] - bounds->min[axis];
        largest = fmax(largest, extent[axis]);
    }
    // The side of a cell, where the largest extent is 1. Flat meshes have one layer of cells.
    double side = 1.0;
    for (int round = 0; round < 3 && largest > 0.0; round++) {
        double volume = 1.0;
        int dimensions = 0;
        for (int axis = 0; axis < 3; axis++)
            if (extent[axis] / largest > side || round == 0) {
                volume *= fmax(extent[axis] / largest, 0x1p-20); // chosen: no mesh is quite flat
                dimensions++;
            }
        side = root_of(volume / wanted, dimensions);
    }
    for (int axis = 0; axis < 3; axis++) {
        const double count = largest > 0.0 ? floor(extent[axis] / largest / side) : 1.0;
        grid->cells[axis] = count > 1.0 ? (uint32_t)fmin(count, wanted) : 1;
        grid->per_unit[axis] = grid->cells[axis] / extent[axis];
        if (grid->cells[axis] == 1 || !isfinite(grid->per_unit[axis])) {
            grid->cells[axis] = 1;
            grid->per_unit[axis] = 0.0;
        }
    }
}

static size_t cell_count(const grz_triangle_grid *grid)
{
    return (size_t)grid->cells[0] * grid->cells[1] * grid->cells[2];
}

static size_t cell_number(const grz_triangle_grid *grid, uint32_t x, uint32_t y, uint32_t z)
{
    return ((size_t)z * grid->cells[1] + y) * grid->cells[0] + x;
}

// Entries of all lists together; more than `most`: too many.
static size_t count_entries(const grz_triangle_grid *grid, const grz_structure_build *build, size_t most)
{
    size_t entries = 0;
    for (uint32_t i = 0; i < build->mesh->triangle_count && entries <= most; i++) {
        const cell_range range = range_of(grid, &build->boxes[i]);
        entries += size_of(&range);
    }
    return entries;
}

// Count the triangles of each cell; or, with `fill`, put them into its list, which is filled from its end. False: the
// control says to end.
static bool visit_cells(grz_triangle_grid *grid, grz_structure_build *build, bool fill)
{
    for (uint32_t i = build->mesh->triangle_count; i-- > 0;) {
        const cell_range range = range_of(grid, &build->boxes[i]);
        if (grz_structure_build_ended(build))
            return false;
        for (uint32_t z = range.first[2]; z <= range.last[2]; z++)
            for (uint32_t y = range.first[1]; y <= range.last[1]; y++)
                for (uint32_t x = range.first[0]; x <= range.last[0]; x++) {
                    uint32_t *start = &grid->starts[cell_number(grid, x, y, z)];
                    if (fill)
                        grid->items[--*start] = i;
                    else
                        ++*start;
                }
    }
    return true;
}

// Choose the cells so that the lists are not too long. Returns the number of their entries; 0: the control says to end.
static size_t choose_grid(grz_triangle_grid *grid, grz_structure_build *build)
{
    const uint32_t triangles = build->mesh->triangle_count;
    const size_t copies = (size_t)COPIES * triangles + 64, most = copies < UINT32_MAX ? copies : UINT32_MAX;
    for (double wanted = fmin((double)CELLS_PER_TRIANGLE * triangles, MOST_CELLS);;) {
        choose_cells(grid, &build->mesh->bounds, fmax(wanted, 1.0));
        const size_t entries = count_entries(grid, build, most);
        if (entries <= most) // one cell has as many as there are triangles
            return entries;
        if (grz_control_expired(build->control))
            return 0;
        assert(wanted > 1.0);
        wanted *= 0.25;
    }
}

static size_t sum_number(const grz_triangle_grid *grid, uint32_t x, uint32_t y, uint32_t z)
{
    return ((size_t)z * (grid->blocks[1] + 1) + y) * (grid->blocks[0] + 1) + x;
}

// The last cell of a block along an axis.
static uint32_t last_cell(const grz_triangle_grid *grid, int axis, uint32_t block)
{
    const uint32_t last = block * BLOCK + (BLOCK - 1);
    return last < grid->cells[axis] ? last : grid->cells[axis] - 1;
}

static bool block_is_empty(const grz_triangle_grid *grid, uint32_t x, uint32_t y, uint32_t z)
{
    for (uint32_t cz = z * BLOCK; cz <= last_cell(grid, 2, z); cz++)
        for (uint32_t cy = y * BLOCK; cy <= last_cell(grid, 1, y); cy++)
            if (grid->starts[cell_number(grid, x * BLOCK, cy, cz)] !=
                grid->starts[cell_number(grid, last_cell(grid, 0, x), cy, cz) + 1])
                return false;
    return true;
}

// Count the blocks that have triangles. False: there is no memory.
static bool sum_blocks(grz_triangle_grid *grid, const grz_allocator *allocator)
{
    grid->sum_count = 1;
    for (int axis = 0; axis < 3; axis++) {
        grid->blocks[axis] = (grid->cells[axis] - 1) / BLOCK + 1;
        grid->sum_count *= (size_t)grid->blocks[axis] + 1;
    }
    grid->sums = grz_allocate_zeroed(allocator, grid->sum_count, sizeof *grid->sums);
    if (grid->sums == NULL)
        return false;
    for (uint32_t z = 0; z < grid->blocks[2]; z++)
        for (uint32_t y = 0; y < grid->blocks[1]; y++) {
            uint32_t row = 0;
            for (uint32_t x = 0; x < grid->blocks[0]; x++) {
                row += !block_is_empty(grid, x, y, z);
                grid->sums[sum_number(grid, x + 1, y + 1, z + 1)] =
                    row + grid->sums[sum_number(grid, x + 1, y, z + 1)] +
                    grid->sums[sum_number(grid, x + 1, y + 1, z)] - grid->sums[sum_number(grid, x + 1, y, z)];
            }
        }
    return true;
}

// True if there is a triangle in blocks first to last.
static bool has_triangles(const grz_triangle_grid *grid, const uint32_t first[3], const uint32_t last[3])
{
    uint32_t sum = 0; // modulo 2^32
    for (unsigned corner = 0; corner < 8; corner++) {
        uint32_t at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = (corner >> axis & 1) != 0 ? last[axis] + 1 : first[axis];
        const uint32_t part = grid->sums[sum_number(grid, at[0], at[1], at[2])];
        sum += (corner == 7 || corner == 1 || corner == 2 || corner == 4) ? part : 0u - part;
    }
    return sum != 0;
}

static bool make(grz_structure_build *build, void *structure)
{
    grz_triangle_grid *grid = structure;
    const size_t entries = choose_grid(grid, build);
    if (entries == 0)
        return false;
    grid->start_count = cell_count(grid) + 1;
    grid->item_count = entries;
    grid->starts = grz_allocate_zeroed(build->allocator, grid->start_count, sizeof *grid->starts);
    grid->items = grz_allocate(build->allocator, entries, sizeof *grid->items);
    if (grid->starts == NULL || grid->items == NULL || !visit_cells(grid, build, false))
        return false;
    for (size_t i = 1; i < grid->start_count; i++)
        grid->starts[i] += grid->starts[i - 1]; // the end of each list
    return visit_cells(grid, build, true) && sum_blocks(grid, build->allocator);
}

static const grz_structure_maker maker = {
    .what = "uniform grid", .size = sizeof(grz_triangle_grid), .make = make, .release = release};

static grz_status prepare(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    return grz_structure_prepare(&maker, mesh, control, state, error);
}

static bool gather(const grz_mesh *mesh, const void *structure, const grz_probe *probe, const grz_allocator *allocator,
                   grz_near_list *near)
{
    const grz_triangle_grid *grid = structure;
    if (!grz_boxes_overlap(&mesh->bounds, &probe->box))
        return true;
    const cell_range range = range_of(grid, &probe->box);
    for (uint32_t z = range.first[2]; z <= range.last[2]; z++)
        for (uint32_t y = range.first[1]; y <= range.last[1]; y++) {
            // The cells of a row are neighbours in memory, and so are their lists.
            const uint32_t *from = grid->starts + cell_number(grid, range.first[0], y, z);
            const uint32_t *to = grid->starts + cell_number(grid, range.last[0], y, z) + 1;
            if (!grz_near_list_append(near, grid->items + *from, *to - *from, allocator))
                return false;
        }
    return true;
}

// What is rounded while cells are found is below 2^-50 of the numbers; 16 times that is taken.
static const double ROUNDING = 0x1p-46;

// Blocks first to last as a part.
static grz_structure_part part_of(const grz_triangle_grid *grid, const grz_mesh *mesh, const uint32_t first[3],
                                  const uint32_t last[3])
{
    grz_structure_part part = {.box = mesh->bounds, .leaf = true};
    for (int axis = 0; axis < 3; axis++) {
        const double min = mesh->bounds.min[axis], max = mesh->bounds.max[axis],
                     rounding = (fabs(min) + fabs(max)) * ROUNDING;
        part.first[axis] = first[axis];
        part.last[axis] = last[axis];
        part.leaf = part.leaf && first[axis] == last[axis];
        if (first[axis] > 0)
            part.box.min[axis] = fmax(min, min + first[axis] * BLOCK / grid->per_unit[axis] - rounding);
        if (last[axis] + 1 < grid->blocks[axis])
            part.box.max[axis] = fmin(max, min + (last[axis] + 1) * BLOCK / grid->per_unit[axis] + rounding);
    }
    return part;
}

// Halve the range of blocks along each axis.
static size_t divide(const grz_mesh *mesh, const void *structure, const grz_structure_part *whole,
                     grz_structure_part parts[GRZ_STRUCTURE_PARTS])
{
    static const uint32_t FIRST[3] = {0, 0, 0};
    const grz_triangle_grid *grid = structure;
    size_t count = 0;
    if (whole == NULL) {
        const uint32_t last[3] = {grid->blocks[0] - 1, grid->blocks[1] - 1, grid->blocks[2] - 1};
        parts[0] = part_of(grid, mesh, FIRST, last);
        return 1;
    }
    for (unsigned half = 0; half < 8; half++) {
        uint32_t first[3], last[3];
        bool there = true;
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t middle = whole->first[axis] + (whole->last[axis] - whole->first[axis]) / 2;
            const bool upper = (half >> axis & 1) != 0;
            there = there && (!upper || middle < whole->last[axis]);
            first[axis] = upper ? middle + 1 : whole->first[axis];
            last[axis] = upper ? whole->last[axis] : middle;
        }
        if (there && has_triangles(grid, first, last))
            parts[count++] = part_of(grid, mesh, first, last);
    }
    return count;
}

const grz_structure_type grz_structure_grid = {.slot = {prepare, release}, .gather = gather, .divide = divide};
