// SPDX-License-Identifier: MIT
// Laws of flights past objects that move: a point and B, against motions of both, flights past what stands, and
// distances.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

#include <graze/flight.h>
#include <graze/move.h>

// A point that flies for a second past B, which moves; nothing is rounded that tells where they are at its start.
typedef struct flying_point {
    double start[3], velocity[3], unit, skin;
    grz_flight_motion motion;
} flying_point;

// From beside a vertex of A or B, often towards one of B; in units.
static bool draw(const agree_situation *s, agree_source *source, flying_point *p)
{
    const int body = (int)agree_below(source, 2);
    double *world = agree_world(&s->bodies[body]), size = 0.0;
    const size_t v = agree_below(source, (uint32_t)s->bodies[body].mesh.vertex_count);
    double *const aims = agree_world(&s->bodies[1]);
    const size_t w = agree_below(source, (uint32_t)s->bodies[1].mesh.vertex_count);
    const bool aimed = !agree_one_in(source, 4);
    *p = (flying_point){.unit = ldexp(1.0, s->exponent)};
    p->skin = ldexp(p->unit, -agree_between(source, 10, 20));
    for (int k = 0; k < 3; k++) {
        p->start[k] = world[3 * v + (size_t)k] + 0.5 * p->unit * agree_between(source, -8, 8);
        p->velocity[k] = p->unit * agree_between(source, -8, 8);
        p->motion.velocity[k] = p->unit * agree_between(source, -8, 8);
        const double there = aims[3 * w + (size_t)k] + 0.25 * p->unit * agree_between(source, -3, 3);
        if (aimed)
            p->velocity[k] = p->motion.velocity[k] + 2.0 * (there - p->start[k]);
        size = fmax(size, fabs(p->start[k]));
    }
    free(world);
    free(aims);
    return s->exponent >= -60 && s->exponent <= 60 && size <= 0x1p16 * p->unit && s->most <= 1 << 16;
}

// Returns the bounces, 0 or 1. A skin that is too thin for its coordinates is refused; then *known is false.
static uint64_t fly(agree_run *run, const flying_point *p, const grz_flight_motion *motion, const double velocity[3],
                    grz_flight *flight, grz_bounce *bounce, bool *known)
{
    grz_flight_options options = grz_default_flight_options();
    grz_error error = {.message = ""};
    uint64_t found = 0;
    options.skin = p->skin;
    options.motions = motion;
    *flight = grz_flight_from(p->start, velocity, 0.0);
    const grz_status status =
        grz_flight_advance(run->device, &run->objects[1], 1, &options, 1.0, flight, bounce, 1, &found, &error);
    *known = status != GRZ_ERROR_ARGUMENT || strstr(error.message, "at these coordinates") == NULL;
    if (*known)
        agree_call(run, status, &error, "grz_flight_advance");
    return found;
}

// How far B is from a point, where B is at a time.
static double distance_then(agree_run *run, const flying_point *p, const double at[3], double time)
{
    grz_object there = run->objects[1];
    grz_point_distance answer = {.lower = 0.0};
    grz_error error = {.message = ""};
    agree_call(run, grz_flight_pose(&run->objects[1], &p->motion, time, &there.pose, &error), &error,
               "grz_flight_pose");
    agree_call(run, grz_distance_points(run->device, &there, at, 1, NULL, &answer, &error), &error,
               "grz_distance_points");
    return answer.lower;
}

static void check_near(agree_run *run, const flying_point *p, agree_law law, const grz_bounce *bounce)
{
    const double d = distance_then(run, p, bounce->position, bounce->time);
    agree_law_holds(run, law, d > 0.0 && d <= p->skin, "at %.17g it bounces at a distance of %.17g, the skin is %g",
                    bounce->time, d, p->skin);
}

// Against the first contact of the point and B, both moving.
static void check_move(agree_run *run, const flying_point *p, uint64_t found, const grz_bounce *bounce)
{
    grz_mesh_description description = grz_default_mesh_description();
    const double corners[9] = {0.0};
    const uint32_t corner[3] = {0, 1, 2};
    double to_point[3], to_b[3];
    grz_mesh *mesh;
    grz_error error = {.message = ""};
    description.positions = corners;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = 3;
    description.indices = corner;
    description.index_count = 3;
    description.face_count = 1;
    description.corners_per_face = 3;
    if (!agree_call(run, grz_mesh_create(run->device, &description, &mesh, &error), &error, "grz_mesh_create"))
        return;
    const grz_object point = grz_object_at(mesh, grz_pose_from_translation(p->start[0], p->start[1], p->start[2]));
    grz_object b = run->objects[1];
    for (int k = 0; k < 3; k++) {
        to_point[k] = p->start[k] + p->velocity[k];
        to_b[k] = b.pose.m[k][3] + p->motion.velocity[k];
    }
    grz_move_options options = grz_default_move_options();
    grz_move_answer answer;
    options.inside = false;
    if (agree_call(run, grz_move(run->device, &point, to_point, &b, to_b, &options, &answer, &error), &error,
                   "grz_move"))
        agree_law_holds(run, AGREE_LAW_FLIGHT_MOVE, !answer.has_contact || (found == 1 && bounce->time <= answer.upper),
                        "the point and B first touch at %.17g; it bounces %s, at %.17g", answer.first_contact,
                        found == 1 ? "once" : "never", bounce->time);
    grz_mesh_destroy(mesh);
}

// As B sees it, the point has another velocity, and B stands. (The pose of B then is rounded, and so are normals.)
static void check_relative(agree_run *run, const flying_point *p, uint64_t found, const grz_bounce *bounce)
{
    double seen[3];
    grz_flight flight;
    grz_bounce other = {.time = 0.0};
    bool known;
    for (int k = 0; k < 3; k++)
        seen[k] = p->velocity[k] - p->motion.velocity[k];
    const uint64_t count = fly(run, p, NULL, seen, &flight, &other, &known);
    agree_law_holds(
        run, AGREE_LAW_FLIGHT_RELATIVE, known && count == found && (found == 0 || other.time == bounce->time),
        "%d bounces, at %.17g; past what stands %d, at %.17g", (int)found, bounce->time, (int)count, other.time);
}

static void check_rest(agree_run *run, const flying_point *p)
{
    const grz_flight_motion none = {.since = 0.25, .centre = {1.0, 2.0, 3.0}};
    grz_flight x, y;
    grz_bounce a = {.time = 0.0}, b = {.time = 0.0};
    bool known, also;
    const uint64_t with = fly(run, p, &none, p->velocity, &x, &a, &known),
                   without = fly(run, p, NULL, p->velocity, &y, &b, &also);
    agree_law_holds(run, AGREE_LAW_FLIGHT_REST,
                    known == also && with == without && memcmp(&x, &y, sizeof x) == 0 && memcmp(&a, &b, sizeof a) == 0,
                    "with a motion of zeros %d bounces, at %.17g, without %d, at %.17g", (int)with, a.time,
                    (int)without, b.time);
}

static void check_turning(agree_run *run, agree_source *source, flying_point p)
{
    grz_flight flight;
    grz_bounce bounce;
    bool known;
    for (int k = 0; k < 3; k++) {
        p.motion.spin[k] = 3.0 * agree_signed(source);
        p.motion.acceleration[k] = p.unit * agree_between(source, -3, 3);
        p.motion.centre[k] = run->now->bodies[1].mesh.positions[k];
    }
    const uint64_t found = fly(run, &p, &p.motion, p.velocity, &flight, &bounce, &known);
    if (!known)
        return;
    const double end = distance_then(run, &p, flight.position, flight.now);
    agree_law_holds(run, AGREE_LAW_FLIGHT_OUTSIDE, end > 0.0 || flight.state == GRZ_FLIGHT_STARTS_INSIDE,
                    "at %.17g it is on the surface", flight.now);
    if (found == 1)
        check_near(run, &p, AGREE_LAW_FLIGHT_TURNS, &bounce);
}

void agree_laws_of_flights(agree_run *run)
{
    flying_point p;
    agree_source source = run->choices;
    grz_flight flight;
    grz_bounce bounce = {.time = 0.0};
    bool known;
    if (!run->now->whole || agree_is_large(run->now) || run->now->bodies[1].mesh.face_count == 0 ||
        !draw(run->now, &source, &p) || !(distance_then(run, &p, p.start, 0.0) > 2.0 * p.skin))
        return;
    const uint64_t found = fly(run, &p, &p.motion, p.velocity, &flight, &bounce, &known);
    if (!known)
        return;
    if (found == 1)
        check_near(run, &p, AGREE_LAW_FLIGHT_NEAR, &bounce);
    check_move(run, &p, found, &bounce);
    check_relative(run, &p, found, &bounce);
    check_rest(run, &p);
    check_turning(run, &source, p);
}
