// SPDX-License-Identifier: MIT
// grz_flight_advance(): checks what was asked, and flies arc by arc. All that decides a bounce depends on where and how
// the arc began, and not on the times at which the caller looks.
#include <graze/flight.h>

#include <math.h>
#include <string.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"
#include "geometry/vector.h"
#include "level/flight/arc.h"
#include "level/flight/bounce.h"
#include "level/mover/slide/cone.h"
#include "level/vector_check.h"

enum {
    MOST_ARCS = 100000, // of one call
    MOST_STANDS = 64,   // arcs without any time, one after the other
    MOST_HELD = 64,     // touches at one place, one after the other
    GROOVE_HELD = 3     // after so many, friction is asked whether it holds the ball in a groove
};

static const double LARGEST = 0x1p100, SMALLEST = 0x1p-100; // of what the caller gives, as <graze/flight.h> says
static const double DEFAULT_SKIN = 0x1p-10;                 // of the radius
static const double HOLLOW = 16.0;                          // skins: what counts as one place
static const double GROOVE = 8.0;                           // skins: walls that a ball lies between
static const double GROOVE_LIFTS = 1.0;                     // skins: what counts as hardly any velocity there
static const double LIFTS = 64.0;                           // skins: what counts as little velocity
static const double SLOWEST = 0x1p60;                       // seconds for a skin: what counts as none
static const double ROUNDING_SKIN = 0x1p-40;                // of the largest coordinate: the least skin

static const grz_flight_options defaults = {.size = sizeof(grz_flight_options), .restitution = 1.0};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(flight_options, defaults);

void grz_flight_options_init(grz_flight_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

grz_flight grz_flight_from(const double position[3], const double velocity[3], double time)
{
    grz_flight flight = {.now = time, .since = time};
    for (int k = 0; k < 3; k++) {
        flight.position[k] = flight.start[k] = position != NULL ? position[k] : 0.0;
        flight.velocity[k] = velocity != NULL ? velocity[k] : 0.0;
    }
    return flight;
}

void grz_flight_velocity(const grz_flight *flight, const double acceleration[3], double velocity[3])
{
    for (int k = 0; k < 3 && velocity != NULL; k++) {
        velocity[k] = flight != NULL ? flight->velocity[k] : 0.0;
        if (flight != NULL && acceleration != NULL && flight->state != GRZ_FLIGHT_RESTS)
            velocity[k] += acceleration[k] * (flight->now - flight->since);
    }
}

// ---- Checks -------------------------------------------------------------------------------------------------------

static grz_status refuse(grz_error *error, const char *what)
{
    return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "flight: %s", what);
}

static grz_status check_range(double x, double least, double most, const char *name, grz_error *error)
{
    if (!(x >= least && x <= most))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "flight: %s is %g, must be %g to %g", name, x, least,
                        most);
    return GRZ_OK;
}

static grz_status check_options(grz_flight_options *o, grz_error *error)
{
    grz_status status = GRZ_OK;
    if (o->radius != 0.0)
        status = check_range(o->radius, SMALLEST, LARGEST, "options.radius", error);
    if (status == GRZ_OK && o->skin == 0.0 && o->radius == 0.0)
        return refuse(error, "options.skin is 0; a point (options.radius 0) needs a skin");
    if (status == GRZ_OK && o->skin == 0.0)
        o->skin = o->radius * DEFAULT_SKIN;
    if (status == GRZ_OK)
        status = check_range(o->skin, SMALLEST * DEFAULT_SKIN, LARGEST, "options.skin", error);
    if (status == GRZ_OK)
        status = grz_vector_check("flight", "options.acceleration", o->acceleration, error);
    if (status == GRZ_OK)
        status = check_range(o->restitution, 0.0, 1.0, "options.restitution", error);
    if (status == GRZ_OK)
        status = check_range(o->friction, 0.0, LARGEST, "options.friction", error);
    return status;
}

static grz_status check_flight(const grz_flight *flight, double until, grz_error *error)
{
    grz_status status = grz_vector_check("flight", "flight.start", flight->start, error);
    if (status == GRZ_OK)
        status = grz_vector_check("flight", "flight.position", flight->position, error);
    if (status == GRZ_OK)
        status = grz_vector_check("flight", "flight.velocity", flight->velocity, error);
    if (status == GRZ_OK)
        status = check_range(flight->since, -LARGEST, LARGEST, "flight.since", error);
    if (status == GRZ_OK)
        status = check_range(flight->now, flight->since, LARGEST, "flight.now", error);
    if (status == GRZ_OK && !(until >= flight->now))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "flight: until is %g, must not be before flight.now, %g", until, flight->now);
    return status;
}

// ---- Flying -------------------------------------------------------------------------------------------------------

typedef struct flying {
    grz_slide slide;
    grz_bouncing how;
    grz_box box; // of the level
    double until;
    grz_flight *flight;
    grz_bounce *bounces;
    uint64_t most, found;
    int stands;
} flying;

static void set_position(grz_flight *flight, const double position[3], double now)
{
    memcpy(flight->position, position, sizeof flight->position);
    flight->now = now;
}

// A new arc begins at a place.
static void begin_arc(grz_flight *flight, const double start[3], const double velocity[3], double since)
{
    memcpy(flight->start, start, sizeof flight->start);
    memcpy(flight->velocity, velocity, sizeof flight->velocity);
    flight->since = since;
    set_position(flight, start, since);
}

static bool collect_normals(flying *f, const double velocity[3])
{
    grz_slide *slide = &f->slide;
    const grz_touches *touches = &slide->touches;
    const grz_allocator *allocator = grz_control_allocator(slide->level->control);
    bool any = false;
    if (!grz_array_reserve(allocator, &slide->normals, 3 * touches->all.count + 3)) {
        grz_control_fail(slide->level->control, GRZ_ERROR_MEMORY);
        return false;
    }
    size_t count = touches->count;
    for (size_t i = 0; i < count; i++)
        any = any || grz_dot(touches->all.items[i].apart.normal, velocity) < 0.0;
    if (!any) // what it met is a neighbour's edge: that counts then
        count = touches->all.count;
    slide->normals.count = 3 * count;
    for (size_t i = 0; i < count; i++)
        memcpy(slide->normals.items + 3 * i, touches->all.items[i].apart.normal, 3 * sizeof(double));
    return true;
}

static void list_bounce(flying *f, double time, const double before[3], size_t hardest)
{
    const grz_touch *touch = &f->slide.touches.all.items[hardest];
    grz_bounce *b = &f->bounces[f->found++];
    *b = (grz_bounce){.time = time, .object = touch->triangle.object, .face = touch->face};
    for (int k = 0; k < 3; k++) {
        b->position[k] = f->slide.position[k];
        b->before[k] = before[k];
        b->after[k] = f->flight->velocity[k];
        b->normal[k] = touch->apart.normal[k];
        b->point[k] = f->slide.position[k] + touch->apart.point[k];
    }
    f->flight->bounces++;
}

// True if friction holds the ball between all the walls near by. In a groove it touches one after the other, and none
// alone would hold it. What the walls bear together is at least the part of the acceleration that they take away.
static bool lies_in_groove(flying *f, const double velocity[3], bool *rests)
{
    grz_slide *slide = &f->slide;
    const double *a = f->how.acceleration, skin = slide->body.skin;
    double free[3], borne[3];
    *rests = false;
    if (f->how.friction == 0.0 || grz_dot(velocity, velocity) > GROOVE_LIFTS * 2.0 * sqrt(grz_dot(a, a)) * skin)
        return true;
    slide->body.skin = GROOVE * skin;
    const bool known = grz_slide_look(slide) && collect_normals(f, a);
    slide->body.skin = skin;
    if (!known)
        return false;
    grz_cone_project(slide->normals.items, slide->normals.count / 3, a, free);
    for (int k = 0; k < 3; k++)
        borne[k] = a[k] - free[k];
    *rests = grz_dot(free, free) <= f->how.friction * f->how.friction * grz_dot(borne, borne);
    return grz_slide_look(slide);
}

// A ball that has touched again and again at one place, with no more velocity than lifts it by some skins, lies in a
// hollow: each of its walls alone would not hold it. False if the control says to end.
static bool lies_in_hollow(flying *f, const double velocity[3], bool *rests)
{
    grz_flight *flight = f->flight;
    const double skin = f->how.skin, *a = f->how.acceleration, *p = f->slide.position;
    double square = 0.0;
    for (int k = 0; k < 3; k++)
        square += (p[k] - flight->held_at[k]) * (p[k] - flight->held_at[k]);
    if (flight->held > 0 && square <= HOLLOW * skin * HOLLOW * skin &&
        grz_dot(velocity, velocity) <= LIFTS * 2.0 * sqrt(grz_dot(a, a)) * skin) {
        *rests = ++flight->held > MOST_HELD;
        return flight->held < GROOVE_HELD || *rests || lies_in_groove(f, velocity, rests);
    }
    *rests = false;
    flight->held = 1;
    memcpy(flight->held_at, p, sizeof flight->held_at);
    return true;
}

// The ball has come near the level. *ends: the call is done.
static bool meet(flying *f, const grz_parabola *path, const grz_arc_contact *contact, bool *ends)
{
    grz_flight *flight = f->flight;
    double velocity[3], before[3];
    grz_rebound rebound;
    const double time = flight->since + contact->time;
    memcpy(f->slide.position, contact->position, sizeof f->slide.position);
    for (int k = 0; k < 3; k++)
        before[k] = velocity[k] = path->velocity[k] + path->acceleration[k] * contact->time;
    if (!grz_slide_look(&f->slide))
        return false;
    f->stands = contact->time > 0.0 ? 0 : f->stands + 1;
    *ends = true;
    if (f->slide.touches.inside || f->stands > MOST_STANDS) { // the last place is proved
        flight->state = GRZ_FLIGHT_LIMIT;
        return true;
    }
    if (!collect_normals(f, velocity))
        return false;
    grz_bounce_off(&f->how, f->slide.normals.items, f->slide.normals.count / 3, velocity, &rebound);
    const double speed = sqrt(grz_dot(velocity, velocity));
    bool held;
    if (!lies_in_hollow(f, velocity, &held))
        return false;
    if (held || (speed * SLOWEST < f->how.skin && grz_dot(f->how.acceleration, f->how.acceleration) == 0.0)) {
        rebound.rests = true;
        memset(velocity, 0, sizeof velocity);
    }
    const bool listed = rebound.any && !rebound.hops && !rebound.rests;
    if (listed && f->found == f->most && f->most == 0) {
        flight->state = GRZ_FLIGHT_FULL;
        begin_arc(flight, f->slide.position, before, time);
        return true;
    }
    // Listed where it bounced; it flies on from where it was lifted to.
    memcpy(flight->velocity, velocity, sizeof velocity);
    if (listed)
        list_bounce(f, time, before, rebound.hardest);
    if (!grz_slide_lift(&f->slide))
        return false;
    begin_arc(flight, f->slide.position, velocity, time);
    if (rebound.rests)
        flight->state = GRZ_FLIGHT_RESTS;
    else if (listed && f->found == f->most)
        flight->state = GRZ_FLIGHT_FULL;
    else
        *ends = false;
    return true;
}

// The time `until` is on this arc, and nothing is met until then: prove the place.
static bool stop(flying *f, const grz_parabola *path, double time)
{
    double position[3];
    bool inside;
    grz_parabola_at(path, time, position);
    if (!grz_body_is_inside(f->slide.level, &f->slide.body, position, &inside))
        return false;
    if (inside)
        f->flight->state = GRZ_FLIGHT_LIMIT;
    else
        set_position(f->flight, position, f->until);
    return true;
}

// Nothing more is met. Without an end of the time, it stands where it leaves the level's box.
static bool fly_away(flying *f, const grz_arc *arc, double from)
{
    if (f->until < HUGE_VAL)
        return stop(f, &arc->path, f->until - f->flight->since);
    const double time = fmax(from, arc->enter <= arc->leave ? arc->leave : 0.0);
    f->until = f->flight->since + time;
    return stop(f, &arc->path, time);
}

static grz_parabola path_of(const flying *f)
{
    grz_parabola path;
    memcpy(path.start, f->flight->start, sizeof path.start);
    memcpy(path.velocity, f->flight->velocity, sizeof path.velocity);
    memcpy(path.acceleration, f->how.acceleration, sizeof path.acceleration);
    return path;
}

// One arc. *ends: the call is done.
static bool fly_arc(flying *f, bool *ends)
{
    grz_arc arc;
    const grz_parabola path = path_of(f);
    const double from = f->flight->now - f->flight->since, to = f->until - f->flight->since;
    grz_arc_contact contact = {.time = from, .goes_on = true};
    grz_arc_set(&arc, &f->slide, &path, &f->box);
    *ends = true;
    while (contact.goes_on && contact.time <= to) {
        if (grz_control_expired(f->slide.level->control) || !grz_arc_search(&arc, contact.time, false, &contact))
            return false;
        if (contact.met && contact.time < from) { // the level has moved into the way behind the ball
            if (!grz_arc_search(&arc, from, true, &contact))
                return false;
        }
    }
    if (contact.met && contact.time <= to)
        return meet(f, &path, &contact, ends);
    if (contact.renews && contact.time <= to) {
        double position[3], velocity[3];
        grz_parabola_at(&path, contact.time, position);
        for (int k = 0; k < 3; k++)
            velocity[k] = path.velocity[k] + path.acceleration[k] * contact.time;
        begin_arc(f->flight, position, velocity, f->flight->since + contact.time);
        *ends = false;
        return true;
    }
    return fly_away(f, &arc, from);
}

static bool fly(flying *f)
{
    bool ends = false, inside;
    grz_flight *flight = f->flight;
    if (grz_control_expired(f->slide.level->control) ||
        !grz_body_is_inside(f->slide.level, &f->slide.body, flight->position, &inside))
        return false;
    if (inside) {
        flight->state = GRZ_FLIGHT_STARTS_INSIDE;
        return true;
    }
    flight->state = GRZ_FLIGHT_FLIES;
    for (int i = 0; i < MOST_ARCS && !ends; i++)
        if (!fly_arc(f, &ends))
            return false;
    if (!ends)
        flight->state = GRZ_FLIGHT_LIMIT;
    return true;
}

static grz_status advance(grz_level *level, const grz_flight_options *o, double until, grz_flight *flight,
                          grz_bounce *bounces, uint64_t most, uint64_t *found, grz_error *error)
{
    flying f = {.slide = {.level = level, .body = {.count = 1, .radius = o->radius, .skin = o->skin}},
                .how = {.restitution = o->restitution, .friction = o->friction, .skin = o->skin},
                .box = grz_box_empty(),
                .until = until,
                .flight = flight,
                .bounces = bounces,
                .most = most};
    double size = o->radius;
    bool still = true;
    memcpy(f.how.acceleration, o->acceleration, sizeof f.how.acceleration);
    for (uint32_t i = 0; i < level->count; i++)
        grz_box_add_box(&f.box, &level->objects[i].box);
    for (int k = 0; k < 3; k++) {
        size = fmax(size, fabs(flight->position[k]));
        size = grz_box_is_empty(&f.box) ? size : fmax(size, fmax(fabs(f.box.min[k]), fabs(f.box.max[k])));
        still = still && flight->velocity[k] == 0.0 && o->acceleration[k] == 0.0;
    }
    if (o->skin < size * ROUNDING_SKIN)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "flight: the skin is %g, needs %g at these coordinates (2^-40 of them)", o->skin,
                        size * ROUNDING_SKIN);
    if (still || flight->state == GRZ_FLIGHT_RESTS) {
        flight->state = GRZ_FLIGHT_RESTS;
        flight->now = until < HUGE_VAL ? until : flight->now;
        return GRZ_OK;
    }
    const bool done = fly(&f);
    *found = f.found;
    grz_slide_finish(&f.slide);
    if (done && flight->state == GRZ_FLIGHT_RESTS && until < HUGE_VAL)
        flight->now = until;
    return done ? GRZ_OK : grz_control_explain(level->control, grz_control_status(level->control), "the flight", error);
}

static grz_status check_and_advance(grz_call *call, const grz_object *objects, uint32_t count,
                                    grz_flight_options *options, double until, grz_flight *flight, grz_bounce *bounces,
                                    uint64_t most, uint64_t *found)
{
    grz_error *error = call->error;
    if (flight == NULL || found == NULL || (bounces == NULL && most > 0))
        return refuse(error, flight == NULL  ? "the flight is NULL"
                             : found == NULL ? "found is NULL"
                                             : "the bounces are NULL");
    grz_status status = check_options(options, error);
    if (status == GRZ_OK)
        status = check_flight(flight, until, error);
    if (status != GRZ_OK)
        return status;
    grz_level level = {.control = &call->control};
    status = grz_level_open(&level, "flight", objects, count, NULL, error);
    if (status == GRZ_OK)
        status = advance(&level, options, until, flight, bounces, most, found, error);
    grz_level_close(&level);
    return status;
}

grz_status grz_flight_advance(grz_device *device, const grz_object *objects, uint32_t count,
                              const grz_flight_options *options, double until, grz_flight *flight, grz_bounce *bounces,
                              uint64_t most, uint64_t *found, grz_error *error)
{
    grz_call call;
    grz_flight_options read;
    if (found != NULL)
        *found = 0;
    grz_status status = grz_call_begin(&call, "flight", device, &options_type, options, &read, error);
    if (status == GRZ_OK)
        status = check_and_advance(&call, objects, count, &read, until, flight, bounces, most, found);
    return grz_call_end(&call, status);
}
