// SPDX-License-Identifier: MIT
// grz_footsteps_correct(): a walking cycle made here, whose feet pass through floors that are flat, stepped and hilly:
// afterwards none passes through, planted feet touch, and no smaller change does it; the corrections over time against
// a search for the least solution; bad input, early ends.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_devices.h"
#include "support_meshes.h"
#include "support_sanitizer.h"

enum {
    FRAMES = 48
};

static const double PI = 3.14159265358979323846;

static grz_mesh *upload(test_mesh mesh)
{
    grz_mesh *made = test_mesh_upload(test_device, &mesh);
    test_mesh_finish(&mesh);
    return made;
}

// A shoe: a box whose sole is a little round.
static test_mesh shoe(void)
{
    test_mesh mesh = test_mesh_box((double[3]){-0.14, -0.05, 0.0}, (double[3]){0.14, 0.05, 0.09});
    for (uint64_t i = 0; i < 4; i++)
        mesh.positions[3 * i] *= 0.8;
    return mesh;
}

// A step of 1.2: half of the cycle on the ground, half in the air; heel first, toe last. It sinks in by some
// centimetres, as recorded movements do.
static void walk(grz_object feet[FRAMES], const grz_mesh *mesh, uint8_t planted[FRAMES])
{
    for (int i = 0; i < FRAMES; i++) {
        const double phase = (double)i / FRAMES, swing = phase < 0.5 ? 0.0 : 2.0 * phase - 1.0,
                     height = 0.16 * sin(PI * swing) * sin(PI * swing) - 0.02 - 0.006 * sin(7.0 * phase + 1.0),
                     tilt = phase < 0.08  ? 0.3 * (1.0 - phase / 0.08)
                            : phase < 0.4 ? 0.0
                                          : -0.6 * sin(2.0 * PI * (phase - 0.4) / 1.2),
                     forward = phase < 0.5 ? 0.0 : 0.6 * (1.0 - cos(PI * swing));
        const double at[3] = {forward, 0.0, height}, turn[4] = {0.0, -sin(0.5 * tilt), 0.0, cos(0.5 * tilt)};
        grz_pose pose;
        assert_int_equal(grz_pose_from_quaternion(at, turn, &pose, NULL), GRZ_OK);
        feet[i] = grz_object_at(mesh, pose);
        planted[i] = i >= 4 && i < 19;
    }
}

static test_mesh floor_of(int kind)
{
    test_mesh mesh = test_mesh_box((double[3]){-2, -2, -1}, (double[3]){3, 2, 0});
    if (kind == 1)
        test_mesh_take(&mesh, test_mesh_box((double[3]){0.5, -2, -1}, (double[3]){3, 2, 0.07}));
    if (kind == 2) { // hills, open
        test_mesh_finish(&mesh);
        mesh = test_mesh_grid(40, 20, 0.1);
        for (uint64_t i = 0; i < mesh.vertex_count; i++) {
            double *p = mesh.positions + 3 * i;
            p[0] -= 1.0;
            p[1] -= 1.0;
            p[2] = 0.05 * sin(9.0 * p[0]) * cos(5.0 * p[1]);
        }
    }
    return mesh;
}

static grz_footsteps_options options_for(const uint8_t *planted, double slope)
{
    grz_footsteps_options options = grz_default_footsteps_options();
    options.reach = 0.5;
    options.slope = slope;
    options.planted = planted;
    return options;
}

static void correct(const grz_object *feet, const grz_object *floor, const grz_footsteps_options *options,
                    grz_footstep steps[FRAMES])
{
    grz_error error;
    if (grz_footsteps_correct(test_device, feet, FRAMES, floor, 1, options, steps, &error) != GRZ_OK)
        fail_msg("%s", error.message);
}

// How far a foot that was moved up is inside of the floor, or above it, by other calls.
static double depth_of(const grz_object *foot, const grz_object *floor, double up)
{
    const double way[3] = {0, 0, 1};
    grz_object moved = *foot;
    grz_penetration_answer answer;
    grz_error error;
    moved.pose.m[2][3] += up;
    assert_int_equal(grz_penetration_along(test_device, &moved, floor, way, NULL, &answer, &error), GRZ_OK);
    assert_int_equal(answer.certainty, GRZ_EXACT);
    return answer.upper;
}

static double distance_of(const grz_object *foot, const grz_object *floor, double up)
{
    grz_object moved = *foot;
    grz_distance_answer answer;
    grz_error error;
    moved.pose.m[2][3] += up;
    assert_int_equal(grz_distance(test_device, &moved, floor, NULL, &answer, &error), GRZ_OK);
    return answer.distance;
}

static void no_foot_passes_through(void **state)
{
    grz_mesh *mesh = upload(shoe());
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        grz_mesh *ground = upload(floor_of(kind));
        const grz_object floor = grz_object_at_origin(ground);
        grz_object feet[FRAMES];
        grz_footstep steps[FRAMES];
        uint8_t planted[FRAMES];
        int through = 0, raised = 0;
        walk(feet, mesh, planted);
        const grz_footsteps_options options = options_for(planted, 0.004);
        correct(feet, &floor, &options, steps);
        for (int i = 0; i < FRAMES; i++) {
            const grz_footstep *s = &steps[i];
            assert_true(s->lower <= s->lift && s->lift <= s->upper && s->upper - s->lower < 1e-14);
            assert_true(s->face_foot < 12 && s->object == 0);
            const bool asked = !TEST_SANITIZED || i % 4 == 0; // what other queries say
            through += s->lift > 0.0;
            if (planted[i]) {
                assert_true(s->correction == s->upper);
                assert_true(!asked || distance_of(&feet[i], &floor, s->correction) < 1e-13);
            } else {
                assert_true(s->correction >= s->upper && s->correction >= 0.0);
                raised += s->correction > fmax(s->upper, 0.0);
            }
            if (kind < 2 && asked) { // closed: the depth is known
                const double depth = depth_of(&feet[i], &floor, 0.0);
                assert_true(fabs(depth - fmax(s->lift, 0.0)) < 1e-13);
                assert_true(depth_of(&feet[i], &floor, s->correction) < 1e-13);
            } else if (kind == 2 && asked && s->correction > s->upper + 1e-13) {
                assert_true(distance_of(&feet[i], &floor, s->correction) > 0.0);
            }
            const int next = (i + 1) % FRAMES;
            if (i + 1 < FRAMES && !planted[i] && !planted[next])
                assert_true(fabs(steps[next].correction - s->correction) <= 0.004 + 1e-15);
        }
        assert_true(through > 20 && raised >= (kind == 1 ? 3 : 1));
        grz_mesh_destroy(ground);
    }
    grz_mesh_destroy(mesh);
}

// Hovering feet that are planted come down; others stay. Where there is no floor nothing is changed.
static void feet_above_the_floor(void **state)
{
    grz_mesh *mesh = upload(shoe()), *ground = upload(floor_of(0));
    const grz_object floor = grz_object_at_origin(ground);
    grz_object feet[FRAMES];
    grz_footstep steps[FRAMES];
    uint8_t planted[FRAMES] = {1};
    (void)state;
    for (int i = 0; i < FRAMES; i++)
        feet[i] = grz_object_at(mesh, grz_pose_from_translation(i == 2 ? 9.0 : 0.0, 0.0, i == 3 ? 2.0 : 0.125));
    const grz_footsteps_options options = options_for(planted, HUGE_VAL);
    correct(feet, &floor, &options, steps);
    assert_true(steps[0].lift == -0.125 && fabs(steps[0].correction + 0.125) < 1e-15);
    assert_true(steps[1].lift == -0.125 && steps[1].correction == 0.0);
    assert_true(steps[2].lift == -HUGE_VAL && steps[2].correction == 0.0 && steps[2].face_floor == GRZ_NO_FACE);
    assert_true(steps[3].lift == -HUGE_VAL && steps[3].correction == 0.0);
    // Two floors: the higher one counts.
    const grz_object floors[2] = {floor, grz_object_at(ground, grz_pose_from_translation(0, 0, 0.25))};
    grz_error error;
    assert_int_equal(grz_footsteps_correct(test_device, feet, 2, floors, 2, &options, steps, &error), GRZ_OK);
    assert_true(steps[1].lift == 0.125 && steps[1].object == 1);
    grz_mesh_destroy(mesh);
    grz_mesh_destroy(ground);
}

// The least solution, by raising whatever is too low until nothing is.
static void raise_until_right(double *c, const uint8_t *planted, int count, double slope, bool cyclic)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (int i = 0; i < count; i++)
            for (int side = -1; side <= 1; side += 2) {
                const int j = cyclic ? (i + side + count) % count : i + side;
                if (j < 0 || j >= count || planted[i] || !(c[i] < c[j] - slope - 1e-12))
                    continue;
                c[i] = c[j] - slope;
                changed = true;
            }
    }
}

// Feet of one sheet each, at random heights below and above a floor: the lifts are known.
static void the_least_corrections(void **state)
{
    random_stream random = {.state = 5};
    test_mesh sole = test_mesh_grid(1, 1, 0.25);
    grz_mesh *mesh = upload(sole), *ground = upload(floor_of(0));
    const grz_object floor = grz_object_at_origin(ground);
    int raised = 0;
    (void)state;
    for (int round = 0; round < (TEST_SANITIZED ? 40 : 200); round++) {
        grz_object feet[FRAMES];
        grz_footstep steps[FRAMES];
        uint8_t planted[FRAMES];
        double expected[FRAMES];
        for (int i = 0; i < FRAMES; i++) {
            const double height = 0.25 * random_signed(&random) + 0.1;
            feet[i] = grz_object_at(mesh, grz_pose_from_translation(0.0, 0.0, height));
            planted[i] = random_below(&random, 6) == 0;
            expected[i] = planted[i] ? -height : fmax(0.0, -height);
        }
        grz_footsteps_options options = options_for(planted, round % 5 == 0 ? 0.0 : 0.1 * fabs(random_signed(&random)));
        options.cyclic = round % 2;
        raise_until_right(expected, planted, FRAMES, options.slope, options.cyclic);
        correct(feet, &floor, &options, steps);
        for (int i = 0; i < FRAMES; i++) {
            if (!(fabs(steps[i].correction - expected[i]) < 1e-10))
                fail_msg("round %d, frame %d: %.17g, expected %.17g", round, i, steps[i].correction, expected[i]);
            raised += steps[i].correction > fmax(steps[i].upper, 0.0);
        }
    }
    assert_true(raised > (TEST_SANITIZED ? 150 : 1000));
    grz_mesh_destroy(mesh);
    grz_mesh_destroy(ground);
}

// ---- Bad input ----------------------------------------------------------------------------------------------------

static void bad_input(void **state)
{
    grz_mesh *mesh = upload(shoe()), *ground = upload(floor_of(0));
    const grz_object floor = grz_object_at_origin(ground);
    grz_object feet[FRAMES];
    grz_footstep steps[FRAMES];
    uint8_t planted[FRAMES];
    volatile int cancel = 1;
    grz_error error;
    (void)state;
    walk(feet, mesh, planted);
    const grz_footsteps_options good = options_for(planted, 0.1);
#define BAD(change, status, text)                                                                                      \
    do {                                                                                                               \
        grz_footsteps_options options = good;                                                                          \
        change;                                                                                                        \
        assert_int_equal(grz_footsteps_correct(test_device, feet, FRAMES, &floor, 1, &options, steps, &error),         \
                         status);                                                                                      \
        assert_non_null(strstr(error.message, text));                                                                  \
    } while (0)
    BAD(options.reach = 0.0, GRZ_ERROR_ARGUMENT, "options.reach is 0");
    BAD(options.reach = (double)NAN, GRZ_ERROR_ARGUMENT, "options.reach");
    BAD(options.up[2] = 0.0, GRZ_ERROR_ARGUMENT, "options.up");
    BAD(options.up[0] = (double)INFINITY, GRZ_ERROR_ARGUMENT, "options.up[0]");
    BAD(options.slope = -1.0, GRZ_ERROR_ARGUMENT, "options.slope is -1");
    BAD(options.slope = (double)NAN, GRZ_ERROR_ARGUMENT, "options.slope");
    BAD(options.limits.deadline = -1.0, GRZ_ERROR_ARGUMENT, "deadline");
    BAD(options.limits.deadline = 1e-12, GRZ_ERROR_DEADLINE, "");
    BAD(options.limits.cancel = &cancel, GRZ_ERROR_CANCELLED, "");
    BAD(options.limits.memory_limit = 1, GRZ_ERROR_MEMORY, "");
    BAD(options.size = 4, GRZ_ERROR_ARGUMENT, "grz_footsteps_options");
    feet[7].pose.m[2][3] = -0.505; // deep: even at the reach above it touches
    BAD(options.slope = 1.0, GRZ_ERROR_ARGUMENT, "frame 7");
    assert_true(error.element == 7);
    feet[7].pose.m[2][3] = -0.8; // inside, and touches nothing
    BAD(options.slope = 1.0, GRZ_ERROR_ARGUMENT, "frame 7");
    feet[7].mesh = NULL;
    BAD(options.slope = 1.0, GRZ_ERROR_ARGUMENT, "mesh");
    assert_true(error.element == 7);
    assert_int_equal(grz_footsteps_correct(NULL, feet, 1, &floor, 1, &good, steps, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_footsteps_correct(test_device, NULL, 1, &floor, 1, &good, steps, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_footsteps_correct(test_device, feet, 1, NULL, 1, &good, steps, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_footsteps_correct(test_device, feet, 1, &floor, 1, &good, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_footsteps_correct(test_device, feet, 1, &floor, 1, NULL, steps, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_footsteps_correct(test_device, NULL, 0, NULL, 0, &good, NULL, &error), GRZ_OK);
    assert_int_equal(grz_footsteps_correct(test_device, feet, 1, NULL, 0, &good, steps, &error), GRZ_OK);
    assert_true(steps[0].correction == 0.0);
    grz_mesh_destroy(mesh);
    grz_mesh_destroy(ground);
}

static void memory_that_runs_out(void **state)
{
    counting_allocator counter = {.fail_at = 0};
    grz_device *device = counting_device_open(&counter);
    test_mesh sole = shoe(), plate = floor_of(0);
    grz_mesh *mesh = test_mesh_upload(device, &sole), *ground = test_mesh_upload(device, &plate);
    const grz_object floor = grz_object_at_origin(ground);
    grz_object feet[FRAMES];
    grz_footstep steps[FRAMES];
    uint8_t planted[FRAMES];
    grz_error error;
    int failures = 0;
    (void)state;
    walk(feet, mesh, planted);
    const grz_footsteps_options options = options_for(planted, 0.1);
    for (long i = 1; i < 500; i++) {
        counter.calls = 0;
        counter.fail_at = i;
        const grz_status status = grz_footsteps_correct(device, feet, 3, &floor, 1, &options, steps, &error);
        if (status == GRZ_OK)
            break;
        assert_int_equal(status, GRZ_ERROR_MEMORY);
        failures++;
    }
    assert_true(failures >= 4 && failures < 499);
    counter.fail_at = 0;
    grz_mesh_destroy(mesh);
    grz_mesh_destroy(ground);
    grz_device_close(device);
    assert_int_equal(counter.live, 0);
    test_mesh_finish(&sole);
    test_mesh_finish(&plate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_foot_passes_through), cmocka_unit_test(feet_above_the_floor),
        cmocka_unit_test(the_least_corrections),  cmocka_unit_test(bad_input),
        cmocka_unit_test(memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
