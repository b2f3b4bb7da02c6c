// SPDX-License-Identifier: MIT
// Sweep and prune: the objects and their changes, and the choice between repairing the lists for what changed
// (repair.c) and rebuilding them (rebuild.c). The choice is made by counted work, never by a clock. A repair that
// becomes more expensive than a rebuild is abandoned for a rebuild (docs/internals/sweep.md).
#include <assert.h>
#include <math.h>

#include "base/control.h"
#include "space/sweep/sweep_parts.h"

static const double BUDGET = 1.5;         // a repair is given up at this multiple of a rebuild's cost
static const double LEARNING_RATE = 0.25; // weight of the newest value in running estimates

enum {
    // Working memory for pairs is kept for the next update if it is for so many numbers or fewer.
    KEPT_BASE = 1 << 17,
    KEPT_AN_OBJECT = 32
};

grz_sweep *grz_sweep_create(const grz_allocator *allocator)
{
    grz_sweep *sweep = grz_allocate_zeroed(allocator, 1, sizeof *sweep);
    if (sweep == NULL)
        return NULL;
    sweep->own = sweep->allocator = *allocator;
    sweep->cost_ratio = sweep->clustering = 1.0;
    return sweep;
}

void grz_sweep_destroy(grz_sweep *sweep)
{
    if (sweep == NULL)
        return;
    const grz_allocator allocator = sweep->own;
    grz_array_finish(&allocator, &sweep->boxes);
    grz_array_finish(&allocator, &sweep->previous);
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
    grz_array_finish(&allocator, &sweep->fat.boxes);
    grz_array_finish(&allocator, &sweep->fat.motions);
    grz_array_finish(&allocator, &sweep->fat.pairs);
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

void grz_sweep_set_control(grz_sweep *sweep, grz_control *control)
{
    sweep->control = control;
    sweep->allocator = control != NULL ? *grz_control_allocator(control) : sweep->own;
}

// Make room for objects up to `id`. False: there is no memory.
static bool grow(grz_sweep *sweep, uint32_t id)
{
    const grz_allocator *allocator = &sweep->allocator;
    const size_t count = (size_t)id + 1, words = ((size_t)id >> 6) + 1;
    if (!grz_array_reserve(allocator, &sweep->boxes, count) || !grz_array_reserve(allocator, &sweep->previous, count) ||
        !grz_array_reserve(allocator, &sweep->changed, count) ||
        !grz_array_reserve(allocator, &sweep->changed_bits, words) ||
        !grz_array_reserve(allocator, &sweep->pending_bits, words) ||
        (sweep->fat.on && !grz_sweep_fat_grow(sweep, count)))
        return false;
    for (; sweep->boxes.count < count; sweep->boxes.count++)
        sweep->boxes.items[sweep->boxes.count] = sweep->previous.items[sweep->boxes.count] = grz_box_empty();
    for (; sweep->changed_bits.count < words; sweep->changed_bits.count++)
        sweep->changed_bits.items[sweep->changed_bits.count] = 0;
    return true;
}

// Copy a box with minus zeros replaced by zero. Every empty box, also one with a NaN, becomes grz_box_empty().
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

static void set_box(grz_sweep *sweep, uint32_t id, const grz_box *box)
{
    if (sweep->fat.on)
        grz_sweep_fat_set(sweep, id, box);
    else
        grz_sweep_set_listed(sweep, id, box);
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

const grz_box *grz_sweep_box(const grz_sweep *sweep, uint32_t id)
{
    assert(id < sweep->boxes.count);
    return sweep->fat.on ? &sweep->fat.boxes.items[id] : &sweep->boxes.items[id];
}

static void forget_change(grz_sweep *sweep, uint32_t id)
{
    sweep->changed_bits.items[id >> 6] &= ~(UINT64_C(1) << (id & 63u));
}

// Remove from `changed` the objects whose box is the same as at the last update.
static void drop_unchanged(grz_sweep *sweep)
{
    size_t kept = 0;
    for (size_t i = 0; i < sweep->changed.count; i++) {
        const uint32_t id = sweep->changed.items[i];
        if (grz_sweep_same_box(&sweep->boxes.items[id], &sweep->previous.items[id]))
            forget_change(sweep, id);
        else
            sweep->changed.items[kept++] = id;
    }
    sweep->changed.count = kept;
}

// The lists agree with the boxes now.
static void settle_changes(grz_sweep *sweep)
{
    for (size_t i = 0; i < sweep->changed.count; i++) {
        const uint32_t id = sweep->changed.items[i];
        sweep->previous.items[id] = sweep->boxes.items[id];
        forget_change(sweep, id);
    }
    sweep->changed.count = 0;
}

// The estimated cost of a rebuild, if space is as densely filled as at the last one.
static double rebuild_cost(const grz_sweep *sweep)
{
    const double growth = (double)sweep->live / (double)(sweep->built.live > 0 ? sweep->built.live : 1);
    return GRZ_SWEEP_COST_OBJECT * (double)sweep->live + (double)GRZ_SWEEP_COST_PAIR * (double)sweep->pairs.count +
           growth *
               (GRZ_SWEEP_COST_ENTRY * (double)sweep->built.entries + GRZ_SWEEP_COST_TEST * (double)sweep->built.tests);
}

// The cost at which a repair is given up. Negative: do not try a repair.
static double repair_budget(const grz_sweep *sweep)
{
    if (sweep->way == GRZ_SWEEP_REBUILD || sweep->broken || sweep->lists.segments.count == 0)
        return -1.0;
    if (sweep->way == GRZ_SWEEP_REPAIR)
        return HUGE_VAL;
    const double rebuild = rebuild_cost(sweep);
    const double guess = sweep->built.change_cost * (double)sweep->changed.count;
    if (sweep->excess_cost > rebuild ||
        GRZ_SWEEP_COST_COPY * (double)sweep->pairs.count + sweep->cost_ratio * guess > rebuild)
        return -1.0;
    return BUDGET * rebuild;
}

// Learn from a repair that was done or given up. Wrong estimates correct later ones. If lists have become uneven since
// the rebuild, repairs cost more than estimated; when the excess adds up to the cost of a rebuild, a rebuild is due.
static void learn(grz_sweep *sweep, grz_sweep_outcome outcome, double cost, size_t done)
{
    const double guess = sweep->built.change_cost * (double)done;
    if (outcome == GRZ_SWEEP_TOO_EXPENSIVE) {
        sweep->cost_ratio = cost > guess ? cost / guess : 1.0;
        return;
    }
    sweep->cost_ratio += (cost / guess - sweep->cost_ratio) * LEARNING_RATE;
    sweep->excess_cost += cost > 2.0 * guess ? cost - 2.0 * guess : 0.0;
}

static bool rebuild(grz_sweep *sweep)
{
    if (sweep->fat.on)
        grz_sweep_fat_renew(sweep);
    if (!grz_sweep_rebuild(sweep))
        return false;
    sweep->work.rebuilds++;
    sweep->excess_cost = 0.0;
    sweep->cost_ratio += (1.0 - sweep->cost_ratio) * LEARNING_RATE; // so that repairs are tried again some day
    return true;
}

// Repair or rebuild the lists. `cost` receives the cost, for a rebuild its estimate. False: there is no memory, or the
// control says to end.
static bool update_lists(grz_sweep *sweep, double *cost)
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
    if (outcome == GRZ_SWEEP_TOO_EXPENSIVE) {
        sweep->work.abandoned++;
        *cost += rebuild_cost(sweep);
        return rebuild(sweep);
    }
    sweep->work.repairs++;
    return true;
}

// Release working memory for pairs that is more than what the objects themselves take.
static void trim(grz_sweep *sweep)
{
    const size_t kept = KEPT_BASE + KEPT_AN_OBJECT * sweep->boxes.count;
    grz_sweep_numbers *const arrays[3] = {&sweep->found, &sweep->gone, &sweep->scratch.spare_keys};
    for (int i = 0; i < 3; i++)
        if (arrays[i]->capacity > kept)
            grz_array_finish(&sweep->allocator, arrays[i]);
}

bool grz_sweep_update(grz_sweep *sweep, const grz_sweep_pair **pairs, size_t *count)
{
    double cost = 0.0;
    *pairs = NULL;
    *count = 0;
    drop_unchanged(sweep);
    grz_sweep_fat_choose(sweep, sweep->cost_ratio * sweep->built.change_cost, rebuild_cost(sweep));
    if (sweep->changed.count > 0 || sweep->broken) {
        sweep->fat.stale = true;
        const bool updated = update_lists(sweep, &cost);
        trim(sweep);
        if (!updated)
            return false;
        settle_changes(sweep);
    }
    if (sweep->fat.on && sweep->fat.stale) {
        if (!grz_sweep_fat_filter(sweep))
            return false;
        grz_sweep_fat_account(sweep, cost);
    }
    assert(!sweep->broken && sweep->changed.count == 0);
    *pairs = sweep->fat.on ? sweep->fat.pairs.items : sweep->pairs.items;
    *count = sweep->fat.on ? sweep->fat.pairs.count : sweep->pairs.count;
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
