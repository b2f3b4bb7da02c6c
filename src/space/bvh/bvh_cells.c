// SPDX-License-Identifier: MIT
// Sorts triangles along a Morton curve, and groups neighbours on the curve to cells. The upper levels of a tree are
// built from cells instead of triangles, which makes them cheap. Sources: C. Lauterbach et al., "Fast BVH construction
// on GPUs" (2009), for the order; I. Wald, "Fast construction of SAH BVHs on the Intel MIC architecture" (2012), for
// cutting groups first.
#include <assert.h>
#include <string.h>

#include "base/control.h"
#include "base/device.h"
#include "space/bvh/bvh_parts.h"
#include "space/morton.h"

enum {
    AXIS_BITS = 10,  // of a Morton code, for each axis
    DIGIT_BITS = 10, // of a digit of the radix sort
    DIGITS = 1 << DIGIT_BITS,
    PASSES = 3 * AXIS_BITS / DIGIT_BITS,
    BLOCK = 1 << 14 // triangles of a task, and between two checks of the control
};

// A triangle and its Morton code.
typedef struct grz_morton_key {
    uint32_t code, triangle;
} grz_morton_key;

// The Morton code of a box's centre. `scale` maps min + max (twice the centre, in tree coordinates) to grid cells.
static inline uint32_t code_of(const grz_float_box *box, float scale)
{
    const float cells = (float)(1 << AXIS_BITS);
    float at[4];
    uint32_t code = 0;
    grz_f32x4_store(at, grz_f32x4_add(grz_f32x4_multiply(grz_f32x4_add(box->min, box->max), grz_f32x4_splat(scale)),
                                      grz_f32x4_splat(0.5f * cells)));
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t cell = at[axis] > 0.0f ? (uint32_t)(at[axis] < cells - 1.0f ? at[axis] : cells - 1.0f) : 0;
        code |= grz_morton_spread(cell) << axis;
    }
    return code;
}

// One pass of a radix sort, least significant digit first.
static void sort_by_digit(const grz_morton_key *from, grz_morton_key *to, uint32_t count, unsigned shift)
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

// Where to cut a run of sorted codes: at the change of the highest bit in which they differ. Returns the index of the
// first code with that bit set.
static uint32_t end_of_first_part(const grz_morton_key *keys, uint32_t first, uint32_t end)
{
    const uint32_t differing = keys[first].code ^ keys[end - 1].code, bit = 1u << (31 - __builtin_clz(differing));
    assert(first + 1 < end && differing != 0);
    uint32_t low = first, high = end - 1; // the bit is 0 at index low, 1 at index high
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if ((keys[middle].code & bit) != 0)
            high = middle;
        else
            low = middle;
    }
    return high;
}

// Cut the sorted triangles into cells of at most GRZ_BVH_CELL triangles; a cell is larger only if its codes are all
// equal. Returns the number of cells. `cells`, if not NULL, receives their first indices and counts.
static uint32_t cut_cells(const grz_morton_key *keys, uint32_t count, grz_item *cells)
{
    uint32_t ends[3 * AXIS_BITS + 2], depth = 1, first = 0, cell_count = 0;
    ends[0] = count;
    while (depth > 0) {
        const uint32_t end = ends[depth - 1];
        if (end - first > GRZ_BVH_CELL && keys[first].code != keys[end - 1].code) {
            assert(depth < sizeof ends / sizeof *ends);
            ends[depth++] = end_of_first_part(keys, first, end);
            continue;
        }
        assert(end > first);
        if (cells != NULL)
            cells[cell_count] = (grz_item){.first = first, .count = end - first};
        cell_count++;
        first = end;
        depth--;
    }
    assert(first == count);
    return cell_count;
}

// What the tasks need; a task handles one block of triangles or cells.
typedef struct grz_cells_work {
    const grz_bvh *bvh;
    const grz_mesh *mesh;
    grz_control *control;
    grz_morton_key *keys;
    grz_item *items, *cells;
    uint32_t count, cell_count;
} grz_cells_work;

static uint32_t block_end(size_t block, uint32_t count)
{
    return count - block * BLOCK < BLOCK ? count : (uint32_t)(block + 1) * BLOCK;
}

static grz_f64x4 origin_of(const grz_bvh *bvh)
{
    return grz_f64x4_of(bvh->origin[0], bvh->origin[1], bvh->origin[2], 0.0);
}

// What maps twice a centre to grid cells.
static float grid_scale(const grz_bvh *bvh)
{
    return 0.25f * (float)(1 << AXIS_BITS) / (float)(bvh->max_abs > 0.0 ? bvh->max_abs : 1.0);
}

static void find_keys(size_t block, void *context)
{
    const grz_cells_work *work = context;
    const grz_f64x4 origin = origin_of(work->bvh), unit = grz_f64x4_splat(work->bvh->scale);
    const float scale = grid_scale(work->bvh);
    const uint32_t end = block_end(block, work->count);
    if (grz_control_expired(work->control))
        return;
    for (uint32_t i = (uint32_t)block * BLOCK; i < end; i++) {
        const grz_float_box box = grz_bvh_triangle_box(work->mesh, i, origin, unit);
        work->keys[i] = (grz_morton_key){code_of(&box, scale), i};
    }
}

// The same in a turned tree. Loops of their own, because a branch in the others would slow down ordinary builds.
static void find_turned_keys(size_t block, void *context)
{
    const grz_cells_work *work = context;
    const float scale = grid_scale(work->bvh);
    const uint32_t end = block_end(block, work->count);
    if (grz_control_expired(work->control))
        return;
    for (uint32_t i = (uint32_t)block * BLOCK; i < end; i++) {
        const grz_float_box box = grz_bvh_turned_box(work->bvh, work->mesh, i);
        work->keys[i] = (grz_morton_key){code_of(&box, scale), i};
    }
}

static void make_turned_items(size_t block, void *context)
{
    const grz_cells_work *work = context;
    const uint32_t end = block_end(block, work->count);
    if (grz_control_expired(work->control))
        return;
    for (uint32_t i = (uint32_t)block * BLOCK; i < end; i++) {
        const uint32_t triangle = work->keys[i].triangle;
        float min[4], max[4];
        grz_bvh_turned_bounds(work->bvh, work->mesh, triangle, min, max);
        work->items[i] = (grz_item){{min[0], min[1], min[2]}, triangle, {max[0], max[1], max[2]}, 1};
    }
}

static void make_items(size_t block, void *context)
{
    const grz_cells_work *work = context;
    const grz_f64x4 origin = origin_of(work->bvh), unit = grz_f64x4_splat(work->bvh->scale);
    const uint32_t end = block_end(block, work->count);
    if (grz_control_expired(work->control))
        return;
    for (uint32_t i = (uint32_t)block * BLOCK; i < end; i++) {
        const grz_float_box box = grz_bvh_triangle_box(work->mesh, work->keys[i].triangle, origin, unit);
        float min[4], max[4];
        grz_f32x4_store(min, box.min);
        grz_f32x4_store(max, box.max);
        work->items[i] = (grz_item){{min[0], min[1], min[2]}, work->keys[i].triangle, {max[0], max[1], max[2]}, 1};
    }
}

// Compute the box of each cell.
static void bound_cells(size_t block, void *context)
{
    const grz_cells_work *work = context;
    const uint32_t end = block_end(block, work->cell_count);
    for (uint32_t c = (uint32_t)block * BLOCK; c < end; c++) {
        grz_item *cell = &work->cells[c];
        const grz_item *items = work->items + cell->first;
        grz_f32x4 min = grz_f32x4_load(items->min), max = grz_f32x4_load(items->max);
        for (uint32_t i = 1; i < cell->count; i++) {
            min = grz_f32x4_min(min, grz_f32x4_load(items[i].min));
            max = grz_f32x4_max(max, grz_f32x4_load(items[i].max));
        }
        float low[4], high[4];
        grz_f32x4_store(low, min);
        grz_f32x4_store(high, max);
        memcpy(cell->min, low, sizeof cell->min);
        memcpy(cell->max, high, sizeof cell->max);
    }
}

static void in_blocks(grz_cells_work *work, uint32_t count, void (*task)(size_t block, void *context))
{
    grz_parallel(work->mesh->device, count / BLOCK + (count % BLOCK != 0), task, work);
}

grz_status grz_bvh_cells(const grz_bvh *bvh, const grz_mesh *mesh, grz_control *control, grz_item *items,
                         grz_item **cells, uint32_t *cell_count)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const uint32_t count = mesh->triangle_count;
    grz_morton_key *keys = grz_allocate(allocator, count, sizeof *keys),
                   *other = grz_allocate(allocator, count, sizeof *other);
    grz_status status = GRZ_ERROR_MEMORY;
    *cells = NULL;
    *cell_count = 0;
    if (keys != NULL && other != NULL) {
        grz_cells_work work = {
            .bvh = bvh, .mesh = mesh, .control = control, .keys = keys, .items = items, .count = count};
        grz_morton_key *to = other;
        in_blocks(&work, count, bvh->turned ? find_turned_keys : find_keys);
        for (unsigned pass = 0; pass < PASSES && !grz_control_expired(control); pass++) {
            grz_morton_key *sorted = to;
            sort_by_digit(work.keys, to, count, pass * DIGIT_BITS);
            to = work.keys;
            work.keys = sorted;
        }
        in_blocks(&work, count, bvh->turned ? make_turned_items : make_items);
        status = grz_control_expired(control) ? grz_control_status(control) : GRZ_OK;
        if (status == GRZ_OK) {
            *cell_count = cut_cells(work.keys, count, NULL);
            *cells = grz_allocate(allocator, *cell_count, sizeof **cells);
            status = *cells != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
        }
        if (status == GRZ_OK) {
            cut_cells(work.keys, count, *cells);
            work.cells = *cells;
            work.cell_count = *cell_count;
            in_blocks(&work, *cell_count, bound_cells);
        }
    }
    grz_release(allocator, keys, count, sizeof *keys);
    grz_release(allocator, other, count, sizeof *other);
    return status;
}
