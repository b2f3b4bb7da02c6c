// SPDX-License-Identifier: MIT
// Objects that move while a mover rests, stands or walks (grz_mover_options::earlier_poses): what is fast and thin
// does not pass through, what pushes is said, and what leaves no room crushes. Each end is measured.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_devices.h"
#include "support_meshes.h"
#include "support_movers.h"

static const double NONE[3] = {0.0, 0.0, 0.0};

static grz_pose turned_about(const double axis[3], double angle, const double at[3])
{
    const double s = sin(0.5 * angle), q[4] = {axis[0] * s, axis[1] * s, axis[2] * s, cos(0.5 * angle)};
    grz_pose pose;
    grz_error error;
    if (grz_pose_from_quaternion(at, q, &pose, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return pose;
}

// A wall in the plane x = 0, without thickness.
static test_mesh sheet(double size)
{
    const double corners[] = {0, -size, -size, 0, size, -size, 0, size, size, 0, -size, size};
    return test_mesh_make(corners, 4, (const uint32_t[]){0, 1, 2, 3}, 1, 4);
}

static void a_fast_thin_wall_pushes(void **state)
{
    (void)state;
    for (int i = 0; i < TEST_SHAPES * 5; i++) {
        const grz_shape shape = test_shape(i / 5, 1.0);
        const double speed = pow(10.0, i % 5), reach = test_shape_reach(&shape, (const double[3]){1.0, 0.0, 0.0}),
                     skin = fmax(test_shape_thickness(&shape) * 0x1p-10, speed * 0x1p-43);
        test_level level = test_level_of(sheet(50.0));
        const grz_pose earlier = grz_pose_from_translation(-2.0, 0.0, 0.0);
        grz_mover_options options = grz_default_mover_options();
        options.skin = skin;
        options.earlier_poses = &earlier;
        level.objects[0].pose = grz_pose_from_translation(speed, 0.0, 0.0);
        double p[3] = {0.0, 3.0, 1.0};
        const grz_mover_answer answer = test_move(&level, &shape, p, NONE, &options);
        const double expected = fmax(0.0, speed + reach);
        if (answer.outcome != GRZ_MOVER_FREE || !(fabs(p[0] - expected) <= 2.0 * skin) || fabs(p[1] - 3.0) > skin ||
            fabs(p[2] - 1.0) > skin || answer.crushed_at != 1.0)
            fail_msg("shape %d, speed %g: outcome %d at %.17g %g %g, expected %.17g", i / 5, speed, answer.outcome,
                     p[0], p[1], p[2], expected);
        assert_true(fabs(answer.pushed[0] - p[0]) <= skin && fabs(answer.pushed[1]) < skin);
        assert_false(answer.started_inside);
        test_level_finish(&level);
    }
}

// A wall that goes away, or has not come near: nothing is moved.
static void what_does_not_push(void **state)
{
    (void)state;
    for (int i = 0; i < TEST_SHAPES * 2; i++) {
        const grz_shape shape = test_shape(i / 2, 1.0);
        test_level level = test_level_of(sheet(50.0));
        const grz_pose earlier = grz_pose_from_translation(i % 2 ? -2.0 : -9.0, 0.0, 0.0);
        grz_mover_options options = grz_default_mover_options();
        options.earlier_poses = &earlier;
        level.objects[0].pose = grz_pose_from_translation(i % 2 ? -9.0 : -2.0, 0.0, 0.0);
        double p[3] = {0.0, 0.0, 0.0};
        const grz_mover_answer answer = test_move(&level, &shape, p, NONE, &options);
        assert_true(memcmp(p, NONE, sizeof p) == 0 && memcmp(answer.pushed, NONE, sizeof NONE) == 0);
        assert_true(answer.crushed_at == 1.0 && answer.outcome == GRZ_MOVER_FREE);
        test_level_finish(&level);
    }
}

// A wall moves over a floor towards another wall. `stays`: the other wall, or what pushes, leaves room.
static void between_two_walls(void **state)
{
    (void)state;
    for (int i = 0; i < TEST_SHAPES * 3; i++) {
        const int kind = i % 3; // 0: there is room; 1: there is none; 2: none on the way, but beyond it
        const grz_shape shape = test_shape(i / 3, 1.0);
        const double reach = test_shape_reach(&shape, (const double[3]){1.0, 0.0, 0.0}),
                     up = test_shape_reach(&shape, (const double[3]){0.0, 0.0, 1.0}),
                     goal = kind == 0   ? 3.0 - 2.0 * reach - 0.01
                            : kind == 1 ? 3.0 - 2.0 * reach + 0.01
                                        : 2000.0;
        test_level level = {.count = 0};
        test_level_add(&level, sheet(9.0));
        test_level_add(&level, test_mesh_box((double[3]){3, -9, -9}, (double[3]){4, 9, 9}));
        test_level_add(&level, test_mesh_box((double[3]){-9, -9, -1}, (double[3]){3, 9, 0}));
        level.objects[0].pose = grz_pose_from_translation(goal, 0.0, 0.0);
        const grz_pose earlier[] = {grz_pose_from_translation(-3.0, 0.0, 0.0), level.objects[1].pose,
                                    level.objects[2].pose};
        grz_mover_options options = grz_default_mover_options();
        options.earlier_poses = earlier;
        double p[3] = {0.0, 0.0, up + 1e-4};
        const grz_mover_answer answer = test_move(&level, &shape, p, (double[3]){0.0, 1.0, 0.0}, &options);
        if (kind == 0) {
            if (answer.outcome == GRZ_MOVER_CRUSHED || answer.crushed_at != 1.0 ||
                !(fabs(p[0] - (goal + reach)) < 2e-3))
                fail_msg("shape %d: outcome %d at %g %g %g, until %g", i / 3, answer.outcome, p[0], p[1], p[2],
                         answer.crushed_at);
            assert_true(fabs(p[1] - 1.0) < 1e-3);
        } else {
            // Outside where the wall is at that time.
            const double wall = -3.0 + answer.crushed_at * (goal + 3.0);
            if (answer.outcome != GRZ_MOVER_CRUSHED || !(fabs(wall - (3.0 - 2.0 * reach)) < 4e-3) ||
                !(answer.crushed_at > 0.0 && answer.crushed_at < 1.0))
                fail_msg("shape %d, kind %d: outcome %d at %g, until %g: the wall at %g, expected %g", i / 3, kind,
                         answer.outcome, p[0], answer.crushed_at, wall, 3.0 - 2.0 * reach);
            level.objects[0].pose = grz_pose_from_translation(wall, 0.0, 0.0);
            assert_true(test_is_free(&level, &shape, p, 0.0));
            assert_true(fabs(p[1]) < 1e-2); // the displacement is not done
        }
        test_level_finish(&level);
    }
}

// What has crushed a mover may be far beyond it in the end. With a clean-up the mover goes on from where it is, and
// that it was crushed is still said. Where it cannot be put out, it stays crushed.
static void crushed_and_cleaned_up(void **state)
{
    const grz_shape shape = test_sphere(0.3);
    test_level level = {.count = 0};
    (void)state;
    test_level_add(&level, sheet(9.0));
    test_level_add(&level, test_mesh_box((double[3]){1, -9, -9}, (double[3]){2, 9, 9}));
    const grz_pose earlier[] = {grz_pose_from_translation(-2.0, 0.0, 0.0), level.objects[1].pose};
    grz_mover_options options = grz_default_mover_options();
    options.earlier_poses = earlier;
    for (int i = 0; i < 4; i++) {
        const bool beyond = i % 2, cleans = i / 2;
        double p[3] = {0.0, 0.0, 0.0};
        level.objects[0].pose = grz_pose_from_translation(beyond ? 50.0 : 0.6, 0.0, 0.0);
        options.clean_up = cleans ? GRZ_MOVER_CLEAN_UP_SHORTEST : GRZ_MOVER_CLEAN_UP_NONE;
        const grz_mover_answer answer = test_move(&level, &shape, p, (double[3]){0.0, 0.5, 0.0}, &options);
        assert_true(answer.crushed_at < 1.0 && answer.pushed[0] > 0.5);
        assert_int_equal(answer.outcome, beyond && cleans ? GRZ_MOVER_FREE : GRZ_MOVER_CRUSHED);
        assert_true(answer.started_inside == !beyond);
        assert_true(fabs(p[1] - (beyond && cleans ? 0.5 : 0.0)) < 1e-6);
    }
    test_level_finish(&level);
}

// A bar that turns about the z axis sweeps the mover along; a thin one that turns fast, too.
static void what_turns_pushes(void **state)
{
    const double axis[3] = {0.0, 0.0, 1.0};
    (void)state;
    for (int i = 0; i < TEST_SHAPES * 2; i++) {
        const grz_shape shape = test_shape(i / 2, 0.5);
        const double thin = i % 2 ? 0.0005 : 0.2, rate = i % 2 ? 0.5 : 0.02;
        test_level level = test_level_of(test_mesh_box((double[3]){0, -thin, -2}, (double[3]){4, thin, 2}));
        grz_mover_options options = grz_default_mover_options();
        double p[3] = {2.0, 0.8, 0.0};
        double angle = 0.0, pushed = 0.0;
        while (angle < 1.5) {
            const grz_pose earlier = level.objects[0].pose;
            angle += rate;
            level.objects[0].pose = turned_about(axis, angle, NONE);
            options.earlier_poses = &earlier;
            const grz_mover_answer answer = test_move(&level, &shape, p, NONE, &options);
            const double gap = p[1] * cos(angle) - p[0] * sin(angle); // above the bar
            if (answer.outcome != GRZ_MOVER_FREE || answer.started_inside || !(gap > 0.0) || answer.crushed_at != 1.0)
                fail_msg("shape %d, thin %g, angle %g: outcome %d, inside %d at %g %g %g", i / 2, thin, angle,
                         answer.outcome, answer.started_inside, p[0], p[1], p[2]);
            pushed += sqrt(answer.pushed[0] * answer.pushed[0] + answer.pushed[1] * answer.pushed[1]);
        }
        assert_true(pushed > 0.5);
        test_level_finish(&level);
    }
}

// A lift carries a walker against a ceiling: it is crushed there, and the lift's floor never passes through it.
static void a_lift_and_a_ceiling(void **state)
{
    const double up[3] = {0.0, 0.0, 1.0};
    (void)state;
    for (int number = 0; number < 4; number++) {
        const grz_shape shape = test_shape(number, 1.0);
        const double height = test_shape_reach(&shape, up);
        test_level level = {.count = 0};
        test_level_add(&level, test_mesh_box((double[3]){-1, -1, -0.5}, (double[3]){1, 1, 0}));
        test_level_add(&level, test_mesh_box((double[3]){-9, -9, 4}, (double[3]){9, 9, 5}));
        grz_mover_options options = grz_default_mover_options();
        options.walk = true;
        options.step_up = options.step_down = 0.25;
        double p[3] = {0.25, 0.0, height + 0.01};
        options.floor = test_move(&level, &shape, p, (double[3]){0.0, 0.0, -0.1}, &options).floor;
        grz_pose earlier[2] = {level.objects[0].pose, level.objects[1].pose};
        options.earlier_poses = earlier;
        double z = 0.0;
        grz_mover_answer answer = {.outcome = GRZ_MOVER_FREE};
        for (int step = 0; step < 1000 && answer.outcome != GRZ_MOVER_CRUSHED; step++) {
            earlier[0] = level.objects[0].pose;
            z += 0.05;
            level.objects[0].pose = grz_pose_from_translation(0.0, 0.0, z);
            answer = test_move(&level, &shape, p, (double[3]){0.0, 0.0, -0.02}, &options);
            options.floor = answer.floor;
            if (answer.outcome != GRZ_MOVER_CRUSHED && !(answer.carried[2] > 0.0499 && answer.floor.stands))
                fail_msg("shape %d, step %d: carried %g", number, step, answer.carried[2]);
        }
        assert_int_equal(answer.outcome, GRZ_MOVER_CRUSHED);
        assert_true(fabs(z - 0.05 + 0.05 * answer.crushed_at - (4.0 - 2.0 * height)) < 4e-3);
        assert_true(fabs(p[2] - (4.0 - height)) < 2e-3);
        test_level_finish(&level);
    }
}

// Moving, and order of triangles and objects: the same bytes.
static void orders_do_not_matter(void **state)
{
    random_stream random = {.state = 321};
    (void)state;
    for (int i = 0; i < TEST_SHAPES * 20; i++) {
        const grz_shape shape = test_shape(i / 20, 0.5);
        test_mesh soup = test_mesh_random_triangles(&random, 60, 1.0, 0), other = test_mesh_copy(&soup);
        test_mesh_shuffle(&other, &random, NULL);
        test_level one = test_level_of(soup), two = test_level_of(sheet(3.0));
        test_level_add(&one, sheet(3.0));
        test_level_add(&two, other);
        const double axis[3] = {0.6, 0.0, 0.8}, to[3] = {random_signed(&random), random_signed(&random), 0.0};
        const grz_pose moved = turned_about(axis, 0.4, to), start = grz_pose_from_translation(0.0, 0.0, 0.0),
                       wall = grz_pose_from_translation(-4.0, 0.0, 0.0);
        const grz_pose earlier_one[2] = {start, wall}, earlier_two[2] = {wall, start};
        one.objects[0].pose = two.objects[1].pose = moved;
        one.objects[1].pose = two.objects[0].pose = grz_pose_from_translation(-1.0, 0.0, 0.0);
        grz_mover_options a = grz_default_mover_options(), b = grz_default_mover_options();
        a.earlier_poses = earlier_one;
        b.earlier_poses = earlier_two;
        for (int j = 0; j < 8; j++) {
            grz_mover_answer x, y;
            grz_error error;
            const double p[3] = {2.0 * random_signed(&random), 2.0 * random_signed(&random),
                                 2.0 * random_signed(&random)},
                         displacement[3] = {random_signed(&random), random_signed(&random), random_signed(&random)};
            assert_int_equal(grz_mover_step(test_device, one.objects, 2, &shape, p, displacement, &a, &x, &error),
                             GRZ_OK);
            assert_int_equal(grz_mover_step(test_device, two.objects, 2, &shape, p, displacement, &b, &y, &error),
                             GRZ_OK);
            assert_memory_equal(x.position, y.position, sizeof x.position);
            assert_memory_equal(x.pushed, y.pushed, sizeof x.pushed);
            assert_true(x.outcome == y.outcome && x.crushed_at == y.crushed_at && x.contact_count == y.contact_count);
            if (x.outcome != GRZ_MOVER_START_INSIDE && x.outcome != GRZ_MOVER_CRUSHED)
                assert_true(test_is_free(&one, &shape, x.position, 0.0));
        }
        test_level_finish(&one);
        test_level_finish(&two);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fast_thin_wall_pushes), cmocka_unit_test(what_does_not_push),
        cmocka_unit_test(between_two_walls),       cmocka_unit_test(crushed_and_cleaned_up),
        cmocka_unit_test(what_turns_pushes),       cmocka_unit_test(a_lift_and_a_ceiling),
        cmocka_unit_test(orders_do_not_matter),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
