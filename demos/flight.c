// SPDX-License-Identifier: MIT
// Balls fly into a yard with pillars, a ramp and a cow, under gravity, and bounce; dots show where they were. A plate
// that goes to and fro and a bar that turns hit them on their way. A beam that turns is an instant flight: its whole
// way is decided at once, up to eight bounces. grz_flight_advance() does all of it. Meshes inside the balls are then
// tested against the yard: that each ball is outside is good for no pair of faces in any frame.
#include <graze/io.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

enum {
    YARD,
    COW,
    PLATE,
    BAR,
    BALLS,
    OBJECTS, // that are tested
    DOTS = OBJECTS,
    BEAM,
    SHOWN,
    BALL_COUNT = 7,
    RINGS = 8, // of a ball's mesh
    SECTORS = 12,
    MOST_DOTS = 4000,
    BEAM_BOUNCES = 8,
    CELLS = 16 // of the ground, along a side
};

static const double RADIUS = 0.3, SECONDS = 1.0 / 60.0, PI = 3.14159265358979323846;
static const double MUZZLE[3] = {-7.0, 1.6, 0.0};
static const double TURNS[3] = {0.0, 1.5, 0.0}, HUB[3] = {4.6, 0.4, 3.0}; // of the bar

typedef struct flight_demo {
    demo_parts parts; // of the mesh being made
    grz_mesh *meshes[SHOWN];
    grz_object objects[SHOWN];
    grz_flight_options balls, beam;
    grz_flight_motion motions[BALLS]; // during a frame
    grz_flight flights[BALL_COUNT];
    double dots[3 * MOST_DOTS];
    uint32_t dot_count;
    uint64_t steps, bounces;
    double way[3 * (BEAM_BOUNCES + 2)]; // of the beam
    uint32_t way_count;
} flight_demo;

// ---- Meshes -------------------------------------------------------------------------------------------------------

static void make_yard(const demo *d, flight_demo *s)
{
    for (uint32_t j = 0; j <= CELLS; j++)
        for (uint32_t i = 0; i <= CELLS; i++)
            demo_add_vertex(&s->parts, 16.0 * i / CELLS - 8.0, 0.0, 10.0 * j / CELLS - 5.0);
    demo_add_ground(&s->parts, CELLS);
    demo_add_block(&s->parts, -0.5, 8.0, -5.2, 8.2, 5.2, 1.8, 1.8); // walls
    demo_add_block(&s->parts, -0.5, -8.2, -5.0, -8.0, 5.0, 0.6, 0.6);
    demo_add_block(&s->parts, -0.5, -8.2, 5.0, 8.0, 5.2, 1.2, 1.2);
    demo_add_block(&s->parts, -0.5, -8.2, -5.2, 8.0, -5.0, 1.2, 1.2);
    demo_add_block(&s->parts, -0.5, 2.0, -3.2, 6.0, -1.6, 0.0, 1.5); // a ramp
    for (int i = 0; i < 3; i++)
        demo_add_block(&s->parts, -0.5, -2.5 + 2.2 * i, 1.6 + 0.7 * i, -1.9 + 2.2 * i, 2.2 + 0.7 * i, 1.7, 1.7);
    s->meshes[YARD] = demo_finish_parts(d, &s->parts);
}

static void make_cow(const demo *d, flight_demo *s)
{
    grz_io_model *model;
    grz_mesh_description description = grz_default_mesh_description();
    grz_error error;
    demo_check(grz_io_load_file(DEMOS_DATA "/cow_spot.ply", NULL, &model, &error), &error);
    demo_check(grz_io_describe(model, &description, &error), &error);
    demo_check(grz_mesh_create(d->device, &description, &s->meshes[COW], &error), &error);
    grz_io_model_destroy(model);
}

static void make_plate_and_bar(const demo *d, flight_demo *s)
{
    demo_add_block(&s->parts, 0.02, -0.06, -1.2, 0.06, 1.4, 1.5, 1.5);
    s->meshes[PLATE] = demo_finish_parts(d, &s->parts);
    demo_add_block(&s->parts, -0.2, -1.6, -0.1, 1.6, 0.1, 0.2, 0.2);
    s->meshes[BAR] = demo_finish_parts(d, &s->parts);
}

// Inside the ball, but for rounding outwards, which the skin holds.
static void add_ball(flight_demo *s, const double middle[3], double radius)
{
    const uint32_t first = s->parts.vertex_count;
    for (int ring = 1; ring < RINGS; ring++)
        for (int i = 0; i < SECTORS; i++) {
            const double a = PI * ring / RINGS, b = 2.0 * PI * i / SECTORS;
            demo_add_vertex(&s->parts, middle[0] + radius * sin(a) * cos(b), middle[1] + radius * cos(a),
                            middle[2] + radius * sin(a) * sin(b));
        }
    const uint32_t top = demo_add_vertex(&s->parts, middle[0], middle[1] + radius, middle[2]),
                   bottom = demo_add_vertex(&s->parts, middle[0], middle[1] - radius, middle[2]);
    for (uint32_t i = 0; i < SECTORS; i++) {
        const uint32_t next = (i + 1) % SECTORS, last = first + (RINGS - 2) * SECTORS;
        demo_add_triangle(&s->parts, top, first + next, first + i);
        demo_add_triangle(&s->parts, bottom, last + i, last + next);
        for (uint32_t ring = 0; ring + 2 < RINGS; ring++) {
            const uint32_t v = first + ring * SECTORS + i, right = first + ring * SECTORS + next;
            demo_add_triangle(&s->parts, v, right, v + SECTORS);
            demo_add_triangle(&s->parts, right, right + SECTORS, v + SECTORS);
        }
    }
}

static void add_dot(flight_demo *s, const double middle[3])
{
    static const uint32_t faces[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                         {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    const uint32_t first = s->parts.vertex_count;
    for (int i = 0; i < 6; i++) {
        double p[3] = {middle[0], middle[1], middle[2]};
        p[i / 2] += i % 2 ? -0.055 : 0.055;
        demo_add_vertex(&s->parts, p[0], p[1], p[2]);
    }
    for (int i = 0; i < 8; i++)
        demo_add_triangle(&s->parts, first + faces[i][0], first + faces[i][1], first + faces[i][2]);
}

// A thin bar between two points.
static void add_bar(flight_demo *s, const double from[3], const double to[3])
{
    double way[3], side[3], up[3] = {0.0, 1.0, 0.0}, length = 0.0;
    const uint32_t first = s->parts.vertex_count;
    for (int k = 0; k < 3; k++) {
        way[k] = to[k] - from[k];
        length += way[k] * way[k];
    }
    side[0] = way[2] / sqrt(length + 1e-30);
    side[1] = 0.0;
    side[2] = -way[0] / sqrt(length + 1e-30);
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 4; i++) {
            const double a = (i == 1 || i == 2 ? 0.03 : -0.03), b = (i >= 2 ? 0.03 : -0.03);
            const double *p = end ? to : from;
            demo_add_vertex(&s->parts, p[0] + a * side[0] + b * up[0], p[1] + a * side[1] + b * up[1],
                            p[2] + a * side[2] + b * up[2]);
        }
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t v = first + i, w = first + (i + 1) % 4;
        demo_add_triangle(&s->parts, v, w, w + 4);
        demo_add_triangle(&s->parts, v, w + 4, v + 4);
    }
}

// ---- Flights ------------------------------------------------------------------------------------------------------

static void launch(flight_demo *s, int i)
{
    const double turn = 0.42 * (i - (BALL_COUNT - 1) / 2.0) / 2.0, speed = 7.5 + 0.6 * (i % 3);
    const double velocity[3] = {speed * cos(turn), 4.0 + 0.5 * (i % 2), speed * sin(turn)};
    s->flights[i] = grz_flight_from(MUZZLE, velocity, (double)s->steps * SECONDS);
}

// Of the plate only the poses are known, frame by frame; the bar turns evenly all the time.
static void set_motions(flight_demo *s, double until)
{
    const double x = 3.2 + 2.6 * sin(1.3 * until);
    const grz_pose next = grz_pose_from_translation(x, 0.0, 0.0);
    grz_error error;
    demo_check(grz_flight_motion_between(&s->objects[PLATE].pose, &next, until - SECONDS, until, NULL,
                                         &s->motions[PLATE], &error),
               &error);
    s->motions[BAR].since = until - SECONDS;
    memcpy(s->motions[BAR].spin, TURNS, sizeof TURNS);
}

// Where they are at the end of the frame.
static void move(flight_demo *s, double until)
{
    grz_error error;
    for (int i = PLATE; i <= BAR; i++)
        demo_check(grz_flight_pose(&s->objects[i], &s->motions[i], until, &s->objects[i].pose, &error), &error);
}

static void fly(const demo *d, flight_demo *s)
{
    const double until = (double)++s->steps * SECONDS;
    set_motions(s, until);
    grz_bounce bounces[64];
    uint64_t found;
    grz_error error;
    for (int i = 0; i < BALL_COUNT; i++) {
        grz_flight *flight = &s->flights[i];
        do {
            demo_check(
                grz_flight_advance(d->device, s->objects, BALLS, &s->balls, until, flight, bounces, 64, &found, &error),
                &error);
            s->bounces += found;
        } while (flight->state == GRZ_FLIGHT_FULL);
        if (flight->state == GRZ_FLIGHT_CRUSHED) // between the bar and a wall
            launch(s, i);
        if (flight->state == GRZ_FLIGHT_FLIES && s->steps % 3 == 0 && s->dot_count < MOST_DOTS)
            memcpy(s->dots + 3 * (size_t)s->dot_count++, flight->position, sizeof flight->position);
    }
    move(s, until);
    if (s->steps % 360 == 0) { // again
        s->dot_count = 0;
        for (int i = 0; i < BALL_COUNT; i++)
            launch(s, i);
    }
}

static void shine(const demo *d, flight_demo *s)
{
    const double from[3] = {-7.5, 0.8, -4.2}, turn = 0.55 + 0.25 * sin(0.6 * (double)s->steps * SECONDS),
                 velocity[3] = {cos(turn), 0.0, sin(turn)};
    grz_flight beam = grz_flight_from(from, velocity, 0.0);
    grz_bounce bounces[BEAM_BOUNCES];
    uint64_t found;
    grz_error error;
    demo_check(grz_flight_advance(d->device, s->objects, BALLS, &s->beam, HUGE_VAL, &beam, bounces, BEAM_BOUNCES,
                                  &found, &error),
               &error);
    memcpy(s->way, from, sizeof from);
    s->way_count = 1;
    for (uint64_t i = 0; i < found; i++)
        memcpy(s->way + 3 * (size_t)s->way_count++, bounces[i].position, sizeof bounces[i].position);
    if (beam.state == GRZ_FLIGHT_FLIES)
        memcpy(s->way + 3 * (size_t)s->way_count++, beam.position, sizeof beam.position);
}

// The meshes of what moves, anew for each frame.
static void make_moving(const demo *d, flight_demo *s)
{
    for (int i = BALLS; i < SHOWN; i++)
        grz_mesh_destroy(s->meshes[i]);
    for (int i = 0; i < BALL_COUNT; i++)
        add_ball(s, s->flights[i].position, RADIUS);
    s->meshes[BALLS] = demo_finish_parts(d, &s->parts);
    add_dot(s, MUZZLE);
    for (uint32_t i = 0; i < s->dot_count; i++)
        add_dot(s, s->dots + 3 * (size_t)i);
    s->meshes[DOTS] = demo_finish_parts(d, &s->parts);
    for (uint32_t i = 0; i + 1 < s->way_count; i++)
        add_bar(s, s->way + 3 * (size_t)i, s->way + 3 * (size_t)(i + 1));
    s->meshes[BEAM] = demo_finish_parts(d, &s->parts);
    for (int i = BALLS; i < SHOWN; i++)
        s->objects[i] = grz_object_at_origin(s->meshes[i]);
}

static void make(const demo *d, flight_demo *s)
{
    static const double turn[4] = {0.0, 0.5, 0.0, 0.8660254037844386}, at[3] = {-0.6, 1.13, -1.6};
    grz_error error;
    make_yard(d, s);
    make_cow(d, s);
    make_plate_and_bar(d, s);
    s->objects[YARD] = grz_object_at_origin(s->meshes[YARD]);
    s->objects[PLATE] = grz_object_at(s->meshes[PLATE], grz_pose_from_translation(3.2, 0.0, 0.0));
    s->objects[BAR] = grz_object_at(s->meshes[BAR], grz_pose_from_translation(HUB[0], HUB[1], HUB[2]));
    s->objects[COW] = grz_object_at_origin(s->meshes[COW]);
    demo_check(grz_pose_from_quaternion(at, turn, &s->objects[COW].pose, &error), &error);
    for (int i = 0; i < 9; i++)
        s->objects[COW].pose.m[i / 3][i % 3] *= 1.5;
    s->balls = grz_default_flight_options();
    s->balls.radius = RADIUS;
    s->balls.acceleration[1] = -9.81;
    s->balls.restitution = 0.72;
    s->balls.friction = 0.1;
    s->balls.motions = s->motions;
    s->beam = grz_default_flight_options();
    s->beam.skin = 0x1p-20;
    for (int i = 0; i < BALL_COUNT; i++)
        launch(s, i);
}

static void describe(const flight_demo *s, const grz_result *result, char *text, size_t size)
{
    uint64_t count, touching = 0;
    const grz_scene_pair *pairs = grz_result_scene_pairs(result, &count);
    for (uint64_t i = 0; i < count; i++)
        touching += pairs[i].b == BALLS ? pairs[i].pair_count : 0;
    snprintf(text, size, "%" PRIu64 " bounces of %d balls, %" PRIu32 " of the beam; %" PRIu64 " pairs of faces touch",
             s->bounces, BALL_COUNT, s->way_count - 1, touching);
}

static void ask(const demo *d, const flight_demo *s, const char *method, grz_result *result)
{
    const grz_collide_options options = demo_ask_pairs(method);
    grz_scene *scene;
    grz_error error;
    demo_check(grz_scene_create(d->device, &scene, &error), &error);
    for (int i = 0; i < OBJECTS; i++) {
        uint32_t id;
        demo_check(grz_scene_add(scene, &s->objects[i], &id, &error), &error);
    }
    demo_check(grz_collide_scene(d->device, scene, &options, result, &error), &error);
    grz_scene_destroy(scene);
}

static void set_view(demo *d)
{
    static const uint8_t colours[3 * SHOWN] = {222, 222, 220, 236, 196, 160, 224, 150, 60, 224, 150,
                                               60,  60,  110, 180, 120, 160, 210, 210, 40, 40};
    grz_picture_options *picture = &d->picture;
    picture->colours = colours;
    picture->has_direction = picture->has_region = true;
    picture->direction[0] = 0.35;
    picture->direction[1] = -0.75;
    picture->direction[2] = -0.8;
    picture->region_min[0] = -8.0;
    picture->region_min[1] = -0.5;
    picture->region_min[2] = -4.5;
    picture->region_max[0] = 7.0;
    picture->region_max[1] = 2.5;
    picture->region_max[2] = 4.5;
}

int main(int argc, char **argv)
{
    demo d = {.name = "flight", .about = "balls and a beam that bounce through a yard", .usual_frames = 600};
    grz_result *result, *reference;
    grz_error error;
    demo_open(&d, argc, argv);
    flight_demo *s = demo_get(1, sizeof *s);
    make(&d, s);
    set_view(&d);
    demo_check(grz_result_create(d.device, &result, &error), &error);
    demo_check(grz_result_create(d.device, &reference, &error), &error);
    printf("flight: method %s\n", d.method);
    for (uint64_t frame = 0; frame < d.frames; frame++) {
        char found[160];
        for (int i = 0; i < (d.small ? 20 : 1); i++)
            fly(&d, s);
        shine(&d, s);
        make_moving(&d, s);
        ask(&d, s, d.method, result);
        if (d.check) {
            ask(&d, s, d.reference, reference);
            demo_compare(&d, frame, result, reference);
        }
        describe(s, result, found, sizeof found);
        if (!demo_show(&d, frame, s->objects, SHOWN, result, found))
            break;
    }
    grz_result_destroy(result);
    grz_result_destroy(reference);
    for (int i = 0; i < SHOWN; i++)
        grz_mesh_destroy(s->meshes[i]);
    demo_free_parts(&s->parts);
    free(s);
    demo_close(&d);
    return 0;
}
