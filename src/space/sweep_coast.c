// SPDX-License-Identifier: MIT
// Sweep and prune while most objects move a little: coasting. The lists then hold larger boxes, each with room for its object to go
// on as it went for a few updates, so few of them change; their pairs are candidates, in order, and one pass over them keeps those
// whose boxes, as set, overlap: the answer stays exact. Only what leaves its room changes the lists. Coasting begins and ends by
// counted costs. Source of the larger boxes: E. Catto, "Dynamic Bounding Volume Hierarchies" (2019).
#include <math.h>

#include "space/sweep_parts.h"

static const double ONWARD = 8.0;      // updates an object may go on as it went
static const double ANYWHERE = 0.75;   // and besides, to all sides, so many times its last step,
static const double FADING = 0.75;     // what is left of a step's weight, a room later
static const double ASTRAY = 4.0;      // or this, if it does not go on as it went
static const double LEAST_STEPS = 4.0; // if there is not room for so many, there is none
static const double STEADY = 0.5;      // on as it went: the step changes by less than this part
static const double MOST_ROOM = 0.5;   // no more room than this, to either side, in largest edges of the box
static const double RENEWAL = 2.0;     // making lists of larger boxes, in rebuilds of lists of the boxes
static const double MARGIN = 1.5;      // coasting must promise to be so many times cheaper
static const double CREDIT = 4.0;      // rebuilds that coasting may have saved, as far as is remembered,
static const double LOSS = 1.0;        // and may have cost in vain before it ends
static const uint32_t RESTLESS = 2;    // updates in a row that would have been cheaper, before it begins
static const uint32_t MOST_WAIT = 256; // the same after it has ended often

static double larger(double x, double y)
{
    return x > y ? x : y;
}

static double smaller(double x, double y)
{
    return x < y ? x : y;
}

// A box with room for an object that took this step, or the box itself where it goes too far, or has no extent.
static grz_box roomy(const grz_box *box, const grz_sweep_way_gone *way)
{
    const double furthest = way->furthest;
    double largest = 0.0;
    for (int axis = 0; axis < 3; axis++)
        largest = larger(largest, box->max[axis] - box->min[axis]);
    const double most = MOST_ROOM * largest;
    if (!(LEAST_STEPS * furthest <= most) || !(largest < HUGE_VAL))
        return *box;
    grz_box room;
    for (int axis = 0; axis < 3; axis++) {
        const bool steady = (way->steady >> axis & 1u) != 0;
        const double on = steady ? ONWARD * way->step[axis] : 0.0;
        const double around = (steady ? ANYWHERE : ASTRAY) * furthest;
        room.min[axis] = box->min[axis] - smaller(around + larger(-on, 0.0), most);
        room.max[axis] = box->max[axis] + smaller(around + larger(on, 0.0), most);
    }
    return room;
}

// An object leaves its room, or gets its first: learn how it went. On as it went: its last step is about the mean of those in
// that room. A step from where it was not is infinite or no number, and there is no room then.
static void learn_way(grz_sweep_way_gone *way, const grz_box *before, const grz_box *now, uint64_t update)
{
    const double updates = larger((double)(update - way->since), 1.0);
    way->furthest = way->furthest < HUGE_VAL ? FADING * way->furthest : 0.0;
    way->steady = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double step = now->min[axis] - before->min[axis], mean = (now->min[axis] - way->from[axis]) / updates;
        way->steady |= (uint32_t)(updates >= 2.0 && fabs(step - mean) <= STEADY * fabs(step)) << axis;
        way->furthest = fabs(step) <= way->furthest ? way->furthest : fabs(step);
        way->step[axis] = step;
    }
}

// Give an object room in the lists.
static void give_room(grz_sweep *sweep, uint32_t id)
{
    const grz_box *box = &sweep->coast.boxes.items[id];
    grz_sweep_way_gone *way = &sweep->coast.ways.items[id];
    memcpy(way->from, box->min, sizeof way->from);
    way->since = sweep->coast.update;
    const grz_box room = roomy(box, way);
    grz_sweep_put(sweep, id, &room);
}

static bool holds(const grz_box *outer, const grz_box *box)
{
    return (outer->min[0] <= box->min[0]) & (outer->min[1] <= box->min[1]) & (outer->min[2] <= box->min[2]) &
           (outer->max[0] >= box->max[0]) & (outer->max[1] >= box->max[1]) & (outer->max[2] >= box->max[2]);
}

bool grz_sweep_coast_grow(grz_sweep *sweep, size_t count)
{
    grz_sweep_coast *coast = &sweep->coast;
    if (!grz_array_reserve(&sweep->allocator, &coast->boxes, count) || !grz_array_reserve(&sweep->allocator, &coast->ways, count))
        return false;
    for (; coast->boxes.count < count; coast->boxes.count++)
        coast->boxes.items[coast->boxes.count] = grz_box_empty();
    for (; coast->ways.count < count; coast->ways.count++)
        coast->ways.items[coast->ways.count] = (grz_sweep_way_gone){.furthest = HUGE_VAL};
    return true;
}

void grz_sweep_coast_set(grz_sweep *sweep, uint32_t id, const grz_box *box)
{
    grz_sweep_coast *coast = &sweep->coast;
    grz_box *kept = &coast->boxes.items[id];
    if (grz_sweep_same_box(kept, box))
        return;
    const bool stays = holds(&sweep->boxes.items[id], box), empty = grz_box_is_empty(box);
    if (!stays && !empty)
        learn_way(&coast->ways.items[id], kept, box, coast->update);
    *kept = *box;
    coast->stale = true;
    coast->moved++;
    if (empty)
        grz_sweep_put(sweep, id, box);
    else if (!stays)
        give_room(sweep, id);
}

void grz_sweep_coast_renew(grz_sweep *sweep)
{
    for (size_t id = 0; id < sweep->coast.boxes.count; id++)
        if (!grz_sweep_bit(&sweep->changed_bits, (uint32_t)id) && !grz_box_is_empty(&sweep->coast.boxes.items[id]))
            give_room(sweep, (uint32_t)id);
}

// The steps are what the lists do not know yet. Without memory for it there is no coasting.
static void begin(grz_sweep *sweep, double change, double rebuild)
{
    grz_sweep_coast *coast = &sweep->coast;
    coast->boxes.count = coast->ways.count = 0;
    if (!grz_sweep_coast_grow(sweep, sweep->boxes.count))
        return;
    memcpy(coast->boxes.items, sweep->boxes.items, sweep->boxes.count * sizeof *sweep->boxes.items);
    coast->on = coast->stale = true;
    coast->moved = sweep->changed.count;
    coast->change_cost = change;
    coast->rebuild_cost = rebuild;
    coast->balance = 0.0;
    for (size_t i = 0; i < sweep->changed.count; i++) {
        const uint32_t id = sweep->changed.items[i];
        if (grz_box_is_empty(&coast->boxes.items[id]))
            continue;
        memcpy(coast->ways.items[id].from, sweep->then.items[id].min, sizeof coast->ways.items[id].from);
        learn_way(&coast->ways.items[id], &sweep->then.items[id], &coast->boxes.items[id], coast->update);
        coast->ways.items[id].steady = 7u; // until more is known
        give_room(sweep, id);
    }
}

static void end(grz_sweep *sweep)
{
    grz_sweep_coast *coast = &sweep->coast;
    for (size_t id = 0; id < coast->boxes.count; id++)
        grz_sweep_put(sweep, (uint32_t)id, &coast->boxes.items[id]);
    coast->on = false;
    coast->restless = 0;
    coast->wait = coast->wait < MOST_WAIT / 8 ? 4 * coast->wait + 16 : MOST_WAIT;
}

void grz_sweep_coast_choose(grz_sweep *sweep, double change, double rebuild)
{
    grz_sweep_coast *coast = &sweep->coast;
    if (coast->on) {
        if (sweep->way != GRZ_SWEEP_CHEAPEST || coast->balance < -LOSS * coast->rebuild_cost)
            end(sweep);
        return;
    }
    const double changes = change * (double)sweep->changed.count, plain = changes < rebuild ? changes : rebuild;
    const double coasting = RENEWAL / ONWARD * rebuild + RENEWAL * GRZ_SWEEP_COST_FILTER * (double)sweep->pairs.count;
    if (sweep->way != GRZ_SWEEP_CHEAPEST || sweep->broken || sweep->lists.segments.count == 0 || plain <= MARGIN * coasting) {
        coast->restless = 0;
        return;
    }
    if (++coast->restless > RESTLESS + coast->wait)
        begin(sweep, change, rebuild);
}

bool grz_sweep_coast_filter(grz_sweep *sweep)
{
    grz_sweep_coast *coast = &sweep->coast;
    const size_t count = sweep->pairs.count;
    if (!grz_array_reserve(&sweep->allocator, &coast->pairs, count + 1)) // one to write in vain
        return false;
    const grz_sweep_pair *candidates = sweep->pairs.items;
    const grz_box *boxes = coast->boxes.items;
    grz_sweep_pair *kept = coast->pairs.items;
    for (size_t i = 0; i < count; i++) {
        if (grz_sweep_expired(sweep, i, 16))
            return false;
        const grz_box *a = &boxes[candidates[i].a], *b = &boxes[candidates[i].b];
        *kept = candidates[i]; // no branch to guess wrong
        kept += (a->min[0] <= b->max[0]) & (b->min[0] <= a->max[0]) & (a->min[1] <= b->max[1]) & (b->min[1] <= a->max[1]) &
                (a->min[2] <= b->max[2]) & (b->min[2] <= a->max[2]);
    }
    coast->pairs.count = (size_t)(kept - coast->pairs.items);
    coast->stale = false;
    sweep->work.filtered += count;
    return true;
}

void grz_sweep_coast_account(grz_sweep *sweep, double cost)
{
    grz_sweep_coast *coast = &sweep->coast;
    const double changes = coast->change_cost * (double)coast->moved;
    coast->balance += changes < coast->rebuild_cost ? changes : coast->rebuild_cost;
    coast->balance -= cost + (double)GRZ_SWEEP_COST_FILTER * (double)sweep->pairs.count;
    coast->moved = 0;
    coast->update++;
    if (coast->balance > CREDIT * coast->rebuild_cost) {
        coast->balance = CREDIT * coast->rebuild_cost;
        coast->wait = 0;
    }
}
