// SPDX-License-Identifier: MIT
// What stands is one level. Each object that moves is a level of its own, in which the ball has the path that is seen
// from the object's centre. The earliest contact of all counts.
#include "level/flight/flight_level.h"

#include <math.h>

#include "base/control.h"
#include "geometry/pose.h"
#include "mesh/mesh.h"

enum {
    MOST_CHUNKS = 1 << 20 // of one call, for what moves: it may stay near a ball for ever without meeting it
};

// ---- Opening and closing ------------------------------------------------------------------------------------------

static bool moves(const grz_level_object *object, const grz_flight_motion *motion)
{
    return object->bvh != NULL && !grz_flight_motion_is_rest(motion);
}

static void set_part(grz_flight_part *part, grz_level *all, uint32_t number, const grz_flight_motion *motion)
{
    grz_level_object *o = &all->objects[number];
    *part = (grz_flight_part){.object = *o};
    grz_flight_target_set(&part->target, number, &o->object, &o->object.mesh->bounds, motion);
    part->level = (grz_level){.objects = &part->object, .count = 1, .control = all->control, .time = 1.0};
}

static grz_status split(grz_flight_level *level, const grz_flight_motion *motions, size_t count, grz_error *error)
{
    grz_level *all = level->all, *standing = &level->standing;
    const grz_allocator *allocator = grz_control_allocator(all->control);
    level->parts = grz_allocate(allocator, count, sizeof *level->parts);
    standing->objects = grz_allocate(allocator, all->count, sizeof *standing->objects);
    if (level->parts != NULL)
        level->count = count;
    if (standing->objects != NULL)
        standing->room = all->count;
    if (level->parts == NULL || standing->objects == NULL)
        return grz_control_explain(all->control, GRZ_ERROR_MEMORY, "flight", error);
    standing->control = all->control;
    standing->time = 1.0;
    level->still = standing;
    count = 0;
    for (uint32_t i = 0; i < all->count; i++)
        if (moves(&all->objects[i], &motions[i]))
            set_part(&level->parts[count++], all, i, &motions[i]);
        else
            standing->objects[standing->count++] = all->objects[i];
    return GRZ_OK;
}

grz_status grz_flight_level_open(grz_flight_level *level, grz_level *all, const grz_flight_motion *motions,
                                 grz_error *error)
{
    grz_status status = GRZ_OK;
    size_t count = 0;
    *level = (grz_flight_level){.all = all, .still = all, .box = grz_box_empty()};
    for (uint32_t i = 0; i < all->count && motions != NULL && status == GRZ_OK; i++) {
        status = grz_flight_motion_check(&motions[i], i, error);
        count += moves(&all->objects[i], &motions[i]);
    }
    if (status == GRZ_OK && count > 0)
        status = split(level, motions, count, error);
    for (uint32_t i = 0; i < level->still->count; i++)
        grz_box_add_box(&level->box, &level->still->objects[i].box);
    return status;
}

void grz_flight_level_close(grz_flight_level *level)
{
    if (level->all == NULL)
        return;
    const grz_allocator *allocator = grz_control_allocator(level->all->control);
    grz_release(allocator, level->parts, level->count, sizeof *level->parts);
    grz_release(allocator, level->standing.objects, level->standing.room, sizeof *level->standing.objects);
}

// ---- Where things are ---------------------------------------------------------------------------------------------

void grz_flight_level_pose(grz_flight_level *level, double time)
{
    for (size_t i = 0; i < level->count; i++) {
        const grz_flight_target *target = &level->parts[i].target;
        grz_level_object *o = &level->all->objects[target->object];
        grz_flight_target_pose(target, time - target->motion.since, &o->object.pose);
        o->box = grz_world_box(&o->object.pose, &o->object.mesh->bounds);
    }
}

const grz_flight_target *grz_flight_level_target(const grz_flight_level *level, uint32_t object)
{
    size_t low = 0, high = level->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (level->parts[middle].target.object < object)
            low = middle + 1;
        else
            high = middle;
    }
    return low < level->count && level->parts[low].target.object == object ? &level->parts[low].target : NULL;
}

double grz_flight_level_size(const grz_flight_level *level, double time)
{
    double size = 0.0;
    for (size_t i = 0; i < level->count; i++) {
        const grz_flight_target *target = &level->parts[i].target;
        const double since = target->motion.since;
        size = fmax(size, grz_flight_target_size(target, time - since, fabs(time) + fabs(since)));
    }
    return size;
}

// ---- The first contact --------------------------------------------------------------------------------------------

static bool search_arc(grz_flight_level *level, grz_arc *arc, double from, double to, grz_arc_contact *contact)
{
    *contact = (grz_arc_contact){.time = from, .goes_on = true};
    while (contact->goes_on && contact->time <= to) {
        if (grz_control_expired(level->all->control) || !grz_arc_search(arc, contact->time, false, contact))
            return false;
        if (contact->met && contact->time < from) { // the level has moved into the way behind the ball
            if (!grz_arc_search(arc, from, true, contact))
                return false;
        }
        if (arc->target != NULL && ++level->chunks > MOST_CHUNKS)
            contact->blind = true;
        if (contact->blind)
            break;
    }
    if (contact->blind)
        contact->time = from;
    return true;
}

static bool is_event(const grz_arc_contact *contact)
{
    return contact->met || contact->renews || contact->blind;
}

// Of one that moves. What comes after `first` does not matter.
static bool search_part(grz_flight_level *level, grz_slide *slide, grz_flight_part *part, const grz_flight_arc *asked,
                        grz_arc_contact *first)
{
    const double to = fmin(asked->to, first->time);
    grz_arc_contact contact;
    grz_arc_set_target(&part->arc, slide, &part->level, &part->target, asked->path, asked->since, asked->from, to);
    if (!search_arc(level, &part->arc, asked->from, to, &contact))
        return false;
    if (!is_event(&contact) || !(contact.time <= to) || (contact.time == first->time && !contact.met))
        return true;
    *first = contact;
    if (contact.met) {
        double come[3];
        grz_flight_target_displacement(&part->target, (asked->since + contact.time) - part->target.motion.since, come);
        for (int k = 0; k < 3; k++)
            first->position[k] += come[k];
    }
    return true;
}

bool grz_flight_level_first(grz_flight_level *level, grz_slide *slide, const grz_flight_arc *asked,
                            grz_arc_contact *first, double *leave)
{
    *first = (grz_arc_contact){.time = HUGE_VAL};
    *leave = 0.0;
    if (!asked->rests) {
        grz_arc_contact contact;
        grz_arc_set(&level->arc, slide, level->still, asked->path, &level->box);
        if (!search_arc(level, &level->arc, asked->from, asked->to, &contact))
            return false;
        if (is_event(&contact) && contact.time <= asked->to)
            *first = contact;
        *leave = level->arc.enter <= level->arc.leave ? level->arc.leave : 0.0;
    }
    for (size_t i = 0; i < level->count; i++) {
        const grz_arc *arc = &level->parts[i].arc;
        if (!search_part(level, slide, &level->parts[i], asked, first))
            return false;
        *leave = arc->enter <= arc->leave ? fmax(*leave, arc->leave) : *leave;
    }
    return true;
}
