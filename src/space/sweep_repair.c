// SPDX-License-Identifier: MIT
// Sweep and prune from what was: an object that changed is moved to its new place in the sorted lists that it stays in, as
// insertion sort does, taken out of those it left and put into those it came to; what it meets now is found in the same visit. A
// pair is new if the two boxes did not overlap at the last update. How many pairs are gone follows from counts, so that the list of
// pairs is searched for them only where there are any. One pass merges the news into the list. Sources: as in sweep_rebuild.c; J.
// Cohen, M. Lin, D. Manocha, M. Ponamgi, "I-COLLIDE" (1995), for repairing sorted lists.
#include "base/number_sort.h"
#include "space/sweep_parts.h"

// Which children an object reaches into; empty: first > last.
typedef struct reach {
    uint32_t first, last;
} reach;

// One object under repair; boxes with the axes in the lists' order.
typedef struct change {
    grz_sweep *sweep;
    uint32_t id;
    bool was, is;      // in the lists: its box was not, is not, empty
    grz_box then, now; // each counts only if it was, if it is
    grz_box scope;     // holds both
} change;

// Whether it was, whether it is, in a slab, column or segment, and its bits of grz_sweep_entry::starts for either, as far as known.
typedef struct presence {
    bool was, is;
    uint32_t starts_then, starts_now;
} presence;

static reach reach_of(const double *starts, uint32_t count, bool there, const grz_box *box, int axis)
{
    if (!there)
        return (reach){1, 0};
    const uint32_t first = grz_sweep_locate(starts, count, box->min[axis]);
    return (reach){first, grz_sweep_locate_end(starts, count, first, box->max[axis])};
}

static presence presence_in(const presence *parent, reach then, reach now, uint32_t child, int axis)
{
    return (presence){.was = then.first <= child && child <= then.last,
                      .is = now.first <= child && child <= now.last,
                      .starts_then = parent->starts_then | (child == then.first ? 1u << axis : 0u),
                      .starts_now = parent->starts_now | (child == now.first ? 1u << axis : 0u)};
}

// The first child at or after `child` that is in one of the two; UINT32_MAX: none.
static uint32_t next_child(reach x, reach y, uint32_t child)
{
    const uint32_t in_x = child <= x.last && x.first <= x.last ? (child > x.first ? child : x.first) : UINT32_MAX;
    const uint32_t in_y = child <= y.last && y.first <= y.last ? (child > y.first ? child : y.first) : UINT32_MAX;
    return in_x < in_y ? in_x : in_y;
}

// The place of (min, id) among `count` entries: that of the first that is not before it.
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
static void move_entry(const change *c, const grz_sweep_segment *segment, const grz_sweep_entry *moved)
{
    grz_sweep_entry *entries = c->sweep->lists.entries.items + segment->first;
    const uint32_t from = place_of(entries, segment->count, c->then.min[2], c->id);
    uint32_t place = from;
    for (; place > 0 && is_before(moved, &entries[place - 1]); place--)
        entries[place] = entries[place - 1];
    for (; place + 1 < segment->count && is_before(&entries[place + 1], moved); place++)
        entries[place] = entries[place + 1];
    entries[place] = *moved;
    c->sweep->work.shifts += place > from ? place - from : from - place;
}

static void remove_entry(const change *c, grz_sweep_segment *segment)
{
    grz_sweep_entry *entries = c->sweep->lists.entries.items + segment->first;
    const uint32_t place = place_of(entries, segment->count, c->then.min[2], c->id);
    memmove(&entries[place], &entries[place + 1], (segment->count - place - 1) * sizeof *entries);
    c->sweep->work.shifts += segment->count - place;
    segment->count--;
}

// A full segment moves to the end of the entries with more room.
static bool insert_entry(const change *c, grz_sweep_segment *segment, const grz_sweep_entry *added)
{
    grz_sweep_lists *lists = &c->sweep->lists;
    if (segment->count == segment->capacity) {
        const uint32_t capacity = segment->count + segment->count / 2 + 8;
        if (!grz_array_reserve(&c->sweep->allocator, &lists->entries, lists->entries.count + capacity))
            return false;
        memcpy(lists->entries.items + lists->entries.count, lists->entries.items + segment->first,
               segment->count * sizeof *lists->entries.items);
        segment->first = lists->entries.count;
        segment->capacity = capacity;
        lists->entries.count += capacity;
        c->sweep->work.shifts += segment->count;
    }
    grz_sweep_entry *entries = lists->entries.items + segment->first;
    const uint32_t place = place_of(entries, segment->count, added->box.min[2], added->id);
    memmove(&entries[place + 1], &entries[place], (segment->count - place) * sizeof *entries);
    c->sweep->work.shifts += segment->count - place;
    entries[place] = *added;
    segment->count++;
    return true;
}

static bool overlap_there(bool there, const grz_box *x, const grz_box *y)
{
    return there && !grz_box_is_empty(y) && grz_boxes_overlap(x, y);
}

// Compare the object with another that it may meet or have met. While the other waits for its own repair, its entry is as it was,
// and the pair can be seen to be gone; after that its entry is as it is, and the pair can be found. An unchanged one's entry is
// both.
static void compare(change *c, const presence *p, const grz_sweep_entry *other)
{
    grz_sweep *sweep = c->sweep;
    const bool changed = grz_sweep_bit(&sweep->changed_bits, other->id);
    const bool pending = changed && grz_sweep_bit(&sweep->pending_bits, other->id);
    grz_box then = other->box, now = other->box;
    if (pending)
        now = grz_sweep_turned(&sweep->boxes.items[other->id], sweep->lists.axes);
    else if (changed)
        then = grz_sweep_turned(&sweep->then.items[other->id], sweep->lists.axes);
    const bool met = overlap_there(c->was, &c->then, &then), meets = overlap_there(c->is, &c->now, &now);
    const uint64_t number = grz_sweep_pair_number(c->id, other->id);
    if (met && !meets && p->was && (!changed || pending) && (p->starts_then | other->starts) == GRZ_SWEEP_STARTS_ALL)
        sweep->gone.items[sweep->gone.count++] = number;
    if (meets && !met && p->is && !pending && (p->starts_now | other->starts) == GRZ_SWEEP_STARTS_ALL)
        sweep->found.items[sweep->found.count++] = number;
}

// Compare the object with a segment's entries. False: no memory.
static bool search_segment(change *c, const presence *p, const grz_sweep_segment *segment)
{
    grz_sweep *sweep = c->sweep;
    if (!grz_array_reserve(&sweep->allocator, &sweep->found, sweep->found.count + segment->count) ||
        !grz_array_reserve(&sweep->allocator, &sweep->gone, sweep->gone.count + segment->count))
        return false;
    const grz_sweep_entry *entries = sweep->lists.entries.items + segment->first;
    const grz_box *scope = !p->was ? &c->now : !p->is ? &c->then : &c->scope;
    const double max = scope->max[2];
    uint32_t i = 0;
    for (; i < segment->count && entries[i].box.min[2] <= max; i++)
        if (entries[i].box.max[2] >= scope->min[2] && grz_boxes_overlap(scope, &entries[i].box) && entries[i].id != c->id)
            compare(c, p, &entries[i]);
    sweep->work.tests += i;
    return true;
}

static bool visit_segment(change *c, const presence *p, grz_sweep_segment *segment)
{
    c->sweep->work.visits++;
    if (!search_segment(c, p, segment))
        return false;
    const grz_sweep_entry entry = {c->now, c->id, p->starts_now};
    if (!p->was)
        return insert_entry(c, segment, &entry);
    if (p->is)
        move_entry(c, segment, &entry);
    else
        remove_entry(c, segment);
    return true;
}

static bool visit_column(change *c, const presence *p, uint32_t column)
{
    const grz_sweep_range range = c->sweep->lists.columns.items[column];
    const double *starts = c->sweep->lists.segment_starts.items + range.first;
    const reach then = reach_of(starts, range.count, p->was, &c->then, 2), now = reach_of(starts, range.count, p->is, &c->now, 2);
    for (uint32_t i = next_child(then, now, 0); i != UINT32_MAX; i = next_child(then, now, i + 1)) {
        const presence inside = presence_in(p, then, now, i, 2);
        if (!visit_segment(c, &inside, &c->sweep->lists.segments.items[range.first + i]))
            return false;
    }
    return true;
}

static bool visit_slab(change *c, const presence *p, uint32_t slab)
{
    const grz_sweep_range range = c->sweep->lists.slabs.items[slab];
    const double *starts = c->sweep->lists.column_starts.items + range.first;
    const reach then = reach_of(starts, range.count, p->was, &c->then, 1), now = reach_of(starts, range.count, p->is, &c->now, 1);
    for (uint32_t i = next_child(then, now, 0); i != UINT32_MAX; i = next_child(then, now, i + 1)) {
        const presence inside = presence_in(p, then, now, i, 1);
        if (!visit_column(c, &inside, range.first + i))
            return false;
    }
    return true;
}

// Repair every list that the object was in or is in. False: no memory.
static bool repair_object(change *c)
{
    const presence p = {.was = c->was, .is = c->is};
    const double *starts = c->sweep->lists.slab_starts.items;
    const uint32_t count = (uint32_t)c->sweep->lists.slabs.count;
    const reach then = reach_of(starts, count, c->was, &c->then, 0), now = reach_of(starts, count, c->is, &c->now, 0);
    for (uint32_t i = next_child(then, now, 0); i != UINT32_MAX; i = next_child(then, now, i + 1)) {
        const presence inside = presence_in(&p, then, now, i, 0);
        if (!visit_slab(c, &inside, i))
            return false;
    }
    return true;
}

static uint64_t number_at(const grz_sweep *sweep, size_t place)
{
    return grz_sweep_pair_number(sweep->pairs.items[place].a, sweep->pairs.items[place].b);
}

// The first place in [low, high) whose pair is not before the number; high: none.
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

// The same, quicker where it is near the low end, by strides that double.
static size_t pair_place_after(const grz_sweep *sweep, size_t low, size_t high, uint64_t number)
{
    size_t stride = 1;
    for (; high - low > stride && number_at(sweep, low + stride) < number; stride *= 2)
        low += stride;
    return pair_place(sweep, low, high - low > stride ? low + stride + 1 : high, number);
}

// The same, quicker where it is near the high end.
static size_t pair_place_before(const grz_sweep *sweep, size_t low, size_t high, uint64_t number)
{
    size_t stride = 1;
    for (; high - low > stride && number_at(sweep, high - stride) >= number; stride *= 2)
        high -= stride;
    return pair_place(sweep, high - low > stride ? high - stride : low, high, number);
}

static void move_pairs(grz_sweep *sweep, size_t to, size_t from, size_t count)
{
    if (to == from || count == 0)
        return;
    memmove(&sweep->pairs.items[to], &sweep->pairs.items[from], count * sizeof *sweep->pairs.items);
    sweep->work.copied += count;
}

static void drop_gone(grz_sweep *sweep)
{
    const size_t count = sweep->pairs.count;
    size_t place = pair_place(sweep, 0, count, sweep->gone.items[0]), to = place;
    for (size_t i = 0; i < sweep->gone.count; i++) {
        const size_t next = i + 1 < sweep->gone.count ? pair_place_after(sweep, place + 1, count, sweep->gone.items[i + 1]) : count;
        move_pairs(sweep, to, place + 1, next - place - 1);
        to += next - place - 1;
        place = next;
    }
    sweep->pairs.count = to;
}

// From the end, so that nothing is overwritten; there is room.
static void insert_found(grz_sweep *sweep)
{
    size_t end = sweep->pairs.count;
    for (size_t i = sweep->found.count; i > 0; i--) {
        const uint64_t number = sweep->found.items[i - 1];
        const size_t place = pair_place_before(sweep, 0, end, number);
        move_pairs(sweep, place + i, place, end - place);
        sweep->pairs.items[place + i - 1] = grz_sweep_pair_of(number);
        end = place;
    }
    sweep->pairs.count += sweep->found.count;
}

// Bring what was found and what is gone into the list of pairs. False: no memory, or the control says to end.
static bool update_pairs(grz_sweep *sweep)
{
    const size_t found = sweep->found.count, gone = sweep->gone.count;
    if (!grz_array_reserve(&sweep->allocator, &sweep->pairs, sweep->pairs.count + found) ||
        !grz_array_reserve(&sweep->allocator, &sweep->scratch.spare_keys, found > gone ? found : gone))
        return false;
    if (!grz_sort_numbers(sweep->found.items, sweep->scratch.spare_keys.items, found, sweep->control) ||
        !grz_sort_numbers(sweep->gone.items, sweep->scratch.spare_keys.items, gone, sweep->control))
        return false;
    if (gone > 0)
        drop_gone(sweep);
    insert_found(sweep);
    return true;
}

// What was done since `start` for so many objects, at the prices of sweep_parts.h.
static double cost_since(const grz_sweep *sweep, const grz_sweep_work *start, size_t objects)
{
    const grz_sweep_work *now = &sweep->work;
    return (double)GRZ_SWEEP_COST_CHANGE * (double)objects + (double)GRZ_SWEEP_COST_VISIT * (double)(now->visits - start->visits) +
           (double)GRZ_SWEEP_COST_TEST * (double)(now->tests - start->tests) +
           (double)GRZ_SWEEP_COST_SHIFT * (double)(now->shifts - start->shifts) +
           (double)GRZ_SWEEP_COST_NEWS * (double)(sweep->found.count + sweep->gone.count);
}

static change change_of(grz_sweep *sweep, uint32_t id)
{
    change c = {.sweep = sweep,
                .id = id,
                .was = !grz_box_is_empty(&sweep->then.items[id]),
                .is = !grz_box_is_empty(&sweep->boxes.items[id]),
                .then = grz_sweep_turned(&sweep->then.items[id], sweep->lists.axes),
                .now = grz_sweep_turned(&sweep->boxes.items[id], sweep->lists.axes)};
    c.scope = c.then;
    grz_box_add_box(&c.scope, &c.now);
    return c;
}

// Repair the lists for all objects that changed; `found` and `gone` receive the pairs.
static grz_sweep_outcome repair_lists(grz_sweep *sweep, double budget, double *cost, size_t *done)
{
    const grz_sweep_work start = sweep->work;
    const size_t most_room = 2 * sweep->built.room + GRZ_SWEEP_SPARE_ROOM;
    for (*done = 0; *done < sweep->changed.count; ++*done) {
        const uint32_t id = sweep->changed.items[*done];
        change c = change_of(sweep, id);
        sweep->pending_bits.items[id >> 6] &= ~(UINT64_C(1) << (id & 63u));
        if (grz_sweep_expired(sweep, *done, 5) || !repair_object(&c))
            return GRZ_SWEEP_FAILED;
        *cost = cost_since(sweep, &start, *done + 1);
        if (*cost > budget || sweep->lists.entries.count > most_room)
            return GRZ_SWEEP_TOO_DEAR;
    }
    return GRZ_SWEEP_DONE;
}

grz_sweep_outcome grz_sweep_repair(grz_sweep *sweep, double budget, double *cost, size_t *done)
{
    sweep->broken = true;
    sweep->found.count = sweep->gone.count = 0;
    memcpy(sweep->pending_bits.items, sweep->changed_bits.items, sweep->changed_bits.count * sizeof *sweep->changed_bits.items);
    const grz_sweep_outcome outcome = repair_lists(sweep, budget, cost, done);
    if (outcome != GRZ_SWEEP_DONE)
        return outcome;
    if (!update_pairs(sweep))
        return GRZ_SWEEP_FAILED;
    sweep->broken = false;
    return GRZ_SWEEP_DONE;
}
