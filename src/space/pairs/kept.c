// SPDX-License-Identifier: MIT
// Pairs kept up to date with the help of a finder: the objects and their changes, and the choice of how an update is
// done. By counted work, never by a clock: each object that changed is looked up; or the pairs of enlarged boxes are
// filtered, after those that left their enlarged box have been looked up; or everything is rebuilt.
// Source: E. Catto, "Dynamic Bounding Volume Hierarchies" (2019), for enlarged boxes.
#include "space/pairs/kept.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#include "base/control.h"
#include "space/pairs/pairs_parts.h"

static const float STEADINESS = 0.5f; // steady: a step differs from the one before by at most this part
static const float STEP_DECAY = 0.9f; // the weight of older steps, for each new one

enum {
    // Working memory is kept for the next update if it is for so many numbers or fewer.
    KEPT_BASE = 1 << 17,
    KEPT_AN_OBJECT = 32
};

grz_kept *grz_kept_create(const grz_allocator *allocator, grz_simd simd, grz_kept_finder finder)
{
    grz_kept *kept = grz_allocate_zeroed(allocator, 1, sizeof *kept);
    if (kept == NULL)
        return NULL;
    kept->own = kept->allocator = *allocator;
    kept->tools = (grz_pairs_tools){.allocator = &kept->allocator, .simd = simd};
    kept->scale = 1.0;
    kept->type = finder == GRZ_KEPT_TREE ? &grz_pairs_tree : &grz_pairs_grid;
    kept->finder = grz_allocate_zeroed(allocator, 1, kept->type->size);
    if (kept->finder != NULL)
        return kept;
    grz_kept_destroy(kept);
    return NULL;
}

void grz_kept_destroy(grz_kept *kept)
{
    if (kept == NULL)
        return;
    const grz_allocator allocator = kept->own;
    if (kept->finder != NULL) {
        kept->type->finish(kept->finder, &allocator);
        grz_release(&allocator, kept->finder, 1, kept->type->size);
    }
    grz_array_finish(&allocator, &kept->boxes);
    grz_array_finish(&allocator, &kept->now);
    grz_array_finish(&allocator, &kept->fat);
    grz_array_finish(&allocator, &kept->motions);
    grz_array_finish(&allocator, &kept->changed);
    grz_array_finish(&allocator, &kept->left);
    grz_array_finish(&allocator, &kept->changed_bits);
    grz_array_finish(&allocator, &kept->left_bits);
    grz_array_finish(&allocator, &kept->answer);
    grz_array_finish(&allocator, &kept->candidates);
    grz_array_finish(&allocator, &kept->found);
    grz_array_finish(&allocator, &kept->gone);
    grz_array_finish(&allocator, &kept->spare);
    grz_array_finish(&allocator, &kept->ids);
    grz_release(&allocator, kept, 1, sizeof *kept);
}

void grz_kept_set_control(grz_kept *kept, grz_control *control)
{
    kept->tools.control = control;
    kept->allocator = control != NULL ? *grz_control_allocator(control) : kept->own;
}

const grz_box *grz_kept_box(const grz_kept *kept, uint32_t id)
{
    assert(id < kept->boxes.count);
    return &kept->boxes.items[id];
}

void grz_kept_force(grz_kept *kept, grz_pairs_way way)
{
    kept->way = way;
}

const grz_pairs_work *grz_kept_work_done(const grz_kept *kept)
{
    return &kept->work;
}

// Make room for objects up to `id`. False: there is no memory.
static bool grow(grz_kept *kept, uint32_t id)
{
    const grz_allocator *allocator = &kept->allocator;
    const size_t count = (size_t)id + 1, words = ((size_t)id >> 6) + 1;
    if (!grz_array_reserve(allocator, &kept->boxes, count) || !grz_array_reserve(allocator, &kept->now, count) ||
        !grz_array_reserve(allocator, &kept->fat, count) || !grz_array_reserve(allocator, &kept->motions, count) ||
        !grz_array_reserve(allocator, &kept->changed, count) || !grz_array_reserve(allocator, &kept->left, count) ||
        !grz_array_reserve(allocator, &kept->changed_bits, words) ||
        !grz_array_reserve(allocator, &kept->left_bits, words) ||
        (kept->finder_good && !kept->type->grow(kept->finder, &kept->tools, count)))
        return false;
    const float none = nanf("");
    for (; kept->boxes.count < count; kept->boxes.count++) {
        const size_t at = kept->boxes.count;
        kept->boxes.items[at] = grz_box_empty();
        kept->fat.items[at] = (grz_pairs_box){{none, none, none, none}, {none, none, none, none}};
        kept->motions.items[at] = (grz_kept_motion){.longest = HUGE_VALF};
    }
    for (; kept->changed_bits.count < words; kept->changed_bits.count++)
        kept->changed_bits.items[kept->changed_bits.count] = kept->left_bits.items[kept->changed_bits.count] = 0;
    return true;
}

static void note(grz_pairs_ids *ids, grz_pairs_numbers *bits, uint32_t id)
{
    const uint64_t bit = UINT64_C(1) << (id & 63u);
    if ((bits->items[id >> 6] & bit) == 0) {
        bits->items[id >> 6] |= bit;
        ids->items[ids->count++] = id;
    }
}

static void forget(grz_pairs_ids *ids, grz_pairs_numbers *bits)
{
    for (size_t i = 0; i < ids->count; i++)
        bits->items[ids->items[i] >> 6] = 0;
    ids->count = 0;
}

static bool same_box(const grz_box *x, const grz_box *y)
{
    bool same = true;
    for (int axis = 0; axis < 3; axis++)
        same = same & (x->min[axis] == y->min[axis]) & (x->max[axis] == y->max[axis]);
    return same;
}

static bool covers(const grz_pairs_box *fat, const grz_kept_floats *now)
{
    bool inside = true;
    for (int axis = 0; axis < 3; axis++)
        inside = inside & (fat->low[axis] <= now->low[axis]) & (-fat->high[axis] <= now->minus_high[axis]);
    return inside;
}

static void learn_motion(grz_kept *kept, uint32_t id, const grz_kept_floats *before, const grz_kept_floats *now)
{
    grz_kept_motion *motion = &kept->motions.items[id];
    uint32_t steady = 0;
    motion->longest = motion->longest < FLT_MAX ? STEP_DECAY * motion->longest : 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        const float step = now->low[axis] - before->low[axis], length = fabsf(step);
        motion->longest = length <= motion->longest ? motion->longest : length; // a NaN stays until the next step
        steady |= (uint32_t)(fabsf(step - motion->step[axis]) <= STEADINESS * length) << axis;
        motion->step[axis] = step;
    }
    motion->when = kept->update << 9 | (motion->when << 3 & 0x1f8u) | steady;
}

// The box is not empty, or grz_box_empty().
static void set_box(grz_kept *kept, uint32_t id, const grz_box *box)
{
    grz_box *old = &kept->boxes.items[id];
    if (same_box(old, box))
        return;
    const bool was = !grz_box_is_empty(old), is = !grz_box_is_empty(box);
    note(&kept->changed, &kept->changed_bits, id);
    kept->live += is;
    kept->live -= was;
    *old = *box;
    if (is) {
        const grz_kept_floats now = grz_kept_floats_of(kept, box);
        if (was)
            learn_motion(kept, id, &kept->now.items[id], &now);
        else
            kept->motions.items[id].longest = HUGE_VALF;
        kept->now.items[id] = now;
        if (covers(&kept->fat.items[id], &now))
            return;
    }
    note(&kept->left, &kept->left_bits, id);
}

bool grz_kept_set(grz_kept *kept, uint32_t id, const grz_box *box)
{
    if (id > GRZ_SWEEP_MAX_ID || (id >= kept->boxes.count && !grow(kept, id)))
        return false;
    const grz_box none = grz_box_empty();
    set_box(kept, id, grz_box_is_empty(box) ? &none : box);
    return true;
}

void grz_kept_remove(grz_kept *kept, uint32_t id)
{
    const grz_box none = grz_box_empty();
    if (id < kept->boxes.count)
        set_box(kept, id, &none);
}

// ---- Looking up ---------------------------------------------------------------------------------------------------

// What is looked up: the pairs of a list with an object of `ids`, whose bits are `bits`. `exact`: the list is the
// answer; else it is that of the candidates.
typedef struct looking {
    grz_kept *kept;
    grz_pairs_list *list;
    const grz_pairs_ids *ids;
    const grz_pairs_numbers *bits;
    bool exact;
} looking;

// Add the pairs of an object to `numbers`. `before`: as the list has them; else as they are now.
static bool look_up(const looking *look, uint32_t id, const grz_pairs_box *box, bool before, grz_pairs_numbers *numbers)
{
    grz_kept *kept = look->kept;
    kept->ids.count = 0;
    if (!kept->type->query(kept->finder, &kept->tools, box, &kept->ids) ||
        !grz_array_reserve(&kept->allocator, numbers, numbers->count + kept->ids.count))
        return false;
    for (size_t i = 0; i < kept->ids.count; i++) {
        const uint32_t other = kept->ids.items[i];
        if (other == id || (other < id && grz_kept_bit(look->bits, other))) // the other one is looked up, too
            continue;
        if (look->exact && (before ? !grz_kept_lists(look->list, id, other)
                                   : !grz_boxes_overlap(&kept->boxes.items[id], &kept->boxes.items[other])))
            continue;
        numbers->items[numbers->count++] = grz_pairs_number(id, other, 32);
    }
    return true;
}

// Give the finder the new boxes of the objects that left theirs.
static bool change_finder(grz_kept *kept)
{
    for (size_t i = 0; i < kept->left.count; i++) {
        const uint32_t id = kept->left.items[i];
        if (grz_box_is_empty(&kept->boxes.items[id])) {
            kept->type->remove(kept->finder, id);
            for (int k = 0; k < 4; k++)
                kept->fat.items[id].low[k] = kept->fat.items[id].high[k] = nanf("");
            continue;
        }
        (void)grz_kept_room(kept, id, &kept->fat.items[id]);
        if (!kept->type->set(kept->finder, &kept->tools, id, &kept->fat.items[id]))
            return false;
    }
    return true;
}

// Bring a list and the finder up to date.
static bool look_up_all(const looking *look)
{
    grz_kept *kept = look->kept;
    kept->gone.count = kept->found.count = 0;
    for (size_t i = 0; i < look->ids->count; i++) {
        const uint32_t id = look->ids->items[i];
        if (grz_pairs_expired(&kept->tools, i, 8) || (!grz_pairs_box_is_empty(&kept->fat.items[id]) &&
                                                      !look_up(look, id, &kept->fat.items[id], true, &kept->gone)))
            return false;
    }
    if (!change_finder(kept))
        return false;
    for (size_t i = 0; i < look->ids->count; i++) {
        const uint32_t id = look->ids->items[i];
        if (grz_pairs_expired(&kept->tools, i, 8))
            return false;
        if (grz_box_is_empty(&kept->boxes.items[id]))
            continue;
        const grz_pairs_box own = grz_kept_plain(&kept->now.items[id]);
        if (!look_up(look, id, look->exact ? &own : &kept->fat.items[id], false, &kept->found))
            return false;
    }
    kept->work.looked_up += look->ids->count;
    return grz_kept_merge(kept, look->list);
}

static bool update_few(grz_kept *kept)
{
    const looking look = {kept, &kept->answer, &kept->changed, &kept->changed_bits, true};
    kept->work.few++;
    kept->spent += (double)GRZ_KEPT_COST_LOOK_UP * (double)kept->changed.count;
    if (kept->left.count > 0)
        kept->candidates_good = false;
    return look_up_all(&look);
}

static bool update_coasting(grz_kept *kept)
{
    const looking look = {kept, &kept->candidates, &kept->left, &kept->left_bits, false};
    kept->work.coasted++;
    kept->spent += (double)GRZ_KEPT_COST_LOOK_UP * (double)kept->left.count;
    return (kept->left.count == 0 || look_up_all(&look)) && grz_kept_filter(kept);
}

// ---- Updates ------------------------------------------------------------------------------------------------------

static grz_pairs_way choose_way(const grz_kept *kept)
{
    const bool can_few = kept->finder_good && kept->answer_good, can_coast = kept->finder_good && kept->candidates_good;
    if (kept->way == GRZ_PAIRS_FEW && can_few)
        return GRZ_PAIRS_FEW;
    if (kept->way == GRZ_PAIRS_COAST && (can_coast || can_few))
        return can_coast ? GRZ_PAIRS_COAST : kept->changed.count < kept->live / 4 ? GRZ_PAIRS_FEW : GRZ_PAIRS_RENEW;
    if (kept->way != GRZ_PAIRS_CHEAPEST || !(can_few || can_coast) || kept->type->worn(kept->finder))
        return GRZ_PAIRS_RENEW;
    const double pairs = (double)(kept->candidates_good ? kept->candidates.count : kept->answer.count);
    const double filter = GRZ_KEPT_COST_FILTER * pairs;
    const double renew = GRZ_KEPT_COST_RENEW * (double)kept->live + GRZ_KEPT_COST_PAIR * pairs + filter;
    const double few = can_few ? GRZ_KEPT_COST_LOOK_UP * (double)kept->changed.count : HUGE_VAL;
    const double coast = can_coast ? GRZ_KEPT_COST_LOOK_UP * (double)kept->left.count + filter : HUGE_VAL;
    const double least = few < coast ? few : coast;
    // Where looking up has cost as much as a renewal, enlarged boxes no longer pay.
    if (least >= renew || (coast < few && kept->left.count > 0 && kept->spent + least > renew))
        return GRZ_PAIRS_RENEW;
    return few < coast ? GRZ_PAIRS_FEW : GRZ_PAIRS_COAST;
}

static void trim(grz_kept *kept)
{
    const size_t most = KEPT_BASE + KEPT_AN_OBJECT * kept->boxes.count;
    grz_pairs_numbers *const arrays[3] = {&kept->found, &kept->gone, &kept->spare};
    for (int i = 0; i < 3; i++)
        if (arrays[i]->capacity > most)
            grz_array_finish(&kept->allocator, arrays[i]);
}

static bool run(grz_kept *kept)
{
    switch (choose_way(kept)) {
    case GRZ_PAIRS_FEW:
        return update_few(kept);
    case GRZ_PAIRS_COAST:
        return update_coasting(kept);
    default:
        return grz_kept_renew(kept);
    }
}

bool grz_kept_update(grz_kept *kept, const grz_sweep_pair **list, size_t *count)
{
    *list = NULL;
    *count = 0;
    if (kept->changed.count > 0 || !kept->answer_good) {
        const bool done = run(kept);
        trim(kept);
        if (!done) {
            kept->finder_good = kept->answer_good = kept->candidates_good = false;
            return false;
        }
        kept->answer_good = true;
        forget(&kept->changed, &kept->changed_bits);
        forget(&kept->left, &kept->left_bits);
        kept->update = (kept->update + 1) & GRZ_KEPT_UPDATES;
    }
    *list = kept->answer.items;
    *count = kept->answer.count;
    return true;
}
