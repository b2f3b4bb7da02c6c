// SPDX-License-Identifier: MIT
// A parabola is away from the chord between two of its points by no more than |acceleration| · time² / 8. So the chord
// is swept by a ball that is larger by that. If it meets nothing, the ball on the parabola does not either; else the
// time is halved, until the chord is as good as the parabola: nearer than 1/128 of the skin. Then the contact of the
// chord counts. docs/use/flight.md, "The way of a ball". An object that moves is searched as seen from its centre:
// there the ball has another parabola, and what turns has corners that go along chords, too ("Objects that move").
#include "level/flight/arc.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/pose.h"
#include "geometry/vector.h"
#include "mesh/mesh.h"

static const double FINE = 0x1p-7;            // of the skin: a chord that is nearer to the parabola is taken for it
static const double ROUNDING = 0x1p-49;       // of the numbers of a path: what moves the ends of a chord
static const double LARGE = 0x1p39;           // of the skin: how far a ball gets in a chunk at most
static const double SPEED_ROUNDING = 0x1p-49; // of what is added up for a speed: 16 roundings, there are fewer than 8
static const double SHORTEST = 0x1p-200;      // seconds; chosen, so that halving ends
static const double LONGEST = 0x1p100;        // seconds that are looked ahead
static const double SHARE = 0x1p-3;           // of the level's diagonal: how far a ball gets in a chunk, about
static const double SIZES = 16.0;             // of the ball: it gets so far at least

static double length_of(const double v[3])
{
    return sqrt(grz_dot(v, v));
}

// The largest power of two of seconds in which the ball gets no farther than `far`.
static double chunk_of(const grz_parabola *path, double far)
{
    const double speed = length_of(path->velocity), half = 0.5 * length_of(path->acceleration);
    double time = LONGEST;
    // The end is for balls that are so fast, or so small, that no time is short enough.
    while (time > SHORTEST && !(time * (speed + time * half) <= far))
        time *= 0.5;
    return time;
}

static double reach_of(const grz_body *body)
{
    return body->radius + 2.0 * body->skin;
}

// How far the ball gets in a chunk at most.
static double far_of(const grz_body *body, const grz_box *box)
{
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = box->max[k] - box->min[k];
    return fmin(fmax(SHARE * length_of(d), SIZES * reach_of(body)), LARGE * body->skin);
}

// The ends of a chord are off by less than ROUNDING of this, up to a time.
static double size_of(const grz_arc *arc, double time)
{
    if (arc->target == NULL)
        return grz_parabola_size(&arc->path, time);
    return grz_parabola_size(arc->ball, time) +
           grz_flight_target_size(arc->target, fabs(arc->age) + time, arc->clock + time);
}

static bool is_sharp(const grz_arc *arc, double time)
{
    return ROUNDING * size_of(arc, time) <= 0.5 * FINE * arc->slide->body.skin;
}

static void set_last(grz_arc *arc)
{
    arc->last = arc->chunk;
    while (arc->last < LONGEST && is_sharp(arc, 2.0 * arc->last))
        arc->last *= 2.0;
}

void grz_arc_set(grz_arc *arc, grz_slide *slide, grz_level *level, const grz_parabola *path, const grz_box *box)
{
    const grz_body *body = &slide->body;
    *arc = (grz_arc){
        .slide = slide, .level = level, .path = *path, .enter = 1.0, .leave = 0.0, .chunk = LONGEST, .last = LONGEST};
    if (grz_box_is_empty(box))
        return;
    const grz_box grown = grz_box_grown(box, reach_of(body));
    arc->chunk = chunk_of(path, far_of(body, box));
    set_last(arc);
    if (!grz_parabola_in_box(path, &grown, LONGEST, &arc->enter, &arc->leave)) {
        arc->enter = 1.0;
        arc->leave = 0.0;
    }
}

// ---- What moves ---------------------------------------------------------------------------------------------------

// The ball's path as seen from the target's centre.
static void set_relative_path(grz_arc *arc)
{
    const grz_flight_motion *m = &arc->target->motion;
    double come[3];
    grz_flight_target_displacement(arc->target, arc->age, come);
    for (int k = 0; k < 3; k++) {
        arc->path.start[k] = arc->ball->start[k] - come[k];
        arc->path.velocity[k] = arc->ball->velocity[k] - (m->velocity[k] + arc->age * m->acceleration[k]);
        arc->path.acceleration[k] = arc->ball->acceleration[k] - m->acceleration[k];
    }
}

// As a ball's chunk; but neither the ball, nor the target, nor what turns gets farther in the world than rounding
// allows, and it turns by one radian at most.
static double chunk_for_target(const grz_arc *arc, double far)
{
    const grz_flight_target *target = arc->target;
    const grz_flight_motion *m = &target->motion;
    const double large = LARGE * arc->slide->body.skin, turning = target->rate * target->radius;
    grz_parabola centre = {.start = {0.0, 0.0, 0.0}};
    for (int k = 0; k < 3; k++) {
        centre.velocity[k] = fabs(m->velocity[k]) + fabs(arc->age * m->acceleration[k]);
        centre.acceleration[k] = m->acceleration[k];
    }
    double chunk = fmin(chunk_of(&arc->path, far), fmin(chunk_of(arc->ball, large), chunk_of(&centre, large)));
    while (chunk > SHORTEST && !(chunk * turning <= fmin(far, target->radius)))
        chunk *= 0.5;
    return chunk;
}

// True if the ball is beside the box at the time `last`, and certainly goes away from it from then on.
static bool goes_away(const grz_arc *arc, const grz_box *box)
{
    const grz_flight_motion *m = &arc->target->motion;
    double at[3];
    grz_parabola_at(&arc->path, arc->last, at);
    for (int k = 0; k < 3; k++) {
        const double side = at[k] > box->max[k]   ? 1.0
                            : at[k] < box->min[k] ? -1.0
                                                  : 0.0,
                     pull = side * arc->path.acceleration[k],
                     speed = side * (arc->path.velocity[k] + arc->last * arc->path.acceleration[k]),
                     size = fabs(arc->ball->velocity[k]) + fabs(m->velocity[k]) +
                            (fabs(arc->age) + arc->last + arc->clock) * fabs(m->acceleration[k]) +
                            arc->last * fabs(arc->path.acceleration[k]);
        if (side != 0.0 && pull >= 0.0 &&
            speed >= (m->acceleration[k] == 0.0 && pull == 0.0 ? 0.0 : SPEED_ROUNDING * size))
            return true;
    }
    return false;
}

// True if the path certainly stays out of the box between two times.
static bool misses(const grz_arc *arc, const grz_box *box, double from, double to)
{
    double a[3], b[3];
    if (!(to < HUGE_VAL) || !is_sharp(arc, to))
        return false;
    grz_parabola_at(&arc->path, from, a);
    grz_parabola_at(&arc->path, to, b);
    const double time = to - from;
    for (int k = 0; k < 3; k++) { // between two times a parabola is so far from its chord at most
        const double off = 0.125 * fabs(arc->path.acceleration[k]) * time * time * GRZ_MORE(8192);
        if (fmin(a[k], b[k]) - off > box->max[k] || fmax(a[k], b[k]) + off < box->min[k])
            return true;
    }
    return false;
}

void grz_arc_set_target(grz_arc *arc, grz_slide *slide, grz_level *level, const grz_flight_target *target,
                        const grz_parabola *ball, double since, double from, double to)
{
    *arc = (grz_arc){.slide = slide, .level = level, .target = target, .ball = ball, .enter = 1.0, .leave = 0.0};
    arc->age = since - target->motion.since;
    arc->clock = fabs(since) + fabs(target->motion.since);
    set_relative_path(arc);
    // Grown by a skin more than it takes, which holds what is rounded.
    const grz_box box = grz_box_grown(&target->box, reach_of(&slide->body));
    if (misses(arc, &box, from, to))
        return;
    arc->chunk = chunk_for_target(arc, far_of(&slide->body, &target->box));
    arc->blind = !is_sharp(arc, arc->chunk);
    set_last(arc);
    arc->beyond = !goes_away(arc, &box);
    if (!grz_parabola_in_box(&arc->path, &box, arc->last, &arc->enter, &arc->leave)) {
        arc->enter = 1.0;
        arc->leave = 0.0;
    }
}

// A place of the ball at a time, as the target sees it.
static void see_from_target(const grz_arc *arc, double time, double place[3])
{
    double come[3];
    grz_flight_target_displacement(arc->target, arc->age + time, come);
    for (int k = 0; k < 3; k++)
        place[k] -= come[k];
}

// Let the target's corners go straight from where they are at one time to where they are at another.
static void turn_level(const grz_arc *arc, double from, double to)
{
    if (arc->target->rate == 0.0)
        return;
    grz_level_object *o = &arc->level->objects[0];
    grz_flight_target_turned(arc->target, arc->age + from, &o->earlier);
    grz_flight_target_turned(arc->target, arc->age + to, &o->object.pose);
    const grz_box before = grz_world_box(&o->earlier, &o->object.mesh->bounds);
    o->box = grz_world_box(&o->object.pose, &o->object.mesh->bounds);
    grz_box_add_box(&o->box, &before);
    o->moved = true;
    arc->level->time = 0.0;
}

static double distance_of(const double a[3], const double b[3])
{
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = a[k] - b[k];
    return length_of(d);
}

// How far a point that turns gets from its chord: by less than its way inwards, and never out of its circle. Only
// points near the ball matter, which goes from `a` to `b` and is off that line by `more` at most: their circles are not
// larger than its own.
static double off_by_turning(const grz_arc *arc, double time, const double a[3], const double b[3], double more)
{
    const grz_flight_target *target = arc->target;
    if (target->rate == 0.0)
        return 0.0;
    const double turn = target->rate * time,
                 near = fmax(distance_of(a, target->centre), distance_of(b, target->centre)) + more +
                        reach_of(&arc->slide->body),
                 radius = fmin(target->radius, near);
    return radius * fmin(0.125 * turn * turn, 2.0) * GRZ_MORE(8192);
}

// Sweep a chord with the ball, larger by `more`. A sweep lets go what moves away from a surface, so the larger ball
// must be outside where it begins.
static bool sweep(const grz_arc *arc, const double from[3], const double way[3], double more, double *share)
{
    grz_slide *slide = arc->slide;
    grz_body larger = slide->body;
    const double radius = slide->body.radius;
    bool inside = false;
    larger.radius = radius + more;
    *share = 0.0;
    if (more > 0.0 && !grz_body_is_inside(slide->level, &larger, from, &inside))
        return false;
    if (inside)
        return true;
    memcpy(slide->position, from, sizeof slide->position);
    slide->body.radius = radius + more;
    slide->level->moves = slide->level->time < 1.0;
    const bool done = grz_slide_cast(slide, way, share);
    slide->level->moves = false;
    slide->body.radius = radius;
    return done;
}

// From one time to another; *met is not set if nothing is met.
static bool search(const grz_arc *arc, double from, double to, grz_arc_contact *contact)
{
    double a[3], b[3], way[3], share;
    const double time = to - from, skin = arc->slide->body.skin, middle = from + 0.5 * time;
    double off = 0.125 * length_of(arc->path.acceleration) * time * time * GRZ_MORE(8192) + ROUNDING * size_of(arc, to);
    const grz_parabola *ball = arc->target != NULL ? arc->ball : &arc->path;
    grz_parabola_at(ball, from, a);
    grz_parabola_at(ball, to, b);
    if (arc->target != NULL) {
        see_from_target(arc, from, a);
        see_from_target(arc, to, b);
        turn_level(arc, from, to);
        off += off_by_turning(arc, time, a, b, off);
    }
    const bool fine = off <= FINE * skin || !(middle > from && middle < to);
    for (int k = 0; k < 3; k++)
        way[k] = b[k] - a[k];
    if (!sweep(arc, a, way, fine ? 0.0 : off, &share))
        return false;
    if (share == 1.0)
        return true;
    if (!fine)
        return search(arc, from, middle, contact) && (contact->met || search(arc, middle, to, contact));
    contact->met = true;
    contact->time = from + share * time;
    memcpy(contact->position, arc->slide->position, sizeof contact->position);
    return true;
}

bool grz_arc_search(grz_arc *arc, double time, bool exactly, grz_arc_contact *contact)
{
    *contact = (grz_arc_contact){.blind = arc->blind, .time = HUGE_VAL};
    if (arc->blind) // nor are the times known
        return true;
    if (arc->enter > arc->leave || time > arc->leave) {
        contact->renews = arc->beyond;
        contact->time = arc->beyond ? arc->last : HUGE_VAL;
        return true;
    }
    const double begin = floor(fmax(time, arc->enter) / arc->chunk) * arc->chunk, end = begin + arc->chunk,
                 from = exactly ? fmax(time, begin) : begin;
    if (begin >= arc->last) {
        contact->renews = true;
        contact->time = arc->last;
        return true;
    }
    grz_level *const whole = arc->slide->level;
    arc->slide->level = arc->level;
    const bool done = search(arc, from, end, contact);
    arc->slide->level = whole;
    if (!done)
        return false;
    if (contact->met)
        return true;
    contact->time = end;
    contact->goes_on = (end <= arc->leave || arc->beyond) && end > begin;
    return true;
}
