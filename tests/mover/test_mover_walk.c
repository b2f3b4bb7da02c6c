// SPDX-License-Identifier: MIT
// Walking with grz_mover_step(): stairs at 60 to 360 steps a second, floors that fall away, platforms that rise, sink
// and turn, and movers that something has moved into.
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
#include "support_sanitizer.h"

static const double UP[3] = {0.0, 0.0, 1.0};

// A staircase along x from 0: `count` treads of depth 0.3, each `rise` higher; before it a floor at z = 0.
static test_mesh stairs(int count, double rise)
{
    test_mesh mesh = {.vertex_count = 0};
    for (int i = 0; i <= count; i++) {
        const double from = i == 0 ? -10.0 : 0.3 * (i - 1), to = i == count ? 20.0 : 0.3 * i, z = rise * i;
        const uint32_t first = test_mesh_add_vertex(&mesh, from, -2.0, z);
        test_mesh_add_vertex(&mesh, to, -2.0, z);
        test_mesh_add_vertex(&mesh, to, 2.0, z);
        test_mesh_add_vertex(&mesh, from, 2.0, z);
        test_mesh_add_face(&mesh, (const uint32_t[]){first, first + 1, first + 2, first + 3}, 4);
        if (i < count) {
            const uint32_t riser = test_mesh_add_vertex(&mesh, to, -2.0, z);
            test_mesh_add_vertex(&mesh, to, 2.0, z);
            test_mesh_add_vertex(&mesh, to, 2.0, z + rise);
            test_mesh_add_vertex(&mesh, to, -2.0, z + rise);
            test_mesh_add_face(&mesh, (const uint32_t[]){riser, riser + 1, riser + 2, riser + 3}, 4);
        }
    }
    return mesh;
}

static grz_mover_options walking(void)
{
    grz_mover_options options = grz_default_mover_options();
    options.walk = true;
    options.step_up = options.step_down = 0.25;
    return options;
}

static void stairs_at_all_rates(void **state)
{
    static const int rates[] = {60, 90, 120, 144, 240, 360};
    const grz_shape shapes[] = {test_sphere(0.3), test_capsule(0.3, 0.5, UP), test_capsule(0.1, 0.5, UP),
                                test_shape(2, 1.0), test_shape(3, 1.0)};
    test_level level = test_level_of(stairs(10, 0.2));
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t r = TEST_SANITIZED ? s % 3 : 0; r < sizeof rates / sizeof *rates; r += TEST_SANITIZED ? 3 : 1) {
            grz_mover_options options = walking();
            double p[3] = {-1.0, 0.0, test_shape_reach(&shapes[s], UP) + 0.01};
            const double speed = 1.5 / rates[r];
            grz_mover_answer answer;
            for (int i = 0; i < 4 * rates[r]; i++) { // 6 metres up
                answer = test_move(&level, &shapes[s], p, (double[3]){speed, 0.0, -0.01}, &options);
                options.floor = answer.floor;
                if (!answer.floor.stands)
                    fail_msg("shape %zu, %d Hz, step %d: no floor at %g %g", s, rates[r], i, p[0], p[2]);
            }
            // No stair takes time: it is as far as on a plane.
            if (!(fabs(p[0] - 5.0) < 0.1) || !(fabs(p[2] - (2.0 + test_shape_reach(&shapes[s], UP))) < 1e-3))
                fail_msg("shape %zu, %d Hz: at %g %g", s, rates[r], p[0], p[2]);
            for (int i = 0; i < 4 * rates[r]; i++) { // and down, never in the air
                answer = test_move(&level, &shapes[s], p, (double[3]){-speed, 0.0, -0.01}, &options);
                options.floor = answer.floor;
                assert_true(answer.floor.stands);
            }
            assert_true(fabs(p[0] + 1.0) < 0.1 && fabs(p[2] - (test_shape_reach(&shapes[s], UP))) < 1e-3);
        }
    test_level_finish(&level);
}

static void stairs_too_high_are_walls(void **state)
{
    test_level level = test_level_of(stairs(3, 0.29));
    const grz_shape shapes[] = {test_sphere(0.3), test_capsule(0.5, 0.5, UP), test_shape(2, 1.0), test_shape(3, 1.0)};
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int rate = 60; rate <= 360; rate += 300) {
            grz_mover_options options = walking();
            double p[3] = {-1.0, 0.0, test_shape_reach(&shapes[s], UP) + 0.01};
            for (int i = 0; i < 3 * rate; i++)
                options.floor = test_move(&level, &shapes[s], p, (double[3]){1.0 / rate, 0.0, -0.01}, &options).floor;
            if (!(p[0] < 0.0 && p[2] < test_shape_reach(&shapes[s], UP) + 0.01))
                fail_msg("shape %zu, %d Hz: at %g %g", s, rate, p[0], p[2]);
        }
    test_level_finish(&level);
}

static void a_floor_that_falls_away(void **state)
{
    // Down a ramp of 20 degrees at a run: with step_down on the floor at every step, without it in the air.
    const double fall = tan(20.0 * 3.14159265358979323846 / 180.0);
    const double corners[] = {-5, -5, 0, 0, -5, 0, 0, 5, 0, -5, 5, 0, 20, -5, -20 * fall, 20, 5, -20 * fall};
    const uint32_t faces[] = {0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2};
    test_level level = test_level_of(test_mesh_make(corners, 6, faces, 4, 3));
    (void)state;
    for (int i = 0; i < 6; i++) {
        const int sticks = i % 2;
        const grz_shape shape = test_shape(1 + i / 2, 1.0);
        grz_mover_options options = walking();
        options.step_down = sticks ? 0.25 : 0.0;
        double p[3] = {-1.0, 0.0, 0.8002};
        int in_air = 0;
        for (int step = 0; step < 120; step++) {
            const grz_mover_answer answer = test_move(&level, &shape, p, (double[3]){0.1, 0.0, -0.001}, &options);
            options.floor = answer.floor;
            in_air += step > 2 && !answer.floor.stands;
        }
        if (sticks ? in_air != 0 : in_air <= 50)
            fail_msg("shape %d, sticks %d: %d steps in the air, at %g %g", i / 2, sticks, in_air, p[0], p[2]);
    }
    test_level_finish(&level);
}

// A platform, and beside it the ground.
static test_level platform_level(void)
{
    test_level level = {.count = 0};
    test_level_add(&level, test_mesh_box((double[3]){-1, -1, -0.5}, (double[3]){1, 1, 0}));
    test_level_add(&level, test_mesh_box((double[3]){-9, -9, -3}, (double[3]){9, 9, -2}));
    return level;
}

static void platforms_carry(void **state)
{
    static const char *const kinds[] = {"rising", "sinking", "turning", "sideways"};
    (void)state;
    for (int round = 0; round < 4 * 4; round++) {
        const int kind = round % 4;
        const grz_shape shape = test_shape(round / 4, 1.0);
        test_level level = platform_level();
        grz_mover_options options = walking();
        grz_pose earlier[2] = {level.objects[0].pose, level.objects[1].pose};
        double p[3] = {0.5, 0.25, test_shape_reach(&shape, UP) + 0.01};
        options.floor = test_move(&level, &shape, p, (double[3]){0.0, 0.0, -0.1}, &options).floor;
        options.earlier_poses = earlier;
        const double start[3] = {p[0], p[1], p[2]};
        for (int i = 1; i <= 200; i++) {
            const double t = i / 100.0, half_turn[4] = {0.0, 0.0, sin(0.5 * t), cos(0.5 * t)};
            const double at[3] = {kind == 3 ? t : 0.0, 0.0, kind == 0 ? t : kind == 1 ? -0.5 * t : 0.0};
            grz_error error;
            earlier[0] = level.objects[0].pose;
            if (kind == 2)
                assert_int_equal(grz_pose_from_quaternion(at, half_turn, &level.objects[0].pose, &error), GRZ_OK);
            else
                level.objects[0].pose = grz_pose_from_translation(at[0], at[1], at[2]);
            const grz_mover_answer answer = test_move(&level, &shape, p, (double[3]){0.0, 0.0, -0.02}, &options);
            options.floor = answer.floor;
            if (!answer.floor.stands || answer.started_inside || answer.floor.object != 0)
                fail_msg("shape %d, %s, step %d: %d %d at %g %g %g", round / 4, kinds[kind], i, answer.floor.stands,
                         answer.started_inside, p[0], p[1], p[2]);
            const double expected[3] = {kind == 2 ? start[0] * cos(t) - start[1] * sin(t) : start[0] + at[0],
                                        kind == 2 ? start[0] * sin(t) + start[1] * cos(t) : start[1], start[2] + at[2]};
            for (int k = 0; k < 3; k++)
                if (!(fabs(p[k] - expected[k]) < 1e-3))
                    fail_msg("shape %d, %s, step %d: %g %g %g", round / 4, kinds[kind], i, p[0], p[1], p[2]);
        }
        test_level_finish(&level);
    }
}

static void what_moves_into_a_mover(void **state)
{
    test_level level = platform_level();
    const grz_shape shape = test_sphere(0.3);
    const double none[3] = {0.0, 0.0, 0.0};
    (void)state;
    double p[3] = {0.0, 0.0, 0.2}, q[3] = {0.9, 0.0, 0.25};
    grz_mover_options options = grz_default_mover_options();
    grz_mover_answer answer = test_move(&level, &shape, p, (double[3]){0.0, 0.0, 1.0}, &options);
    assert_int_equal(answer.outcome, GRZ_MOVER_START_INSIDE);
    assert_true(answer.started_inside && p[2] == 0.2 && p[0] == 0.0);
    options.clean_up = GRZ_MOVER_CLEAN_UP_SHORTEST;
    answer = test_move(&level, &shape, p, none, &options);
    assert_true(answer.started_inside && answer.outcome == GRZ_MOVER_FREE);
    assert_true(p[0] == 0.0 && p[2] > 0.3 && p[2] < 0.3 + 0.3 * 0x1p-10);
    answer = test_move(&level, &shape, q, (double[3]){0.0, 0.0, 0.5}, &options);
    assert_true(answer.started_inside && q[2] > 0.8 && q[2] < 0.801);
    // Back against the displacement: through the platform's side, not its top, which is nearer.
    double b[3] = {0.75, 0.0, 0.2};
    options.clean_up = GRZ_MOVER_CLEAN_UP_BACK;
    answer = test_move(&level, &shape, b, (double[3]){-1e-6, 0.0, 0.0}, &options);
    assert_true(answer.started_inside && answer.outcome == GRZ_MOVER_SLIDE);
    assert_true(fabs(b[0] - (1.0 + sqrt(0.09 - 0.04))) < 1e-3); // beyond the edge of the top
    assert_true(fabs(b[1]) < 1e-6 && fabs(b[2] - 0.2) < 1e-6);
    double c[3] = {0.75, 0.0, 0.2};
    answer = test_move(&level, &shape, c, none, &options);
    assert_true(answer.outcome == GRZ_MOVER_START_INSIDE && c[0] == 0.75);
    options.clean_up = GRZ_MOVER_CLEAN_UP_SHORTEST;
    // Between two walls that leave no room: said, and nothing is moved.
    test_level narrow = {.count = 0};
    test_level_add(&narrow, test_mesh_box((double[3]){-1, -1, -1}, (double[3]){-0.2, 1, 1}));
    test_level_add(&narrow, test_mesh_box((double[3]){0.2, -1, -1}, (double[3]){1, 1, 1}));
    double r[3] = {0.0, 0.0, 0.0};
    answer = test_move(&narrow, &shape, r, (double[3]){0.0, 0.0, 1.0}, &options);
    assert_int_equal(answer.outcome, GRZ_MOVER_START_INSIDE);
    assert_true(r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0);
    test_level_finish(&narrow);
    test_level_finish(&level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stairs_at_all_rates),     cmocka_unit_test(stairs_too_high_are_walls),
        cmocka_unit_test(a_floor_that_falls_away), cmocka_unit_test(platforms_carry),
        cmocka_unit_test(what_moves_into_a_mover),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
