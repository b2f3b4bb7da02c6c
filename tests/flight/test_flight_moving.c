// SPDX-License-Identifier: MIT
// grz_flight_advance() past objects that move: known bounces off plates that go straight, faster and faster, or turn;
// what rests, rides, is crushed, or begins inside; motions of zeros against none, and moving objects against a moving
// ball, to the bit; the same bytes at any number of steps a second. Random flights against a slow twin, which advances
// by small steps in the frame of each object (long double, its own rotations) and measures exact distances there.
// GRZ_FLIGHTS: how many random flights. GRZ_FLIGHTS_FIRST: the number of the first one, to replay it.
// ctest: concurrent orders_and_threads
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh_support.h"
#include "support_meshes.h"
#include "support_moved.h"
#include "support_movers.h"
#include "support_sanitizer.h"

enum {
    MOST = 64
};

static grz_flight_options ball(double radius, const grz_flight_motion *motions)
{
    grz_flight_options options = grz_default_flight_options();
    options.radius = radius;
    options.motions = motions;
    return options;
}

static uint64_t advance(const test_level *level, const grz_flight_options *options, double until, grz_flight *flight,
                        grz_bounce *bounces, uint64_t most)
{
    uint64_t found;
    grz_error error;
    if (grz_flight_advance(test_device, level->objects, level->count, options, until, flight, bounces, most, &found,
                           &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return found;
}

// The level where it is at a time, by grz_flight_pose().
static test_level level_at(const test_level *level, const grz_flight_motion *motions, double time)
{
    test_level there = *level;
    grz_error error;
    for (uint32_t i = 0; i < level->count; i++)
        if (grz_flight_pose(&level->objects[i], &motions[i], time, &there.objects[i].pose, &error) != GRZ_OK)
            fail_msg("%s", error.message);
    return there;
}

static test_mesh plate_at(double x, double half)
{
    const double corners[] = {x, -half, -half, x, half, -half, x, half, half, x, -half, half};
    return test_mesh_make(corners, 4, (const uint32_t[]){0, 1, 2, 3}, 1, 4);
}

// ---- Known bounces ------------------------------------------------------------------------------------------------

// A plate without thickness that moves by half a unit a frame, through the whole ball: nothing may be silent.
static void a_fast_plate(void **state)
{
    (void)state;
    for (int still = 0; still < 2; still++) {
        test_level level = test_level_of(plate_at(-5.0, 9.0));
        const grz_flight_motion motion = {.since = 2.0, .velocity = {30.0, 0, 0}};
        grz_flight_options options = ball(0.25, &motion);
        options.skin = 0x1p-20;
        grz_flight flight = grz_flight_from((double[3]){0, 0.5, 0}, (double[3]){still ? 0.0 : -3.0, 0, 0}, 2.0);
        grz_bounce bounces[MOST];
        uint64_t found = 0;
        for (int i = 1; i <= 60; i++)
            found += advance(&level, &options, 2.0 + i / 60.0, &flight, bounces + found, MOST - found);
        assert_int_equal(found, 1);
        const double before = still ? 0.0 : -3.0, after = 60.0 - before, time = 2.0 + 4.75 / (30.0 - before);
        assert_true(fabs(bounces[0].time - time) < 1e-6 && bounces[0].normal[0] == 1.0);
        assert_true(bounces[0].before[0] == before && bounces[0].after[0] == after && bounces[0].surface[0] == 30.0);
        assert_true(fabs(bounces[0].point[0] - (-5.0 + 30.0 * (time - 2.0))) < 1e-4);
        assert_true(flight.state == GRZ_FLIGHT_FLIES && flight.velocity[0] == after && flight.now == 3.0);
        test_level_finish(&level);
    }
}

// A plate that is thrown up under the same gravity as the ball, or another one: the contact is that of two parabolas.
static void a_thrown_plate(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        const double corners[] = {-9, -9, 0, 9, -9, 0, 9, 9, 0, -9, 9, 0};
        test_level level = test_level_of(test_mesh_make(corners, 4, (const uint32_t[]){0, 1, 2, 3}, 1, 4));
        const double up = 4.0 + i, fall = i % 3 == 0 ? -10.0 : i % 3 == 1 ? 0.0 : -4.0, since = i % 2 ? 0.25 : -3.0;
        // From its pose at `since`; at time 0 it has the speed `up`, at height -2.
        const grz_flight_motion motion = {.since = since,
                                          .velocity = {0, 0, up + fall * since},
                                          .acceleration = {0, 0, fall}};
        level.objects[0].pose = grz_pose_from_translation(0, 0, -2.0 + up * since + 0.5 * fall * since * since);
        grz_flight_options options = ball(0.5, &motion);
        options.skin = 0x1p-24;
        options.acceleration[2] = -10.0;
        grz_flight flight = grz_flight_from((double[3]){0, 0, 1.5}, (double[3]){1, 0, 2}, 0.0);
        grz_bounce bounce;
        // 3 = (up - 2) t + (fall + 10) t² / 2
        const double b = up - 2.0, a = 0.5 * (fall + 10.0), t = a == 0.0 ? 3.0 / b
                                                                        : (sqrt(b * b + 12.0 * a) - b) / (2.0 * a);
        assert_int_equal(advance(&level, &options, 3.0, &flight, &bounce, 1), 1);
        const double surface = up + fall * t, before = 2.0 - 10.0 * t, after = 2.0 * surface - before;
        if (!(fabs(bounce.time - t) < 1e-6 && fabs(bounce.before[2] - before) < 1e-5 &&
              fabs(bounce.surface[2] - surface) < 1e-5 && fabs(bounce.after[2] - after) < 1e-4 &&
              bounce.after[0] == 1.0))
            fail_msg("%d: at %.9g, expected %.9g; before %g after %g", i, bounce.time, t, bounce.before[2],
                     bounce.after[2]);
        test_level_finish(&level);
    }
}

// A door that turns about its hinge, the z axis, and meets a ball that stands. The ball gets twice the speed of the
// place that meets it, along its normal.
static void a_door(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        const double corners[] = {0, 0, -1, 4, 0, -1, 4, 0, 1, 0, 0, 1};
        test_level level = test_level_of(test_mesh_make(corners, 4, (const uint32_t[]){0, 1, 2, 3}, 1, 4));
        const double rate = ldexp(1.0, i - 2), x = 2.0, y = 1.5, radius = i % 2 ? 0.0 : 0.25;
        const grz_flight_motion motion = {.since = 1.0, .spin = {0, 0, rate}};
        grz_flight_options options = ball(radius, &motion);
        options.skin = 0x1p-20;
        grz_flight flight = grz_flight_from((double[3]){x, y, 0.25}, (double[3]){0, 0, 0}, 1.0);
        grz_bounce bounce;
        const double far = sqrt(x * x + y * y), angle = atan2(y, x) - asin(radius / far), time = 1.0 + angle / rate,
                     arm = sqrt(far * far - radius * radius);
        assert_int_equal(advance(&level, &options, 1.0 + 3.0 / rate, &flight, &bounce, 1), 1);
        if (!(fabs(bounce.time - time) * rate < 1e-5))
            fail_msg("rate %g: at %.9g, expected %.9g", rate, bounce.time, time);
        assert_true(fabs(bounce.after[0] + 2.0 * rate * arm * sin(angle)) < 1e-4 * rate);
        assert_true(fabs(bounce.after[1] - 2.0 * rate * arm * cos(angle)) < 1e-4 * rate);
        assert_true(bounce.object == 0 && bounce.after[2] == 0.0);
        // Another way round it comes from behind, almost a whole turn later.
        const grz_flight_motion back = {.since = 1.0, .spin = {0, 0, -rate}};
        options.motions = &back;
        flight = grz_flight_from((double[3]){x, y, 0.25}, (double[3]){0, 0, 0}, 1.0);
        assert_int_equal(advance(&level, &options, 1.0 + 3.0 / rate, &flight, &bounce, 1), 0);
        assert_true(flight.state == GRZ_FLIGHT_RESTS);
        assert_int_equal(advance(&level, &options, 1.0 + 7.0 / rate, &flight, &bounce, 1), 1);
        const double other = 2.0 * acos(-1.0) - atan2(y, x) - asin(radius / far);
        assert_true(fabs(bounce.time - (1.0 + other / rate)) * rate < 1e-5);
        test_level_finish(&level);
    }
}

// A rod that turns about its middle, while that flies; the middle is not where the mesh has its origin.
static void a_thrown_rod(void **state)
{
    test_level level = test_level_of(test_mesh_box((double[3]){4, -0.0625, -0.0625}, (double[3]){6, 0.0625, 0.0625}));
    const grz_flight_motion motion = {
        .velocity = {-5, 0, 3}, .acceleration = {0, 0, -6}, .spin = {0, 4, 0}, .centre = {5, 0, 0}};
    grz_flight_options options = ball(0.125, &motion);
    grz_pose pose;
    grz_error error;
    (void)state;
    for (int i = 0; i < 40; i++) {
        const double t = i / 16.0, s = sin(4.0 * t), c = cos(4.0 * t);
        const double expected[3] = {5.0 - 5.0 * t + c, 0.0, 3.0 * t - 3.0 * t * t - s};
        double end[3];
        assert_int_equal(grz_flight_pose(&level.objects[0], &motion, t, &pose, &error), GRZ_OK);
        grz_pose_apply(pose, (const double[3]){6, 0, 0}, end);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(end[k] - expected[k]) < 1e-13);
        // A point that waits where the rod's end will be is met by then, and not by a rod that does not turn.
        if (i < 3 || i > 6)
            continue;
        grz_flight flight = grz_flight_from(expected, (double[3]){0, 0, 0}, 0.0);
        grz_bounce bounce;
        assert_int_equal(advance(&level, &options, t, &flight, &bounce, 1), 1);
        assert_true(bounce.time <= t);
    }
    test_level_finish(&level);
}

// ---- What rests, rides, is crushed, or begins inside ---------------------------------------------------------------

static void a_lift(void **state)
{
    (void)state;
    for (int turns = 0; turns < 2; turns++) {
        const double corners[] = {-9, -9, 0, 9, -9, 0, 9, 9, 0, -9, 9, 0};
        test_level level = test_level_of(test_mesh_make(corners, 4, (const uint32_t[]){0, 1, 2, 3}, 1, 4));
        const grz_flight_motion motion = {.velocity = {0.5, 0, 2}, .spin = {0, 0, turns ? 0.25 : 0.0}};
        grz_flight_options options = ball(0.25, &motion);
        options.acceleration[2] = -10.0;
        options.restitution = 0.5;
        options.friction = 0.5;
        grz_flight flight = grz_flight_from((double[3]){1, 0, 1.0}, (double[3]){0, 0, 0}, 0.0);
        grz_bounce bounces[MOST];
        // Without an end it stands where it came to lie.
        grz_flight once = flight;
        advance(&level, &options, HUGE_VAL, &once, bounces, MOST);
        assert_true(once.state == GRZ_FLIGHT_RIDES && once.carrier == 0 && once.now > 0.3 && once.now < 2.0);
        assert_true(fabs(once.position[2] - (2.0 * once.now + 0.25)) < 1e-3);
        advance(&level, &options, 4.0, &flight, bounces, MOST);
        assert_true(flight.state == GRZ_FLIGHT_RIDES && flight.now == 4.0 && flight.carrier == 0);
        assert_true(fabs(flight.position[2] - 8.25) < 1e-3);
        // It has come as far as the floor, after the time in which it was taken along.
        if (!turns)
            assert_true(flight.position[0] > 1.0 + 0.5 * (4.0 - once.now) - 0.1 && flight.position[0] < 3.0);
        const double rode[3] = {flight.position[0], flight.position[1], flight.position[2]};
        advance(&level, &options, 5.0, &flight, bounces, MOST);
        if (!turns)
            assert_true(fabs(flight.position[0] - rode[0] - 0.5) < 1e-2);
        else // round the axis at its place
            assert_true(hypot(flight.position[0] - rode[0], flight.position[1] - rode[1]) > 0.1);
        // The lift stops, and the ball flies on; then it rests.
        level.objects[0].pose = level_at(&level, &motion, 5.0).objects[0].pose;
        options.motions = NULL;
        advance(&level, &options, 9.0, &flight, bounces, MOST);
        assert_true(flight.state == GRZ_FLIGHT_RESTS && flight.carrier == 0);
        assert_true(fabs(flight.position[2] - 10.25) < 1e-3);
        // It goes down: the ball goes with it, or falls after it.
        const grz_flight_motion down = {.since = 9.0, .velocity = {0, 0, -3}};
        options.motions = &down;
        advance(&level, &options, 12.0, &flight, bounces, MOST);
        assert_true(flight.state == GRZ_FLIGHT_RIDES && fabs(flight.position[2] - 1.25) < 2e-3);
        test_level_finish(&level);
    }
}

// A ball that rests is hit, also at rest without any velocity.
static void what_rests_is_hit(void **state)
{
    test_level level = test_level_of(test_mesh_box((double[3]){-9, -9, -1}, (double[3]){9, 9, 0}));
    (void)state;
    test_level_add(&level, test_mesh_box((double[3]){-7, -1, 0.125}, (double[3]){-6, 1, 2}));
    const grz_flight_motion motions[2] = {{.since = 0.0}, {.since = 10.0, .velocity = {2.0, 0, 0}}};
    grz_flight_options options = ball(0.25, NULL);
    options.acceleration[2] = -10.0;
    options.friction = 0.5;
    options.restitution = 0.5;
    grz_flight flight = grz_flight_from((double[3]){0, 0, 0.5}, (double[3]){0, 0, 0}, 0.0);
    grz_bounce bounces[MOST];
    advance(&level, &options, 10.0, &flight, bounces, MOST);
    assert_true(flight.state == GRZ_FLIGHT_RESTS && flight.carrier == 0 && flight.position[0] == 0.0);
    options.motions = motions;
    grz_flight whole = flight;
    uint64_t found = advance(&level, &options, 12.0, &flight, bounces, MOST);
    assert_true(found == 0 && flight.state == GRZ_FLIGHT_RESTS && flight.now == 12.0 && flight.position[0] == 0.0);
    found = advance(&level, &options, 13.0, &flight, bounces, MOST);
    assert_true(found > 0 && bounces[0].object == 1 && fabs(bounces[0].time - (10.0 + 5.75 / 2.0)) < 1e-3);
    assert_true(bounces[0].surface[0] == 2.0 && fabs(bounces[0].after[0] - 3.0) < 1e-9);
    assert_true(flight.position[0] > 0.0);
    found = advance(&level, &options, 13.0, &whole, bounces, MOST);
    assert_memory_equal(&whole, &flight, sizeof whole);
    test_level_finish(&level);
}

static void closing_plates(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        test_level level = test_level_of(plate_at(-2.0, 9.0));
        test_level_add(&level, plate_at(2.0, 9.0));
        const grz_flight_motion motions[2] = {{.velocity = {i == 1 ? 0.0 : 0.5, 0, 0}},
                                              {.velocity = {-0.5, 0, 0}, .acceleration = {i == 2 ? -1.0 : 0.0, 0, 0}}};
        grz_flight_options options = ball(0.25, motions);
        options.restitution = 0.0;
        options.friction = i == 3 ? 0.5 : 0.0;
        grz_flight flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){0.25, 0, 0}, 0.0);
        grz_bounce bounces[MOST];
        advance(&level, &options, 9.0, &flight, bounces, MOST);
        // Gap: 4 - (v + w) t - a t²/2 = 0.5
        const double speed = i == 1 ? 0.5 : 1.0, time = i == 2 ? sqrt(8.0) - 1.0 : 3.5 / speed;
        if (flight.state != GRZ_FLIGHT_CRUSHED || fabs(flight.now - time) > 4e-3)
            fail_msg("%d: state %d at %g, expected crushed at %g", i, flight.state, flight.now, time);
        const test_level there = level_at(&level, motions, flight.now);
        const grz_shape shape = test_sphere(0.25);
        assert_true(test_core_distance(&there, &shape, flight.position) >= 0.25);
        test_level_finish(&level);
    }
}

static void a_start_inside(void **state)
{
    test_level level = test_level_of(plate_at(0.0, 9.0));
    const grz_flight_motion motion = {.since = 1.0, .velocity = {1.0, 0, 0}};
    const grz_flight_options options = ball(0.25, &motion);
    grz_bounce bounce;
    (void)state;
    // By its pose the plate is in the ball; at time 3 it is far away, and the other way round.
    grz_flight flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){-1, 0, 0}, 3.0);
    assert_int_equal(advance(&level, &options, 4.0, &flight, &bounce, 1), 0);
    assert_true(flight.state == GRZ_FLIGHT_FLIES && flight.position[0] == -1.0);
    flight = grz_flight_from((double[3]){2, 0, 0}, (double[3]){-1, 0, 0}, 3.0);
    assert_int_equal(advance(&level, &options, 4.0, &flight, &bounce, 1), 0);
    assert_true(flight.state == GRZ_FLIGHT_STARTS_INSIDE && flight.position[0] == 2.0 && flight.now == 3.0);
    test_level_finish(&level);
}

// ---- Laws ---------------------------------------------------------------------------------------------------------

static test_level stones(random_stream *random, int count, bool room)
{
    test_level level = {.count = 0};
    if (room)
        test_level_add(&level, test_mesh_cube(-3, -3, -3, 6));
    for (int i = 0; i < count; i++) {
        test_mesh stone = i % 3 == 0 ? test_mesh_icosphere(0.5, 1) : test_mesh_box((double[3]){-0.5, -0.25, -0.0625},
                                                                                  (double[3]){0.5, 0.25, 0.0625});
        test_level_add(&level, stone);
        level.objects[level.count - 1].pose = grz_pose_from_translation(
            2.0 * random_signed(random), 2.0 * random_signed(random), 2.0 * random_signed(random));
    }
    return level;
}

static double dyadic(random_stream *random)
{
    return ((double)random_below(random, 65) - 32.0) / 16.0;
}

static grz_flight_motion random_motion(random_stream *random)
{
    grz_flight_motion m = {.since = dyadic(random)};
    const uint64_t kind = random_below(random, 5);
    for (int k = 0; k < 3 && kind > 0; k++) {
        m.velocity[k] = dyadic(random);
        m.acceleration[k] = kind == 2 ? 2.0 * dyadic(random) : 0.0;
        m.spin[k] = kind >= 3 ? 3.0 * random_signed(random) : 0.0;
        m.centre[k] = kind == 4 ? dyadic(random) : 0.0;
    }
    return m;
}

static bool place(const test_level *level, const grz_flight_options *options, double time, random_stream *random,
                  double p[3])
{
    const grz_shape shape = test_sphere(options->radius > 0.0 ? options->radius : 0x1p-90);
    const test_level there = level_at(level, options->motions, time);
    for (int i = 0; i < 200; i++) {
        for (int k = 0; k < 3; k++)
            p[k] = 2.5 * random_signed(random);
        if (test_core_distance(&there, &shape, p) > options->radius + 2.0 * options->skin)
            return true;
    }
    return false;
}

// A velocity with which the ball comes about to where an object will be, if that turns about its mesh's origin.
static void aim(const test_level *level, const grz_flight_options *options, random_stream *random, const double p[3],
                double v[3])
{
    const uint32_t i = (uint32_t)random_below(random, level->count);
    const double t = 0.25 + fabs(random_signed(random)), age = t - options->motions[i].since;
    for (int k = 0; k < 3; k++) {
        const double there = level->objects[i].pose.m[k][3] + age * options->motions[i].velocity[k] +
                             0.5 * age * age * options->motions[i].acceleration[k] + 0.25 * random_signed(random);
        v[k] = (there - p[k]) / t - 0.5 * t * options->acceleration[k];
    }
}

// Motions of zeros are no motions, to the bit.
static void rest_is_rest(void **state)
{
    random_stream random = {.state = 5};
    (void)state;
    for (int i = 0; i < 40; i++) {
        test_level level = stones(&random, 6, true);
        const grz_flight_motion motions[7] = {{.since = 3.0}, {.centre = {1, 2, 3}}};
        grz_flight_options options = ball(0.125, motions);
        options.acceleration[2] = i % 2 ? -9.81 : 0.0;
        options.restitution = i % 3 ? 0.75 : 1.0;
        options.friction = i % 5 ? 0.25 : 0.0;
        options.skin = 0x1p-12;
        double p[3], v[3] = {random_signed(&random), random_signed(&random), random_signed(&random)};
        if (place(&level, &options, 0.0, &random, p)) {
            grz_flight x = grz_flight_from(p, v, 0.0), y = x;
            grz_bounce a[MOST], b[MOST];
            const uint64_t found = advance(&level, &options, 3.0, &x, a, MOST);
            options.motions = NULL;
            assert_int_equal(advance(&level, &options, 3.0, &y, b, MOST), found);
            assert_memory_equal(&x, &y, sizeof x);
            assert_memory_equal(a, b, found * sizeof *a);
        }
        test_level_finish(&level);
    }
}

// Objects that all move alike, and a ball: the same as objects that stand and a ball that comes the other way, where
// no number is rounded.
static void only_relative_motion_counts(void **state)
{
    random_stream random = {.state = 6};
    int bounced = 0;
    (void)state;
    for (int i = 0; i < 200; i++) {
        test_level level = test_level_of(i % 2 ? test_mesh_cube(-3, -3, -3, 6) : plate_at(2.0, 64.0));
        grz_flight_motion motion = {.velocity = {dyadic(&random), dyadic(&random), dyadic(&random)}};
        for (int k = 0; k < 3 && i % 3 == 0; k++)
            motion.acceleration[k] = dyadic(&random);
        grz_flight_options options = ball(0.25, &motion);
        options.skin = 0x1p-10;
        const double p[3] = {dyadic(&random), dyadic(&random), dyadic(&random)},
                     v[3] = {dyadic(&random), dyadic(&random), dyadic(&random)};
        double seen[3];
        for (int k = 0; k < 3; k++) {
            options.acceleration[k] = i % 4 == 0 ? dyadic(&random) : 0.0;
            seen[k] = v[k] - motion.velocity[k];
        }
        grz_flight x = grz_flight_from(p, v, 0.0), y = grz_flight_from(p, seen, 0.0);
        grz_bounce a, b;
        const uint64_t found = advance(&level, &options, 4.0, &x, &a, 1);
        options.motions = NULL;
        for (int k = 0; k < 3; k++)
            options.acceleration[k] -= motion.acceleration[k];
        assert_int_equal(advance(&level, &options, 4.0, &y, &b, 1), found);
        if (found == 1) {
            const double t = a.time;
            bounced++;
            assert_true(t == b.time && a.face == b.face);
            assert_memory_equal(a.normal, b.normal, sizeof a.normal);
            for (int k = 0; k < 3; k++) {
                const double come = motion.velocity[k] * t + 0.5 * motion.acceleration[k] * t * t;
                assert_true(fabs(a.position[k] - come - b.position[k]) < 1e-14);
                assert_true(fabs(a.before[k] - a.surface[k] - b.before[k]) < 1e-13);
                assert_true(fabs(a.after[k] - a.surface[k] - b.after[k]) < 1e-13);
            }
        } else {
            assert_int_equal(x.state, y.state == GRZ_FLIGHT_RESTS ? GRZ_FLIGHT_FLIES : y.state);
        }
        test_level_finish(&level);
    }
    assert_true(bounced > 50);
}

static void the_same_at_any_rate(void **state)
{
    random_stream random = {.state = 78};
    int bounced = 0;
    (void)state;
    for (int round = 0; round < (TEST_SANITIZED ? 10 : 60); round++) {
        test_level level = stones(&random, 5, round % 4 > 0);
        grz_flight_motion motions[6] = {{.since = 0.0}};
        for (uint32_t i = round % 4 > 0; i < level.count; i++)
            motions[i] = random_motion(&random);
        grz_flight_options options = ball(round % 5 == 0 ? 0.0 : 0.0625, motions);
        options.skin = 0x1p-10;
        options.acceleration[2] = round % 2 ? -10.0 : 0.0;
        options.restitution = 0.75;
        options.friction = round % 3 ? 0.5 : 0.0;
        double p[3], v[3];
        if (place(&level, &options, 0.0, &random, p)) {
            aim(&level, &options, &random, p, v);
            grz_bounce at_30[512], at_120[512], at_once[512];
            grz_flight slow = grz_flight_from(p, v, 0.0), fast = slow, once = slow;
            uint64_t a = 0, b = 0;
            for (int i = 1; i <= 45; i++) {
                a += advance(&level, &options, i / 30.0, &slow, at_30 + a, 512 - a);
                for (int j = 4 * i - 3; j <= 4 * i; j++)
                    b += advance(&level, &options, j / 120.0, &fast, at_120 + b, 512 - b);
                assert_memory_equal(&slow, &fast, sizeof slow);
            }
            const uint64_t c = advance(&level, &options, 1.5, &once, at_once, 512);
            assert_true(a == b && a == c && a < 512);
            assert_memory_equal(at_30, at_120, a * sizeof *at_30);
            assert_memory_equal(at_30, at_once, a * sizeof *at_30);
            assert_memory_equal(&slow, &once, sizeof slow);
            bounced += (int)a;
        }
        test_level_finish(&level);
    }
    if (bounced < (TEST_SANITIZED ? 10 : 60))
        fail_msg("%d bounces", bounced);
}

static void orders_and_threads(void **state)
{
    grz_device *threads = test_device_open(3);
    random_stream random = {.state = 10};
    (void)state;
    for (int i = 0; i < 20; i++) {
        test_level level = stones(&random, 5, true);
        grz_flight_motion motions[6] = {{.since = 0.0}}, other[6];
        grz_object objects[6];
        for (uint32_t j = 1; j < 6; j++)
            motions[j] = random_motion(&random);
        for (uint32_t j = 0; j < 6; j++) {
            objects[j] = level.objects[5 - j];
            other[j] = motions[5 - j];
        }
        grz_flight_options options = ball(0.125, motions);
        options.skin = 0x1p-12;
        options.acceleration[2] = -5.0;
        options.restitution = 0.5;
        double p[3];
        if (place(&level, &options, 0.0, &random, p)) {
            grz_flight x = grz_flight_from(p, (double[3]){1, 2, 0}, 0.0), y = x;
            grz_bounce a[MOST], b[MOST];
            uint64_t found;
            grz_error error;
            const uint64_t count = advance(&level, &options, 2.0, &x, a, MOST);
            options.motions = other;
            assert_int_equal(
                grz_flight_advance(threads, objects, 6, &options, 2.0, &y, b, MOST, &found, &error), GRZ_OK);
            assert_int_equal(found, count);
            if (x.carrier != UINT32_MAX)
                y.carrier = 5 - y.carrier;
            assert_memory_equal(&x, &y, sizeof x);
            for (uint64_t j = 0; j < count; j++) {
                assert_true(a[j].object == 5 - b[j].object);
                b[j].object = a[j].object;
                assert_memory_equal(&a[j], &b[j], sizeof *a);
            }
        }
        test_level_finish(&level);
    }
    grz_device_close(threads);
}

// ---- Against the slow twin ----------------------------------------------------------------------------------------

// The place of the ball as an object sees it that stands where it was at motion.since.
static void seen_by(const grz_object *object, const grz_flight_motion *m, long double t, const long double at[3],
                    double out[3])
{
    long double centre[3], arm[3], rate = 0.0L;
    const long double age = t - (long double)m->since;
    for (int k = 0; k < 3; k++) {
        centre[k] = object->pose.m[k][3];
        for (int j = 0; j < 3; j++)
            centre[k] += (long double)object->pose.m[k][j] * m->centre[j];
        arm[k] = at[k] - (centre[k] + age * m->velocity[k] + 0.5L * age * age * m->acceleration[k]);
        rate += (long double)m->spin[k] * m->spin[k];
    }
    rate = sqrtl(rate);
    // Turned back: Rodrigues' formula with the opposite angle.
    const long double s = sinl(-rate * age), c = cosl(rate * age);
    long double along = 0.0L, n[3] = {0.0L, 0.0L, 0.0L};
    for (int k = 0; k < 3 && rate > 0.0L; k++) {
        n[k] = m->spin[k] / rate;
        along += n[k] * arm[k];
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = (double)(centre[k] + c * arm[k] + s * (n[i] * arm[j] - n[j] * arm[i]) + (1.0L - c) * along * n[k]);
    }
}

typedef struct twin {
    const test_level *level;
    const grz_flight_options *options;
    const grz_flight *from; // the arc
} twin;

// The exact distance of the ball's middle from the level at a time, but for the roundings of one place.
static double twin_distance(const twin *w, double t)
{
    const grz_shape point = test_sphere(1.0);
    long double at[3];
    double least = HUGE_VAL;
    const long double age = (long double)t - w->from->since;
    for (int k = 0; k < 3; k++)
        at[k] = w->from->start[k] + age * w->from->velocity[k] + 0.5L * age * age * w->options->acceleration[k];
    for (uint32_t i = 0; i < w->level->count; i++) {
        double seen[3];
        seen_by(&w->level->objects[i], &w->options->motions[i], t, at, seen);
        const test_level one = {.objects = {w->level->objects[i]}, .count = 1};
        least = fmin(least, test_core_distance(&one, &point, seen));
    }
    return least;
}

// No object sees the ball faster than this, for two seconds.
static double twin_speed(const twin *w)
{
    double most = 0.0;
    for (uint32_t i = 0; i < w->level->count; i++) {
        const grz_flight_motion *m = &w->options->motions[i];
        double speed = 0.0, arm = 20.0, spin = 0.0;
        for (int k = 0; k < 3; k++) {
            speed += fabs(w->from->velocity[k]) + 2.0 * fabs(w->options->acceleration[k]) + fabs(m->velocity[k]) +
                     4.0 * fabs(m->acceleration[k]);
            arm += 2.0 * fabs(w->from->velocity[k]) + 2.0 * fabs(w->options->acceleration[k]) +
                   4.0 * fabs(m->velocity[k]) + 8.0 * fabs(m->acceleration[k]) + fabs(m->centre[k]);
            spin += fabs(m->spin[k]);
        }
        most = fmax(most, speed + spin * arm);
    }
    return most;
}

// The first time at which the distance is `bar`, by steps in which it cannot be reached; or `until`, or the last time
// that was proved if that takes too many.
static double twin_first(const twin *w, double bar, double until)
{
    const double speed = twin_speed(w);
    double t = w->from->since;
    for (int i = 0; i < 20000 && t < until; i++) {
        const double d = twin_distance(w, t) - bar;
        if (d <= 1e-10)
            return t;
        t += d / speed;
    }
    return fmin(t, until);
}

static uint64_t wanted_by(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    const long long given = text != NULL ? strtoll(text, NULL, 10) : 0;
    return given > 0 ? (uint64_t)given : otherwise;
}

static void against_the_twin(void **state)
{
    const uint64_t first = wanted_by("GRZ_FLIGHTS_FIRST", 0),
                   flights = wanted_by("GRZ_FLIGHTS", TEST_SANITIZED ? 8 : 60);
    int met = 0, missed = 0, hopped = 0;
    (void)state;
    for (uint64_t number = first; number < first + flights; number++) {
        random_stream random = {.state = 31 + number};
        test_level level = stones(&random, 3, false);
        grz_flight_motion motions[3];
        for (uint32_t i = 0; i < level.count; i++)
            motions[i] = random_motion(&random);
        grz_flight_options options = ball(number % 4 == 0 ? 0.0 : 0.125, motions);
        options.skin = ldexp(1.0, -(int)random_below(&random, 10) - 5);
        options.acceleration[2] = number % 2 ? -4.0 : 0.0;
        double p[3], v[3];
        if (place(&level, &options, 0.0, &random, p)) {
            aim(&level, &options, &random, p, v);
            const grz_flight start = grz_flight_from(p, v, 0.0);
            grz_flight flight = start;
            grz_bounce bounce;
            const twin w = {&level, &options, &start};
            const uint64_t found = advance(&level, &options, 2.0, &flight, &bounce, 1);
            const double end = found > 0 ? bounce.time : flight.since > 0.0 ? flight.since : 2.0;
            // Nothing is met before, not even by less than the skin's share that a sweep leaves.
            const double reached = twin_first(&w, options.radius, end);
            if (reached < end && twin_distance(&w, reached) <= options.radius + 1e-10)
                fail_msg("flight %llu: at %.9g a distance of %.9g, but it bounces at %.9g", (unsigned long long)number,
                         reached, twin_distance(&w, reached), end);
            if (found > 0 && bounce.before[2] != v[2] + options.acceleration[2] * bounce.time) {
                hopped++; // so slowly that it is not listed, before that
            } else if (found > 0) {
                const double d = twin_distance(&w, end);
                if (!(d >= options.radius - 1e-9 && d <= options.radius + options.skin + 1e-9))
                    fail_msg("flight %llu: bounces at a distance of %.9g", (unsigned long long)number, d);
                met++;
            } else {
                missed++;
            }
        }
        test_level_finish(&level);
    }
    printf("%d bounces, %d flights past everything\n", met, missed);
    assert_true(hopped <= 1 + (int)flights / 100);
    assert_true(first > 0 || (met >= (int)flights / 3 && missed > 0));
}

// Long random flights among objects that move: each bounce and each end is outside, by the poses that
// grz_flight_pose() says, and none of the arcs comes nearer on its way.
static void random_shots(void **state)
{
    const uint64_t first = wanted_by("GRZ_FLIGHTS_FIRST", 0),
                   flights = wanted_by("GRZ_FLIGHTS", TEST_SANITIZED ? 20 : 150);
    uint64_t bounced = 0, states[7] = {0};
    (void)state;
    for (uint64_t number = first; number < first + flights; number++) {
        random_stream random = {.state = 500 + number};
        test_level level = stones(&random, 5, number % 3 > 0);
        grz_flight_motion motions[6] = {{.since = 0.0}};
        for (uint32_t i = number % 3 > 0; i < level.count; i++)
            motions[i] = random_motion(&random);
        grz_flight_options options = ball(number % 4 == 0 ? 0.0 : 0.0625, motions);
        options.skin = ldexp(1.0, -(int)random_below(&random, 10) - 6);
        options.acceleration[2] = random_below(&random, 2) ? -8.0 : 0.0;
        options.restitution = random_below(&random, 5) / 4.0;
        options.friction = random_below(&random, 2) ? 0.0 : fabs(random_signed(&random));
        const grz_shape shape = test_sphere(options.radius > 0.0 ? options.radius : 0x1p-90);
        double p[3], v[3];
        if (place(&level, &options, 0.0, &random, p)) {
            aim(&level, &options, &random, p, v);
            grz_flight flight = grz_flight_from(p, v, 0.0);
            for (int part = 0; part < 4; part++) {
                grz_bounce bounces[MOST];
                const uint64_t found =
                    advance(&level, &options, flight.now + fabs(random_signed(&random)), &flight, bounces, MOST);
                states[flight.state]++;
                bounced += found;
                for (uint64_t i = 0; i < found; i += 1 + found / 4) {
                    const test_level there = level_at(&level, motions, bounces[i].time);
                    const double d = test_core_distance(&there, &shape, bounces[i].position);
                    double into = 0.0, out = 0.0;
                    for (int k = 0; k < 3; k++) {
                        into += bounces[i].normal[k] * (bounces[i].before[k] - bounces[i].surface[k]);
                        out += bounces[i].normal[k] * (bounces[i].after[k] - bounces[i].surface[k]);
                    }
                    if (!(d >= options.radius && d <= options.radius + options.skin && into < 0.0 && out >= -1e-9))
                        fail_msg("flight %llu: bounce at a distance of %.9g, radius %g skin %g, into %g out %g",
                                 (unsigned long long)number, d, options.radius, options.skin, into, out);
                }
                const test_level there = level_at(&level, motions, flight.now);
                const double d = test_core_distance(&there, &shape, flight.position);
                if (!(d >= options.radius))
                    fail_msg("flight %llu: %.9g from the level at the end, radius %g", (unsigned long long)number, d,
                             options.radius);
                const twin w = {&level, &options, &flight};
                for (int i = 1; i < 8 && flight.state == GRZ_FLIGHT_FLIES; i++) {
                    const double t = flight.since + (flight.now - flight.since) * i / 8.0;
                    if (!(twin_distance(&w, t) >= options.radius - options.skin / 64.0 - 1e-12))
                        fail_msg("flight %llu: too near on the way", (unsigned long long)number);
                }
                if (flight.state == GRZ_FLIGHT_CRUSHED || flight.state == GRZ_FLIGHT_LIMIT)
                    break;
                assert_true(flight.state != GRZ_FLIGHT_STARTS_INSIDE);
            }
        }
        test_level_finish(&level);
    }
    printf("%llu bounces; ends: %llu fly, %llu rest, %llu full, %llu held, %llu ride, %llu crushed\n",
           (unsigned long long)bounced, (unsigned long long)states[GRZ_FLIGHT_FLIES],
           (unsigned long long)states[GRZ_FLIGHT_RESTS], (unsigned long long)states[GRZ_FLIGHT_FULL],
           (unsigned long long)states[GRZ_FLIGHT_LIMIT], (unsigned long long)states[GRZ_FLIGHT_RIDES],
           (unsigned long long)states[GRZ_FLIGHT_CRUSHED]);
    assert_int_equal(states[GRZ_FLIGHT_LIMIT], 0);
    assert_true(first > 0 || bounced > flights);
}

// ---- Bad input ----------------------------------------------------------------------------------------------------

static void bad_motions(void **state)
{
    test_level level = test_level_of(plate_at(-5.0, 9.0));
    (void)state;
    test_level_add(&level, plate_at(5.0, 9.0));
    for (int i = 0; i < 6; i++) {
        grz_flight_motion motions[2] = {{.velocity = {1, 0, 0}}, {.since = 0.0}};
        const char *names[] = {"since", "velocity[1]", "acceleration[2]", "spin[0]", "centre[1]", "the skin is"};
        double *const members[] = {&motions[1].since,   &motions[1].velocity[1], &motions[1].acceleration[2],
                                   &motions[1].spin[0], &motions[1].centre[1],   &motions[0].velocity[0]};
        *members[i] = i == 5 ? 0x1p90 : i % 2 ? (double)NAN : (double)INFINITY;
        const grz_flight_options options = ball(0.25, motions);
        grz_flight flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){1, 0, 0}, 2.0);
        grz_bounce bounce;
        uint64_t found = 7;
        grz_error error;
        assert_int_equal(
            grz_flight_advance(test_device, level.objects, 2, &options, 3.0, &flight, &bounce, 1, &found, &error),
            GRZ_ERROR_ARGUMENT);
        if (strstr(error.message, names[i]) == NULL || (i < 5 && error.element != 1))
            fail_msg("'%s' does not have '%s'", error.message, names[i]);
        assert_true(found == 0 && flight.position[0] == 0.0);
        grz_pose pose;
        if (i < 5)
            assert_int_equal(grz_flight_pose(&level.objects[1], &motions[1], 0.0, &pose, &error), GRZ_ERROR_ARGUMENT);
    }
    grz_pose pose;
    grz_error error;
    const grz_flight_motion motion = {.since = 1.0, .velocity = {1, 2, 3}, .spin = {0, 1, 0}};
    assert_int_equal(grz_flight_pose(NULL, &motion, 0.0, &pose, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_flight_pose(&level.objects[0], &motion, 0.0, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_flight_pose(&level.objects[0], &motion, (double)NAN, &pose, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_flight_pose(&level.objects[0], NULL, 0.0, &pose, &error), GRZ_OK);
    assert_memory_equal(&pose, &level.objects[0].pose, sizeof pose);
    assert_int_equal(grz_flight_pose(&level.objects[0], &motion, 1.0, &pose, &error), GRZ_OK);
    assert_memory_equal(&pose, &level.objects[0].pose, sizeof pose);
    test_level_finish(&level);
}

// An object that moves on and on, until the skin is too thin for its numbers; one that stays beside the ball for ever.
static void ends_without_an_end(void **state)
{
    test_level level = test_level_of(plate_at(-5.0, 9.0));
    grz_flight_motion motion = {.velocity = {-1, 0, 0}};
    grz_flight_options options = ball(0.25, &motion);
    grz_bounce bounce;
    (void)state;
    grz_flight flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){1, 0, 0}, 0.0);
    assert_int_equal(advance(&level, &options, HUGE_VAL, &flight, &bounce, 1), 0);
    assert_true(flight.state == GRZ_FLIGHT_FLIES);
    motion.velocity[0] = 2.0;
    flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){1, 0, 0}, 0.0);
    assert_int_equal(advance(&level, &options, HUGE_VAL, &flight, &bounce, 1), 1);
    assert_true(fabs(bounce.time - 4.75) < 1e-3 && bounce.after[0] == 3.0);
    motion.velocity[0] = 1.0;
    motion.spin[0] = 1.0;
    flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){1, 0, 0}, 0.0);
    assert_int_equal(advance(&level, &options, HUGE_VAL, &flight, &bounce, 1), 0);
    assert_true(flight.state == GRZ_FLIGHT_LIMIT || flight.state == GRZ_FLIGHT_FLIES);
    test_level_finish(&level);
}

static void memory_that_runs_out(void **state)
{
    counting_allocator counter = {.fail_at = 0};
    grz_device *device = counting_device_open(&counter);
    test_mesh cube = test_mesh_cube(-2, -2, -2, 4), stone = test_mesh_cube(-0.25, -0.25, -0.25, 0.5);
    grz_mesh *meshes[2] = {test_mesh_upload(device, &cube), test_mesh_upload(device, &stone)};
    const grz_object objects[2] = {grz_object_at_origin(meshes[0]), grz_object_at_origin(meshes[1])};
    const grz_flight_motion motions[2] = {{.since = 0.0}, {.velocity = {0.5, 0, 0}, .spin = {0, 0, 1}}};
    const grz_flight_options options = ball(0.25, motions);
    grz_bounce bounces[4];
    uint64_t found;
    grz_error error;
    int failures = 0;
    (void)state;
    for (long i = 1; i < 100; i++) {
        grz_flight flight = grz_flight_from((double[3]){1.5, 0, 0}, (double[3]){-1, 0, 0}, 0.0);
        counter.calls = 0;
        counter.fail_at = i;
        const grz_status status =
            grz_flight_advance(device, objects, 2, &options, 3.0, &flight, bounces, 4, &found, &error);
        if (status == GRZ_OK)
            break;
        assert_int_equal(status, GRZ_ERROR_MEMORY);
        failures++;
    }
    assert_true(failures >= 5 && failures < 99);
    counter.fail_at = 0;
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy(meshes[i]);
    grz_device_close(device);
    assert_int_equal(counter.live, 0);
    test_mesh_finish(&cube);
    test_mesh_finish(&stone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fast_plate),
        cmocka_unit_test(a_thrown_plate),
        cmocka_unit_test(a_door),
        cmocka_unit_test(a_thrown_rod),
        cmocka_unit_test(a_lift),
        cmocka_unit_test(what_rests_is_hit),
        cmocka_unit_test(closing_plates),
        cmocka_unit_test(a_start_inside),
        cmocka_unit_test(rest_is_rest),
        cmocka_unit_test(only_relative_motion_counts),
        cmocka_unit_test(the_same_at_any_rate),
        cmocka_unit_test(orders_and_threads),
        cmocka_unit_test(against_the_twin),
        cmocka_unit_test(random_shots),
        cmocka_unit_test(bad_motions),
        cmocka_unit_test(ends_without_an_end),
        cmocka_unit_test(memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
