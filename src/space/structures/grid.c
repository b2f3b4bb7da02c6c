// SPDX-License-Identifier: MIT
// A uniform grid: the mesh's box is cut into cells of equal size, and each cell lists the triangles whose boxes reach
// into it. Fast to build, and fast where triangles are of one size and evenly spread; poor where most of them lie in
// few cells. Source: the space subdivisions of T. Munzner's lecture on collision detection.
// The cell of a coordinate is found by operations that are monotone in it, whatever they round. So two boxes that have
// a point in common have its cell in common, and no triangle is missed.
#include <assert.h>
#include <math.h>

#include "space/structures/build.h"

enum {
    CELLS_PER_TRIANGLE = 2,
    COPIES = 6, // so many entries a triangle at most; a grid that needs more is made coarser
    MOST_CELLS = 1 << 27
};

typedef struct grz_triangle_grid {
    double min[3];
    double per_unit[3]; // cells in a unit of length; 0: one cell
    uint32_t cells[3];
    uint32_t *starts; // where each cell's list starts in `items`; one more at the end
    uint32_t *items;
    size_t start_count, item_count;
} grz_triangle_grid;

static void release(const grz_mesh *mesh, void *state)
{
    grz_triangle_grid *grid = state;
    grz_release(mesh->allocator, grid->starts, grid->start_count, sizeof *grid->starts);
    grz_release(mesh->allocator, grid->items, grid->item_count, sizeof *grid->items);
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
                volume *= fmax(extent[axis] / largest, 0x1p-20);
                dimensions++;
            }
        side = dimensions == 0 ? 1.0 : pow(volume / wanted, 1.0 / dimensions);
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
    const size_t wished = (size_t)COPIES * triangles + 64, most = wished < UINT32_MAX ? wished : UINT32_MAX;
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
    return visit_cells(grid, build, true);
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

const grz_structure_type grz_structure_grid = {.slot = {prepare, release}, .gather = gather};
