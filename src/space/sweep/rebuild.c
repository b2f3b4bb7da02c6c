// SPDX-License-Identifier: MIT
// Sweep and prune from nothing: sort the objects along the lists' axis (radix sort), distribute them to the columns in
// that order, cut each column's list into segments, and sweep each segment: an entry is compared with the entries
// behind it that start before it ends. An object that reaches into several segments has an entry in each. A pair is
// taken only where, along each axis, the larger of its two mins lies; so it is found exactly once.
// Sources: D. Baraff, "Dynamic Simulation of Non-Penetrating Rigid Bodies" (1992), for sort and sweep; D. Tracy, S.
// Buss, B. Woods (2009, see partition.c), for segments.
#include <assert.h>
#include <math.h>

#include "space/sweep/sweep_parts.h"

enum {
    SEGMENT = 64, // entries after which a list is cut, if that does not double it
    // Objects may have so many places (in columns) on average, plus MOST_PLACES_MORE in total. With more, space is cut
    // more coarsely.
    MOST_PLACES = 6,
    MOST_PLACES_MORE = 64,
    AHEAD = 8,               // boxes are prefetched so many objects ahead
    CHECK_INTERVAL = 1 << 16 // comparisons between two checks of the control
};

static bool gather_objects(grz_sweep *sweep)
{
    const grz_allocator *allocator = &sweep->allocator;
    grz_sweep_scratch *scratch = &sweep->scratch;
    if (!grz_array_reserve(allocator, &scratch->ids, sweep->live) ||
        !grz_array_reserve(allocator, &scratch->spare_ids, sweep->live) ||
        !grz_array_reserve(allocator, &scratch->keys, sweep->live) ||
        !grz_array_reserve(allocator, &scratch->spare_keys, sweep->live))
        return false;
    size_t count = 0;
    for (size_t id = 0; id < sweep->boxes.count; id++)
        if (!grz_box_is_empty(&sweep->boxes.items[id]))
            scratch->ids.items[count++] = (uint32_t)id;
    assert(count == sweep->live);
    return true;
}

// Sort the ids by (min along the lists' axis, id). False: the control says to end.
static bool sort_objects(grz_sweep *sweep)
{
    grz_sweep_scratch *scratch = &sweep->scratch;
    const int along = sweep->lists.axes[2];
    for (size_t i = 0; i < sweep->live; i++)
        scratch->keys.items[i] = grz_sweep_key(sweep->boxes.items[scratch->ids.items[i]].min[along]);
    return grz_sweep_sort(&scratch->keys, &scratch->spare_keys, &scratch->ids, &scratch->spare_ids, sweep->live, 64,
                          sweep->control);
}

typedef enum placing {
    PLACED,
    TOO_MANY,
    FAILED
} placing;

// List the columns of each object, in the order of the objects.
static placing list_places(grz_sweep *sweep)
{
    const grz_sweep_lists *lists = &sweep->lists;
    grz_sweep_places *places = &sweep->scratch.places;
    const uint32_t slab_count = (uint32_t)lists->slabs.count;
    places->count = 0;
    for (size_t i = 0; i < sweep->live; i++) {
        const uint32_t id = sweep->scratch.ids.items[i];
        if (grz_sweep_expired(sweep, i, 10))
            return FAILED;
        if (i + AHEAD < sweep->live)
            grz_sweep_fetch(&sweep->boxes.items[sweep->scratch.ids.items[i + AHEAD]]);
        const grz_box box = grz_sweep_permuted(&sweep->boxes.items[id], lists->axes);
        const uint32_t first_slab = grz_sweep_locate(lists->slab_starts.items, slab_count, box.min[0]);
        const uint32_t last_slab = grz_sweep_locate(lists->slab_starts.items, slab_count, box.max[0]);
        for (uint32_t slab = first_slab; slab <= last_slab; slab++) {
            const grz_sweep_range range = lists->slabs.items[slab];
            const double *starts = lists->column_starts.items + range.first;
            const uint32_t first = grz_sweep_locate(starts, range.count, box.min[1]);
            const uint32_t last = grz_sweep_locate(starts, range.count, box.max[1]);
            const size_t wanted = places->count + (last - first + 1);
            if (wanted > MOST_PLACES * sweep->live + MOST_PLACES_MORE)
                return TOO_MANY;
            if (!grz_array_reserve(&sweep->allocator, places, wanted))
                return FAILED;
            for (uint32_t column = first; column <= last; column++)
                places->items[places->count++] = (grz_sweep_place){
                    (range.first + column) << 2 | (slab == first_slab ? 1u : 0u) | (column == first ? 2u : 0u), id};
        }
    }
    return PLACED;
}

// Group the places by column, keeping their order. column_ends receives where each column's places end.
static bool sort_places(grz_sweep *sweep)
{
    grz_sweep_scratch *scratch = &sweep->scratch;
    const size_t columns = sweep->lists.column_starts.count, count = scratch->places.count;
    if (!grz_array_reserve(&sweep->allocator, &scratch->column_ends, columns) ||
        !grz_array_reserve(&sweep->allocator, &scratch->sorted_places, count))
        return false;
    uint64_t *ends = scratch->column_ends.items;
    memset(ends, 0, columns * sizeof *ends);
    for (size_t i = 0; i < count; i++)
        ends[scratch->places.items[i].column_starts >> 2]++;
    uint64_t start = 0;
    for (size_t column = 0; column < columns; column++) {
        const uint64_t size = ends[column];
        ends[column] = start;
        start += size;
    }
    for (size_t i = 0; i < count; i++)
        scratch->sorted_places.items[ends[scratch->places.items[i].column_starts >> 2]++] = scratch->places.items[i];
    return true;
}

// Find the pairs of a segment. False: there is no memory, or the control says to end.
static bool sweep_segment(grz_sweep *sweep, const grz_sweep_segment *segment)
{
    const grz_sweep_entry *entries = sweep->lists.entries.items + segment->first;
    for (uint32_t i = 0; i < segment->count; i++) {
        const grz_sweep_entry *entry = &entries[i];
        assert(i == 0 || entries[i - 1].box.min[2] <= entry->box.min[2]);
        if (sweep->built.tests + i >= sweep->built.next_check) {
            sweep->built.next_check = sweep->built.tests + i + CHECK_INTERVAL;
            if (grz_sweep_expired(sweep, 0, 0))
                return false;
        }
        if (!grz_array_reserve(&sweep->allocator, &sweep->found, sweep->found.count + segment->count - i))
            return false;
        uint64_t *found = sweep->found.items + sweep->found.count;
        uint32_t j = i + 1;
        for (; j < segment->count && entries[j].box.min[2] <= entry->box.max[2]; j++) {
            // Written first, kept only if true, its ids put in order later: no unpredictable branch.
            *found = (uint64_t)entry->id << 32 | entries[j].id;
            found += grz_sweep_meet_across(&entry->box, &entries[j].box) &
                     ((entry->starts | entries[j].starts) == GRZ_SWEEP_STARTS_ALL);
        }
        sweep->found.count = (size_t)(found - sweep->found.items);
        sweep->built.tests += j - i - 1;
    }
    sweep->built.entries += segment->count;
    return true;
}

// Begin a segment at the end of the entries.
static bool open_segment(grz_sweep *sweep, double start)
{
    grz_sweep_lists *lists = &sweep->lists;
    if (!grz_array_add(&sweep->allocator, &lists->segment_starts))
        return false;
    lists->segment_starts.items[lists->segment_starts.count - 1] = start;
    if (!grz_array_add(&sweep->allocator, &lists->segments))
        return false;
    lists->segments.items[lists->segments.count - 1] = (grz_sweep_segment){.first = lists->entries.count};
    return true;
}

// End the last segment: leave room for more entries, and sweep it.
static bool close_segment(grz_sweep *sweep)
{
    grz_sweep_lists *lists = &sweep->lists;
    grz_sweep_segment *segment = &lists->segments.items[lists->segments.count - 1];
    segment->capacity = segment->count + segment->count / 4 + 4;
    if (!grz_array_reserve(&sweep->allocator, &lists->entries, segment->first + segment->capacity))
        return false;
    lists->entries.count = segment->first + segment->capacity;
    return sweep_segment(sweep, segment);
}

static bool add_entry(grz_sweep *sweep, const grz_sweep_entry *entry)
{
    grz_sweep_lists *lists = &sweep->lists;
    grz_sweep_segment *segment = &lists->segments.items[lists->segments.count - 1];
    if (!grz_array_reserve(&sweep->allocator, &lists->entries, segment->first + segment->count + 1))
        return false;
    lists->entries.items[segment->first + segment->count++] = *entry;
    return true;
}

// How many entries of the last segment reach a cut at `start`.
static uint32_t count_reaching(const grz_sweep_lists *lists, double start)
{
    const grz_sweep_segment *segment = &lists->segments.items[lists->segments.count - 1];
    uint32_t count = 0;
    for (uint32_t i = 0; i < segment->count; i++)
        count += lists->entries.items[segment->first + i].box.max[2] >= start;
    return count;
}

// End the last segment, begin another at `start`, and repeat in it the entries that reach it.
static bool cut_segment(grz_sweep *sweep, double start)
{
    const grz_sweep_segment old = sweep->lists.segments.items[sweep->lists.segments.count - 1];
    if (!close_segment(sweep) || !open_segment(sweep, start))
        return false;
    for (uint32_t i = 0; i < old.count; i++) {
        grz_sweep_entry entry = sweep->lists.entries.items[old.first + i];
        entry.starts &= ~4u;
        if (entry.box.max[2] >= start && !add_entry(sweep, &entry))
            return false;
    }
    return true;
}

// Make the segments of a column. A cut that would repeat more than half of a segment waits until the segment is half as
// large again. So repeating at most doubles a list, and looking for cuts costs only a few looks at each entry.
static bool fill_column(grz_sweep *sweep, const grz_sweep_place *places, size_t count)
{
    const grz_sweep_lists *lists = &sweep->lists;
    const size_t first = lists->segments.count;
    if (!open_segment(sweep, -HUGE_VAL))
        return false;
    double last = -HUGE_VAL;
    uint32_t limit = SEGMENT;
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            grz_sweep_fetch(&sweep->boxes.items[places[i + AHEAD].id]);
        const grz_sweep_entry entry = {grz_sweep_permuted(&sweep->boxes.items[places[i].id], lists->axes), places[i].id,
                                       (places[i].column_starts & 3u) | 4u};
        const uint32_t size = lists->segments.items[lists->segments.count - 1].count;
        if (size >= limit && entry.box.min[2] > last) {
            const uint32_t reaching = count_reaching(lists, entry.box.min[2]);
            limit = reaching <= size / 2 ? (2 * reaching > SEGMENT ? 2 * reaching : SEGMENT) : size + size / 2;
            if (reaching <= size / 2 && !cut_segment(sweep, entry.box.min[2]))
                return false;
        }
        last = entry.box.min[2];
        if (!add_entry(sweep, &entry))
            return false;
    }
    if (!close_segment(sweep))
        return false;
    sweep->lists.columns.items[sweep->lists.columns.count++] =
        (grz_sweep_range){(uint32_t)first, (uint32_t)(lists->segments.count - first)};
    return true;
}

// Fill and sweep all lists. `found` receives the pairs.
static bool fill_lists(grz_sweep *sweep)
{
    grz_sweep_lists *lists = &sweep->lists;
    const size_t columns = lists->column_starts.count;
    lists->columns.count = lists->segments.count = lists->segment_starts.count = lists->entries.count = 0;
    sweep->found.count = 0;
    if (!grz_array_reserve(&sweep->allocator, &lists->columns, columns))
        return false;
    for (size_t column = 0; column < columns; column++) {
        const size_t start = column > 0 ? sweep->scratch.column_ends.items[column - 1] : 0;
        const size_t end = sweep->scratch.column_ends.items[column];
        if (!fill_column(sweep, sweep->scratch.sorted_places.items + start, end - start))
            return false;
    }
    return true;
}

// Make pairs of the sorted numbers that were found, in the same memory, and make that the answer. The memory of the old
// answer is used for what is found next time. False: the control says to end.
static bool unpack_found(grz_sweep *sweep, unsigned bits)
{
    _Static_assert(sizeof(grz_sweep_pair) == sizeof(uint64_t), "a number makes room for a pair");
    const grz_sweep_pairs old = sweep->pairs;
    uint64_t *numbers = sweep->found.items;
    const size_t count = sweep->found.count;
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    for (size_t i = 0; i < count; i++) {
        if (grz_sweep_expired(sweep, i, 16))
            return false;
        const grz_sweep_pair pair = {(uint32_t)(numbers[i] >> bits), (uint32_t)(numbers[i] & mask)};
        assert(pair.a < pair.b);
        memcpy(&numbers[i], &pair, sizeof pair);
    }
    sweep->pairs = (grz_sweep_pairs){(grz_sweep_pair *)(void *)numbers, count, sweep->found.capacity};
    sweep->found = (grz_sweep_numbers){(uint64_t *)(void *)old.items, 0, old.capacity};
    return true;
}

// Sort the pairs that were found, and make them the answer.
static bool publish_found(grz_sweep *sweep)
{
    const size_t count = sweep->found.count;
    unsigned bits = 1; // bits of an id
    while (sweep->boxes.count >> bits != 0)
        bits++;
    if (!grz_array_reserve(&sweep->allocator, &sweep->scratch.spare_keys, count))
        return false;
    bool sorted = true;
    uint64_t last = 0;
    for (size_t i = 0; i < count; i++) {
        if (grz_sweep_expired(sweep, i, 16))
            return false;
        const uint64_t x = sweep->found.items[i] >> 32, y = sweep->found.items[i] & UINT32_MAX;
        const uint64_t low = y ^ ((x ^ y) & (0 - (uint64_t)(x < y)));
        const uint64_t number = low << bits | (x ^ y ^ low); // packed, so that fewer digits need sorting
        assert(x != y && number != last);
        sorted = sorted && last <= number;
        last = number;
        sweep->found.items[i] = number;
    }
    if (!sorted &&
        !grz_sweep_sort(&sweep->found, &sweep->scratch.spare_keys, NULL, NULL, count, 2 * bits, sweep->control))
        return false;
    return unpack_found(sweep, bits);
}

// Estimate the cost of repairing one object: its segments, and half of the entries in each.
static void guess_change_cost(grz_sweep *sweep)
{
    double squares = 0.0;
    for (size_t i = 0; i < sweep->lists.segments.count; i++)
        squares += (double)sweep->lists.segments.items[i].count * (double)sweep->lists.segments.items[i].count;
    const double entries = (double)sweep->built.entries, live = (double)sweep->live;
    sweep->built.change_cost = GRZ_SWEEP_COST_CHANGE;
    if (sweep->live > 0)
        sweep->built.change_cost += (GRZ_SWEEP_COST_VISIT * entries + GRZ_SWEEP_COST_TEST * squares / 2) / live;
}

// Learn for the next rebuild how much the objects cluster (see grz_sweep::clustering).
static void learn_crowding(grz_sweep *sweep)
{
    const double entries = (double)sweep->built.entries;
    const double expected = entries * entries * sweep->share / (double)sweep->lists.columns.count;
    const double clustering = expected > 0.0 ? (double)sweep->built.tests / expected : 1.0;
    sweep->clustering = clustering < 1.0 ? 1.0 : clustering;
}

bool grz_sweep_rebuild(grz_sweep *sweep)
{
    sweep->broken = true;
    for (unsigned retry = 0;; retry++) {
        assert(retry <= GRZ_SWEEP_LAST_RETRY); // a single column always has room
        if (!gather_objects(sweep) || !grz_sweep_cut(sweep, retry) ||
            !grz_array_reserve(&sweep->allocator, &sweep->scratch.spare_ids, sweep->live)) // may have been swapped
            return false;
        if (!sort_objects(sweep))
            return false;
        const placing placed = list_places(sweep);
        if (placed == FAILED)
            return false;
        if (placed == PLACED)
            break;
    }
    sweep->built = (grz_sweep_built){.live = sweep->live};
    if (!sort_places(sweep) || !fill_lists(sweep) || !publish_found(sweep))
        return false;
    sweep->built.room = sweep->lists.entries.count;
    guess_change_cost(sweep);
    learn_crowding(sweep);
    sweep->work.tests += sweep->built.tests;
    sweep->broken = false;
    return true;
}
