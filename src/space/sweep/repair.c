// SPDX-License-Identifier: MIT
// Repairs lists and pairs for the objects that changed. An object's entry is moved to its new place in the sorted lists
// in which it stays, as in insertion sort. It is removed from the lists that it left and inserted into those that it
// entered. The same visit finds the pairs that it gained or lost: a pair is new if the two boxes did not overlap at the
// last update. Afterwards the new pairs are merged into the sorted list of pairs in one pass, and the lost pairs are
// removed.
// Sources: as in rebuild.c; J. Cohen, M. Lin, D. Manocha, M. Ponamgi, "I-COLLIDE" (1995), for repairing sorted lists.
#include <assert.h>

#include "base/sort/number_sort.h"
#include "space/sweep/sweep_parts.h"

enum {
    MOVE_BITS = 18 // pairs moved between two checks of the control, as a power of two
};

// The children that an object reaches into, first to last; none: first > last.
typedef struct child_range {
    uint32_t first, last;
} child_range;

// An object under repair. Its boxes have the axes in the lists' order.
typedef struct object_change {
    grz_sweep *sweep;
    uint32_t id;
    bool listed_before, listed_after; // its box was not empty at the last update; is not empty now
    grz_box before, after;            // its boxes; each is valid only if it is listed at that time
    grz_box scope;                    // a box around both
} object_change;

// Whether the object is in a slab, column or segment, before and after the change, and its bits of
// grz_sweep_entry::starts, as far as they are known at this level.
typedef struct list_presence {
    bool listed_before, listed_after;
    uint32_t starts_before, starts_after;
} list_presence;

static child_range children_of(const double *starts, uint32_t count, bool there, const grz_box *box, int axis)
{
    if (!there)
        return (child_range){1, 0};
    return (child_range){grz_sweep_locate(starts, count, box->min[axis]),
                         grz_sweep_locate(starts, count, box->max[axis])};
}

// The object's presence in a child of a slab or column.
static list_presence presence_in(const list_presence *parent, child_range before, child_range after, uint32_t child,
                                 int axis)
{
    return (list_presence){.listed_before = before.first <= child && child <= before.last,
                           .listed_after = after.first <= child && child <= after.last,
                           .starts_before = parent->starts_before | (child == before.first ? 1u << axis : 0u),
                           .starts_after = parent->starts_after | (child == after.first ? 1u << axis : 0u)};
}

// The first child at or after `child` that is in one of two ranges. UINT32_MAX: none.
static uint32_t next_child(child_range x, child_range y, uint32_t child)
{
    const uint32_t in_x = child <= x.last && x.first <= x.last ? (child > x.first ? child : x.first) : UINT32_MAX;
    const uint32_t in_y = child <= y.last && y.first <= y.last ? (child > y.first ? child : y.first) : UINT32_MAX;
    return in_x < in_y ? in_x : in_y;
}

// The place of (min, id) among `count` sorted entries: that of the first entry that is not before it.
static uint32_t place_of(const grz_sweep_entry *entries, uint32_t count, double min, uint32_t id)
{
    uint32_t place = 0;
    while (count > 0) {
        const uint32_t half = count / 2;
        const grz_sweep_entry *middle = &entries[place + half];
        const bool right = middle->box.min[2] < min || (middle->box.min[2] == min && middle->id < id);
        place = right ? place + half + 1 : place;
        count = right ? count - half - 1 : half;
    }
    return place;
}

static bool is_before(const grz_sweep_entry *x, const grz_sweep_entry *y)
{
    return x->box.min[2] < y->box.min[2] || (x->box.min[2] == y->box.min[2] && x->id < y->id);
}

// Give the object's entry its new box, and move it to its new place.
static void move_entry(const object_change *change, const grz_sweep_segment *segment, const grz_sweep_entry *moved)
{
    grz_sweep_entry *entries = change->sweep->lists.entries.items + segment->first;
    const uint32_t from = place_of(entries, segment->count, change->before.min[2], change->id);
    uint32_t place = from;
    assert(from < segment->count && entries[from].id == change->id);
    for (; place > 0 && is_before(moved, &entries[place - 1]); place--)
        entries[place] = entries[place - 1];
    for (; place + 1 < segment->count && is_before(&entries[place + 1], moved); place++)
        entries[place] = entries[place + 1];
    entries[place] = *moved;
    change->sweep->work.shifts += place > from ? place - from : from - place;
}

static void remove_entry(const object_change *change, grz_sweep_segment *segment)
{
    grz_sweep_entry *entries = change->sweep->lists.entries.items + segment->first;
    const uint32_t place = place_of(entries, segment->count, change->before.min[2], change->id);
    assert(place < segment->count && entries[place].id == change->id);
    memmove(&entries[place], &entries[place + 1], (segment->count - place - 1) * sizeof *entries);
    change->sweep->work.shifts += segment->count - place;
    segment->count--;
}

// Insert an entry. A full segment first moves to the end of the entries, with more room. False: there is no memory.
static bool insert_entry(const object_change *change, grz_sweep_segment *segment, const grz_sweep_entry *added)
{
    grz_sweep_lists *lists = &change->sweep->lists;
    if (segment->count == segment->capacity) {
        const uint32_t capacity = segment->count + segment->count / 2 + 8;
        if (!grz_array_reserve(&change->sweep->allocator, &lists->entries, lists->entries.count + capacity))
            return false;
        memcpy(lists->entries.items + lists->entries.count, lists->entries.items + segment->first,
               segment->count * sizeof *lists->entries.items);
        segment->first = lists->entries.count;
        segment->capacity = capacity;
        lists->entries.count += capacity;
        change->sweep->work.shifts += segment->count;
    }
    grz_sweep_entry *entries = lists->entries.items + segment->first;
    const uint32_t place = place_of(entries, segment->count, added->box.min[2], added->id);
    memmove(&entries[place + 1], &entries[place], (segment->count - place) * sizeof *entries);
    change->sweep->work.shifts += segment->count - place;
    entries[place] = *added;
    segment->count++;
    assert(segment->count <= segment->capacity);
    return true;
}

static bool overlap_there(bool there, const grz_box *x, const grz_box *y)
{
    return there && !grz_box_is_empty(y) && grz_boxes_overlap(x, y);
}

// Compare the object with another one whose entry is near. The pair is gone if they overlapped before and do not now,
// and new if the other way round. Of two changed objects, each pair must be counted once. As long as the other one
// waits for its own repair (`pending`), its entry is still the old one, and the pair can only be seen to be gone. After
// its repair, its entry is the new one, and the pair can only be found. The entry of an unchanged object is both.
static void compare(object_change *change, const list_presence *presence, const grz_sweep_entry *other)
{
    grz_sweep *sweep = change->sweep;
    const bool changed = grz_sweep_bit(&sweep->changed_bits, other->id);
    const bool pending = changed && grz_sweep_bit(&sweep->pending_bits, other->id);
    grz_box before = other->box, after = other->box;
    if (pending)
        after = grz_sweep_permuted(&sweep->boxes.items[other->id], sweep->lists.axes);
    else if (changed)
        before = grz_sweep_permuted(&sweep->previous.items[other->id], sweep->lists.axes);
    const bool overlapped = overlap_there(change->listed_before, &change->before, &before),
               overlap = overlap_there(change->listed_after, &change->after, &after);
    const uint64_t number = grz_sweep_pair_number(change->id, other->id);
    if (overlapped && !overlap && presence->listed_before && (!changed || pending) &&
        (presence->starts_before | other->starts) == GRZ_SWEEP_STARTS_ALL)
        sweep->gone.items[sweep->gone.count++] = number;
    if (overlap && !overlapped && presence->listed_after && !pending &&
        (presence->starts_after | other->starts) == GRZ_SWEEP_STARTS_ALL)
        sweep->found.items[sweep->found.count++] = number;
}

// Compare the object with the entries of a segment. False: there is no memory.
static bool search_segment(object_change *change, const list_presence *presence, const grz_sweep_segment *segment)
{
    grz_sweep *sweep = change->sweep;
    if (!grz_array_reserve(&sweep->allocator, &sweep->found, sweep->found.count + segment->count) ||
        !grz_array_reserve(&sweep->allocator, &sweep->gone, sweep->gone.count + segment->count))
        return false;
    const grz_sweep_entry *entries = sweep->lists.entries.items + segment->first;
    const grz_box *scope = !presence->listed_before  ? &change->after
                           : !presence->listed_after ? &change->before
                                                     : &change->scope;
    const double max = scope->max[2];
    uint32_t i = 0;
    for (; i < segment->count && entries[i].box.min[2] <= max; i++)
        if (entries[i].box.max[2] >= scope->min[2] && grz_boxes_overlap(scope, &entries[i].box) &&
            entries[i].id != change->id)
            compare(change, presence, &entries[i]);
    sweep->work.tests += i;
    return true;
}

static bool visit_segment(object_change *change, const list_presence *presence, grz_sweep_segment *segment)
{
    change->sweep->work.visits++;
    if (!search_segment(change, presence, segment))
        return false;
    const grz_sweep_entry entry = {change->after, change->id, presence->starts_after};
    if (!presence->listed_before)
        return insert_entry(change, segment, &entry);
    if (presence->listed_after)
        move_entry(change, segment, &entry);
    else
        remove_entry(change, segment);
    return true;
}

static bool visit_column(object_change *change, const list_presence *presence, uint32_t column)
{
    const grz_sweep_range range = change->sweep->lists.columns.items[column];
    const double *starts = change->sweep->lists.segment_starts.items + range.first;
    const child_range before = children_of(starts, range.count, presence->listed_before, &change->before, 2),
                      after = children_of(starts, range.count, presence->listed_after, &change->after, 2);
    for (uint32_t i = next_child(before, after, 0); i != UINT32_MAX; i = next_child(before, after, i + 1)) {
        const list_presence inside = presence_in(presence, before, after, i, 2);
        if (!visit_segment(change, &inside, &change->sweep->lists.segments.items[range.first + i]))
            return false;
    }
    return true;
}

static bool visit_slab(object_change *change, const list_presence *presence, uint32_t slab)
{
    const grz_sweep_range range = change->sweep->lists.slabs.items[slab];
    const double *starts = change->sweep->lists.column_starts.items + range.first;
    const child_range before = children_of(starts, range.count, presence->listed_before, &change->before, 1),
                      after = children_of(starts, range.count, presence->listed_after, &change->after, 1);
    for (uint32_t i = next_child(before, after, 0); i != UINT32_MAX; i = next_child(before, after, i + 1)) {
        const list_presence inside = presence_in(presence, before, after, i, 1);
        if (!visit_column(change, &inside, range.first + i))
            return false;
    }
    return true;
}

// Repair every list that the object was in or is in now. False: there is no memory.
static bool repair_object(object_change *change)
{
    const list_presence presence = {.listed_before = change->listed_before, .listed_after = change->listed_after};
    const double *starts = change->sweep->lists.slab_starts.items;
    const uint32_t count = (uint32_t)change->sweep->lists.slabs.count;
    const child_range before = children_of(starts, count, change->listed_before, &change->before, 0),
                      after = children_of(starts, count, change->listed_after, &change->after, 0);
    for (uint32_t i = next_child(before, after, 0); i != UINT32_MAX; i = next_child(before, after, i + 1)) {
        const list_presence inside = presence_in(&presence, before, after, i, 0);
        if (!visit_slab(change, &inside, i))
            return false;
    }
    return true;
}

static uint64_t number_at(const grz_sweep *sweep, size_t place)
{
    return grz_sweep_pair_number(sweep->pairs.items[place].a, sweep->pairs.items[place].b);
}

// The first place in [low, high) whose pair is not before `number`, by binary search; `high` if there is none.
static size_t pair_place(const grz_sweep *sweep, size_t low, size_t high, uint64_t number)
{
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (number_at(sweep, middle) < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The same, faster if the place is near `low`, with strides that double.
static size_t pair_place_after(const grz_sweep *sweep, size_t low, size_t high, uint64_t number)
{
    size_t stride = 1;
    for (; high - low > stride && number_at(sweep, low + stride) < number; stride *= 2)
        low += stride;
    return pair_place(sweep, low, high - low > stride ? low + stride + 1 : high, number);
}

// The same, faster if the place is near `high`.
static size_t pair_place_before(const grz_sweep *sweep, size_t low, size_t high, uint64_t number)
{
    size_t stride = 1;
    for (; high - low > stride && number_at(sweep, high - stride) >= number; stride *= 2)
        high -= stride;
    return pair_place(sweep, high - low > stride ? high - stride : low, high, number);
}

// Move a range of the sorted pairs, a part at a time. False: the control says to end.
static bool move_pairs(grz_sweep *sweep, size_t to, size_t from, size_t count)
{
    const size_t part = (size_t)1 << MOVE_BITS;
    for (size_t done = 0; to != from && done < count;) {
        const size_t size = count - done < part ? count - done : part;
        const size_t start = to < from ? done : count - done - size; // nothing is overwritten before it is moved
        const uint64_t parts = sweep->work.copied >> MOVE_BITS;
        memmove(&sweep->pairs.items[to + start], &sweep->pairs.items[from + start], size * sizeof *sweep->pairs.items);
        sweep->work.copied += size;
        done += size;
        if (sweep->work.copied >> MOVE_BITS != parts && grz_sweep_expired(sweep, 0, 0))
            return false;
    }
    return true;
}

// Remove the pairs in `gone` from the sorted list. All of them are in it. False: the control says to end.
static bool drop_gone(grz_sweep *sweep)
{
    const size_t count = sweep->pairs.count;
    size_t place = pair_place(sweep, 0, count, sweep->gone.items[0]), to = place;
    for (size_t i = 0; i < sweep->gone.count; i++) {
        assert(place < count && number_at(sweep, place) == sweep->gone.items[i]);
        const size_t next =
            i + 1 < sweep->gone.count ? pair_place_after(sweep, place + 1, count, sweep->gone.items[i + 1]) : count;
        if (!move_pairs(sweep, to, place + 1, next - place - 1))
            return false;
        to += next - place - 1;
        assert(next > place);
        place = next;
    }
    sweep->pairs.count = to;
    return true;
}

// Insert the pairs in `found` into the sorted list, from the end, so that nothing is overwritten. There is room. False:
// the control says to end.
static bool insert_found(grz_sweep *sweep)
{
    size_t end = sweep->pairs.count;
    for (size_t i = sweep->found.count; i > 0; i--) {
        const uint64_t number = sweep->found.items[i - 1];
        const size_t place = pair_place_before(sweep, 0, end, number);
        assert(place == end || number_at(sweep, place) != number);
        if (!move_pairs(sweep, place + i, place, end - place))
            return false;
        sweep->pairs.items[place + i - 1] = grz_sweep_pair_of(number);
        end = place;
    }
    sweep->pairs.count += sweep->found.count;
    return true;
}

// Update the list of pairs by `found` and `gone`. False: there is no memory, or the control says to end.
static bool update_pairs(grz_sweep *sweep)
{
    const size_t found = sweep->found.count, gone = sweep->gone.count;
    if (!grz_array_reserve(&sweep->allocator, &sweep->pairs, sweep->pairs.count + found) ||
        !grz_array_reserve(&sweep->allocator, &sweep->scratch.spare_keys, found > gone ? found : gone))
        return false;
    if (!grz_sort_numbers(sweep->found.items, sweep->scratch.spare_keys.items, found, sweep->control) ||
        !grz_sort_numbers(sweep->gone.items, sweep->scratch.spare_keys.items, gone, sweep->control))
        return false;
    if (gone > 0 && !drop_gone(sweep))
        return false;
    return insert_found(sweep);
}

// The cost of the work since `start`, for `objects` objects, with the costs of sweep_parts.h.
static double cost_since(const grz_sweep *sweep, const grz_sweep_work *start, size_t objects)
{
    const grz_sweep_work *now = &sweep->work;
    return (double)GRZ_SWEEP_COST_CHANGE * (double)objects +
           (double)GRZ_SWEEP_COST_VISIT * (double)(now->visits - start->visits) +
           (double)GRZ_SWEEP_COST_TEST * (double)(now->tests - start->tests) +
           (double)GRZ_SWEEP_COST_SHIFT * (double)(now->shifts - start->shifts) +
           (double)GRZ_SWEEP_COST_PAIR_CHANGE * (double)(sweep->found.count + sweep->gone.count);
}

static object_change change_of(grz_sweep *sweep, uint32_t id)
{
    object_change change = {.sweep = sweep,
                            .id = id,
                            .listed_before = !grz_box_is_empty(&sweep->previous.items[id]),
                            .listed_after = !grz_box_is_empty(&sweep->boxes.items[id]),
                            .before = grz_sweep_permuted(&sweep->previous.items[id], sweep->lists.axes),
                            .after = grz_sweep_permuted(&sweep->boxes.items[id], sweep->lists.axes)};
    change.scope = change.before;
    grz_box_add_box(&change.scope, &change.after);
    return change;
}

// Repair the lists for all objects that changed. `found` and `gone` receive the pairs.
static grz_sweep_outcome repair_lists(grz_sweep *sweep, double budget, double *cost, size_t *done)
{
    const grz_sweep_work start = sweep->work;
    const size_t most_room = 2 * sweep->built.room + GRZ_SWEEP_SPARE_ROOM;
    for (*done = 0; *done < sweep->changed.count; ++*done) {
        const uint32_t id = sweep->changed.items[*done];
        object_change change = change_of(sweep, id);
        sweep->pending_bits.items[id >> 6] &= ~(UINT64_C(1) << (id & 63u));
        if (grz_sweep_expired(sweep, *done, 5) || !repair_object(&change))
            return GRZ_SWEEP_FAILED;
        *cost = cost_since(sweep, &start, *done + 1);
        if (*cost > budget || sweep->lists.entries.count > most_room)
            return GRZ_SWEEP_TOO_EXPENSIVE;
    }
    return GRZ_SWEEP_DONE;
}

grz_sweep_outcome grz_sweep_repair(grz_sweep *sweep, double budget, double *cost, size_t *done)
{
    sweep->broken = true;
    sweep->found.count = sweep->gone.count = 0;
    memcpy(sweep->pending_bits.items, sweep->changed_bits.items,
           sweep->changed_bits.count * sizeof *sweep->changed_bits.items);
    const grz_sweep_outcome outcome = repair_lists(sweep, budget, cost, done);
    if (outcome != GRZ_SWEEP_DONE)
        return outcome;
    if (!update_pairs(sweep))
        return GRZ_SWEEP_FAILED;
    sweep->broken = false;
    return GRZ_SWEEP_DONE;
}
