// SPDX-License-Identifier: MIT
// Sweep in the plane: items sorted by their lower ends along the axis on which they are most spread out. Pairs are
// found by sweeping a line over them; a query looks at those whose interval on the axis overlaps its own. Blocks of
// entries know how far what lies before them reaches. After changes the order is repaired by insertion, because it is
// nearly right where things move a little; sorted again where it is not.
// Source: D. Baraff, "Dynamic Simulation of Non-Penetrating Rigid Bodies" (1992), sweep and prune, on one axis.
#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "space/flat/flat_distance.h"
#include "space/flat/flat_structure.h"

enum {
    CHECK_BITS = 6,
    BLOCK_BITS = 6, // entries in a block, as a power of two
    BLOCK = 1 << BLOCK_BITS,
    SHIFTS = 16 // an insertion that moves more entries than that on average gives way to sorting
};

// An item, its coordinates along the axis first.
typedef struct entry {
    double low, high, across_low, across_high;
    uint32_t number;
} entry;

typedef struct sorted {
    entry *entries; // sorted by `low`
    entry *spare;   // as many, for sorting
    double *reach;  // for each block: the largest `high` in it and in all before
    bool *listed;   // for each number: it has an entry
    size_t count, capacity;
    int axis;
} sorted;

static entry entry_of(const sorted *s, const grz_flat_held *item, uint32_t number)
{
    const int a = s->axis, b = 1 - a;
    return (entry){item->min[a], item->max[a], item->min[b], item->max[b], number};
}

static size_t block_count(size_t entries)
{
    return (entries + BLOCK - 1) >> BLOCK_BITS;
}

static void find_reach(sorted *s)
{
    double reach = -HUGE_VAL;
    for (size_t i = 0; i < s->count; i++) {
        reach = s->entries[i].high > reach ? s->entries[i].high : reach;
        s->reach[i >> BLOCK_BITS] = reach;
    }
}

// Merge sort, bottom up.
static void sort_entries(sorted *s)
{
    entry *from = s->entries, *to = s->spare;
    for (size_t width = 1; width < s->count; width *= 2) {
        for (size_t begin = 0; begin < s->count; begin += 2 * width) {
            const size_t middle = begin + width < s->count ? begin + width : s->count,
                         end = middle + width < s->count ? middle + width : s->count;
            for (size_t i = begin, j = middle, k = begin; k < end; k++)
                to[k] = j >= end || (i < middle && from[i].low <= from[j].low) ? from[i++] : from[j++];
        }
        entry *other = from;
        from = to;
        to = other;
    }
    s->entries = from;
    s->spare = to;
}

// Insertion sort. False: it takes too long.
static bool repair(sorted *s)
{
    size_t shifts = 0;
    for (size_t i = 1; i < s->count; i++) {
        const entry moved = s->entries[i];
        size_t at = i;
        for (; at > 0 && s->entries[at - 1].low > moved.low; at--)
            s->entries[at] = s->entries[at - 1];
        s->entries[at] = moved;
        shifts += i - at;
        if (shifts > SHIFTS * s->count)
            return false;
    }
    return true;
}

static void release(sorted *s, const grz_allocator *allocator)
{
    grz_release(allocator, s->entries, s->capacity, sizeof *s->entries);
    grz_release(allocator, s->spare, s->capacity, sizeof *s->spare);
    grz_release(allocator, s->reach, block_count(s->capacity), sizeof *s->reach);
    grz_release(allocator, s->listed, s->capacity, sizeof *s->listed);
}

// Arrays for `capacity` numbers, in the place of smaller ones. False: no memory; nothing has changed.
static bool grow(sorted *s, const grz_allocator *allocator, size_t capacity)
{
    sorted larger = {.count = s->count, .capacity = capacity, .axis = s->axis};
    larger.entries = grz_allocate(allocator, capacity, sizeof *larger.entries);
    larger.spare = grz_allocate(allocator, capacity, sizeof *larger.spare);
    larger.reach = grz_allocate(allocator, block_count(capacity), sizeof *larger.reach);
    larger.listed = grz_allocate_zeroed(allocator, capacity, sizeof *larger.listed);
    if (larger.entries == NULL || larger.spare == NULL || larger.reach == NULL || larger.listed == NULL) {
        release(&larger, allocator);
        return false;
    }
    if (s->capacity > 0) {
        memcpy(larger.entries, s->entries, s->count * sizeof *s->entries);
        memcpy(larger.reach, s->reach, block_count(s->count) * sizeof *s->reach);
        memcpy(larger.listed, s->listed, s->capacity * sizeof *s->listed);
    }
    release(s, allocator);
    *s = larger;
    return true;
}

static bool reserve(void *state, const grz_allocator *allocator, size_t count)
{
    sorted *s = state;
    return count <= s->capacity || grow(s, allocator, count > 2 * s->capacity ? count : 2 * s->capacity);
}

static void destroy(void *state, const grz_allocator *allocator)
{
    sorted *s = state;
    if (s == NULL)
        return;
    release(s, allocator);
    grz_release(allocator, s, 1, sizeof *s);
}

// The axis on which the middles are spread out most, in sizes of items.
static int best_axis(const grz_flat_items *items)
{
    double score[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL, sizes = 0.0, count = 0.0;
        for (size_t i = 0; i < items->count; i++) {
            const grz_flat_held *item = &items->items[i];
            if (item->form == GRZ_FLAT_ABSENT)
                continue;
            low = item->min[k] < low ? item->min[k] : low;
            high = item->min[k] > high ? item->min[k] : high;
            sizes += item->max[k] - item->min[k];
            count += 1.0;
        }
        score[k] = high > low ? (high - low) / (sizes / count + (high - low) * 0x1p-40) : 0.0; // points have no size
    }
    return score[1] > score[0] ? 1 : 0;
}

static grz_status build(const grz_flat_items *items, grz_control *control, void **state)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    sorted *s = grz_allocate_zeroed(allocator, 1, sizeof *s);
    *state = s;
    if (s == NULL || (items->count > 0 && !grow(s, allocator, items->count))) {
        destroy(s, allocator);
        *state = NULL;
        return GRZ_ERROR_MEMORY;
    }
    s->axis = best_axis(items);
    for (uint32_t i = 0; i < items->count; i++) {
        s->listed[i] = items->items[i].form != GRZ_FLAT_ABSENT;
        if (s->listed[i])
            s->entries[s->count++] = entry_of(s, &items->items[i], i);
    }
    sort_entries(s);
    find_reach(s);
    if (!grz_control_expired(control))
        return GRZ_OK;
    destroy(s, allocator);
    *state = NULL;
    return grz_control_status(control);
}

static void insert(void *state, const grz_allocator *allocator, const grz_flat_items *items, uint32_t number)
{
    sorted *s = state;
    (void)allocator;
    if (!s->listed[number])
        s->entries[s->count++] = entry_of(s, &items->items[number], number);
    s->listed[number] = true;
}

static void take_out(void *state, const grz_flat_items *items, uint32_t number)
{
    (void)state; // settle() sees that it is gone
    (void)items;
    (void)number;
}

static void replace(void *state, const grz_allocator *allocator, const grz_flat_items *items, uint32_t number,
                    const grz_flat_held *before)
{
    (void)state; // settle() takes its new place
    (void)allocator;
    (void)items;
    (void)number;
    (void)before;
}

static bool fits(const void *state, const grz_flat_held *item)
{
    (void)state;
    (void)item;
    return true;
}

static void settle(void *state, const grz_flat_items *items)
{
    sorted *s = state;
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const uint32_t number = s->entries[i].number;
        s->listed[number] = items->items[number].form != GRZ_FLAT_ABSENT;
        if (s->listed[number])
            s->entries[count++] = entry_of(s, &items->items[number], number);
    }
    s->count = count;
    if (!repair(s))
        sort_entries(s);
    find_reach(s);
}

// How many entries have a `low` up to x.
static size_t count_up_to(const sorted *s, double x)
{
    size_t begin = 0, end = s->count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (s->entries[middle].low <= x)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static bool pairs(const void *state, const grz_flat_items *items, grz_control *control, grz_flat_pair_seeker *pair,
                  void *context)
{
    const sorted *s = state;
    (void)items;
    for (size_t i = 0; i < s->count; i++) {
        const entry *x = &s->entries[i];
        if (grz_control_expired_at(control, i, CHECK_BITS))
            return false;
        for (size_t j = i + 1; j < s->count && s->entries[j].low <= x->high; j++) {
            const entry *y = &s->entries[j];
            if (x->across_low <= y->across_high && y->across_low <= x->across_high &&
                !pair(context, x->number, y->number))
                return false;
        }
    }
    return true;
}

// True if no entry up to number i, and none before, reaches x.
static bool none_reaches(const sorted *s, size_t i, double x)
{
    return s->reach[i >> BLOCK_BITS] < x;
}

static bool near_box(const void *state, const grz_flat_items *items, const grz_flat_held *box, grz_flat_seeker *seeker)
{
    const sorted *s = state;
    const entry asked = entry_of(s, box, 0);
    (void)items;
    for (size_t i = count_up_to(s, asked.high); i-- > 0;) {
        const entry *x = &s->entries[i];
        if (none_reaches(s, i, asked.low))
            break;
        if (x->high >= asked.low && x->across_low <= asked.across_high && asked.across_low <= x->across_high &&
            !seeker->visit(seeker, x->number))
            return false;
    }
    return true;
}

// A way along the axis, rounded: is it certainly longer than the bound?
static bool is_beyond(double way, const grz_flat_seeker *seeker)
{
    return way * GRZ_LESS(8) > seeker->bound;
}

static bool visit_entry(const entry *x, const double at[2], grz_flat_seeker *seeker)
{
    const double min[2] = {x->low, x->across_low}, max[2] = {x->high, x->across_high};
    return grz_flat_box_gap(min, max, at) > seeker->bound || seeker->visit(seeker, x->number);
}

// To both sides of the point in turn, until both are too far away.
static bool near_point(const void *state, const grz_flat_items *items, const double point[2], grz_flat_seeker *seeker)
{
    const sorted *s = state;
    const double at[2] = {point[s->axis], point[1 - s->axis]};
    size_t up = count_up_to(s, at[0]), down = up;
    (void)items;
    for (bool goes_up = true, goes_down = true; goes_up || goes_down;) {
        goes_up = goes_up && up < s->count && !is_beyond(s->entries[up].low - at[0], seeker);
        if (goes_up && !visit_entry(&s->entries[up++], at, seeker))
            return false;
        goes_down = goes_down && down > 0 && !is_beyond(at[0] - s->reach[(down - 1) >> BLOCK_BITS], seeker);
        if (goes_down && !visit_entry(&s->entries[--down], at, seeker))
            return false;
    }
    return true;
}

static bool visit_on_line(const sorted *s, const entry *x, const grz_flat_line *line, grz_flat_seeker *seeker)
{
    double min[2], max[2];
    min[s->axis] = x->low;
    max[s->axis] = x->high;
    min[1 - s->axis] = x->across_low;
    max[1 - s->axis] = x->across_high;
    const double t = grz_flat_box_entry(line, min, max);
    return !(t < HUGE_VAL && t <= seeker->bound) || seeker->visit(seeker, x->number);
}

static bool near_line(const void *state, const grz_flat_items *items, const grz_flat_line *line,
                      grz_flat_seeker *seeker)
{
    const sorted *s = state;
    const double low = line->box.min[s->axis], high = line->box.max[s->axis];
    const size_t end = count_up_to(s, high);
    (void)items;
    if (line->way[s->axis] < 0.0) {
        for (size_t i = end; i-- > 0 && !none_reaches(s, i, low);)
            if (!visit_on_line(s, &s->entries[i], line, seeker))
                return false;
        return true;
    }
    size_t begin = 0;
    while (begin + BLOCK <= end && none_reaches(s, begin + BLOCK - 1, low))
        begin += BLOCK;
    for (size_t i = begin; i < end; i++) {
        const double way = line->way[s->axis], t = (s->entries[i].low - line->from[s->axis]) / way;
        if (way > 0.0 && t > 0.0 && t * GRZ_LESS(8) > seeker->bound)
            break;
        if (!visit_on_line(s, &s->entries[i], line, seeker))
            return false;
    }
    return true;
}

const grz_flat_structure grz_flat_sorted = {build,  destroy, reserve, insert,   take_out,   replace,
                                            settle, fits,    pairs,   near_box, near_point, near_line};
