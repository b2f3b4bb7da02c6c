// SPDX-License-Identifier: MIT
// Decides where sweep and prune cuts space. A sample of the objects tells, for each axis, how many others an object
// overlaps there. A cost model then chooses the axis of the lists and the numbers of slabs and columns. The cuts are
// quantiles of the sample; each slab has its own columns, so clusters, empty space and far outliers cost nothing. Only
// the order of coordinates is used, never their size.
// Sources: D. Tracy, S. Buss, B. Woods, "Efficient Large-Scale Sweep and Prune Methods with AABB Insertion and Removal"
// (2009), for sweep and prune in parts of space; S. Leutenegger et al., sort-tile-recursive packing (1997), for nested
// quantiles.
#include <assert.h>
#include <math.h>

#include "base/sort/number_sort.h"
#include "space/sweep/sweep_parts.h"

enum {
    ONE_COLUMN = 32,     // with so many objects or fewer, cutting costs more than it saves
    SAMPLE_BASE = 128,   // size of the sample: this many objects,
    SAMPLE_ROOTS = 8,    // plus this many times the square root of their number
    RANKED = 256,        // objects of the sample whose overlaps are counted
    CHANGES = 16,        // the model assumes that one in so many objects changes before the next rebuild
    OBJECTS_A_COLUMN = 8 // at most one column for so many objects
};

// Index of the sample's i-th object among `count` objects: a random one of the i-th of `size` equal parts. Random, so
// that regularities in the ids do not matter; the same in every run.
static size_t sample_index(size_t i, size_t size, size_t count)
{
    const size_t first = (size_t)((double)i / (double)size * (double)count);
    const size_t end = (size_t)((double)(i + 1) / (double)size * (double)count);
    uint64_t random = (uint64_t)(i + 1) * UINT64_C(0x9e3779b97f4a7c15); // splitmix64
    random = (random ^ random >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    random = (random ^ random >> 27) * UINT64_C(0x94d049bb133111eb);
    const size_t index = end > first ? first + (random ^ random >> 31) % (end - first) : first;
    assert(i < size && size <= count);
    return index < count ? index : count - 1;
}

static bool draw_sample(grz_sweep *sweep)
{
    const size_t count = sweep->live;
    size_t size = SAMPLE_BASE + (size_t)(SAMPLE_ROOTS * sqrt((double)count));
    size = size < count ? size : count;
    grz_sweep_scratch *scratch = &sweep->scratch;
    if (!grz_array_reserve(&sweep->allocator, &scratch->sample, size))
        return false;
    for (size_t i = 0; i < size; i++)
        scratch->sample.items[i] = scratch->ids.items[size < count ? sample_index(i, size, count) : i];
    scratch->sample.count = size;
    return true;
}

static void fill_sample_keys(grz_sweep *sweep, int axis)
{
    for (size_t i = 0; i < sweep->scratch.sample.count; i++)
        sweep->scratch.keys.items[i] = grz_sweep_key(sweep->boxes.items[sweep->scratch.sample.items[i]].min[axis]);
}

// The number of sorted keys less than `key`, or at most `key` if `up_to`.
static size_t rank(const uint64_t *keys, size_t count, uint64_t key, bool up_to)
{
    size_t below = 0;
    while (count > 0) {
        const size_t half = count / 2;
        const bool right = keys[below + half] < key || (up_to && keys[below + half] == key);
        below = right ? below + half + 1 : below;
        count = right ? count - half - 1 : half;
    }
    return below;
}

// The share of the other objects whose min lies within an object's extent along the axis, averaged over the sample. 1:
// sorting along this axis separates nothing.
static double share_met(grz_sweep *sweep, int axis)
{
    grz_sweep_scratch *scratch = &sweep->scratch;
    const size_t size = scratch->sample.count, ranked = size < RANKED ? size : RANKED;
    fill_sample_keys(sweep, axis);
    (void)grz_sweep_sort(&scratch->keys, &scratch->spare_keys, NULL, NULL, size, 64, NULL); // cannot fail
    size_t met = 0;
    assert(size > 1);
    for (size_t i = 0; i < ranked; i++) {
        const grz_box *box = &sweep->boxes.items[scratch->sample.items[i * size / ranked]];
        met += rank(scratch->keys.items, size, grz_sweep_key(box->max[axis]), true) -
               rank(scratch->keys.items, size, grz_sweep_key(box->min[axis]), false) - 1; // without itself
    }
    return (double)met / ((double)ranked * (double)(size - 1));
}

// Choose the numbers of slabs and columns for these axes. share[i]: the share of the others that an object overlaps
// along axis i. An object reaches into 1 + share · slabs of the slabs, and compares itself with `share` of the entries
// in its column, times `clustering`. Segments are left out of the model: they change little. Returns the estimated
// cost.
static double choose_counts(double count, const double share[3], double clustering, const int axes[3],
                            uint32_t counts[2])
{
    static const uint32_t steps[] = {1, 2, 3, 4, 6, 8, 11, 16, 22, 32, 45, 64, 90, 128, 181, 256};
    double lowest = HUGE_VAL;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        for (size_t j = 0; j < sizeof steps / sizeof *steps; j++) {
            const double slabs = steps[i], columns = steps[j];
            if (steps[i] * steps[j] > 1 && slabs * columns * OBJECTS_A_COLUMN > count)
                continue;
            const double entries = count * (1.0 + slabs * share[axes[0]]) * (1.0 + columns * share[axes[1]]);
            const double tests = entries * entries * share[axes[2]] * clustering / (slabs * columns);
            const double cost = (GRZ_SWEEP_COST_ENTRY + (double)GRZ_SWEEP_COST_VISIT / CHANGES) * entries +
                                GRZ_SWEEP_COST_TEST * tests + GRZ_SWEEP_COST_COLUMN * slabs * columns;
            if (cost >= lowest)
                continue;
            lowest = cost;
            counts[0] = steps[i];
            counts[1] = steps[j];
        }
    return lowest;
}

// Choose the axes of the lists and the numbers of slabs and of columns in each slab.
static void choose_axes(grz_sweep *sweep, uint32_t counts[2])
{
    double share[3], lowest = HUGE_VAL;
    for (int axis = 0; axis < 3; axis++)
        share[axis] = share_met(sweep, axis);
    for (int along = 0; along < 3; along++) {
        const int axes[3] = {along == 0 ? 1 : 0, along == 2 ? 1 : 2, along};
        uint32_t tried[2] = {1, 1};
        const double cost = choose_counts((double)sweep->live, share, sweep->clustering, axes, tried);
        if (cost >= lowest)
            continue;
        lowest = cost;
        sweep->share = share[along];
        memcpy(sweep->lists.axes, axes, sizeof axes);
        memcpy(counts, tried, sizeof tried);
    }
}

// Append up to `parts` starts: minus infinity, then quantiles of the sorted keys, no two equal. False: there is no
// memory.
static bool add_quantiles(const grz_allocator *allocator, grz_sweep_starts *starts, const uint64_t *keys, size_t count,
                          uint32_t parts)
{
    if (!grz_array_reserve(allocator, starts, starts->count + parts))
        return false;
    starts->items[starts->count++] = -HUGE_VAL;
    uint64_t last = count > 0 ? keys[0] : 0; // a cut at the lowest key would leave nothing to its left
    for (uint32_t part = 1; part < parts && count > 0; part++) {
        const uint64_t key = keys[(size_t)((double)part / parts * (double)count)];
        if (key <= last)
            continue;
        starts->items[starts->count++] = grz_sweep_coordinate(key);
        last = key;
    }
    return true;
}

static bool cut_slabs(grz_sweep *sweep, uint32_t slabs)
{
    grz_sweep_scratch *scratch = &sweep->scratch;
    fill_sample_keys(sweep, sweep->lists.axes[0]);
    if (slabs > 1)
        (void)grz_sweep_sort(&scratch->keys, &scratch->spare_keys, &scratch->sample, &scratch->spare_ids,
                             scratch->sample.count, 64, NULL);
    sweep->lists.slab_starts.count = 0;
    return add_quantiles(&sweep->allocator, &sweep->lists.slab_starts, scratch->keys.items,
                         slabs > 1 ? scratch->sample.count : 0, slabs);
}

// Cut each slab into columns by the part of the sample that starts in the slab. The sample is sorted along the slabs'
// axis.
static bool cut_columns(grz_sweep *sweep, uint32_t columns_per_slab)
{
    grz_sweep_lists *lists = &sweep->lists;
    grz_sweep_scratch *scratch = &sweep->scratch;
    const size_t size = scratch->sample.count, slab_count = lists->slab_starts.count;
    lists->column_starts.count = lists->slabs.count = 0;
    if (!grz_array_reserve(&sweep->allocator, &lists->slabs, slab_count))
        return false;
    for (size_t slab = 0, place = 0; slab < slab_count; slab++) {
        size_t count = 0;
        for (; place < size && columns_per_slab > 1; place++, count++) {
            const grz_box *box = &sweep->boxes.items[scratch->sample.items[place]];
            if (slab + 1 < slab_count && box->min[lists->axes[0]] >= lists->slab_starts.items[slab + 1])
                break;
            scratch->keys.items[count] = grz_sweep_key(box->min[lists->axes[1]]);
        }
        (void)grz_sort_numbers(scratch->keys.items, scratch->spare_keys.items, count, NULL);
        const size_t first = lists->column_starts.count;
        if (!add_quantiles(&sweep->allocator, &lists->column_starts, scratch->keys.items, count, columns_per_slab))
            return false;
        lists->slabs.items[lists->slabs.count++] =
            (grz_sweep_range){(uint32_t)first, (uint32_t)(lists->column_starts.count - first)};
    }
    return true;
}

bool grz_sweep_cut(grz_sweep *sweep, unsigned retry)
{
    uint32_t counts[2] = {1, 1};
    assert(retry <= GRZ_SWEEP_LAST_RETRY);
    sweep->share = 0.0;
    sweep->lists.axes[0] = 0, sweep->lists.axes[1] = 1, sweep->lists.axes[2] = 2;
    if (!draw_sample(sweep))
        return false;
    if (sweep->live > ONE_COLUMN)
        choose_axes(sweep, counts);
    for (int level = 0; level < 2; level++)
        counts[level] = counts[level] >> retry > 1 ? counts[level] >> retry : 1;
    return cut_slabs(sweep, counts[0]) && cut_columns(sweep, counts[1]);
}
