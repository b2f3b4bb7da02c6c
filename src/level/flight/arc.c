// SPDX-License-Identifier: MIT
// A parabola is away from the chord between two of its points by no more than |acceleration| · time² / 8. So the chord
// is swept by a ball that is larger by that. If it meets nothing, the ball on the parabola does not either; else the
// time is halved, until the chord is as good as the parabola: nearer than 1/128 of the skin. Then the contact of the
// chord counts. docs/use/flight.md, "The way of a ball".
#include "level/flight/arc.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/vector.h"

static const double FINE = 0x1p-7;      // of the skin: a chord that is nearer to the parabola is taken for it
static const double ROUNDING = 0x1p-49; // of the numbers of a path: what moves the ends of a chord
static const double LARGE = 0x1p39;     // of the skin: how far a ball gets in a chunk at most
static const double LONGEST = 0x1p100;  // seconds that are looked ahead
static const double SHARE = 0x1p-3;     // of the level's diagonal: how far a ball gets in a chunk, about
static const double SIZES = 16.0;       // of the ball: it gets so far at least

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
    while (time > 0x1p-200 && !(time * (speed + time * half) <= far))
        time *= 0.5;
    return time;
}

void grz_arc_set(grz_arc *arc, grz_slide *slide, const grz_parabola *path, const grz_box *box)
{
    const grz_body *body = &slide->body;
    const double reach = body->radius + 2.0 * body->skin;
    *arc = (grz_arc){.slide = slide, .path = *path, .enter = 1.0, .leave = 0.0, .chunk = LONGEST};
    if (grz_box_is_empty(box))
        return;
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = box->max[k] - box->min[k];
    const grz_box grown = grz_box_grown(box, reach);
    arc->chunk = chunk_of(path, fmin(fmax(SHARE * length_of(d), SIZES * reach), LARGE * body->skin));
    arc->last = arc->chunk;
    while (arc->last < LONGEST && ROUNDING * grz_parabola_size(path, 2.0 * arc->last) <= 0.5 * FINE * body->skin)
        arc->last *= 2.0;
    if (!grz_parabola_in_box(path, &grown, LONGEST, &arc->enter, &arc->leave)) {
        arc->enter = 1.0;
        arc->leave = 0.0;
    }
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
    const bool done = grz_slide_cast(slide, way, share);
    slide->body.radius = radius;
    return done;
}

// From one time to another; *met is not set if nothing is met.
static bool search(const grz_arc *arc, double from, double to, grz_arc_contact *contact)
{
    double a[3], b[3], way[3], share;
    const double time = to - from, skin = arc->slide->body.skin,
                 off = 0.125 * length_of(arc->path.acceleration) * time * time * GRZ_MORE(8192) +
                       ROUNDING * grz_parabola_size(&arc->path, to),
                 middle = from + 0.5 * time;
    const bool fine = off <= FINE * skin || !(middle > from && middle < to);
    grz_parabola_at(&arc->path, from, a);
    grz_parabola_at(&arc->path, to, b);
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
    *contact = (grz_arc_contact){.time = HUGE_VAL};
    if (arc->enter > arc->leave || time > arc->leave)
        return true;
    const double begin = floor(fmax(time, arc->enter) / arc->chunk) * arc->chunk, end = begin + arc->chunk,
                 from = exactly ? fmax(time, begin) : begin;
    if (begin >= arc->last) {
        contact->renews = true;
        contact->time = arc->last;
        return true;
    }
    if (!search(arc, from, end, contact))
        return false;
    if (contact->met)
        return true;
    contact->time = end;
    contact->goes_on = end <= arc->leave && end > begin;
    return true;
}
