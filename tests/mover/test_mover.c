// SPDX-License-Identifier: MIT
// grz_mover_step() in levels whose answers are known: planes, slopes, corners, seams, thin walls. Every end of a step
// is measured by the public distance calls.
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

static const double PI = 3.14159265358979323846;

// ---- Planes and corners -------------------------------------------------------------------------------------------

static test_mesh floor_at(double z, double size)
{
    test_mesh mesh = test_mesh_grid(1, 1, 2.0 * size);
    test_mesh_move(&mesh, -size, -size, z);
    return mesh;
}

static void a_sphere_falls_on_a_floor_and_slides(void **state)
{
    test_level level = test_level_of(floor_at(0.0, 10.0));
    const grz_shape shape = test_sphere(0.5);
    double p[3] = {0.0, 0.0, 3.0};
    (void)state;
    grz_mover_answer answer = test_move(&level, &shape, p, (double[3]){0.0, 0.0, -1.0}, NULL);
    assert_int_equal(answer.outcome, GRZ_MOVER_FREE);
    assert_true(p[2] == 2.0 && answer.contact_count == 0);
    answer = test_move(&level, &shape, p, (double[3]){1.0, 0.0, -2.0}, NULL);
    assert_int_equal(answer.outcome, GRZ_MOVER_SLIDE);
    assert_true(fabs(p[0] - 1.0) < 1e-12 && p[2] > 0.5 && p[2] < 0.501);
    assert_int_equal(answer.contact_count, 1);
    assert_true(answer.contacts[0].normal[2] == 1.0 && answer.contacts[0].on_face);
    const double height = p[2];
    for (int i = 0; i < 1000; i++)
        test_move(&level, &shape, p, (double[3]){0.005, -0.001, -0.1}, NULL);
    assert_true(fabs(p[0] - 6.0) < 1e-9 && p[2] == height); // a level floor: not a bit higher or lower
    answer = test_move(&level, &shape, p, (double[3]){0.0, 0.0, -5.0}, NULL);
    assert_int_equal(answer.outcome, GRZ_MOVER_CORNER);
    test_level_finish(&level);
}

static void slopes(void **state)
{
    (void)state;
    for (int round = 0; round < TEST_SHAPES * 17; round += TEST_SANITIZED ? 5 : 1) {
        const int degrees = 5 + 5 * (round % 17);
        const grz_shape shape = test_shape(round / 17, 1.0);
        const double a = degrees * PI / 180.0, n[3] = {-sin(a), 0.0, cos(a)};
        const double along[3] = {cos(a), 0.0, sin(a)};
        double corners[12];
        for (int i = 0; i < 4; i++) {
            const double s = i == 0 || i == 3 ? -20.0 : 20.0, t = i < 2 ? -20.0 : 20.0;
            for (int k = 0; k < 3; k++)
                corners[3 * i + k] = s * along[k] + (k == 1 ? t : 0.0);
        }
        test_level level = test_level_of(test_mesh_make(corners, 4, (const uint32_t[]){0, 1, 2, 0, 2, 3}, 2, 3));
        const double start = test_shape_reach(&shape, n) + 0.01;
        // Flying: the displacement loses its part into the slope.
        double p[3] = {start * n[0], 0.0, start * n[2]};
        const double before[3] = {p[0], p[1], p[2]};
        grz_mover_answer answer = test_move(&level, &shape, p, (double[3]){1.0, 0.25, 0.0}, NULL);
        assert_int_equal(answer.outcome, GRZ_MOVER_SLIDE);
        if (!(fabs(p[1] - 0.25) < 1e-9))
            fail_msg("shape %d, %d degrees: y %.17g", round / 17, degrees, p[1]);
        assert_true(fabs(answer.contacts[0].normal[0] - n[0]) < 1e-12);
        assert_true(fabs((p[0] - before[0]) - cos(a) * cos(a)) < 0.011 / sin(a));
        // Walking with a limit of 45 degrees: up what is not steeper, not up the others, and gravity pulls nobody down.
        grz_mover_options options = grz_default_mover_options();
        options.walk = true;
        options.step_down = 0.05;
        for (int s = 0; s < 50; s++) {
            answer = test_move(&level, &shape, p, (double[3]){0.0, 0.0, -0.02}, &options);
            options.floor = answer.floor;
        }
        const double rest[3] = {p[0], p[1], p[2]};
        answer = test_move(&level, &shape, p, (double[3]){0.0, 0.0, -0.02}, &options);
        if (degrees <= 45) {
            assert_true(answer.floor.stands);
            assert_true(p[0] == rest[0] && p[1] == rest[1] && p[2] == rest[2]);
        } else {
            assert_false(answer.floor.stands);
            assert_true(p[2] < rest[2] - 0.005);
        }
        const double height = p[2];
        options.floor = answer.floor;
        for (int s = 0; s < 50; s++) {
            answer = test_move(&level, &shape, p, (double[3]){0.02, 0.0, -0.001}, &options);
            options.floor = answer.floor;
        }
        assert_true(degrees <= 45 ? p[2] > height + 0.02 : p[2] <= height);
        test_level_finish(&level);
    }
}

// Three faces of a corner, mutually at `angle`-ish: pushing into it ends in a corner, and nothing trembles.
static void acute_corners_hold_still(void **state)
{
    (void)state;
    for (int round = 0; round < 6 * TEST_SHAPES; round++) {
        const int kind = round % 6;
        const grz_shape shape = test_shape(round / 6, 0.25);
        // A wedge of two walls that meet in a vertical line at the origin, opening to +x by 2·half, on a floor.
        const double half = (double[]){2.0, 5.0, 15.0, 30.0, 45.0, 80.0}[kind] * PI / 180.0, x = 10.0 * cos(half),
                     y = 10.0 * sin(half);
        const double corners[] = {0, 0,  -5, x,  y,   -5, x,  y,   5, 0,  0,  5, x,  -y, -5,
                                  x, -y, 5,  -1, -20, 0,  20, -20, 0, 20, 20, 0, -1, 20, 0};
        const uint32_t faces[] = {0, 1, 2, 0, 2, 3, 0, 4, 5, 0, 5, 3, 6, 7, 8, 6, 8, 9};
        test_level level = test_level_of(test_mesh_make(corners, 10, faces, 6, 3));
        double p[3] = {9.0, 0.01, 0.35};
        test_move(&level, &shape, p, (double[3]){-20.0, 0.1, -1.0}, NULL);
        const double first[3] = {p[0], p[1], p[2]};
        assert_true(p[0] > 0.0);
        for (int step = 0; step < (TEST_SANITIZED ? 60 : 300); step++) {
            test_move(&level, &shape, p, (double[3]){-0.5, step % 3 * 0.01 - 0.01, -0.1}, NULL);
            for (int k = 0; k < 3; k++)
                if (!(fabs(p[k] - first[k]) <= (k == 0 ? 1.0 / sin(half) : 1.0) * 0.1 * 0x1p-10))
                    fail_msg("shape %d, kind %d, step %d: %.17g %.17g %.17g, was %.17g %.17g %.17g", round / 6, kind,
                             step, p[0], p[1], p[2], first[0], first[1], first[2]);
        }
        const double rest[3] = {p[0], p[1], p[2]};
        const grz_mover_answer answer = test_move(&level, &shape, p, (double[3]){-0.5, 0.0, -0.1}, NULL);
        if (answer.outcome != GRZ_MOVER_CORNER || memcmp(p, rest, sizeof rest) != 0)
            fail_msg("shape %d, kind %d: outcome %d at %a %a %a, was %a %a %a", round / 6, kind, answer.outcome, p[0],
                     p[1], p[2], rest[0], rest[1], rest[2]);
        test_level_finish(&level);
    }
}

static void thin_walls_stop_any_speed(void **state)
{
    const double wall[] = {0, -50, -50, 0, 50, -50, 0, 50, 50, 0, -50, 50};
    test_level level = test_level_of(test_mesh_make(wall, 4, (const uint32_t[]){0, 1, 2, 3}, 1, 4));
    (void)state;
    for (int exponent = -3; exponent <= 9; exponent++)
        for (int kind = 0; kind < TEST_SHAPES + 2; kind++) {
            const double speed = pow(10.0, exponent);
            const grz_shape shape = kind < TEST_SHAPES    ? test_shape(kind, 1.0)
                                    : kind == TEST_SHAPES ? test_sphere(0.25)
                                                          : test_capsule(0.25, 1.0, (const double[3]){0.6, 0.0, 0.8});
            grz_mover_options options = grz_default_mover_options();
            options.skin = 1e-3;
            double p[3] = {-2.0, 3.0, 1.0};
            const grz_mover_answer answer = test_move(&level, &shape, p, (double[3]){speed, 0.0, 0.0}, &options);
            assert_true(p[0] < -0.24 && p[1] == 3.0);
            assert_int_equal(answer.outcome, exponent <= 0 ? GRZ_MOVER_FREE : GRZ_MOVER_CORNER);
        }
    test_level_finish(&level);
}

// ---- Seams --------------------------------------------------------------------------------------------------------

enum {
    STEPS = TEST_SANITIZED ? 40 : 200
};

// Walk over a floor and write down where it led.
static void walk_over(test_level *level, const grz_shape *shape, double path[STEPS][3])
{
    double p[3] = {0.5, 0.5, 0.7};
    test_move(level, shape, p, (double[3]){0.0, 0.0, -1.0}, NULL);
    for (int i = 0; i < STEPS; i++) {
        test_move(level, shape, p, (double[3]){0.03, 0.02 * sin(i * 0.1), -0.02}, NULL);
        memcpy(path[i], p, sizeof p);
    }
}

static void slivers_are_one_plane(void **state)
{
    static double whole[STEPS][3], cut[STEPS][3];
    const double up[3] = {0.0, 0.0, 1.0};
    const grz_shape shapes[] = {
        test_sphere(0.3),   test_capsule(0.3, 0.4, up), test_capsule(0.2, 0.4, (const double[3]){0.0, 1.0, 0.0}),
        test_shape(2, 0.8), test_shape(3, 0.8),         test_shape(4, 0.8),
        test_shape(5, 0.8)};
    (void)state;
    for (int tilt = 0; tilt < 2; tilt++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            test_level one = test_level_of(test_tilted(floor_at(0.0, 10.0), tilt));
            walk_over(&one, &shapes[i], whole);
            for (int kind = 0; kind < 4; kind++) {
                test_level slivers = test_level_of(test_tilted(test_slivers(kind), tilt));
                walk_over(&slivers, &shapes[i], cut);
                for (int s = 0; s < STEPS; s++)
                    for (int k = 0; k < 3; k++)
                        if (!(fabs(cut[s][k] - whole[s][k]) < 1e-9))
                            fail_msg(
                                "tilt %d, shape %zu, kind %d, step %d: %.17g %.17g %.17g, expected %.17g %.17g %.17g",
                                tilt, i, kind, s, cut[s][0], cut[s][1], cut[s][2], whole[s][0], whole[s][1],
                                whole[s][2]);
                test_level_finish(&slivers);
            }
            test_level_finish(&one);
        }
}

static void boxes_side_by_side_are_one_floor(void **state)
{
    test_level level = {.count = 0};
    (void)state;
    for (int i = 0; i < 8; i++)
        test_level_add(&level, test_mesh_cube(i, 0.0, -1.0, 1.0));
    for (int number = 0; number < 4; number++) {
        const grz_shape shape = test_shape(number, 1.0);
        double p[3] = {0.25, 0.5, 1.0};
        test_move(&level, &shape, p, (double[3]){0.0, 0.0, -1.0}, NULL);
        const double height = p[2];
        for (int i = 0; i < (TEST_SANITIZED ? 60 : 300); i++) {
            const grz_mover_answer answer = test_move(&level, &shape, p, (double[3]){0.02, 0.0, -0.05}, NULL);
            if (!(p[2] == height && answer.contact_count == 1) || !(fabs(p[0] - (0.25 + 0.02 * (i + 1))) < 1e-12))
                fail_msg("shape %d, step %d: %.17g at %.17g, %u contacts", number, i, p[2], p[0], answer.contact_count);
        }
    }
    test_level_finish(&level);
}

// A long step along a hollow of many small faces meets one after the other, and ends where the displacement leads.
static void a_fine_hollow(void **state)
{
    test_level level = test_level_of(test_mesh_icosphere(3.0, 5));
    const grz_shape shape = test_sphere(0.5);
    double p[3] = {-2.0, 0.25, 0.5};
    (void)state;
    grz_mover_answer answer = {.outcome = GRZ_MOVER_FREE};
    uint32_t legs = 0;
    for (int i = 0; i < 4; i++) {
        answer = test_move(&level, &shape, p, (double[3]){0.0, 0.0, -100.0}, NULL);
        legs += answer.iterations;
    }
    if (answer.outcome != GRZ_MOVER_CORNER || !(fabs(p[2] + 2.5) < 0.01) || legs < 50)
        fail_msg("outcome %d at %g %g %g, %u legs", answer.outcome, p[0], p[1], p[2], legs);
    test_level_finish(&level);
}

// ---- Unit velocities through a box --------------------------------------------------------------------------------

static void unit_velocities_stay_in_a_box(void **state)
{
    test_level level = test_level_of(test_mesh_cube(-2.0, -2.0, -2.0, 4.0));
    const grz_shape shapes[] = {test_sphere(0.5),   test_capsule(0.25, 0.5, (const double[3]){0.6, 0.0, 0.8}),
                                test_shape(2, 1.0), test_shape(3, 1.0),
                                test_shape(4, 1.0), test_shape(5, 1.0)};
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int i = 0; i < 27; i++) {
            const int x = i % 3, y = i / 3 % 3, z = i / 9;
            const double displacement[3] = {x - 1, y - 1, z - 1};
            double p[3] = {0.1, -0.2, 0.3};
            grz_mover_answer answer = {.outcome = GRZ_MOVER_FREE};
            for (int step = 0; step < 12; step++)
                answer = test_move(&level, &shapes[s], p, displacement, NULL);
            for (int k = 0; k < 3; k++) {
                const double unit[3] = {k == 0, k == 1, k == 2}, room = 2.0 - test_shape_reach(&shapes[s], unit);
                if (displacement[k] == 0.0)
                    assert_true(fabs(p[k] - (const double[]){0.1, -0.2, 0.3}[k]) < 1e-9);
                else
                    assert_true(fabs(p[k] - displacement[k] * room) <= test_shape_thickness(&shapes[s]) * 0x1p-10);
            }
            const int walls = (displacement[0] != 0.0) + (displacement[1] != 0.0) + (displacement[2] != 0.0);
            assert_int_equal(answer.outcome, walls == 0 ? GRZ_MOVER_FREE : GRZ_MOVER_CORNER);
        }
    test_level_finish(&level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_falls_on_a_floor_and_slides),
        cmocka_unit_test(slopes),
        cmocka_unit_test(acute_corners_hold_still),
        cmocka_unit_test(thin_walls_stop_any_speed),
        cmocka_unit_test(slivers_are_one_plane),
        cmocka_unit_test(boxes_side_by_side_are_one_floor),
        cmocka_unit_test(a_fine_hollow),
        cmocka_unit_test(unit_velocities_stay_in_a_box),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
