// SPDX-License-Identifier: MIT
// Particles in scenes whose answers are known: free flight, bounces that do not depend on the length of steps, walls
// thinner than a step, overhangs, masks, bodies that overtake particles, edges, rooms, sliding, forces.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <graze/gl.h>

#include "pair_generator.h"
#include "support_gl.h"
#include "support_meshes.h"
#include "support_queries.h"

#ifdef GRZ_HAVE_GL
#include "gl/context.h"

enum {
    SIDE = 64,
    MOST_OBJECTS = 8
};

// One particle as the library has it.
typedef struct particle {
    float p[3], mine, v[3], also_mine;
} particle;

// A map, and what is in it.
typedef struct world {
    grz_device *device;
    grz_particle_map *map;
    grz_mesh *meshes[MOST_OBJECTS];
    grz_object objects[MOST_OBJECTS];
    uint64_t count;
} world;

// A map of the box from -1 to 1, seen from above.
static grz_particle_map_options from_above(void)
{
    grz_particle_map_options options = grz_default_particle_map_options();
    options.resolution = SIDE;
    for (int i = 0; i < 3; i++)
        options.half[i] = 1.0;
    options.direction[2] = -1.0;
    return options;
}

static void check(grz_status status, const grz_error *error)
{
    if (status != GRZ_OK)
        fail_msg("%s", error->message);
}

static world begin(const grz_particle_map_options *options)
{
    world w = {.device = test_gl_device_open()};
    grz_error error;
    check(grz_particle_map_create(w.device, options, &w.map, &error), &error);
    return w;
}

static void add(world *w, test_mesh mesh)
{
    w->meshes[w->count] = test_mesh_upload(w->device, &mesh);
    w->objects[w->count] = grz_object_at_origin(w->meshes[w->count]);
    w->count++;
    test_mesh_finish(&mesh);
}

static void add_box(world *w, double x, double y, double z, double to_x, double to_y, double to_z)
{
    const double min[3] = {x, y, z}, max[3] = {to_x, to_y, to_z};
    add(w, test_mesh_box(min, max));
}

static void draw(world *w)
{
    grz_environment environment = grz_default_environment();
    grz_error error;
    environment.objects = w->objects;
    environment.object_count = (uint32_t)w->count;
    environment.record = GRZ_RECORD_IDS;
    check(grz_particle_map_draw(w->map, &environment, &error), &error);
}

static grz_particle_answer move(const world *w, particle *particles, uint64_t count, const grz_particle_step *step)
{
    const grz_particle_array array = {.memory = particles[0].p, .count = count};
    grz_particle_answer answer;
    grz_error error;
    check(grz_particle_map_step(w->map, &array, step, &answer, &error), &error);
    return answer;
}

static void end(world *w)
{
    grz_particle_map_destroy(w->map);
    for (uint64_t i = 0; i < w->count; i++)
        grz_mesh_destroy(w->meshes[i]);
    test_gl_device_close(w->device);
}

static void expect_near(const char *what, const float found[3], double x, double y, double z, double most)
{
    const double expected[3] = {x, y, z};
    for (int i = 0; i < 3; i++)
        if (!(fabs((double)found[i] - expected[i]) <= most))
            fail_msg("%s: (%.9g, %.9g, %.9g), expected (%.9g, %.9g, %.9g) within %g", what, (double)found[0],
                     (double)found[1], (double)found[2], x, y, z, most);
}

// ---- Flight -------------------------------------------------------------------------------------------------------

static void free_particles_fly_along_parabolas(void **state)
{
    const grz_particle_map_options options = from_above();
    world w = begin(&options);
    particle particles[3] = {{.p = {0.5f, 0.5f, 0.5f}, .v = {-1.0f, 0.25f, 2.0f}, .mine = 7.0f},
                             {.p = {-30.0f, 2.0f, 0.0f}, .v = {60.0f, 0.0f, 0.0f}},
                             {.p = {0.0f, 0.0f, 0.0f}, .v = {0.0f, 0.0f, 0.0f}, .also_mine = 9.0f}};
    grz_particle_step step = grz_default_particle_step();
    (void)state;
    add_box(&w, 0.9, 0.9, -1.0, 1.0, 1.0, -0.9);
    draw(&w);
    step.seconds = 1.0;
    step.acceleration[2] = -4.0;
    const grz_particle_answer answer = move(&w, particles, 3, &step);
    assert_int_equal(answer.moved, 3);
    assert_int_equal(answer.bounces + answer.hit + answer.pushed + answer.skipped + answer.stopped, 0);
    expect_near("through the map", particles[0].p, -0.5, 0.75, 0.5, 1e-6);
    expect_near("its velocity", particles[0].v, -1.0, 0.25, -2.0, 1e-6);
    expect_near("from one side to the other", particles[1].p, 30.0, 2.0, -2.0, 1e-5);
    expect_near("from rest", particles[2].p, 0.0, 0.0, -2.0, 1e-6);
    assert_true(particles[0].mine == 7.0f && particles[2].also_mine == 9.0f);
    end(&w);
}

// Drop a particle on a slanted plate; return where it is after 1.5 seconds in steps of 1/rate.
static void drop(const world *w, int rate, float p[3])
{
    particle one = {.p = {-0.3f, 0.1f, 0.9f}, .v = {0.3f, 0.1f, -1.0f}};
    grz_particle_step step = grz_default_particle_step();
    uint64_t bounces = 0;
    step.seconds = 1.0 / rate;
    step.acceleration[2] = -9.81;
    step.restitution = 0.75;
    for (int i = 0; i < 3 * rate / 2; i++)
        bounces += move(w, &one, 1, &step).bounces;
    assert_in_range(bounces, 2, 20);
    memcpy(p, one.p, sizeof one.p);
}

static void a_bounce_does_not_depend_on_the_rate_of_steps(void **state)
{
    grz_particle_map_options options = from_above();
    options.layers = 2;
    world w = begin(&options);
    float slow[3], fast[3], faster[3];
    (void)state;
    add_box(&w, -1.0, -1.0, -0.9, 1.0, 1.0, -0.8);
    draw(&w);
    drop(&w, 30, slow);
    drop(&w, 120, fast);
    drop(&w, 240, faster);
    expect_near("30 Hz and 120 Hz", slow, (double)fast[0], (double)fast[1], (double)fast[2], 2.0 / SIDE / 20);
    expect_near("30 Hz and 240 Hz", slow, (double)faster[0], (double)faster[1], (double)faster[2], 2.0 / SIDE / 20);
    end(&w);
}

static void a_step_longer_than_a_wall_is_thick_bounces_at_the_wall(void **state)
{
    grz_particle_map_options options = from_above();
    options.radius = 1e-4;
    options.layers = 2;
    world w = begin(&options);
    particle particles[2] = {{.p = {0.1f, 0.2f, 0.5f}, .v = {0.0f, 0.0f, -1.0f}},
                             {.p = {0.1f, 0.2f, -0.5f}, .v = {0.125f, 0.0f, 1.0f}}};
    grz_particle_step step = grz_default_particle_step();
    (void)state;
    add_box(&w, -1.0, -1.0, -0.0005, 1.0, 1.0, 0.0);
    draw(&w);
    step.seconds = 1.0;
    step.restitution = 1.0;
    step.max_hits = 4;
    assert_int_equal(move(&w, particles, 2, &step).bounces, 2);
    expect_near("from above", particles[0].p, 0.1, 0.2, 0.5, 3e-4);
    expect_near("from below", particles[1].p, 0.225, 0.2, -0.501, 3e-4);
    expect_near("up again", particles[0].v, 0.0, 0.0, 1.0, 1e-5);
    uint64_t count;
    const grz_particle_hit *hits = grz_particle_map_hits(w.map, &count);
    assert_int_equal(count, 2);
    expect_near("where it hits", hits[0].position, 0.1, 0.2, 1e-4, 1e-6);
    expect_near("its normal", hits[0].normal, 0.0, 0.0, 1.0, 1e-6);
    expect_near("from below, its normal", hits[1].normal, 0.0, 0.0, -1.0, 1e-6);
    assert_true(hits[0].particle == 0 && hits[1].particle == 1 && hits[0].id == 0);
    assert_true(fabsf(hits[0].seconds - 0.4999f) < 1e-5f);
    end(&w);
}

// A table over a floor; a particle between them.
static particle under_a_table(uint32_t layers)
{
    grz_particle_map_options options = from_above();
    options.layers = layers;
    options.radius = 0.01;
    world w = begin(&options);
    particle one = {.p = {0.1f, 0.2f, -0.2f}, .v = {0.0f, 0.0f, -1.0f}};
    grz_particle_step step = grz_default_particle_step();
    add_box(&w, -1.0, -1.0, -0.9, 1.0, 1.0, -0.8);
    add_box(&w, -0.5, -0.5, 0.0, 0.5, 0.5, 0.1);
    draw(&w);
    assert_int_equal(grz_particle_map_overfull(w.map), layers == 2 ? 32 * 32 : 0);
    step.seconds = 1.0 / 8.0;
    step.restitution = 1.0;
    for (int i = 0; i < 16; i++)
        move(&w, &one, 1, &step);
    end(&w);
    return one;
}

static void layers_see_what_is_under_an_overhang(void **state)
{
    (void)state;
    // It goes down 0.59 to the floor, up 0.78 to the table, and down again: 0.63 of 2.
    particle one = under_a_table(4);
    expect_near("four layers", one.p, 0.1, 0.2, -0.01 - 0.63, 1e-4);
    one = under_a_table(1);
    expect_near("one layer sees the table alone", one.p, 0.1, 0.2, -2.2, 1e-4);
}

static void masks_choose_what_particles_hit(void **state)
{
    grz_particle_map_options options = from_above();
    grz_particle_step step = grz_default_particle_step();
    (void)state;
    step.seconds = 1.0;
    step.restitution = 1.0;
    for (uint32_t mask = 1; mask <= 4; mask *= 2) {
        particle one = {.p = {0.1f, 0.2f, 0.9f}, .v = {0.0f, 0.0f, -1.0f}};
        options.group = 1;
        options.mask = mask;
        options.radius = 1e-3;
        world w = begin(&options);
        add_box(&w, -1.0, -1.0, 0.4, 1.0, 1.0, 0.5);
        add_box(&w, -1.0, -1.0, -0.1, 1.0, 1.0, 0.0);
        w.objects[0].group = 1;
        w.objects[1].group = 2;
        draw(&w);
        move(&w, &one, 1, &step);
        expect_near("after the bounce", one.p, 0.1, 0.2, mask == 1 ? 0.502 + 0.6 : mask == 2 ? 0.102 : -0.1, 1e-4);
        if (mask == 2) { // and objects choose as well
            w.objects[1].mask = 2;
            draw(&w);
            one = (particle){.p = {0.1f, 0.2f, 0.9f}, .v = {0.0f, 0.0f, -1.0f}};
            move(&w, &one, 1, &step);
            expect_near("the floor ignores it", one.p, 0.1, 0.2, -0.1, 1e-4);
        }
        end(&w);
    }
}

// ---- Bodies -------------------------------------------------------------------------------------------------------

static void what_overtakes_a_particle_pushes_it_out(void **state)
{
    grz_particle_map_options options = from_above();
    options.layers = 2;
    options.radius = 0.005;
    world w = begin(&options);
    particle particles[3] = {{.p = {0.0f, 0.0f, 0.4f}, .v = {0.0f, 0.0f, -1.0f}},
                             {.p = {0.47f, 0.0f, 0.2f}, .v = {-1.0f, 0.0f, 0.0f}},
                             {.p = {0.1f, 0.0f, -0.4f}, .v = {0.0f, 0.0f, 0.0f}}};
    grz_particle_step step = grz_default_particle_step();
    (void)state;
    add_box(&w, -0.5, -0.5, -0.5, 0.5, 0.5, 0.5);
    draw(&w);
    step.max_hits = 8;
    const grz_particle_answer answer = move(&w, particles, 3, &step);
    assert_int_equal(answer.pushed, 3);
    assert_int_equal(answer.moved, 3);
    expect_near("to the top", particles[0].p, 0.0, 0.0, 0.505, 1e-5);
    expect_near("and up", particles[0].v, 0.0, 0.0, 0.5, 1e-5);
    expect_near("aside", particles[1].p, 0.5, 0.0, 0.2, 0.001);
    expect_near("and away", particles[1].v, 0.5, 0.0, 0.0, 1e-5);
    expect_near("to the bottom", particles[2].p, 0.1, 0.0, -0.505, 1e-5);
    uint64_t count;
    const grz_particle_hit *hits = grz_particle_map_hits(w.map, &count);
    assert_int_equal(count, 3);
    for (uint64_t i = 0; i < count; i++)
        assert_int_equal(hits[i].kind, GRZ_PARTICLE_PUSHED);
    assert_int_equal(move(&w, particles, 3, &step).pushed, 0);
    end(&w);
}

static void bodies_that_touch_are_one(void **state)
{
    grz_particle_map_options options = from_above();
    options.layers = 4;
    world w = begin(&options);
    particle one = {.p = {0.0f, 0.0f, 0.001f}};
    const grz_particle_step step = grz_default_particle_step();
    (void)state;
    add_box(&w, -0.9, -0.9, 0.0, 0.9, 0.9, 0.25);
    add_box(&w, -0.9, -0.9, -0.5, 0.9, 0.9, 0.0);
    draw(&w);
    assert_int_equal(move(&w, &one, 1, &step).pushed, 1);
    expect_near("to the top, from where they touch", one.p, 0.0, 0.0, 0.25 + 1.0 / SIDE, 1e-5);
    end(&w);
}

static void the_side_of_a_body_is_an_edge(void **state)
{
    grz_particle_map_options options = from_above();
    options.layers = 2;
    world w = begin(&options);
    particle particles[2] = {{.p = {0.9f, 0.1f, 0.0f}, .v = {-1.0f, 0.0f, 0.0f}},
                             {.p = {-0.25f, 0.9f, -0.1f}, .v = {0.25f, -1.0f, 0.0f}}};
    grz_particle_step step = grz_default_particle_step();
    (void)state;
    add_box(&w, -0.5, -0.5, -0.5, 0.5, 0.5, 0.5);
    draw(&w);
    step.seconds = 0.8;
    step.restitution = 1.0;
    step.max_hits = 4;
    assert_int_equal(move(&w, particles, 2, &step).bounces, 2);
    uint64_t count;
    const grz_particle_hit *hits = grz_particle_map_hits(w.map, &count);
    assert_int_equal(count, 2);
    for (uint64_t i = 0; i < 2; i++)
        assert_int_equal(hits[i].kind, GRZ_PARTICLE_EDGE);
    expect_near("x", hits[0].normal, 1.0, 0.0, 0.0, 1e-5);
    expect_near("y", hits[1].normal, 0.0, 1.0, 0.0, 1e-5);
    expect_near("x", particles[0].p, 0.9, 0.1, 0.0, 2.0 / SIDE);
    expect_near("y", particles[1].p, -0.05, 0.9, -0.1, 2.0 / SIDE);
    end(&w);
}

// The planes of both sides cross in the pixel of the edge. Beside it each is passed behind the other.
static void beside_a_sharp_edge_nothing_is_hit(void **state)
{
    const double corners[6][3] = {{0.005, -0.9, 0.0}, {0.6, -0.9, 0.595}, {0.6, -0.9, -0.595},
                                  {0.005, 0.9, 0.0},  {0.6, 0.9, 0.595},  {0.6, 0.9, -0.595}};
    const uint32_t triangles[8][3] = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3},
                                      {0, 5, 2}, {0, 3, 5}, {1, 2, 5}, {1, 5, 4}};
    grz_particle_map_options options = from_above();
    options.layers = 2;
    options.radius = 1e-4;
    world w = begin(&options);
    particle particles[2] = {{.p = {0.001f, 0.0f, 0.5f}, .v = {0.0f, 0.0f, -1.0f}},
                             {.p = {0.010f, 0.0f, 0.5f}, .v = {0.0f, 0.0f, -1.0f}}};
    grz_particle_step step = grz_default_particle_step();
    (void)state;
    add(&w, test_mesh_make(corners[0], 6, triangles[0], 8, 3));
    draw(&w);
    step.seconds = 1.0;
    assert_int_equal(move(&w, particles, 2, &step).bounces, 1);
    expect_near("beside the edge", particles[0].p, 0.001, 0.0, -0.5, 1e-6);
    assert_true(particles[1].v[0] < -0.1f); // off the slope
    end(&w);
}

static void nothing_leaves_a_room(void **state)
{
    enum {
        COUNT = 500
    };
    static particle particles[COUNT];
    grz_particle_map_options options = from_above();
    random_stream random = {5};
    options.cube = true;
    options.centre[0] = 3.0;
    world w = begin(&options);
    grz_particle_step step = grz_default_particle_step();
    test_mesh room = test_mesh_cube(-0.8, -0.8, -0.8, 1.6);
    (void)state;
    test_mesh_move(&room, 3.0, 0.0, 0.0);
    test_mesh_reverse(&room); // its inside is empty
    add(&w, room);
    draw(&w);
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 3; k++) {
            particles[i].p[k] = (float)(0.7 * random_signed(&random)) + (k == 0 ? 3.0f : 0.0f);
            particles[i].v[k] = (float)(4.0 * random_signed(&random));
        }
    step.seconds = 1.0 / 30.0;
    step.restitution = 1.0;
    step.acceleration[1] = -3.0;
    uint64_t bounces = 0, pushed = 0, stopped = 0;
    for (int i = 0; i < 300; i++) {
        const grz_particle_answer answer = move(&w, particles, COUNT, &step);
        bounces += answer.bounces, pushed += answer.pushed, stopped += answer.stopped;
    }
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 3; k++)
            if (!(fabsf(particles[i].p[k] - (k == 0 ? 3.0f : 0.0f)) < 0.8f))
                fail_msg("particle %d is outside: %g %g %g", i, (double)particles[i].p[0], (double)particles[i].p[1],
                         (double)particles[i].p[2]);
    print_message("%d particles in a room: %llu bounces, %llu pushed, %llu stopped\n", COUNT,
                  (unsigned long long)bounces, (unsigned long long)pushed, (unsigned long long)stopped);
    assert_true(bounces > 10000 && pushed == 0 && stopped == 0);
    end(&w);
}

// ---- Contact ------------------------------------------------------------------------------------------------------

static void friction_stops_a_particle_that_slides(void **state)
{
    grz_particle_map_options options = from_above();
    world w = begin(&options);
    (void)state;
    add_box(&w, -1.0, -1.0, -0.5, 1.0, 1.0, 0.0);
    draw(&w);
    for (int rate = 1; rate <= 64; rate *= 8) {
        particle one = {.p = {-0.8f, 0.0f, 1.0f / SIDE}, .v = {1.5f, 0.0f, 0.0f}}; // it lies on the box
        grz_particle_step step = grz_default_particle_step();
        step.acceleration[2] = -10.0;
        step.friction = 0.125;
        step.restitution = 0.0;
        step.seconds = 0.5 / rate;
        for (int i = 0; i < rate; i++)
            move(&w, &one, 1, &step);
        expect_near("slowed, at any rate of steps", one.v, 0.875, 0.0, 0.0, 1e-3);
        expect_near("by half of friction · pull · t²", one.p, -0.8 + 0.59375, 0.0, 1.0 / SIDE, 1e-3);
        step.seconds = 2.0;
        move(&w, &one, 1, &step);
        expect_near("it stops after v² / (2 · friction · pull)", one.p, 0.1, 0.0, 1.0 / SIDE, 1e-3);
        expect_near("and lies still", one.v, 0.0, 0.0, 0.0, 0.0);
        step.friction = 0.0;
        step.seconds = 0.5;
        one.v[0] = 1.0f;
        move(&w, &one, 1, &step);
        expect_near("without friction it slides on", one.p, 0.6, 0.0, 1.0 / SIDE, 1e-3);
        expect_near("as fast as before", one.v, 1.0, 0.0, 0.0, 1e-3);
    }
    end(&w);
}

// Two planes that meet in a groove along y.
static void a_particle_slides_along_a_groove(void **state)
{
    const double corners[6][3] = {{-1.2, -1.2, 1.2 * 0.75}, {0.0, -1.2, 0.0}, {1.2, -1.2, 1.2},
                                  {-1.2, 1.2, 1.2 * 0.75},  {0.0, 1.2, 0.0},  {1.2, 1.2, 1.2}};
    const uint32_t triangles[4][3] = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};
    grz_particle_map_options options = from_above();
    world w = begin(&options);
    particle one = {.p = {0.4f, -0.75f, 0.9f}, .v = {0.0f, 0.25f, 0.0f}};
    grz_particle_step step = grz_default_particle_step();
    uint64_t stopped = 0;
    (void)state;
    add(&w, test_mesh_make(corners[0], 6, triangles[0], 4, 3));
    draw(&w);
    step.seconds = 1.0 / 60.0;
    step.acceleration[2] = -10.0;
    step.restitution = 0.25;
    for (int i = 0; i < 360; i++)
        stopped += move(&w, &one, 1, &step).stopped;
    assert_int_equal(stopped, 0);
    assert_true(fabsf(one.p[0]) < 2.0f / SIDE && one.p[2] < 3.0f / SIDE); // at the bottom
    const float along[3] = {0.0f, one.p[1], 0.0f}, speed[3] = {0.0f, one.v[1], 0.0f};
    expect_near("it has lost no way along the groove", along, 0.0, 0.75, 0.0, 1e-3);
    expect_near("and no speed", speed, 0.0, 0.25, 0.0, 1e-4);
    end(&w);
}

// Where three sides of a room meet it lies still.
static void a_particle_rests_in_a_corner(void **state)
{
    grz_particle_map_options options = from_above();
    options.cube = true;
    world w = begin(&options);
    particle one = {.p = {0.3f, 0.2f, -0.1f}};
    grz_particle_step step = grz_default_particle_step();
    test_mesh room = test_mesh_cube(-0.8, -0.8, -0.8, 1.6);
    uint64_t stopped = 0;
    (void)state;
    test_mesh_reverse(&room);
    add(&w, room);
    draw(&w);
    step.seconds = 1.0 / 60.0;
    step.acceleration[0] = 4.0;
    step.acceleration[1] = 5.0;
    step.acceleration[2] = -10.0;
    for (int i = 0; i < 300; i++)
        stopped += move(&w, &one, 1, &step).stopped;
    assert_int_equal(stopped, 0);
    const double side = 0.8 - 1.0 / SIDE;
    expect_near("in the corner", one.p, side, side, -side, 1e-4);
    expect_near("at rest", one.v, 0.0, 0.0, 0.0, 1e-6);
    end(&w);
}

// A wall that the map sees edge-on, turned against its pixels.
static void a_turned_wall_gives_back_all_speed(void **state)
{
    grz_particle_map_options options = from_above();
    options.layers = 2;
    options.resolution = 128;
    world w = begin(&options);
    particle particles[64], before[64];
    grz_particle_step step = grz_default_particle_step();
    (void)state;
    add_box(&w, -0.9, -0.9, -0.5, 0.9, 0.0, 0.5);
    w.objects[0].pose.m[0][0] = w.objects[0].pose.m[1][1] = cos(0.47);
    w.objects[0].pose.m[1][0] = sin(0.47);
    w.objects[0].pose.m[0][1] = -sin(0.47);
    draw(&w);
    for (int i = 0; i < 64; i++)
        particles[i] = (particle){.p = {-0.4f, 0.35f, 0.0f}, .v = {1.0f, -1.0f - 0.01f * (float)i, 0.0f}};
    memcpy(before, particles, sizeof before);
    step.seconds = 0.6;
    step.restitution = 1.0;
    const grz_particle_answer answer = move(&w, particles, 64, &step);
    assert_true(answer.hit == 64 && answer.bounces <= 2 * 64);
    for (int i = 0; i < 64; i++) {
        const float *v = particles[i].v, *u = before[i].v;
        const double speed = sqrt((double)(v[0] * v[0] + v[1] * v[1])), was = sqrt((double)(u[0] * u[0] + u[1] * u[1]));
        if (!(fabs(speed - was) < 1e-4 * was))
            fail_msg("particle %d had speed %g, and %g after the wall", i, was, speed);
    }
    end(&w);
}

static void forces_act_near_surfaces_with_an_id(void **state)
{
    const grz_particle_map_options options = from_above();
    const grz_particle_force forces[2] = {
        {.id = 1, .value = UINT32_MAX, .reach = 0.5, .acceleration = {2.0, 0.0, 0.0}, .along_normal = 4.0},
        {.id = 7, .value = UINT32_MAX, .reach = 100.0, .acceleration = {0.0, 9.0, 0.0}}};
    world w = begin(&options);
    particle particles[3] = {{.p = {-0.5f, 0.0f, 0.3f}}, {.p = {0.5f, 0.0f, 0.3f}}, {.p = {0.5f, 0.0f, 0.7f}}};
    grz_particle_step step = grz_default_particle_step();
    (void)state;
    add_box(&w, -1.0, -1.0, -0.5, 0.0, 1.0, 0.0);
    add_box(&w, 0.0, -1.0, -0.5, 1.0, 1.0, 0.0);
    draw(&w);
    step.seconds = 0.125;
    step.forces = forces;
    step.force_count = 2;
    move(&w, particles, 3, &step);
    expect_near("another id", particles[0].v, 0.0, 0.0, 0.0, 0.0);
    expect_near("near enough", particles[1].v, 0.25, 0.0, 0.5, 1e-6);
    expect_near("too far away", particles[2].v, 0.0, 0.0, 0.0, 0.0);
    end(&w);
}

// ---- Callbacks and buffers ----------------------------------------------------------------------------------------

// A program that draws with OpenGL itself: a floor at z = 0 and a roof at z = 0.5, with ids 5 and 6, values 50 and 60.
typedef struct drawer {
    grz_context context;
    GLuint program, vertices;
    int calls;
    void (*misdeed)(const grz_environment_view *view);
} drawer;

static GLuint compile(GLenum kind, const char *source)
{
    const GLuint shader = glCreateShader(kind);
    char log[1000] = "";
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (log[0] != '\0')
        print_message("%s\n", log);
    return shader;
}

static void start_drawer(drawer *d)
{
    assert_int_equal(grz_context_open(0, false, &d->context, NULL), GRZ_OK);
    assert_true(grz_context_make_current(&d->context));
    const GLuint shaders[2] = {
        compile(GL_VERTEX_SHADER, "#version 450\n"
                                  "layout(std140, binding = 0) uniform grz_environment_block { mat4 world_to_clip; "
                                  "vec4 forwards; uvec4 view; };\n"
                                  "flat out int sheet;\n"
                                  "void main() { sheet = gl_VertexID / 6; int i = gl_VertexID % 6;\n"
                                  "    vec2 at = vec2((0x1a >> i) & 1, (0x34 >> i) & 1) * 2.0 - 1.0;\n"
                                  "    gl_Position = world_to_clip * vec4(at, 0.5 * sheet, 1.0); }\n"),
        compile(GL_FRAGMENT_SHADER,
                "#version 450\n"
                "flat in int sheet;\n"
                "layout(location = 0) out uvec2 id; layout(location = 1) out vec4 normal;\n"
                "void main() { id = uvec2(5 + sheet, 50 + 10 * sheet); normal = vec4(0, 0, 1, 0); }\n")};
    d->program = glCreateProgram();
    for (int i = 0; i < 2; i++) {
        glAttachShader(d->program, shaders[i]);
        glDeleteShader(shaders[i]);
    }
    glLinkProgram(d->program);
    glGenVertexArrays(1, &d->vertices);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static grz_status draw_sheets(void *user, const grz_environment_view *view)
{
    drawer *d = user;
    d->calls++;
    glUseProgram(d->program);
    glBindVertexArray(d->vertices);
    glDrawArrays(GL_TRIANGLES, 0, 12);
    if (d->misdeed != NULL)
        d->misdeed(view);
    return GRZ_OK;
}

static world begin_drawer(drawer *d, const grz_particle_map_options *options)
{
    grz_device_options device_options = grz_default_device_options();
    world w = {.count = 0};
    grz_error error;
    start_drawer(d);
    device_options.kind = GRZ_DEVICE_GL_CURRENT;
    check(grz_device_open(&device_options, &w.device, &error), &error);
    check(grz_particle_map_create(w.device, options, &w.map, &error), &error);
    return w;
}

static void end_drawer(world *w, drawer *d)
{
    const grz_current nothing = {.display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT, .api = EGL_OPENGL_ES_API};
    assert_int_equal(glGetError(), GL_NO_ERROR);
    end(w);
    grz_current_restore(&nothing, &d->context);
    grz_context_close(&d->context);
}

static grz_status draw_by_callback(const world *w, drawer *d, grz_error *error)
{
    grz_environment environment = grz_default_environment();
    environment.draw = draw_sheets;
    environment.user = d;
    environment.record = GRZ_RECORD_IDS;
    return grz_particle_map_draw(w->map, &environment, error);
}

static void particles_in_a_buffer_hit_what_a_callback_draws(void **state)
{
    enum {
        STRIDE = 48,
        OFFSET = 20,
        COUNT = 100
    };
    grz_particle_map_options options = from_above();
    static uint8_t bytes[OFFSET + COUNT * STRIDE], after[sizeof bytes];
    drawer d = {.calls = 0};
    GLuint buffer;
    grz_error error;
    (void)state;
    options.layers = 3;
    options.radius = 0.01;
    options.sheets = true;
    world w = begin_drawer(&d, &options);
    check(draw_by_callback(&w, &d, &error), &error);
    assert_int_equal(d.calls, 3);
    assert_int_equal(grz_particle_map_overfull(w.map), 0);
    memset(bytes, 0x5a, sizeof bytes);
    for (int i = 0; i < COUNT; i++) {
        const float one[8] = {0.0f, 0.01f * (float)i - 0.5f, 0.25f, 1.0f, 0.0f, 0.0f, i % 2 ? 1.0f : -1.0f, 2.0f};
        memcpy(bytes + OFFSET + i * STRIDE, one, sizeof one);
    }
    glCreateBuffers(1, &buffer);
    glNamedBufferData(buffer, sizeof bytes, bytes, GL_DYNAMIC_COPY);
    const grz_particle_array array = {.buffer = buffer, .offset = OFFSET, .stride = STRIDE, .count = COUNT};
    grz_particle_step step = grz_default_particle_step();
    step.seconds = 0.5;
    step.restitution = 1.0;
    step.max_hits = COUNT;
    check(grz_particle_map_step(w.map, &array, &step, NULL, &error), &error);
    glGetNamedBufferSubData(buffer, 0, sizeof after, after);
    uint64_t count;
    const grz_particle_hit *hits = grz_particle_map_hits(w.map, &count);
    assert_int_equal(count, COUNT);
    for (int i = 0; i < COUNT; i++) {
        float one[8];
        memcpy(one, after + OFFSET + i * STRIDE, sizeof one);
        expect_near("it has bounced", one, 0.0, 0.01 * i - 0.5, i % 2 ? 0.23 : 0.27, 1e-5);
        assert_true(one[3] == 1.0f && one[7] == 2.0f);
        assert_int_equal(hits[i].id, i % 2 ? 6 : 5);
        assert_int_equal(hits[i].value, i % 2 ? 60 : 50);
        memcpy(after + OFFSET + i * STRIDE, bytes + OFFSET + i * STRIDE, sizeof one);
    }
    assert_memory_equal(bytes, after, sizeof bytes); // nothing else was written
    glDeleteBuffers(1, &buffer);
    end_drawer(&w, &d);
}

static void leave_an_error(const grz_environment_view *view)
{
    (void)view;
    glEnable(GL_TEXTURE_2D_ARRAY);
}

static void delete_the_framebuffer(const grz_environment_view *view)
{
    glDeleteFramebuffers(1, &view->framebuffer);
}

static void bad_callbacks_end_in_errors(void **state)
{
    const grz_particle_map_options options = from_above();
    const grz_particle_step step = grz_default_particle_step();
    drawer d = {.misdeed = leave_an_error};
    particle one = {.p = {0.0f, 0.0f, 0.9f}, .v = {0.0f, 0.0f, -1.0f}};
    const grz_particle_array array = {.memory = one.p, .count = 1};
    grz_error error;
    (void)state;
    world w = begin_drawer(&d, &options);
    test_expect_error(draw_by_callback(&w, &d, &error), GRZ_ERROR_DEVICE, &error, "the callback left an error",
                      GRZ_NO_ELEMENT);
    test_expect_error(grz_particle_map_step(w.map, &array, &step, NULL, &error), GRZ_ERROR_ARGUMENT, &error,
                      "the map is not drawn", GRZ_NO_ELEMENT);
    d.misdeed = delete_the_framebuffer;
    test_expect_error(draw_by_callback(&w, &d, &error), GRZ_ERROR_DEVICE, &error, "deleted what it was to draw into",
                      GRZ_NO_ELEMENT);
    assert_false(grz_particle_map_buffers_of(w.map, NULL));
    d.misdeed = NULL;
    check(draw_by_callback(&w, &d, &error), &error);
    assert_true(grz_particle_map_buffers_of(w.map, NULL));
    end_drawer(&w, &d);
}

// ---- Bad input ----------------------------------------------------------------------------------------------------

static void numbers_that_are_not_finite_are_skipped(void **state)
{
    const grz_particle_map_options options = from_above();
    world w = begin(&options);
    particle particles[5] = {{.p = {NAN, 0.0f, 0.0f}},
                             {.p = {0.0f, 0.0f, 0.0f}, .v = {0.0f, INFINITY, 0.0f}},
                             {.p = {0.0f, 0.0f, 0.0f}, .v = {3e38f, 0.0f, 0.0f}},
                             {.p = {0.0f, 0.0f, 0.5f}, .v = {0.0f, 0.0f, 1.0f}},
                             {.p = {1e30f, 0.0f, 0.0f}, .v = {-1e30f, 1e20f, 0.0f}}};
    particle before[5];
    grz_particle_step step = grz_default_particle_step();
    (void)state;
    add_box(&w, -1.0, -1.0, -0.5, 1.0, 1.0, 0.0);
    draw(&w);
    step.seconds = 2.0;
    memcpy(before, particles, sizeof before);
    const grz_particle_answer answer = move(&w, particles, 5, &step);
    assert_int_equal(answer.skipped, 3);
    assert_int_equal(answer.moved, 2);
    assert_memory_equal(particles, before, 3 * sizeof *particles);
    expect_near("the good one", particles[3].p, 0.0, 0.0, 2.5, 1e-6);
    end(&w);
}

typedef grz_particle_map_options map_options;

static void expect_refused(const world *w, map_options options, const char *words)
{
    grz_particle_map *map;
    grz_error error;
    test_expect_error(grz_particle_map_create(w->device, &options, &map, &error), GRZ_ERROR_ARGUMENT, &error, words,
                      GRZ_NO_ELEMENT);
    assert_null(map);
}

static void bad_maps_are_refused(void **state)
{
    const map_options good = from_above();
    world w = begin(&good);
    map_options bad;
    grz_particle_map *map;
    grz_error error;
    const grz_environment nothing = grz_default_environment();
    (void)state;
    expect_refused(&w, grz_default_particle_map_options(), "set options.half");
    bad = good, bad.half[1] = (double)NAN, expect_refused(&w, bad, "half of the box's size");
    bad = good, bad.half[1] = 1e-9, expect_refused(&w, bad, "is flat");
    bad = good, bad.direction[2] = 0.0, expect_refused(&w, bad, "the direction (0, 0, 0)");
    bad = good, bad.up[0] = (double)INFINITY, expect_refused(&w, bad, "up (inf");
    bad = good, bad.centre[0] = (double)NAN, expect_refused(&w, bad, "the centre");
    bad = good, bad.layers = 17, expect_refused(&w, bad, "the number of layers is 17");
    bad = good, bad.resolution = 0, expect_refused(&w, bad, "the resolution");
    bad = good, bad.radius = -1.0, expect_refused(&w, bad, "the radius is -1");
    bad = good, bad.thickness = (double)NAN, expect_refused(&w, bad, "the thickness");
    test_expect_error(grz_particle_map_create(NULL, &good, &map, &error), GRZ_ERROR_ARGUMENT, &error,
                      "the device is NULL", GRZ_NO_ELEMENT);
    for (uint32_t i = 0; i < 2; i++) {
        bad = good, bad.resolution = i == 0 ? 1u << 30 : 8192, bad.layers = 16;
        check(grz_particle_map_create(w.device, &bad, &map, &error), &error);
        test_expect_error(grz_particle_map_draw(map, &nothing, &error), GRZ_ERROR_ARGUMENT, &error,
                          i == 0 ? "a resolution of 1073741824" : "MiB", GRZ_NO_ELEMENT);
        grz_particle_map_destroy(map);
    }
    grz_particle_map_destroy(NULL);
    end(&w);
}

typedef grz_particle_step map_step;

static void bad_steps_are_refused(void **state)
{
    const map_options options = from_above();
    const grz_particle_force forces[1] = {{.id = 1, .reach = (double)NAN}};
    world w = begin(&options);
    particle one = {.p = {0.0f, 0.0f, 0.5f}};
    const grz_particle_array good = {.memory = one.p, .count = 1};
    const struct {
        map_step step;
        grz_particle_array array;
        const char *words;
    } cases[] = {
        {{.seconds = -1.0}, good, "the length of the step is -1"},
        {{.seconds = (double)NAN}, good, "the length of the step"},
        {{.acceleration = {(double)INFINITY, 0.0, 0.0}}, good, "the acceleration (inf"},
        {{.restitution = 1.5}, good, "the restitution is 1.5"},
        {{.friction = -0.5}, good, "the friction"},
        {{.max_bounces = 65}, good, "the number of bounces is 65"},
        {{.force_count = 1}, good, "step.forces is NULL"},
        {{.forces = forces, .force_count = 65}, good, "the number of forces"},
        {{.limits = {.deadline = -1.0}}, good, "limits.deadline"},
        {{.seconds = 1.0}, {.count = 1}, "neither in a buffer nor in memory"},
        {{.seconds = 1.0}, {.memory = one.p, .count = 1, .stride = 30}, "the stride is 30"},
        {{.seconds = 1.0}, {.memory = one.p, .count = 1, .stride = 16}, "the stride is 16"},
        {{.seconds = 1.0}, {.memory = one.p, .count = 1, .offset = 4}, "the offset"},
        {{.seconds = 1.0}, {.buffer = 999999, .count = 1}, "999999 is not the name of a buffer"},
        {{.seconds = 1.0}, {.memory = one.p, .count = 1u << 31}, "their number"},
    };
    grz_error error;
    (void)state;
    draw(&w);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        map_step step = cases[i].step;
        step.size = sizeof step;
        if (step.max_bounces == 0)
            step.max_bounces = 16;
        test_expect_error(grz_particle_map_step(w.map, &cases[i].array, &step, NULL, &error), GRZ_ERROR_ARGUMENT,
                          &error, cases[i].words, GRZ_NO_ELEMENT);
    }
    map_step step = grz_default_particle_step();
    step.forces = forces, step.force_count = 1;
    test_expect_error(grz_particle_map_step(w.map, &good, &step, NULL, &error), GRZ_ERROR_ARGUMENT, &error, "force 0",
                      0);
    step = grz_default_particle_step();
    const int stop = 1;
    step.seconds = 1.0;
    step.limits.cancel = &stop;
    assert_int_equal(grz_particle_map_step(w.map, &good, &step, NULL, &error), GRZ_ERROR_CANCELLED);
    end(&w);
}

static void nothing_to_hit_is_no_error(void **state)
{
    const map_options options = from_above();
    world w = begin(&options);
    particle one = {.p = {0.0f, 0.0f, 0.5f}, .v = {0.0f, 0.0f, -1.0f}};
    map_step step = grz_default_particle_step();
    (void)state;
    draw(&w);
    step.seconds = 1.0;
    assert_int_equal(move(&w, &one, 1, &step).bounces, 0);
    expect_near("through nothing", one.p, 0.0, 0.0, -0.5, 1e-6);
    assert_int_equal(move(&w, &one, 0, &step).moved, 0);
    end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_particles_fly_along_parabolas),
        cmocka_unit_test(a_bounce_does_not_depend_on_the_rate_of_steps),
        cmocka_unit_test(a_step_longer_than_a_wall_is_thick_bounces_at_the_wall),
        cmocka_unit_test(layers_see_what_is_under_an_overhang),
        cmocka_unit_test(masks_choose_what_particles_hit),
        cmocka_unit_test(what_overtakes_a_particle_pushes_it_out),
        cmocka_unit_test(bodies_that_touch_are_one),
        cmocka_unit_test(the_side_of_a_body_is_an_edge),
        cmocka_unit_test(beside_a_sharp_edge_nothing_is_hit),
        cmocka_unit_test(nothing_leaves_a_room),
        cmocka_unit_test(friction_stops_a_particle_that_slides),
        cmocka_unit_test(a_particle_slides_along_a_groove),
        cmocka_unit_test(a_particle_rests_in_a_corner),
        cmocka_unit_test(a_turned_wall_gives_back_all_speed),
        cmocka_unit_test(forces_act_near_surfaces_with_an_id),
        cmocka_unit_test(particles_in_a_buffer_hit_what_a_callback_draws),
        cmocka_unit_test(bad_callbacks_end_in_errors),
        cmocka_unit_test(numbers_that_are_not_finite_are_skipped),
        cmocka_unit_test(bad_maps_are_refused),
        cmocka_unit_test(bad_steps_are_refused),
        cmocka_unit_test(nothing_to_hit_is_no_error),
    };
    if (!test_gl_is_here())
        return TEST_SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    printf("SKIPPED: this build has no OpenGL\n");
    return TEST_SKIPPED;
}
#endif
