// SPDX-License-Identifier: MIT
// grz_flight_advance() past objects that move: known bounces off plates that go straight, faster and faster, or turn;
// what rests, rides, is crushed, or begins inside; motions of zeros against none, and moving objects against a moving
// ball, to the bit; the same bytes at any number of steps a second. Random flights: test_flight_twin.c.
// ctest: concurrent orders_and_threads
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_devices.h"
#include "support_flying.h"
#include "support_meshes.h"
#include "support_moved.h"
#include "support_movers.h"
#include "support_sanitizer.h"

enum {
    MOST = 64
};

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
        grz_flight_options options = flying_ball(0.25, &motion);
        options.skin = 0x1p-20;
        grz_flight flight = grz_flight_from((double[3]){0, 0.5, 0}, (double[3]){still ? 0.0 : -3.0, 0, 0}, 2.0);
        grz_bounce bounces[MOST];
        uint64_t found = 0;
        for (int i = 1; i <= 60; i++)
            found += flying_advance(&level, &options, 2.0 + i / 60.0, &flight, bounces + found, MOST - found);
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
        const grz_flight_motion motion = {
            .since = since, .velocity = {0, 0, up + fall * since}, .acceleration = {0, 0, fall}};
        level.objects[0].pose = grz_pose_from_translation(0, 0, -2.0 + up * since + 0.5 * fall * since * since);
        grz_flight_options options = flying_ball(0.5, &motion);
        options.skin = 0x1p-24;
        options.acceleration[2] = -10.0;
        grz_flight flight = grz_flight_from((double[3]){0, 0, 1.5}, (double[3]){1, 0, 2}, 0.0);
        grz_bounce bounce;
        // 3 = (up - 2) t + (fall + 10) t² / 2
        const double b = up - 2.0, a = 0.5 * (fall + 10.0),
                     t = a == 0.0 ? 3.0 / b : (sqrt(b * b + 12.0 * a) - b) / (2.0 * a);
        assert_int_equal(flying_advance(&level, &options, 3.0, &flight, &bounce, 1), 1);
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
        const double wide = i % 4 < 2 ? 4.0 : 4096.0, corners[] = {0, 0, -1, wide, 0, -1, wide, 0, 1, 0, 0, 1};
        test_level level = test_level_of(test_mesh_make(corners, 4, (const uint32_t[]){0, 1, 2, 3}, 1, 4));
        const double rate = ldexp(1.0, i - 2), x = 2.0, y = 1.5, radius = i % 2 ? 0.0 : 0.25;
        const grz_flight_motion motion = {.since = 1.0, .spin = {0, 0, rate}};
        grz_flight_options options = flying_ball(radius, &motion);
        options.skin = 0x1p-20;
        grz_flight flight = grz_flight_from((double[3]){x, y, 0.25}, (double[3]){0, 0, 0}, 1.0);
        grz_bounce bounce;
        const double far = sqrt(x * x + y * y), angle = atan2(y, x) - asin(radius / far), time = 1.0 + angle / rate,
                     arm = sqrt(far * far - radius * radius);
        assert_int_equal(flying_advance(&level, &options, 1.0 + 3.0 / rate, &flight, &bounce, 1), 1);
        if (!(fabs(bounce.time - time) * rate < 1e-5))
            fail_msg("rate %g: at %.9g, expected %.9g", rate, bounce.time, time);
        assert_true(fabs(bounce.after[0] + 2.0 * rate * arm * sin(angle)) < 1e-4 * rate);
        assert_true(fabs(bounce.after[1] - 2.0 * rate * arm * cos(angle)) < 1e-4 * rate);
        assert_true(bounce.object == 0 && bounce.after[2] == 0.0);
        // Another way round it comes from behind, almost a whole turn later.
        const grz_flight_motion back = {.since = 1.0, .spin = {0, 0, -rate}};
        options.motions = &back;
        flight = grz_flight_from((double[3]){x, y, 0.25}, (double[3]){0, 0, 0}, 1.0);
        assert_int_equal(flying_advance(&level, &options, 1.0 + 3.0 / rate, &flight, &bounce, 1), 0);
        assert_true(flight.state == GRZ_FLIGHT_RESTS);
        assert_int_equal(flying_advance(&level, &options, 1.0 + 7.0 / rate, &flight, &bounce, 1), 1);
        const double other = 2.0 * acos(-1.0) - atan2(y, x) - asin(radius / far);
        assert_true(fabs(bounce.time - (1.0 + other / rate)) * rate < 1e-5);
        test_level_finish(&level);
    }
}

// The tip of a blade just reaches a point that waits, or just does not: its chords all pass inside of its circle.
static void the_tip_of_a_blade(void **state)
{
    (void)state;
    for (int i = 0; i < 16; i++) {
        const double corners[] = {0, 0, 0, 2, 0, 0, 0, -0.5, 0}, poke = ldexp(1.0, -i - 2), rate = i % 2 ? 7.0 : 3.0;
        test_level level = test_level_of(test_mesh_make(corners, 3, (const uint32_t[]){0, 1, 2}, 1, 3));
        const grz_flight_motion motion = {.spin = {0, 0, rate}};
        grz_flight_options options = flying_ball(0.0, &motion);
        options.skin = 0x1p-22;
        for (int outside = 0; outside < 2; outside++) {
            const double far = outside ? 2.0 + poke : 2.0 - poke, angle = 0.75 + i / 32.0;
            grz_flight flight =
                grz_flight_from((double[3]){far * cos(angle), far * sin(angle), 0}, (double[3]){0, 0, 0}, 0.0);
            grz_bounce bounce;
            const uint64_t found = flying_advance(&level, &options, 2.0 * angle / rate, &flight, &bounce, 1);
            if (found != (uint64_t)!outside)
                fail_msg("%d, %s: %d bounces", i, outside ? "outside" : "inside", (int)found);
            assert_true(outside || fabs(bounce.time - angle / rate) < 1e-5);
        }
        test_level_finish(&level);
    }
}

// A rod that turns about its middle, while that flies; the middle is not where the mesh has its origin.
static void a_thrown_rod(void **state)
{
    test_level level = test_level_of(test_mesh_box((double[3]){4, -0.0625, -0.0625}, (double[3]){6, 0.0625, 0.0625}));
    const grz_flight_motion motion = {
        .velocity = {-5, 0, 3}, .acceleration = {0, 0, -6}, .spin = {0, 4, 0}, .centre = {5, 0, 0}};
    grz_flight_options options = flying_ball(0.125, &motion);
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
        assert_int_equal(flying_advance(&level, &options, t, &flight, &bounce, 1), 1);
        assert_true(bounce.time <= t);
    }
    test_level_finish(&level);
}

// The motion from one pose to the next ends there; also after nearly half a turn, and none at all.
static void between_poses(void **state)
{
    random_stream random = {.state = 12};
    grz_flight_motion motion = {.since = 7.0};
    grz_error error;
    (void)state;
    for (int i = 0; i < 400; i++) {
        const double at[3] = {random_signed(&random), random_signed(&random), random_signed(&random)},
                     to[3] = {random_signed(&random), random_signed(&random), random_signed(&random)},
                     centre[3] = {random_signed(&random), i % 2 ? 0.0 : 2.0, 0.5}, none[4] = {0, 0, 0, 1};
        double q[4] = {random_signed(&random), random_signed(&random), random_signed(&random), random_signed(&random)};
        if (i % 5 == 0)
            q[3] = i % 10 ? 0.0 : ldexp(1.0, -(i / 10)); // half a turn
        if (i % 5 == 1)
            for (int k = 0; k < 3; k++)
                q[k] = ldexp(q[k], -(i / 10)); // hardly any
        grz_pose from, end, there;
        assert_int_equal(grz_pose_from_quaternion(at, none, &from, &error), GRZ_OK);
        assert_int_equal(grz_pose_from_quaternion(to, q, &end, &error), GRZ_OK);
        if (i % 3 == 0) { // both turned
            const grz_pose more = end;
            end = grz_pose_product(end, end);
            from = more;
        }
        if (grz_flight_motion_between(&from, &end, 3.0, 3.25, i % 4 ? centre : NULL, &motion, &error) != GRZ_OK)
            fail_msg("%d: %s", i, error.message);
        double turn = 0.0;
        for (int k = 0; k < 3; k++)
            turn += motion.spin[k] * motion.spin[k];
        assert_true(sqrt(turn) * 0.25 <= acos(-1.0) + 1e-9); // the shorter way
        const grz_object object = {.pose = from};
        assert_int_equal(grz_flight_pose(&object, &motion, 3.25, &there, &error), GRZ_OK);
        for (int k = 0; k < 12; k++)
            if (!(fabs(there.m[k / 4][k % 4] - end.m[k / 4][k % 4]) < 1e-13))
                fail_msg("%d: [%d][%d] is %.17g, expected %.17g", i, k / 4, k % 4, there.m[k / 4][k % 4],
                         end.m[k / 4][k % 4]);
    }
    // Bad ones leave the motion as it was.
    const grz_flight_motion before = motion;
    grz_pose one = grz_pose_identity(), large = one, mirrored = one, flat = one;
    large.m[0][0] = 1.5;
    mirrored.m[2][2] = -1.0;
    memset(flat.m[1], 0, sizeof flat.m[1]);
    assert_int_equal(grz_flight_motion_between(&one, &large, 0.0, 1.0, NULL, &motion, &error), GRZ_ERROR_POSE);
    assert_int_equal(grz_flight_motion_between(&one, &mirrored, 0.0, 1.0, NULL, &motion, &error), GRZ_ERROR_POSE);
    assert_int_equal(grz_flight_motion_between(&flat, &one, 0.0, 1.0, NULL, &motion, &error), GRZ_ERROR_POSE);
    assert_int_equal(grz_flight_motion_between(&one, &one, 1.0, 1.0, NULL, &motion, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_flight_motion_between(&one, NULL, 0.0, 1.0, NULL, &motion, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_flight_motion_between(&one, &one, 0.0, 1.0, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_memory_equal(&before, &motion, sizeof motion);
    // Stretched alike is no motion of itself.
    one.m[0][3] = 2.0;
    large.m[0][3] = 3.0;
    one.m[0][0] = 1.5;
    assert_int_equal(grz_flight_motion_between(&one, &large, 0.0, 0.5, NULL, &motion, &error), GRZ_OK);
    assert_true(motion.velocity[0] == 2.0 && motion.spin[0] == 0.0 && motion.spin[1] == 0.0 && motion.spin[2] == 0.0);
}

// A game that knows its platform's poses only: a see-saw that lifts a ball, from frame to frame.
static void frame_by_frame(void **state)
{
    test_level level = test_level_of(test_mesh_box((double[3]){-4, -1, -0.125}, (double[3]){4, 1, 0}));
    grz_flight_options options = flying_ball(0.25, NULL);
    grz_flight flight = grz_flight_from((double[3]){2, 0, 0.5}, (double[3]){0, 0, 0}, 0.0);
    const grz_shape shape = test_sphere(0.25);
    bool rode = false;
    (void)state;
    options.acceleration[2] = -10.0;
    options.restitution = 0.0;
    options.friction = 2.0;
    for (int i = 0; i < 120; i++) {
        const double angles[2] = {-0.5 * sin(i / 20.0), -0.5 * sin((i + 1) / 20.0)}, time = i / 60.0;
        grz_pose poses[2];
        grz_flight_motion motion;
        grz_bounce bounces[MOST];
        grz_error error;
        for (int j = 0; j < 2; j++)
            assert_int_equal(
                grz_pose_from_quaternion((const double[3]){0, 0, 0},
                                         (const double[4]){0, sin(0.5 * angles[j]), 0, cos(0.5 * angles[j])}, &poses[j],
                                         &error),
                GRZ_OK);
        assert_int_equal(grz_flight_motion_between(&poses[0], &poses[1], time, (i + 1) / 60.0, NULL, &motion, &error),
                         GRZ_OK);
        level.objects[0].pose = poses[0];
        options.motions = &motion;
        flying_advance(&level, &options, (i + 1) / 60.0, &flight, bounces, MOST);
        assert_true(flight.state == GRZ_FLIGHT_FLIES || flight.state == GRZ_FLIGHT_RIDES);
        rode = rode || flight.state == GRZ_FLIGHT_RIDES;
        level.objects[0].pose = poses[1];
        assert_true(test_core_distance(&level, &shape, flight.position) >= 0.25);
        assert_true(flight.position[2] > -1.5);
    }
    assert_true(rode);
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
        grz_flight_options options = flying_ball(0.25, &motion);
        options.acceleration[2] = -10.0;
        options.restitution = 0.5;
        options.friction = 0.5;
        grz_flight flight = grz_flight_from((double[3]){1, 0, 1.0}, (double[3]){0, 0, 0}, 0.0);
        grz_bounce bounces[MOST];
        // Without an end it stands where it came to lie.
        grz_flight once = flight;
        flying_advance(&level, &options, HUGE_VAL, &once, bounces, MOST);
        assert_true(once.state == GRZ_FLIGHT_RIDES && once.carrier == 0 && once.now > 0.3 && once.now < 2.0);
        assert_true(fabs(once.position[2] - (2.0 * once.now + 0.25)) < 1e-3);
        flying_advance(&level, &options, 4.0, &flight, bounces, MOST);
        assert_true(flight.state == GRZ_FLIGHT_RIDES && flight.now == 4.0 && flight.carrier == 0);
        assert_true(fabs(flight.position[2] - 8.25) < 1e-3);
        // It has come as far as the floor, after the time in which it was taken along.
        if (!turns)
            assert_true(flight.position[0] > 1.0 + 0.5 * (4.0 - once.now) - 0.1 && flight.position[0] < 3.0);
        const double rode[3] = {flight.position[0], flight.position[1], flight.position[2]};
        flying_advance(&level, &options, 5.0, &flight, bounces, MOST);
        if (!turns)
            assert_true(fabs(flight.position[0] - rode[0] - 0.5) < 1e-2);
        else // round the axis at its place
            assert_true(hypot(flight.position[0] - rode[0], flight.position[1] - rode[1]) > 0.1);
        // The lift stops, and the ball flies on; then it rests.
        level.objects[0].pose = flying_level_at(&level, &motion, 5.0).objects[0].pose;
        options.motions = NULL;
        flying_advance(&level, &options, 9.0, &flight, bounces, MOST);
        assert_true(flight.state == GRZ_FLIGHT_RESTS && flight.carrier == 0);
        assert_true(fabs(flight.position[2] - 10.25) < 1e-3);
        // It goes down: the ball goes with it, or falls after it.
        const grz_flight_motion down = {.since = 9.0, .velocity = {0, 0, -3}};
        options.motions = &down;
        flying_advance(&level, &options, 12.0, &flight, bounces, MOST);
        assert_true(flight.state == GRZ_FLIGHT_RIDES && fabs(flight.position[2] - 1.25) < 2e-3);
        test_level_finish(&level);
    }
}

// Without gravity a plate pushes a ball: at a constant speed they go on together; a plate that goes faster and faster
// is a floor.
static void a_rocket(void **state)
{
    (void)state;
    for (int faster = 0; faster < 2; faster++) {
        test_level level = test_level_of(plate_at(0.0, 9.0));
        const grz_flight_motion motion = {.velocity = {faster ? 0.0 : 2.0, 0, 0},
                                          .acceleration = {faster ? 8.0 : 0.0, 0, 0}};
        grz_flight_options options = flying_ball(0.25, &motion);
        options.restitution = faster ? 0.25 : 0.0;
        grz_flight flight = grz_flight_from((double[3]){1, 0, 0}, (double[3]){0, 0, 0}, 0.0);
        grz_bounce bounces[MOST];
        flying_advance(&level, &options, 4.0, &flight, bounces, MOST);
        const double floor = faster ? 64.0 : 8.0;
        assert_true(flight.state == GRZ_FLIGHT_RIDES && flight.carrier == 0);
        assert_true(fabs(flight.position[0] - floor - 0.25) < 2e-3);
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
    grz_flight_options options = flying_ball(0.25, NULL);
    options.acceleration[2] = -10.0;
    options.friction = 0.5;
    options.restitution = 0.5;
    grz_flight flight = grz_flight_from((double[3]){0, 0, 0.5}, (double[3]){0, 0, 0}, 0.0);
    grz_bounce bounces[MOST];
    flying_advance(&level, &options, 10.0, &flight, bounces, MOST);
    assert_true(flight.state == GRZ_FLIGHT_RESTS && flight.carrier == 0 && flight.position[0] == 0.0);
    options.motions = motions;
    grz_flight whole = flight;
    uint64_t found = flying_advance(&level, &options, 12.0, &flight, bounces, MOST);
    assert_true(found == 0 && flight.state == GRZ_FLIGHT_RESTS && flight.now == 12.0 && flight.position[0] == 0.0);
    found = flying_advance(&level, &options, 13.0, &flight, bounces, MOST);
    assert_true(found > 0 && bounces[0].object == 1 && fabs(bounces[0].time - (10.0 + 5.75 / 2.0)) < 1e-3);
    assert_true(bounces[0].surface[0] == 2.0 && fabs(bounces[0].after[0] - 3.0) < 1e-9);
    assert_true(flight.position[0] > 0.0);
    found = flying_advance(&level, &options, 13.0, &whole, bounces, MOST);
    assert_memory_equal(&whole, &flight, sizeof whole);
    // It falls, comes to rest, and is hit, in one call.
    whole = grz_flight_from((double[3]){0, 0, 0.5}, (double[3]){0, 0, 0}, 9.0);
    found = flying_advance(&level, &options, 13.0, &whole, bounces, MOST);
    assert_true(found > 1 && bounces[0].object == 0 && whole.position[0] > 0.0);
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
        grz_flight_options options = flying_ball(0.25, motions);
        options.restitution = 0.0;
        options.friction = i == 3 ? 0.5 : 0.0;
        grz_flight flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){0.25, 0, 0}, 0.0);
        grz_bounce bounces[MOST];
        flying_advance(&level, &options, 9.0, &flight, bounces, MOST);
        // Gap: 4 - (v + w) t - a t²/2 = 0.5
        const double speed = i == 1 ? 0.5 : 1.0, time = i == 2 ? sqrt(8.0) - 1.0 : 3.5 / speed;
        if (flight.state != GRZ_FLIGHT_CRUSHED || fabs(flight.now - time) > 4e-3)
            fail_msg("%d: state %d at %g, expected crushed at %g", i, flight.state, flight.now, time);
        const test_level there = flying_level_at(&level, motions, flight.now);
        const grz_shape shape = test_sphere(0.25);
        assert_true(test_core_distance(&there, &shape, flight.position) >= 0.25);
        test_level_finish(&level);
    }
}

static void a_start_inside(void **state)
{
    test_level level = test_level_of(plate_at(0.0, 9.0));
    const grz_flight_motion motion = {.since = 1.0, .velocity = {1.0, 0, 0}};
    const grz_flight_options options = flying_ball(0.25, &motion);
    grz_bounce bounce;
    (void)state;
    // By its pose the plate is in the ball; at time 3 it is far away, and the other way round.
    grz_flight flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){-1, 0, 0}, 3.0);
    assert_int_equal(flying_advance(&level, &options, 4.0, &flight, &bounce, 1), 0);
    assert_true(flight.state == GRZ_FLIGHT_FLIES && flight.position[0] == -1.0);
    flight = grz_flight_from((double[3]){2, 0, 0}, (double[3]){-1, 0, 0}, 3.0);
    assert_int_equal(flying_advance(&level, &options, 4.0, &flight, &bounce, 1), 0);
    assert_true(flight.state == GRZ_FLIGHT_STARTS_INSIDE && flight.position[0] == 2.0 && flight.now == 3.0);
    test_level_finish(&level);
}

// ---- Laws ---------------------------------------------------------------------------------------------------------

// Motions of zeros are no motions, to the bit.
static void rest_is_rest(void **state)
{
    random_stream random = {.state = 5};
    (void)state;
    for (int i = 0; i < 40; i++) {
        test_level level = flying_stones(&random, 6, true);
        const grz_flight_motion motions[7] = {{.since = 3.0}, {.centre = {1, 2, 3}}};
        grz_flight_options options = flying_ball(0.125, motions);
        options.acceleration[2] = i % 2 ? -9.81 : 0.0;
        options.restitution = i % 3 ? 0.75 : 1.0;
        options.friction = i % 5 ? 0.25 : 0.0;
        options.skin = 0x1p-12;
        double p[3], v[3] = {random_signed(&random), random_signed(&random), random_signed(&random)};
        if (flying_place(&level, &options, 0.0, &random, p)) {
            grz_flight x = grz_flight_from(p, v, 0.0), y = x;
            grz_bounce a[MOST], b[MOST];
            const uint64_t found = flying_advance(&level, &options, 3.0, &x, a, MOST);
            options.motions = NULL;
            assert_int_equal(flying_advance(&level, &options, 3.0, &y, b, MOST), found);
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
        grz_flight_motion motion = {
            .velocity = {flying_dyadic(&random), flying_dyadic(&random), flying_dyadic(&random)}};
        for (int k = 0; k < 3 && i % 3 == 0; k++)
            motion.acceleration[k] = flying_dyadic(&random);
        grz_flight_options options = flying_ball(0.25, &motion);
        options.skin = 0x1p-10;
        const double p[3] = {flying_dyadic(&random), flying_dyadic(&random), flying_dyadic(&random)},
                     v[3] = {flying_dyadic(&random), flying_dyadic(&random), flying_dyadic(&random)};
        double seen[3];
        for (int k = 0; k < 3; k++) {
            options.acceleration[k] = i % 4 == 0 ? flying_dyadic(&random) : 0.0;
            seen[k] = v[k] - motion.velocity[k];
        }
        grz_flight x = grz_flight_from(p, v, 0.0), y = grz_flight_from(p, seen, 0.0);
        grz_bounce a, b;
        const uint64_t found = flying_advance(&level, &options, 4.0, &x, &a, 1);
        options.motions = NULL;
        for (int k = 0; k < 3; k++)
            options.acceleration[k] -= motion.acceleration[k];
        assert_int_equal(flying_advance(&level, &options, 4.0, &y, &b, 1), found);
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
        test_level level = flying_stones(&random, 5, round % 4 > 0);
        grz_flight_motion motions[6] = {{.since = 0.0}};
        for (uint32_t i = round % 4 > 0; i < level.count; i++)
            motions[i] = flying_motion(&random);
        grz_flight_options options = flying_ball(round % 5 == 0 ? 0.0 : 0.0625, motions);
        options.skin = 0x1p-10;
        options.acceleration[2] = round % 2 ? -10.0 : 0.0;
        options.restitution = 0.75;
        options.friction = round % 3 ? 0.5 : 0.0;
        double p[3], v[3];
        if (flying_place(&level, &options, 0.0, &random, p)) {
            flying_aim(&level, &options, &random, p, v);
            grz_bounce at_30[512], at_120[512], at_once[512];
            grz_flight slow = grz_flight_from(p, v, 0.0), fast = slow, once = slow;
            uint64_t a = 0, b = 0;
            for (int i = 1; i <= 45; i++) {
                a += flying_advance(&level, &options, i / 30.0, &slow, at_30 + a, 512 - a);
                for (int j = 4 * i - 3; j <= 4 * i; j++)
                    b += flying_advance(&level, &options, j / 120.0, &fast, at_120 + b, 512 - b);
                assert_memory_equal(&slow, &fast, sizeof slow);
            }
            const uint64_t c = flying_advance(&level, &options, 1.5, &once, at_once, 512);
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
        test_level level = flying_stones(&random, 5, true);
        grz_flight_motion motions[6] = {{.since = 0.0}}, other[6];
        grz_object objects[6];
        for (uint32_t j = 1; j < 6; j++)
            motions[j] = flying_motion(&random);
        for (uint32_t j = 0; j < 6; j++) {
            objects[j] = level.objects[5 - j];
            other[j] = motions[5 - j];
        }
        grz_flight_options options = flying_ball(0.125, motions);
        options.skin = 0x1p-12;
        options.acceleration[2] = -5.0;
        options.restitution = 0.5;
        double p[3];
        if (flying_place(&level, &options, 0.0, &random, p)) {
            grz_flight x = grz_flight_from(p, (double[3]){1, 2, 0}, 0.0), y = x;
            grz_bounce a[MOST], b[MOST];
            uint64_t found;
            grz_error error;
            const uint64_t count = flying_advance(&level, &options, 2.0, &x, a, MOST);
            options.motions = other;
            assert_int_equal(grz_flight_advance(threads, objects, 6, &options, 2.0, &y, b, MOST, &found, &error),
                             GRZ_OK);
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
        const grz_flight_options options = flying_ball(0.25, motions);
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
    grz_flight_options options = flying_ball(0.25, &motion);
    grz_bounce bounce;
    (void)state;
    grz_flight flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){1, 0, 0}, 0.0);
    assert_int_equal(flying_advance(&level, &options, HUGE_VAL, &flight, &bounce, 1), 0);
    assert_true(flight.state == GRZ_FLIGHT_FLIES);
    motion.velocity[0] = 2.0;
    flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){1, 0, 0}, 0.0);
    assert_int_equal(flying_advance(&level, &options, HUGE_VAL, &flight, &bounce, 1), 1);
    assert_true(fabs(bounce.time - 4.75) < 1e-3 && bounce.after[0] == 3.0);
    // After more time than digits are good for in one arc.
    level.objects[0].pose = grz_pose_from_translation(-300, 0, 0);
    options.skin = 0x1p-30;
    flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){1, 0, 0}, 0.0);
    assert_int_equal(flying_advance(&level, &options, HUGE_VAL, &flight, &bounce, 1), 1);
    assert_true(fabs(bounce.time - 304.75) < 1e-6 && bounce.after[0] == 3.0);
    options.skin = 0.0;
    level.objects[0].pose = grz_pose_identity();
    motion.velocity[0] = 1.0;
    motion.spin[0] = 1.0;
    flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){1, 0, 0}, 0.0);
    assert_int_equal(flying_advance(&level, &options, HUGE_VAL, &flight, &bounce, 1), 0);
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
    const grz_flight_options options = flying_ball(0.25, motions);
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
        cmocka_unit_test(the_tip_of_a_blade),
        cmocka_unit_test(a_thrown_rod),
        cmocka_unit_test(between_poses),
        cmocka_unit_test(frame_by_frame),
        cmocka_unit_test(a_lift),
        cmocka_unit_test(a_rocket),
        cmocka_unit_test(what_rests_is_hit),
        cmocka_unit_test(closing_plates),
        cmocka_unit_test(a_start_inside),
        cmocka_unit_test(rest_is_rest),
        cmocka_unit_test(only_relative_motion_counts),
        cmocka_unit_test(the_same_at_any_rate),
        cmocka_unit_test(orders_and_threads),
        cmocka_unit_test(bad_motions),
        cmocka_unit_test(ends_without_an_end),
        cmocka_unit_test(memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
