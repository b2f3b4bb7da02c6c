// SPDX-License-Identifier: MIT
// Triangles in the order of a space-filling curve, and cells of it: runs of neighbours that are cut as one until nothing else is
// left to cut, so that the upper levels of a tree cost little. Source: C. Lauterbach et al., "Fast BVH construction on GPUs" (2009)
// for the order; I. Wald, "Fast construction of SAH BVHs on the Intel MIC architecture" (2012) for cutting groups first.
#include <string.h>

#include "base/device.h"
#include "space/bvh_parts.h"
#include "space/morton.h"

enum {
    AXIS_BITS = 10, // of a code, for each axis
    DIGIT_BITS = 10,
    DIGITS = 1 << DIGIT_BITS,
    PASSES = 3 * AXIS_BITS / DIGIT_BITS,
    BLOCK = 1 << 14 // triangles of a task, and between two looks at the control
};

// A triangle by its place on the curve.
typedef struct grz_curve_place {
    uint32_t code, triangle;
} grz_curve_place;

// The place of a box's middle; `scale` makes twice the tree's coordinates cells.
static uint32_t code_of(const grz_float_box *box, float scale)
{
    const float cells = (float)(1 << AXIS_BITS);
    float place[4];
    uint32_t code = 0;
    grz_quad_store(
        place, grz_quad_add(grz_quad_multiply(grz_quad_add(box->min, box->max), grz_quad_all(scale)), grz_quad_all(0.5f * cells)));
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t cell = place[axis] > 0.0f ? (uint32_t)(place[axis] < cells - 1.0f ? place[axis] : cells - 1.0f) : 0;
        code |= grz_morton_spread(cell) << axis;
    }
    return code;
}

// One pass of a sort by digits, lowest first.
static void sort_by_digit(const grz_curve_place *from, grz_curve_place *to, uint32_t count, unsigned shift)
{
    uint32_t next[DIGITS] = {0}, sum = 0;
    for (uint32_t i = 0; i < count; i++)
        next[from[i].code >> shift & (DIGITS - 1)]++;
    for (uint32_t digit = 0; digit < DIGITS; digit++) {
        const uint32_t here = next[digit];
        next[digit] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < count; i++)
        to[next[from[i].code >> shift & (DIGITS - 1)]++] = from[i];
}

// The end of the first part of a run of sorted codes, cut where their highest differing bit changes.
static uint32_t end_of_first_part(const grz_curve_place *places, uint32_t first, uint32_t end)
{
    const uint32_t differing = places[first].code ^ places[end - 1].code, bit = 1u << (31 - __builtin_clz(differing));
    uint32_t low = first, high = end - 1; // the bit is 0 at low, 1 at high
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if ((places[middle].code & bit) != 0)
            high = middle;
        else
            low = middle;
    }
    return high;
}

// Cut the sorted places into cells of at most GRZ_BVH_CELL triangles, and larger ones where codes are equal. Returns their number;
// `cells`, if it is not NULL, receives their first places and counts.
static uint32_t cut_cells(const grz_curve_place *places, uint32_t count, grz_item *cells)
{
    uint32_t ends[3 * AXIS_BITS + 2], depth = 1, first = 0, cell_count = 0;
    ends[0] = count;
    while (depth > 0) {
        const uint32_t end = ends[depth - 1];
        if (end - first > GRZ_BVH_CELL && places[first].code != places[end - 1].code) {
            ends[depth++] = end_of_first_part(places, first, end);
            continue;
        }
        if (cells != NULL)
            cells[cell_count] = (grz_item){.first = first, .count = end - first};
        cell_count++;
        first = end;
        depth--;
    }
    return cell_count;
}

// What is done for each triangle or cell, in blocks, on all threads.
typedef struct grz_cells_work {
    const grz_bvh *bvh;
    const grz_mesh *mesh;
    grz_control *control;
    grz_curve_place *places;
    grz_item *items, *cells;
    uint32_t count, cell_count;
} grz_cells_work;

static uint32_t block_end(size_t block, uint32_t count)
{
    return count - block * BLOCK < BLOCK ? count : (uint32_t)(block + 1) * BLOCK;
}

static grz_wide origin_of(const grz_bvh *bvh)
{
    return grz_wide_of(bvh->origin[0], bvh->origin[1], bvh->origin[2], 0.0);
}

static void find_places(size_t block, void *context)
{
    const grz_cells_work *work = context;
    const grz_wide origin = origin_of(work->bvh), unit = grz_wide_all(work->bvh->scale);
    const float scale = 0.25f * (float)(1 << AXIS_BITS) / (float)(work->bvh->reach > 0.0 ? work->bvh->reach : 1.0);
    const uint32_t end = block_end(block, work->count);
    if (grz_control_expired(work->control))
        return;
    for (uint32_t i = (uint32_t)block * BLOCK; i < end; i++) {
        const grz_float_box box = grz_bvh_triangle_box(work->mesh, i, origin, unit);
        work->places[i] = (grz_curve_place){code_of(&box, scale), i};
    }
}

static void make_items(size_t block, void *context)
{
    const grz_cells_work *work = context;
    const grz_wide origin = origin_of(work->bvh), unit = grz_wide_all(work->bvh->scale);
    const uint32_t end = block_end(block, work->count);
    if (grz_control_expired(work->control))
        return;
    for (uint32_t i = (uint32_t)block * BLOCK; i < end; i++) {
        const grz_float_box box = grz_bvh_triangle_box(work->mesh, work->places[i].triangle, origin, unit);
        float min[4], max[4];
        grz_quad_store(min, box.min);
        grz_quad_store(max, box.max);
        work->items[i] = (grz_item){{min[0], min[1], min[2]}, work->places[i].triangle, {max[0], max[1], max[2]}, 1};
    }
}

// Give each cell the box of its triangles.
static void bound_cells(size_t block, void *context)
{
    const grz_cells_work *work = context;
    const uint32_t end = block_end(block, work->cell_count);
    for (uint32_t c = (uint32_t)block * BLOCK; c < end; c++) {
        grz_item *cell = &work->cells[c];
        const grz_item *items = work->items + cell->first;
        grz_quad min = grz_quad_load(items->min), max = grz_quad_load(items->max);
        for (uint32_t i = 1; i < cell->count; i++) {
            min = grz_quad_min(min, grz_quad_load(items[i].min));
            max = grz_quad_max(max, grz_quad_load(items[i].max));
        }
        float low[4], high[4];
        grz_quad_store(low, min);
        grz_quad_store(high, max);
        memcpy(cell->min, low, sizeof cell->min);
        memcpy(cell->max, high, sizeof cell->max);
    }
}

static void in_blocks(grz_cells_work *work, uint32_t count, void (*task)(size_t block, void *context))
{
    grz_parallel(work->mesh->device, count / BLOCK + (count % BLOCK != 0), task, work);
}

grz_status grz_bvh_cells(const grz_bvh *bvh, const grz_mesh *mesh, grz_control *control, grz_item *items, grz_item **cells,
                         uint32_t *cell_count)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const uint32_t count = mesh->triangle_count;
    grz_curve_place *places = grz_allocate(allocator, count, sizeof *places),
                    *other = grz_allocate(allocator, count, sizeof *other);
    grz_status status = GRZ_ERROR_MEMORY;
    *cells = NULL;
    *cell_count = 0;
    if (places != NULL && other != NULL) {
        grz_cells_work work = {.bvh = bvh, .mesh = mesh, .control = control, .places = places, .items = items, .count = count};
        grz_curve_place *to = other;
        in_blocks(&work, count, find_places);
        for (unsigned pass = 0; pass < PASSES && !grz_control_expired(control); pass++) {
            grz_curve_place *sorted = to;
            sort_by_digit(work.places, to, count, pass * DIGIT_BITS);
            to = work.places;
            work.places = sorted;
        }
        in_blocks(&work, count, make_items);
        status = grz_control_expired(control) ? grz_control_status(control) : GRZ_OK;
        if (status == GRZ_OK) {
            *cell_count = cut_cells(work.places, count, NULL);
            *cells = grz_allocate(allocator, *cell_count, sizeof **cells);
            status = *cells != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
        }
        if (status == GRZ_OK) {
            cut_cells(work.places, count, *cells);
            work.cells = *cells;
            work.cell_count = *cell_count;
            in_blocks(&work, *cell_count, bound_cells);
        }
    }
    grz_release(allocator, places, count, sizeof *places);
    grz_release(allocator, other, count, sizeof *other);
    return status;
}
