// SPDX-License-Identifier: MIT
// grz_layers_overlap_volume(): boxes seen along an axis, whose columns are exact; it converges towards the exact bounds
// as the resolution doubles, and the estimate of the error holds; what lies in front of the region counts; open meshes,
// crowded pixels, surfaces that cross themselves; bad input. Skipped where there is no OpenGL.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/gl.h>
#include <graze/io.h>

#include "support_gl.h"
#include "support_queries.h"
#include "support_solids.h"

#ifdef GRZ_HAVE_GL
static grz_device *device;

static int open_device(void **state)
{
    (void)state;
    device = test_gl_device_open();
    return device != NULL ? 0 : -1;
}

static int close_device(void **state)
{
    (void)state;
    test_gl_device_close(device);
    return 0;
}

static grz_layers_volume measure(const grz_object *a, const grz_object *b, uint32_t resolution, bool from_above)
{
    grz_layers_volume_options options = grz_default_layers_volume_options();
    grz_layers_volume answer;
    grz_error error;
    options.resolution = resolution;
    options.has_direction = from_above;
    options.direction[2] = -1.0;
    if (grz_layers_overlap_volume(device, a, b, &options, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_true(answer.volume >= 0.0 && answer.error >= 0.0 && answer.resolution == resolution);
    return answer;
}

static grz_overlap_volume_answer exact(const grz_object *a, const grz_object *b)
{
    grz_overlap_volume_answer answer;
    assert_int_equal(grz_overlap_volume(device, a, b, NULL, &answer, NULL), GRZ_OK);
    return answer;
}

static grz_object object_of(const test_mesh *mesh)
{
    return grz_object_at_origin(test_mesh_upload(device, mesh));
}

static void drop(grz_object *object, test_mesh *mesh)
{
    grz_mesh_destroy((grz_mesh *)object->mesh);
    test_mesh_finish(mesh);
}

// Every column is the same, so only depths are rounded.
static void columns_of_boxes(void **state)
{
    test_mesh cube = test_mesh_cube(0, 0, 0, 1), tower = test_mesh_cube(0.25, 0.25, -8, 0.5);
    grz_object a = object_of(&cube), b = a;
    (void)state;
    b.pose = grz_pose_from_translation(0.5, 0.25, 0.75);
    const grz_layers_volume corner = measure(&a, &b, 16, true);
    assert_true(fabs(corner.volume - 0.09375) < 1e-5 && corner.error < 0.03);
    assert_true(corner.fragments == 4 * 16 * 16 && corner.unpaired == 0 && corner.crowded == 0);
    b.pose = grz_pose_from_translation(0.5, 0, 0);
    assert_true(fabs(measure(&a, &b, 16, true).volume - 0.5) < 1e-5);
    b.pose = grz_pose_from_translation(0, 0, 1); // flush: next to nothing
    assert_true(measure(&a, &b, 16, true).volume < 1e-5);
    b.pose = grz_pose_from_translation(0, 0, 3);
    assert_true(measure(&a, &b, 16, true).volume == 0.0);
    // Inside, but for what is in front of the region and behind it.
    test_mesh_scale(&tower, 1, 1, 32); // z from -256 to -240
    test_mesh_move(&tower, 0, 0, 248); // -8 to 8
    grz_object c = object_of(&tower);
    assert_true(fabs(measure(&a, &c, 16, true).volume - 0.25) < 1e-5);
    assert_true(fabs(measure(&c, &a, 16, true).volume - 0.25) < 1e-5);
    drop(&a, &cube);
    drop(&c, &tower);
}

// The mean error over several models and places at 16, 32, … 512 pixels: each is at most three quarters of the one
// before, and all together are far smaller.
static void it_converges_as_the_resolution_doubles(void **state)
{
    enum {
        STEPS = 6,
        CASES = 12
    };
    static const double shifts[CASES / 3][3] = {{0.3, 0.2, 0.1}, {-0.1, 0.4, 0.3}, {0.05, 0.02, -0.3}, {0.6, 0.1, 0.2}};
    random_stream random = {61};
    test_mesh meshes[3] = {test_mesh_icosphere(1.0, 3), test_mesh_rough_sphere(&random, 3, 0.2, false),
                           test_mesh_load("data/cow_spot.ply")};
    double errors[STEPS] = {0};
    int held = 0, estimates = 0;
    (void)state;
    for (int i = 0; i < CASES; i++) {
        const test_mesh *mesh = &meshes[i % 3];
        grz_object a = object_of(mesh), b = a;
        b.pose = grz_pose_from_translation(shifts[i / 3][0], shifts[i / 3][1], shifts[i / 3][2]);
        const grz_overlap_volume_answer bounds = exact(&a, &b);
        assert_true(bounds.certainty == GRZ_ENCLOSED && bounds.lower > 0.0);
        for (int k = 0; k < STEPS; k++) {
            const grz_layers_volume answer = measure(&a, &b, 16u << k, false);
            const double off = fabs(answer.volume - bounds.lower);
            errors[k] += off / bounds.lower / CASES;
            held += off <= answer.error;
            estimates++;
            assert_true(answer.error < bounds.lower); // and says something
            if (k == STEPS - 1)
                assert_true(off < 1e-3 * bounds.lower && answer.error < 0.01 * bounds.lower);
        }
        grz_mesh_destroy((grz_mesh *)a.mesh);
    }
    print_message("mean errors");
    for (int k = 0; k < STEPS; k++)
        print_message(" %.2g", errors[k]);
    print_message("; within the estimate in %d of %d cases\n", held, estimates);
    for (int k = 1; k < STEPS; k++)
        assert_true(errors[k] < 0.75 * errors[k - 1]);
    assert_true(errors[STEPS - 1] < errors[0] / 50.0);
    assert_true(held * 20 >= estimates * 19);
    for (int i = 0; i < 3; i++)
        test_mesh_finish(&meshes[i]);
}

// Even-odd: what two cubes of one mesh have in common is outside. The exact bounds know nothing of it.
static void surfaces_that_cross_themselves(void **state)
{
    test_mesh crossed = test_mesh_cube(0, 0, 0, 2), box = test_mesh_cube(-1, -1, -1, 8);
    (void)state;
    test_mesh_take(&crossed, test_mesh_cube(1, 1, 1, 2));
    grz_object a = object_of(&crossed), b = object_of(&box);
    const grz_layers_volume answer = measure(&a, &b, 60, true);
    assert_true(fabs(answer.volume - 14.0) < answer.error + 1e-4 && answer.error < 1.0);
    assert_true(answer.unpaired == 0);
    drop(&a, &crossed);
    drop(&b, &box);
}

static void open_meshes_and_crowded_pixels_are_said(void **state)
{
    test_mesh sheet = test_mesh_grid(1, 1, 1.0), box = test_mesh_cube(0, 0, -1, 2), pile = {0};
    grz_object a = object_of(&sheet), b = object_of(&box);
    (void)state;
    const grz_layers_volume open = measure(&a, &b, 16, true);
    assert_true(open.unpaired == 16 * 16 && open.error >= 1e-6);
    for (int i = 0; i < 33; i++)
        test_mesh_take(&pile, test_mesh_cube(0, 0, 0.03 * i - 1.0, 0.015));
    test_mesh_scale(&pile, 100, 100, 1); // 33 plates of 1.5 by 1.5
    grz_object c = object_of(&pile);
    const grz_layers_volume crowded = measure(&b, &c, 16, true);
    assert_true(crowded.crowded == 16 * 16 && crowded.volume == 0.0 && crowded.error > 33 * 0.015 * 2.25);
    drop(&a, &sheet);
    drop(&b, &box);
    drop(&c, &pile);
}

static void bad_input_is_refused(void **state)
{
    test_mesh cube = test_mesh_cube(0, 0, 0, 1);
    grz_object a = object_of(&cube), b = a;
    grz_layers_volume_options options = grz_default_layers_volume_options();
    grz_layers_volume answer;
    grz_error error;
    const int stop = 1;
    (void)state;
    options.resolution = 0;
    assert_int_equal(grz_layers_overlap_volume(device, &a, &b, &options, &answer, &error), GRZ_ERROR_ARGUMENT);
    options.resolution = 1u << 20;
    assert_int_equal(grz_layers_overlap_volume(device, &a, &b, &options, &answer, &error), GRZ_ERROR_ARGUMENT);
    options.resolution = 16;
    options.has_direction = true;
    test_expect_error(grz_layers_overlap_volume(device, &a, &b, &options, &answer, &error), GRZ_ERROR_ARGUMENT, &error,
                      "direction", GRZ_NO_ELEMENT);
    options.has_direction = false;
    options.limits.deadline = -1.0;
    assert_int_equal(grz_layers_overlap_volume(device, &a, &b, &options, &answer, &error), GRZ_ERROR_ARGUMENT);
    options.limits.deadline = 0.0;
    options.limits.cancel = &stop;
    assert_int_equal(grz_layers_overlap_volume(device, &a, &b, &options, &answer, &error), GRZ_ERROR_CANCELLED);
    assert_true(answer.volume == 0.0 && answer.resolution == 0);
    options.limits.cancel = NULL;
    options.limits.memory_limit = 16;
    assert_int_equal(grz_layers_overlap_volume(device, &a, &b, &options, &answer, &error), GRZ_ERROR_MEMORY);
    b.pose.m[0][3] = (double)NAN;
    test_expect_error(grz_layers_overlap_volume(device, &a, &b, NULL, &answer, &error), GRZ_ERROR_POSE, &error,
                      "object B", 1);
    assert_int_equal(grz_layers_overlap_volume(device, &a, NULL, NULL, &answer, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_layers_overlap_volume(device, &a, &a, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_layers_overlap_volume(NULL, &a, &a, NULL, &answer, &error), GRZ_ERROR_ARGUMENT);
    // Without OpenGL, wherever the objects are.
    grz_device_options cpu_only = grz_default_device_options();
    grz_device *cpu;
    cpu_only.kind = GRZ_DEVICE_CPU;
    assert_int_equal(grz_device_open(&cpu_only, &cpu, NULL), GRZ_OK);
    for (int i = 0; i < 2; i++) {
        b.pose = grz_pose_from_translation(9.0 * i, 0, 0);
        assert_int_equal(grz_layers_overlap_volume(cpu, &a, &b, NULL, &answer, &error), GRZ_ERROR_UNSUPPORTED);
    }
    grz_device_close(cpu);
    drop(&a, &cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_boxes),
        cmocka_unit_test(it_converges_as_the_resolution_doubles),
        cmocka_unit_test(surfaces_that_cross_themselves),
        cmocka_unit_test(open_meshes_and_crowded_pixels_are_said),
        cmocka_unit_test(bad_input_is_refused),
    };
    if (!test_gl_is_here())
        return TEST_SKIPPED;
    return cmocka_run_group_tests(tests, open_device, close_device);
}
#else
int main(void)
{
    return TEST_SKIPPED;
}
#endif
