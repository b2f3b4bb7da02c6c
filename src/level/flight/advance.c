// SPDX-License-Identifier: MIT
// grz_flight_advance(): checks what was asked, and flies arc by arc. All that decides a bounce depends on where and how
// the arc began, and on how objects move, and not on the times at which the caller looks.
#include <graze/flight.h>

#include <math.h>
#include <string.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"
#include "geometry/vector.h"
#include "level/flight/bounce.h"
#include "level/flight/flight_level.h"
#include "level/mover/slide/cone.h"
#include "level/vector_check.h"

static const uint32_t NONE = UINT32_MAX; // no object

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
static const double RIDES_WITHIN = 4.0;                     // skins: so near is a ball to what carries it

static const grz_flight_options defaults = {.size = sizeof(grz_flight_options), .restitution = 1.0};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(flight_options, defaults);

void grz_flight_options_init(grz_flight_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

grz_flight grz_flight_from(const double position[3], const double velocity[3], double time)
{
    grz_flight flight = {.now = time, .since = time, .carrier = NONE};
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
    if (o->radius != 0.0 && !(o->radius >= SMALLEST && o->radius <= LARGEST))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "flight: options.radius is %g, must be 0 or %g to %g", o->radius, SMALLEST, LARGEST);
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
    grz_slide slide; // its level is every object, at one time
    grz_bouncing how;
    grz_flight_level level;
    GRZ_ARRAY(grz_bounce_surface) surfaces; // of the contacts, if something moves
    bool any_moves;                         // one of these does
    double until;
    grz_flight *flight;
    grz_bounce *bounces;
    uint64_t most, found;
    int stands;
} flying;

static bool is_zero(const double v[3])
{
    return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0;
}

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

// How the surfaces of all contacts move at a time; nothing if no object moves.
static bool collect_surfaces(flying *f, double time)
{
    const grz_touches *touches = &f->slide.touches;
    const grz_allocator *allocator = grz_control_allocator(f->slide.level->control);
    f->any_moves = false;
    if (f->level.count == 0)
        return true;
    if (!grz_array_reserve(allocator, &f->surfaces, touches->all.count + 1) ||
        !grz_array_reserve(allocator, &f->slide.depths, touches->all.count + 1)) {
        grz_control_fail(f->slide.level->control, GRZ_ERROR_MEMORY);
        return false;
    }
    for (size_t i = 0; i < touches->all.count; i++) {
        const grz_touch *touch = &touches->all.items[i];
        grz_bounce_surface *surface = &f->surfaces.items[i];
        const grz_flight_target *target = grz_flight_level_target(&f->level, touch->triangle.object);
        double point[3];
        *surface = (grz_bounce_surface){.moves = target != NULL};
        if (target == NULL)
            continue;
        for (int k = 0; k < 3; k++)
            point[k] = f->slide.position[k] + touch->apart.point[k];
        grz_flight_target_flow(target, time - target->motion.since, point, surface->velocity, surface->acceleration);
        memcpy(surface->spin, target->motion.spin, sizeof surface->spin);
        f->any_moves = true;
    }
    return true;
}

static bool goes_against(const flying *f, size_t touch, const double velocity[3])
{
    const double *n = f->slide.touches.all.items[touch].apart.normal;
    const double away = grz_dot(n, velocity);
    return (f->any_moves ? away - grz_dot(n, f->surfaces.items[touch].velocity) : away) < 0.0;
}

// After collect_surfaces().
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
        any = any || goes_against(f, i, velocity);
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
        b->surface[k] = f->any_moves ? f->surfaces.items[hardest].velocity[k] : 0.0;
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
    const bool known = grz_slide_look(slide) && collect_normals(f, a); // no surface near by moves
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

// A new arc where the ball has bounced, or a rest. *ends: the call is done.
static bool go_on(flying *f, double time, const double before[3], const double velocity[3], const grz_rebound *rebound,
                  bool *ends)
{
    grz_flight *flight = f->flight;
    const bool listed = rebound->any && !rebound->hops && !rebound->rests, full = listed && f->found == f->most;
    *ends = true;
    if (full && f->most == 0) {
        flight->state = GRZ_FLIGHT_FULL;
        begin_arc(flight, f->slide.position, before, time);
        return true;
    }
    // Listed where it bounced; it flies on from where it was lifted to.
    memcpy(flight->velocity, velocity, sizeof flight->velocity);
    const bool lies = (rebound->rests || rebound->rides) && !rebound->floats;
    if (lies && f->slide.touches.all.count > 0) // a ball in a hollow may go against nothing
        flight->carrier = f->slide.touches.all.items[rebound->hardest].triangle.object;
    else if (lies || rebound->any || rebound->floats)
        flight->carrier = NONE;
    if (listed)
        list_bounce(f, time, before, rebound->hardest);
    if (!grz_slide_lift(&f->slide))
        return false;
    begin_arc(flight, f->slide.position, velocity, time);
    if (rebound->rests)
        flight->state = GRZ_FLIGHT_RESTS;
    else if (listed && f->found == f->most)
        flight->state = GRZ_FLIGHT_FULL;
    else if (rebound->rides && f->until == HUGE_VAL)
        flight->state = GRZ_FLIGHT_RIDES;
    else
        *ends = false;
    if (rebound->rests && f->level.count > 0 && f->until < HUGE_VAL)
        *ends = false; // what moves may still hit it
    return true;
}

// The ball stands at a place that is proved, and has no room.
static void stay(flying *f, double time, const double velocity[3])
{
    f->flight->state = f->any_moves ? GRZ_FLIGHT_CRUSHED : GRZ_FLIGHT_LIMIT;
    if (f->any_moves)
        begin_arc(f->flight, f->slide.position, velocity, time);
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
    grz_flight_level_pose(&f->level, time);
    if (!grz_slide_look(&f->slide) || !collect_surfaces(f, time))
        return false;
    f->stands = contact->time > 0.0 ? 0 : f->stands + 1;
    *ends = true;
    if (f->slide.touches.inside) { // the last place is proved
        flight->state = GRZ_FLIGHT_LIMIT;
        return true;
    }
    if (f->stands > MOST_STANDS) {
        stay(f, time, before);
        return true;
    }
    if (!collect_normals(f, velocity))
        return false;
    const grz_bounce_contacts contacts = {.normals = f->slide.normals.items,
                                          .count = f->slide.normals.count / 3,
                                          .surfaces = f->any_moves ? f->surfaces.items : NULL,
                                          .depths = f->slide.depths.items};
    grz_bounce_off(&f->how, &contacts, velocity, &rebound);
    if (rebound.crushed) {
        stay(f, time, before);
        return true;
    }
    const double speed = sqrt(grz_dot(velocity, velocity));
    bool held = false;
    if (f->any_moves)
        flight->held = 0;
    else if (!lies_in_hollow(f, velocity, &held))
        return false;
    if (held ||
        (!f->any_moves && speed * SLOWEST < f->how.skin && grz_dot(f->how.acceleration, f->how.acceleration) == 0.0)) {
        rebound.rests = true;
        memset(velocity, 0, sizeof velocity);
    }
    if (f->any_moves && is_zero(velocity) && is_zero(f->how.acceleration)) {
        rebound.rests = rebound.floats = true;
        rebound.rides = false;
    }
    if (flight->state == GRZ_FLIGHT_RESTS) // what moves has come, and it lies no more
        flight->carrier = NONE;
    flight->state = GRZ_FLIGHT_FLIES;
    return go_on(f, time, before, velocity, &rebound, ends);
}

// True if what the ball lies on, or lay on last, moves.
static bool carrier_moves(const flying *f)
{
    return f->flight->carrier != NONE && grz_flight_level_target(&f->level, f->flight->carrier) != NULL;
}

// The ball lies on what carries it, if that is still near.
static bool look_for_carrier(flying *f)
{
    grz_slide *slide = &f->slide;
    const double skin = slide->body.skin;
    memcpy(slide->position, f->flight->position, sizeof slide->position);
    slide->body.skin = RIDES_WITHIN * skin;
    const bool known = grz_slide_look(slide);
    slide->body.skin = skin;
    for (size_t i = 0; known && i < slide->touches.all.count; i++)
        if (slide->touches.all.items[i].triangle.object == f->flight->carrier)
            f->flight->state = GRZ_FLIGHT_RIDES;
    return known;
}

// The time `until` is on this arc, and nothing is met until then: prove the place.
static bool stop(flying *f, const grz_parabola *path, double time)
{
    double position[3];
    bool inside;
    grz_parabola_at(path, time, position);
    grz_flight_level_pose(&f->level, f->until);
    if (!grz_body_is_inside(f->slide.level, &f->slide.body, position, &inside))
        return false;
    if (inside)
        f->flight->state = GRZ_FLIGHT_LIMIT;
    else
        set_position(f->flight, position, f->until);
    if (f->flight->state == GRZ_FLIGHT_FLIES && carrier_moves(f))
        return look_for_carrier(f);
    return true;
}

// Nothing more is met. Without an end of the time, it stands where it leaves the level's box.
static bool fly_away(flying *f, const grz_parabola *path, double from, double leave)
{
    if (f->until < HUGE_VAL)
        return stop(f, path, f->until - f->flight->since);
    const double time = fmax(from, leave);
    f->until = f->flight->since + time;
    return stop(f, path, time);
}

static grz_parabola path_of(const flying *f)
{
    grz_parabola path = {.start = {0.0, 0.0, 0.0}};
    memcpy(path.start, f->flight->start, sizeof path.start);
    if (f->flight->state == GRZ_FLIGHT_RESTS)
        return path;
    memcpy(path.velocity, f->flight->velocity, sizeof path.velocity);
    memcpy(path.acceleration, f->how.acceleration, sizeof path.acceleration);
    return path;
}

// One arc. *ends: the call is done.
static bool fly_arc(flying *f, bool *ends)
{
    const grz_parabola path = path_of(f);
    const grz_flight_arc asked = {.path = &path,
                                  .since = f->flight->since,
                                  .from = f->flight->now - f->flight->since,
                                  .to = f->until - f->flight->since,
                                  .rests = f->flight->state == GRZ_FLIGHT_RESTS};
    grz_arc_contact contact;
    double leave;
    *ends = true;
    if (!grz_flight_level_first(&f->level, &f->slide, &asked, &contact, &leave))
        return false;
    if (contact.blind) {
        f->flight->state = GRZ_FLIGHT_LIMIT;
        return true;
    }
    if (contact.met)
        return meet(f, &path, &contact, ends);
    if (contact.renews) {
        double position[3], velocity[3];
        grz_parabola_at(&path, contact.time, position);
        for (int k = 0; k < 3; k++)
            velocity[k] = path.velocity[k] + path.acceleration[k] * contact.time;
        begin_arc(f->flight, position, velocity, f->flight->since + contact.time);
        *ends = false;
        return true;
    }
    return fly_away(f, &path, asked.from, leave);
}

// The ball lies on an object that moves now: let it fly from there.
static void wake(flying *f)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    grz_flight *flight = f->flight;
    if (flight->state == GRZ_FLIGHT_RESTS && carrier_moves(f)) {
        flight->state = GRZ_FLIGHT_FLIES;
        flight->carrier = NONE;
        begin_arc(flight, flight->position, none, flight->now);
    }
}

static bool fly(flying *f)
{
    bool ends = false, inside;
    grz_flight *flight = f->flight;
    grz_flight_level_pose(&f->level, flight->now);
    if (grz_control_expired(f->slide.level->control) ||
        !grz_body_is_inside(f->slide.level, &f->slide.body, flight->position, &inside))
        return false;
    if (inside) {
        flight->state = GRZ_FLIGHT_STARTS_INSIDE;
        return true;
    }
    wake(f);
    if (flight->state != GRZ_FLIGHT_RESTS)
        flight->state = GRZ_FLIGHT_FLIES;
    for (int i = 0; i < MOST_ARCS && !ends; i++)
        if (!fly_arc(f, &ends))
            return false;
    if (!ends)
        flight->state = GRZ_FLIGHT_LIMIT;
    return true;
}

// An error if the skin is too thin for the coordinates where the flight begins.
static grz_status check_skin(const flying *f, const grz_flight_options *o, grz_error *error)
{
    const grz_box *box = &f->level.box;
    double size = fmax(o->radius, grz_flight_level_size(&f->level, f->flight->now));
    for (int k = 0; k < 3; k++) {
        size = fmax(size, fabs(f->flight->position[k]));
        size = grz_box_is_empty(box) ? size : fmax(size, fmax(fabs(box->min[k]), fabs(box->max[k])));
    }
    if (o->skin < size * ROUNDING_SKIN)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "flight: the skin is %g, needs %g at these coordinates (2^-40 of them)", o->skin,
                        size * ROUNDING_SKIN);
    return GRZ_OK;
}

static grz_status advance(flying *f, const grz_flight_options *o, uint64_t *found, grz_error *error)
{
    grz_flight *flight = f->flight;
    const double until = f->until;
    const grz_status status = check_skin(f, o, error);
    if (status != GRZ_OK)
        return status;
    if (is_zero(flight->velocity) && is_zero(o->acceleration))
        flight->state = GRZ_FLIGHT_RESTS;
    if (flight->state == GRZ_FLIGHT_RESTS && (f->level.count == 0 || !(until < HUGE_VAL))) {
        flight->now = until < HUGE_VAL ? until : flight->now;
        return GRZ_OK;
    }
    const bool done = fly(f);
    grz_control *control = f->slide.level->control;
    *found = f->found;
    if (done && flight->state == GRZ_FLIGHT_RESTS && until < HUGE_VAL)
        flight->now = until;
    return done ? GRZ_OK : grz_control_explain(control, grz_control_status(control), "the flight", error);
}

static grz_status open_and_advance(grz_level *level, const grz_flight_options *o, double until, grz_flight *flight,
                                   grz_bounce *bounces, uint64_t most, uint64_t *found, grz_error *error)
{
    flying f = {.slide = {.level = level, .body = {.count = 1, .radius = o->radius, .skin = o->skin}},
                .how = {.restitution = o->restitution, .friction = o->friction, .skin = o->skin},
                .until = until,
                .flight = flight,
                .bounces = bounces,
                .most = most};
    memcpy(f.how.acceleration, o->acceleration, sizeof f.how.acceleration);
    grz_status status = grz_flight_level_open(&f.level, level, o->motions, error);
    if (status == GRZ_OK)
        status = advance(&f, o, found, error);
    grz_slide_finish(&f.slide);
    grz_array_finish(grz_control_allocator(level->control), &f.surfaces);
    grz_flight_level_close(&f.level);
    return status;
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
        status = open_and_advance(&level, options, until, flight, bounces, most, found, error);
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
