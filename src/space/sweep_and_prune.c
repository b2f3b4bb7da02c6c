// SPDX-License-Identifier: MIT
// Sweep and prune: objects and their changes, and the choice between repairing the lists for what changed (sweep_repair.c) and
// making them anew (sweep_rebuild.c). The choice is by a cost model that counts work, never by a clock, and a repair that turns out
// dearer than a rebuild is given up for it (docs/sweep.md).
#include <math.h>

#include "space/sweep_parts.h"

static const double BUDGET = 1.5; // a repair may come to so many times the price of a rebuild before it is given up
static const double PACE = 0.25;  // how fast guesses learn

grz_sweep *grz_sweep_create(const grz_allocator *allocator)
{
    grz_sweep *sweep = grz_allocate_zeroed(allocator, 1, sizeof *sweep);
    if (sweep == NULL)
        return NULL;
    sweep->own = sweep->allocator = *allocator;
    sweep->dearness = sweep->crowding = 1.0;
    return sweep;
}

void grz_sweep_destroy(grz_sweep *sweep)
{
    if (sweep == NULL)
        return;
    const grz_allocator allocator = sweep->own;
    grz_array_finish(&allocator, &sweep->boxes);
    grz_array_finish(&allocator, &sweep->then);
    grz_array_finish(&allocator, &sweep->changed);
    grz_array_finish(&allocator, &sweep->changed_bits);
    grz_array_finish(&allocator, &sweep->pending_bits);
    grz_array_finish(&allocator, &sweep->lists.slab_starts);
    grz_array_finish(&allocator, &sweep->lists.column_starts);
    grz_array_finish(&allocator, &sweep->lists.segment_starts);
    grz_array_finish(&allocator, &sweep->lists.slabs);
    grz_array_finish(&allocator, &sweep->lists.columns);
    grz_array_finish(&allocator, &sweep->lists.segments);
    grz_array_finish(&allocator, &sweep->lists.entries);
    grz_array_finish(&allocator, &sweep->pairs);
    grz_array_finish(&allocator, &sweep->gone);
    grz_array_finish(&allocator, &sweep->found);
    grz_array_finish(&allocator, &sweep->coast.boxes);
    grz_array_finish(&allocator, &sweep->coast.ways);
    grz_array_finish(&allocator, &sweep->coast.pairs);
    grz_array_finish(&allocator, &sweep->scratch.keys);
    grz_array_finish(&allocator, &sweep->scratch.spare_keys);
    grz_array_finish(&allocator, &sweep->scratch.ids);
    grz_array_finish(&allocator, &sweep->scratch.spare_ids);
    grz_array_finish(&allocator, &sweep->scratch.places);
    grz_array_finish(&allocator, &sweep->scratch.sorted_places);
    grz_array_finish(&allocator, &sweep->scratch.column_ends);
    grz_array_finish(&allocator, &sweep->scratch.sample);
    grz_release(&allocator, sweep, 1, sizeof *sweep);
}

void grz_sweep_obey(grz_sweep *sweep, grz_control *control)
{
    sweep->control = control;
    sweep->allocator = control != NULL ? *grz_control_allocator(control) : sweep->own;
}

// Make room for objects up to `id`.
static bool grow(grz_sweep *sweep, uint32_t id)
{
    const grz_allocator *allocator = &sweep->allocator;
    const size_t count = (size_t)id + 1, words = ((size_t)id >> 6) + 1;
    if (!grz_array_reserve(allocator, &sweep->boxes, count) || !grz_array_reserve(allocator, &sweep->then, count) ||
        !grz_array_reserve(allocator, &sweep->changed, count) || !grz_array_reserve(allocator, &sweep->changed_bits, words) ||
        !grz_array_reserve(allocator, &sweep->pending_bits, words) || (sweep->coast.on && !grz_sweep_coast_grow(sweep, count)))
        return false;
    for (; sweep->boxes.count < count; sweep->boxes.count++)
        sweep->boxes.items[sweep->boxes.count] = sweep->then.items[sweep->boxes.count] = grz_box_empty();
    for (; sweep->changed_bits.count < words; sweep->changed_bits.count++)
        sweep->changed_bits.items[sweep->changed_bits.count] = 0;
    return true;
}

// The box with every zero positive, or the empty box.
static void normalise(const grz_box *box, grz_box *plain)
{
    if (grz_box_is_empty(box)) {
        *plain = grz_box_empty();
        return;
    }
    double numbers[6];
    _Static_assert(sizeof numbers == sizeof *box, "a box is six numbers");
    memcpy(numbers, box, sizeof numbers);
    for (int i = 0; i < 6; i++)
        numbers[i] += 0.0; // minus zero becomes zero
    memcpy(plain, numbers, sizeof numbers);
}

void grz_sweep_put(grz_sweep *sweep, uint32_t id, const grz_box *box)
{
    grz_box *now = &sweep->boxes.items[id];
    if (grz_sweep_same_box(now, box))
        return;
    sweep->live += grz_box_is_empty(box) ? 0 : 1;
    sweep->live -= grz_box_is_empty(now) ? 0 : 1;
    *now = *box;
    if (!grz_sweep_bit(&sweep->changed_bits, id)) {
        sweep->changed_bits.items[id >> 6] |= UINT64_C(1) << (id & 63u);
        sweep->changed.items[sweep->changed.count++] = id;
    }
}

static void set_box(grz_sweep *sweep, uint32_t id, const grz_box *box)
{
    if (sweep->coast.on)
        grz_sweep_coast_set(sweep, id, box);
    else
        grz_sweep_put(sweep, id, box);
}

bool grz_sweep_set(grz_sweep *sweep, uint32_t id, const grz_box *box)
{
    if (id > GRZ_SWEEP_MAX_ID || (id >= sweep->boxes.count && !grow(sweep, id)))
        return false;
    grz_box plain;
    normalise(box, &plain);
    set_box(sweep, id, &plain);
    return true;
}

void grz_sweep_remove(grz_sweep *sweep, uint32_t id)
{
    const grz_box none = grz_box_empty();
    if (id < sweep->boxes.count)
        set_box(sweep, id, &none);
}

static void forget_change(grz_sweep *sweep, uint32_t id)
{
    sweep->changed_bits.items[id >> 6] &= ~(UINT64_C(1) << (id & 63u));
}

// Drop the objects that are back where they were.
static void drop_unchanged(grz_sweep *sweep)
{
    size_t kept = 0;
    for (size_t i = 0; i < sweep->changed.count; i++) {
        const uint32_t id = sweep->changed.items[i];
        if (grz_sweep_same_box(&sweep->boxes.items[id], &sweep->then.items[id]))
            forget_change(sweep, id);
        else
            sweep->changed.items[kept++] = id;
    }
    sweep->changed.count = kept;
}

static void settle_changes(grz_sweep *sweep)
{
    for (size_t i = 0; i < sweep->changed.count; i++) {
        const uint32_t id = sweep->changed.items[i];
        sweep->then.items[id] = sweep->boxes.items[id];
        forget_change(sweep, id);
    }
    sweep->changed.count = 0;
}

// What a rebuild should cost, if space is as full as it was at the last one.
static double rebuild_cost(const grz_sweep *sweep)
{
    const double growth = (double)sweep->live / (double)(sweep->built.live > 0 ? sweep->built.live : 1);
    return GRZ_SWEEP_COST_OBJECT * (double)sweep->live + (double)GRZ_SWEEP_COST_PAIR * (double)sweep->pairs.count +
           growth * (GRZ_SWEEP_COST_ENTRY * (double)sweep->built.entries + GRZ_SWEEP_COST_TEST * (double)sweep->built.tests);
}

// How much a repair may cost before it is given up; negative: do not try.
static double repair_budget(const grz_sweep *sweep)
{
    if (sweep->way == GRZ_SWEEP_REBUILD || sweep->broken || sweep->lists.segments.count == 0)
        return -1.0;
    if (sweep->way == GRZ_SWEEP_REPAIR)
        return HUGE_VAL;
    const double rebuild = rebuild_cost(sweep);
    const double guess = sweep->built.change_cost * (double)sweep->changed.count;
    if (sweep->excess > rebuild || GRZ_SWEEP_COST_COPY * (double)sweep->pairs.count + sweep->dearness * guess > rebuild)
        return -1.0;
    return BUDGET * rebuild;
}

// Learn from a repair that was done or given up. Guesses that turned out wrong correct the next ones; lists that have become
// uneven since they were made cost more than they should, and once that has come to the price of a rebuild, one is due.
static void learn(grz_sweep *sweep, grz_sweep_outcome outcome, double cost, size_t done)
{
    const double guess = sweep->built.change_cost * (double)done;
    if (outcome == GRZ_SWEEP_TOO_DEAR) {
        sweep->dearness = cost > guess ? cost / guess : 1.0;
        return;
    }
    sweep->dearness += (cost / guess - sweep->dearness) * PACE;
    sweep->excess += cost > 2.0 * guess ? cost - 2.0 * guess : 0.0;
}

static bool rebuild(grz_sweep *sweep)
{
    if (sweep->coast.on)
        grz_sweep_coast_renew(sweep);
    if (!grz_sweep_rebuild(sweep))
        return false;
    sweep->work.rebuilds++;
    sweep->excess = 0.0;
    sweep->dearness += (1.0 - sweep->dearness) * PACE; // so that repairs are tried again one day
    return true;
}

// `cost` receives what it should have cost.
static bool bring_up_to_date(grz_sweep *sweep, double *cost)
{
    const double budget = repair_budget(sweep);
    if (budget < 0.0) {
        *cost = rebuild_cost(sweep);
        return rebuild(sweep);
    }
    size_t done = 0;
    const grz_sweep_outcome outcome = grz_sweep_repair(sweep, budget, cost, &done);
    if (outcome == GRZ_SWEEP_FAILED)
        return false;
    learn(sweep, outcome, *cost, outcome == GRZ_SWEEP_DONE ? done : done + 1);
    if (outcome == GRZ_SWEEP_TOO_DEAR) {
        sweep->work.abandoned++;
        *cost += rebuild_cost(sweep);
        return rebuild(sweep);
    }
    sweep->work.repairs++;
    return true;
}

bool grz_sweep_update(grz_sweep *sweep, const grz_sweep_pair **pairs, size_t *count)
{
    double cost = 0.0;
    *pairs = NULL;
    *count = 0;
    drop_unchanged(sweep);
    grz_sweep_coast_choose(sweep, sweep->dearness * sweep->built.change_cost, rebuild_cost(sweep));
    if (sweep->changed.count > 0 || sweep->broken) {
        sweep->coast.stale = true;
        if (!bring_up_to_date(sweep, &cost))
            return false;
        settle_changes(sweep);
    }
    if (sweep->coast.on && sweep->coast.stale) {
        if (!grz_sweep_coast_filter(sweep))
            return false;
        grz_sweep_coast_account(sweep, cost);
    }
    *pairs = sweep->coast.on ? sweep->coast.pairs.items : sweep->pairs.items;
    *count = sweep->coast.on ? sweep->coast.pairs.count : sweep->pairs.count;
    return true;
}

const grz_sweep_work *grz_sweep_work_done(const grz_sweep *sweep)
{
    return &sweep->work;
}

void grz_sweep_force(grz_sweep *sweep, grz_sweep_way way)
{
    sweep->way = way;
}
