// SPDX-License-Identifier: MIT
// Fat AABBs, used while most objects move a little in every update. The lists then hold larger boxes, each with room
// for its object to move on for a few updates, so few entries change. The pairs of fat AABBs are candidates, in sorted
// order; one pass keeps those whose own boxes overlap, so the answer stays exact. Only an object that leaves its fat
// AABB changes the lists. Fat AABBs begin and end by counted costs. Source: E. Catto, "Dynamic Bounding Volume
// Hierarchies" (2019).
#include <assert.h>
#include <math.h>

#include "space/sweep/sweep_parts.h"

static const double STRAIGHT_UPDATES = 8.0; // room ahead for so many updates, if an object moves steadily;
static const double SIDE_STEPS = 0.75;      // also room to all sides, in steps (the largest recent one);
static const double STEP_DECAY = 0.75;      // the weight of older steps, for each new fat AABB
static const double TURNING_STEPS = 4.0;    // room to all sides, in steps, if it does not move steadily
static const double MIN_STEPS = 4.0;        // an object for which MAX_ROOM is fewer steps than this gets no room
static const double STEADINESS = 0.5;       // steady: the step differs from the mean step by at most this part
static const double MAX_ROOM = 0.5;         // the most room to each side, as a part of the box's largest edge
static const double FAT_REBUILD = 2.0;      // the cost of a rebuild with fat AABBs, in plain rebuilds
static const double MIN_GAIN = 1.5;         // fat AABBs must promise to be cheaper by this factor
static const double MAX_CREDIT = 4.0;       // the most savings that are remembered, in rebuilds
static const double MAX_LOSS = 1.0;         // the loss at which fat AABBs end, in rebuilds
static const uint32_t BEGIN_AFTER = 2;      // updates in a row that would have been cheaper, before they begin
static const uint32_t MAX_WAIT = 256;       // the most further updates to wait after they have ended

static double larger(double x, double y)
{
    return x > y ? x : y;
}

static double smaller(double x, double y)
{
    return x < y ? x : y;
}

// The fat AABB for an object with this motion. It is the box itself if the object moves too far or has no extent.
static grz_box fat_box_of(const grz_box *box, const grz_sweep_motion *motion)
{
    const double max_step = motion->max_step;
    double largest = 0.0;
    for (int axis = 0; axis < 3; axis++)
        largest = larger(largest, box->max[axis] - box->min[axis]);
    const double most = MAX_ROOM * largest;
    if (!(MIN_STEPS * max_step <= most) || !(largest < HUGE_VAL))
        return *box;
    grz_box room;
    assert(max_step >= 0.0 && most >= 0.0);
    for (int axis = 0; axis < 3; axis++) {
        const bool steady = (motion->steady >> axis & 1u) != 0;
        const double on = steady ? STRAIGHT_UPDATES * motion->step[axis] : 0.0;
        const double around = (steady ? SIDE_STEPS : TURNING_STEPS) * max_step;
        room.min[axis] = box->min[axis] - smaller(around + larger(-on, 0.0), most);
        room.max[axis] = box->max[axis] + smaller(around + larger(on, 0.0), most);
    }
    return room;
}

// An object leaves its fat AABB, or gets its first: learn how it moved. It moves steadily along an axis if its last
// step is near the mean of its steps since it got that fat AABB. If the previous box was empty, the step is infinite or
// NaN, and the object gets no room.
static void learn_motion(grz_sweep_motion *motion, const grz_box *before, const grz_box *now, uint64_t update)
{
    const double updates = larger((double)(update - motion->since), 1.0);
    motion->max_step = motion->max_step < HUGE_VAL ? STEP_DECAY * motion->max_step : 0.0;
    motion->steady = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double step = now->min[axis] - before->min[axis], mean = (now->min[axis] - motion->from[axis]) / updates;
        motion->steady |= (uint32_t)(updates >= 2.0 && fabs(step - mean) <= STEADINESS * fabs(step)) << axis;
        motion->max_step = fabs(step) <= motion->max_step ? motion->max_step : fabs(step);
        motion->step[axis] = step;
    }
}

// Give an object a new fat AABB in the lists.
static void set_fat_box(grz_sweep *sweep, uint32_t id)
{
    const grz_box *box = &sweep->fat.boxes.items[id];
    grz_sweep_motion *motion = &sweep->fat.motions.items[id];
    memcpy(motion->from, box->min, sizeof motion->from);
    motion->since = sweep->fat.update;
    const grz_box room = fat_box_of(box, motion);
    grz_sweep_set_listed(sweep, id, &room);
}

static bool contains(const grz_box *outer, const grz_box *box)
{
    return (outer->min[0] <= box->min[0]) & (outer->min[1] <= box->min[1]) & (outer->min[2] <= box->min[2]) &
           (outer->max[0] >= box->max[0]) & (outer->max[1] >= box->max[1]) & (outer->max[2] >= box->max[2]);
}

bool grz_sweep_fat_grow(grz_sweep *sweep, size_t count)
{
    grz_sweep_fat *fat = &sweep->fat;
    if (!grz_array_reserve(&sweep->allocator, &fat->boxes, count) ||
        !grz_array_reserve(&sweep->allocator, &fat->motions, count))
        return false;
    for (; fat->boxes.count < count; fat->boxes.count++)
        fat->boxes.items[fat->boxes.count] = grz_box_empty();
    for (; fat->motions.count < count; fat->motions.count++)
        fat->motions.items[fat->motions.count] = (grz_sweep_motion){.max_step = HUGE_VAL};
    return true;
}

void grz_sweep_fat_set(grz_sweep *sweep, uint32_t id, const grz_box *box)
{
    grz_sweep_fat *fat = &sweep->fat;
    assert(fat->on && id < fat->boxes.count);
    grz_box *kept = &fat->boxes.items[id];
    if (grz_sweep_same_box(kept, box))
        return;
    const bool stays = contains(&sweep->boxes.items[id], box), empty = grz_box_is_empty(box);
    if (!stays && !empty)
        learn_motion(&fat->motions.items[id], kept, box, fat->update);
    *kept = *box;
    fat->stale = true;
    fat->moved++;
    if (empty)
        grz_sweep_set_listed(sweep, id, box);
    else if (!stays)
        set_fat_box(sweep, id);
}

void grz_sweep_fat_renew(grz_sweep *sweep)
{
    for (size_t id = 0; id < sweep->fat.boxes.count; id++)
        if (!grz_sweep_bit(&sweep->changed_bits, (uint32_t)id) && !grz_box_is_empty(&sweep->fat.boxes.items[id]))
            set_fat_box(sweep, (uint32_t)id);
}

// Begin to use fat AABBs. The changes since the last update are the objects' first steps. Without memory nothing
// happens.
static void begin_fat_boxes(grz_sweep *sweep, double change, double rebuild)
{
    grz_sweep_fat *fat = &sweep->fat;
    fat->boxes.count = fat->motions.count = 0;
    if (!grz_sweep_fat_grow(sweep, sweep->boxes.count))
        return;
    memcpy(fat->boxes.items, sweep->boxes.items, sweep->boxes.count * sizeof *sweep->boxes.items);
    fat->on = fat->stale = true;
    fat->moved = sweep->changed.count;
    fat->change_cost = change;
    fat->rebuild_cost = rebuild;
    fat->balance = 0.0;
    for (size_t i = 0; i < sweep->changed.count; i++) {
        const uint32_t id = sweep->changed.items[i];
        if (grz_box_is_empty(&fat->boxes.items[id]))
            continue;
        memcpy(fat->motions.items[id].from, sweep->previous.items[id].min, sizeof fat->motions.items[id].from);
        learn_motion(&fat->motions.items[id], &sweep->previous.items[id], &fat->boxes.items[id], fat->update);
        fat->motions.items[id].steady = 7u; // assumed until more is known
        set_fat_box(sweep, id);
    }
}

// Give the lists the objects' own boxes again, and wait longer before the next time.
static void end_fat_boxes(grz_sweep *sweep)
{
    grz_sweep_fat *fat = &sweep->fat;
    for (size_t id = 0; id < fat->boxes.count; id++)
        grz_sweep_set_listed(sweep, (uint32_t)id, &fat->boxes.items[id]);
    fat->on = false;
    fat->cheaper_updates = 0;
    fat->wait = fat->wait < MAX_WAIT / 8 ? 4 * fat->wait + 16 : MAX_WAIT;
}

void grz_sweep_fat_choose(grz_sweep *sweep, double change, double rebuild)
{
    grz_sweep_fat *fat = &sweep->fat;
    if (fat->on) {
        if (sweep->way != GRZ_SWEEP_CHEAPEST || fat->balance < -MAX_LOSS * fat->rebuild_cost)
            end_fat_boxes(sweep);
        return;
    }
    const double changes = change * (double)sweep->changed.count, plain = changes < rebuild ? changes : rebuild;
    const double coasting =
        FAT_REBUILD / STRAIGHT_UPDATES * rebuild + FAT_REBUILD * GRZ_SWEEP_COST_FILTER * (double)sweep->pairs.count;
    if (sweep->way != GRZ_SWEEP_CHEAPEST || sweep->broken || sweep->lists.segments.count == 0 ||
        plain <= MIN_GAIN * coasting) {
        fat->cheaper_updates = 0;
        return;
    }
    if (++fat->cheaper_updates > BEGIN_AFTER + fat->wait)
        begin_fat_boxes(sweep, change, rebuild);
}

bool grz_sweep_fat_filter(grz_sweep *sweep)
{
    grz_sweep_fat *fat = &sweep->fat;
    const size_t count = sweep->pairs.count;
    assert(fat->on && !sweep->broken);
    if (!grz_array_reserve(&sweep->allocator, &fat->pairs, count + 1)) // one more, because the loop writes before it
                                                                       // knows
        return false;
    const grz_sweep_pair *candidates = sweep->pairs.items;
    const grz_box *boxes = fat->boxes.items;
    grz_sweep_pair *kept = fat->pairs.items;
    for (size_t i = 0; i < count; i++) {
        if (grz_sweep_expired(sweep, i, 16))
            return false;
        const grz_box *a = &boxes[candidates[i].a], *b = &boxes[candidates[i].b];
        assert(candidates[i].a < candidates[i].b && candidates[i].b < fat->boxes.count);
        *kept = candidates[i]; // written first, kept only if true: no unpredictable branch
        kept += grz_sweep_meet(a, b);
    }
    fat->pairs.count = (size_t)(kept - fat->pairs.items);
    assert(fat->pairs.count <= count);
    fat->stale = false;
    sweep->work.filtered += count;
    return true;
}

void grz_sweep_fat_account(grz_sweep *sweep, double cost)
{
    grz_sweep_fat *fat = &sweep->fat;
    const double changes = fat->change_cost * (double)fat->moved;
    fat->balance += changes < fat->rebuild_cost ? changes : fat->rebuild_cost;
    fat->balance -= cost + (double)GRZ_SWEEP_COST_FILTER * (double)sweep->pairs.count;
    fat->moved = 0;
    fat->update++;
    if (fat->balance > MAX_CREDIT * fat->rebuild_cost) {
        fat->balance = MAX_CREDIT * fat->rebuild_cost;
        fat->wait = 0;
    }
}
