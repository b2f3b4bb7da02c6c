// SPDX-License-Identifier: MIT
// Calls of grz_locate_points(): what it refuses, and how it ends early. Its answers are tested in test_locate.c.
// ctest: concurrent a_long_call_ends_soon_after_cancelling
// ctest: timeout 600
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "support_arrays.h"
#include "support_locate.h"
#include "support_solids.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// ---- Refusals -------------------------------------------------------------------------------------------------------

static grz_object cube_object(test_mesh *cube, grz_mesh **mesh)
{
    *cube = test_mesh_cube(0, 0, 0, 2);
    *mesh = test_mesh_upload(locate_devices[0], cube);
    return grz_object_at_origin(*mesh);
}

static void bad_points_are_refused_by_number(void **state)
{
    (void)state;
    test_mesh cube;
    grz_mesh *mesh;
    const grz_object object = cube_object(&cube, &mesh);
    const double bad[] = {nan(""), HUGE_VAL, -HUGE_VAL, 0x1.0000000000001p300, -DBL_MAX};
    double points[3 * 100];
    grz_location locations[100];
    grz_error error;
    for (size_t k = 0; k < COUNT(bad); k++)
        for (uint64_t count = 3; count <= 100; count += 97) {
            for (uint64_t i = 0; i < 3 * count; i++)
                points[i] = 1.0;
            points[3 * count - 1 - k % 3] = bad[k];
            memset(locations, 0, sizeof locations);
            assert_int_equal(grz_locate_points(locate_devices[0], &object, points, count, NULL, locations, &error),
                             GRZ_ERROR_ARGUMENT);
            assert_int_equal(error.code, GRZ_ERROR_ARGUMENT);
            assert_int_equal(error.element, count - 1);
            assert_non_null(strstr(error.message, "point "));
            assert_non_null(strchr(error.message, "zyx"[k % 3]));
            for (uint64_t i = 0; i < count; i++)
                assert_int_equal(locations[i], GRZ_LOCATION_UNKNOWN);
        }
    // The largest that is taken.
    const double far[3] = {0x1p300, -0x1p300, 1.0};
    locate_points(locate_devices[0], &object, far, 1, GRZ_EVEN_ODD, locations);
    assert_int_equal(locations[0], GRZ_OUTSIDE);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&cube);
}

static void bad_calls_are_refused(void **state)
{
    (void)state;
    test_mesh cube;
    grz_mesh *mesh;
    grz_object object = cube_object(&cube, &mesh), none = object;
    const double point[3] = {1, 1, 1};
    grz_location location = GRZ_INSIDE;
    grz_locate_options options = grz_default_locate_options();
    grz_error error = {.code = GRZ_OK};
    none.mesh = NULL;
    assert_int_equal(grz_locate_points(NULL, &object, point, 1, NULL, &location, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(location, GRZ_LOCATION_UNKNOWN);
    assert_int_equal(error.element, GRZ_NO_ELEMENT);
    assert_int_equal(grz_locate_points(locate_devices[0], NULL, point, 1, NULL, &location, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_locate_points(locate_devices[0], &none, point, 1, NULL, &location, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_locate_points(locate_devices[0], &object, NULL, 1, NULL, &location, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "points are NULL"));
    assert_int_equal(grz_locate_points(locate_devices[0], &object, point, 1, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "locations are NULL"));
    options.size = 1;
    assert_int_equal(grz_locate_points(locate_devices[0], &object, point, 1, &options, &location, NULL),
                     GRZ_ERROR_ARGUMENT);
    options = grz_default_locate_options();
    options.inside_rule = (grz_inside_rule)3;
    assert_int_equal(grz_locate_points(locate_devices[0], &object, point, 1, &options, &location, NULL),
                     GRZ_ERROR_ARGUMENT);
    options = grz_default_locate_options();
    options.limits.deadline = nan("");
    assert_int_equal(grz_locate_points(locate_devices[0], &object, point, 1, &options, &location, NULL),
                     GRZ_ERROR_ARGUMENT);
    options.limits.deadline = -1.0;
    assert_int_equal(grz_locate_points(locate_devices[0], &object, point, 1, &options, &location, NULL),
                     GRZ_ERROR_ARGUMENT);
    object.pose.m[1][2] = nan("");
    location = GRZ_INSIDE;
    assert_int_equal(grz_locate_points(locate_devices[0], &object, point, 1, NULL, &location, &error), GRZ_ERROR_POSE);
    assert_int_equal(location, GRZ_LOCATION_UNKNOWN);
    assert_int_equal(error.code, GRZ_ERROR_POSE);
    assert_int_equal(grz_locate_points(locate_devices[0], &object, NULL, 0, NULL, NULL, NULL), GRZ_ERROR_POSE);
    object.pose = grz_pose_identity();
    // No points: nothing to do.
    assert_int_equal(grz_locate_points(locate_devices[0], &object, NULL, 0, NULL, NULL, NULL), GRZ_OK);
    assert_int_equal(grz_locate_points(locate_devices[0], &object, point, 1, NULL, &location, NULL), GRZ_OK);
    assert_int_equal(location, GRZ_INSIDE);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&cube);
}

// ---- Ending early ---------------------------------------------------------------------------------------------------

// A stack of many sheets: a ray from below meets all of them, and each point takes a few milliseconds.
static test_mesh stack_of_sheets(uint32_t count)
{
    test_mesh mesh = {0};
    for (uint32_t i = 0; i < count; i++) {
        const double z = i + 1.0, corners[3][3] = {{-9, -9, z}, {9, -9, z}, {0, 9, z}};
        uint32_t first = (uint32_t)mesh.vertex_count;
        for (int k = 0; k < 3; k++)
            test_mesh_add_vertex(&mesh, corners[k][0], corners[k][1], corners[k][2]);
        test_mesh_add_triangle(&mesh, first, first + 1, first + 2);
        test_mesh_add_triangle(&mesh, first, first + 2, first + 1);
    }
    return mesh;
}

static void *raise_flag(void *flag)
{
    const double start = grz_clock_seconds();
    while (grz_clock_seconds() - start < 0.02) {
    }
    __atomic_store_n((int *)flag, 1, __ATOMIC_RELAXED);
    return NULL;
}

// Long calls end soon after the flag goes up or the deadline passes: with few points, of which each takes long, and
// with many.
static void a_long_call_ends_soon_after_cancelling(void **state)
{
    (void)state;
    enum {
        MANY = 200000
    };
    test_mesh sheets = stack_of_sheets(100000);
    double *points = allocate_zeroed(MANY, 3 * sizeof *points);
    grz_location *locations = allocate_zeroed(MANY, sizeof *locations);
    random_stream random = {.state = 1};
    for (uint64_t i = 0; i < MANY; i++)
        for (uint64_t axis = 0; axis < 3; axis++)
            points[3 * i + axis] = (axis == 2 ? 0.625 : 0.0) + 0.125 * random_signed(&random);
    for (int device = 0; device < LOCATE_DEVICES; device++) {
        grz_mesh *mesh = test_mesh_upload(locate_devices[device], &sheets);
        grz_object object = grz_object_at_origin(mesh);
        // A box much wider than high, so that rays run along z, and points in its middle.
        object.pose.m[2][2] = 0x1p-17;
        object.pose.m[2][3] = 0.25;
        locate_points(locate_devices[device], &object, points, 1, GRZ_EVEN_ODD, locations);
        for (int few = 0; few < 2; few++)
            for (int cancel = 0; cancel < 2; cancel++) {
                int flag = 0;
                grz_locate_options options = grz_default_locate_options();
                grz_error error = {.code = GRZ_OK};
                pthread_t thread;
                options.limits.cancel = cancel != 0 ? &flag : NULL;
                options.limits.deadline = cancel != 0 ? 0.0 : 0.02;
                if (cancel != 0)
                    assert_int_equal(pthread_create(&thread, NULL, raise_flag, &flag), 0);
                const double start = grz_clock_seconds();
                const grz_status status = grz_locate_points(locate_devices[device], &object, points,
                                                            few != 0 ? 60 : MANY, &options, locations, &error);
                const double took = grz_clock_seconds() - start;
                if (cancel != 0)
                    assert_int_equal(pthread_join(thread, NULL), 0);
                if (few == 0 || status != GRZ_OK) {
                    assert_int_equal(status, cancel != 0 ? GRZ_ERROR_CANCELLED : GRZ_ERROR_DEADLINE);
                    assert_int_equal(error.code, status);
                    for (uint64_t i = 0; i < (few != 0 ? 60 : MANY); i++)
                        assert_int_equal(locations[i], GRZ_LOCATION_UNKNOWN);
                }
                assert_true(took < 2.0); // a thousandth of what all points would take; the flag goes up after 0.02 s
            }
        grz_mesh_destroy(mesh);
    }
    test_mesh_finish(&sheets);
    free(points);
    free(locations);
}

static void a_raised_flag_ends_any_call(void **state)
{
    (void)state;
    test_mesh cube;
    grz_mesh *mesh;
    const grz_object object = cube_object(&cube, &mesh);
    const int flag = 1;
    grz_locate_options options = grz_default_locate_options();
    const double point[3] = {1, 1, 1};
    grz_location location = GRZ_INSIDE;
    options.limits.cancel = &flag;
    for (int k = 0; k < 2; k++) { // with the tree to build, and with the tree there
        assert_int_equal(grz_locate_points(locate_devices[0], &object, point, 1, &options, &location, NULL),
                         GRZ_ERROR_CANCELLED);
        assert_int_equal(location, GRZ_LOCATION_UNKNOWN);
        locate_points(locate_devices[0], &object, point, 1, GRZ_EVEN_ODD, &location);
        assert_int_equal(location, GRZ_INSIDE);
    }
    grz_mesh_destroy(mesh);
    test_mesh_finish(&cube);
}

static void running_out_of_memory_ends_the_call_and_nothing_leaks(void **state)
{
    (void)state;
    enum {
        POINTS = 700
    };
    counting_allocator c = {0};
    grz_device_options options = grz_default_device_options();
    options.threads = 1;
    options.allocator = counting_allocator_of(&c);
    options.kind = GRZ_DEVICE_CPU;
    grz_device *device;
    assert_int_equal(grz_device_open(&options, &device, NULL), GRZ_OK);
    random_stream random = {.state = 4};
    test_mesh ball = test_mesh_rough_sphere(&random, 1, 0.1, false);
    double points[3 * POINTS];
    grz_location expected[POINTS], got[POINTS];
    for (int i = 0; i < 3 * POINTS; i++)
        points[i] = 2.2 * random_signed(&random);
    long failures = 0;
    for (long fail_at = 0;; fail_at++) {
        grz_mesh *mesh = test_mesh_upload(device, &ball);
        const grz_object object = grz_object_at_origin(mesh);
        const long before = c.live;
        grz_error error = {.code = GRZ_OK};
        c.calls = 0;
        c.fail_at = fail_at;
        grz_status status = grz_locate_points(device, &object, points, POINTS, NULL, got, &error);
        c.fail_at = 0;
        if (fail_at == 0) {
            assert_int_equal(status, GRZ_OK);
            memcpy(expected, got, sizeof got);
        } else if (status == GRZ_OK) {
            grz_mesh_destroy(mesh);
            break;
        } else {
            failures++;
            assert_int_equal(status, GRZ_ERROR_MEMORY);
            assert_int_equal(error.code, status);
            for (int i = 0; i < POINTS; i++)
                assert_int_equal(got[i], GRZ_LOCATION_UNKNOWN);
            assert_true(c.live >= before); // the mesh may keep what was derived from it
            assert_int_equal(grz_locate_points(device, &object, points, POINTS, NULL, got, NULL), GRZ_OK);
        }
        assert_memory_equal(expected, got, sizeof got);
        grz_mesh_destroy(mesh);
        assert_int_equal(c.live, 1); // the device
    }
    print_message("  %ld allocations failed in turn\n", failures);
    assert_true(failures > 12);
    grz_device_close(device);
    assert_int_equal(c.live, 0);
    test_mesh_finish(&ball);
}

static void a_memory_limit_is_kept(void **state)
{
    (void)state;
    enum {
        POINTS = 10000
    };
    random_stream random = {.state = 4};
    test_mesh ball = test_mesh_rough_sphere(&random, 2, 0.1, false);
    double *points = allocate_zeroed(POINTS, 3 * sizeof *points);
    grz_location *locations = allocate_zeroed(POINTS, sizeof *locations);
    for (int i = 0; i < 3 * POINTS; i++)
        points[i] = 2.2 * random_signed(&random);
    grz_mesh *mesh = test_mesh_upload(locate_devices[0], &ball);
    const grz_object object = grz_object_at_origin(mesh);
    grz_locate_options options = grz_default_locate_options();
    grz_error error;
    options.limits.memory_limit = 1000; // not even the topology
    assert_int_equal(grz_locate_points(locate_devices[0], &object, points, POINTS, &options, locations, &error),
                     GRZ_ERROR_MEMORY);
    assert_non_null(strstr(error.message, "limit of 1000 bytes"));
    locate_points(locate_devices[0], &object, points, 1, GRZ_EVEN_ODD, locations); // builds everything derived
    assert_int_equal(grz_locate_points(locate_devices[0], &object, points, POINTS, &options, locations, &error),
                     GRZ_ERROR_MEMORY);
    assert_int_equal(locations[0], GRZ_LOCATION_UNKNOWN);
    options.limits.memory_limit = 2 * POINTS * sizeof(uint64_t);
    assert_int_equal(grz_locate_points(locate_devices[0], &object, points, POINTS, &options, locations, &error),
                     GRZ_OK);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&ball);
    free(points);
    free(locations);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_points_are_refused_by_number),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(a_long_call_ends_soon_after_cancelling),
        cmocka_unit_test(a_raised_flag_ends_any_call),
        cmocka_unit_test(running_out_of_memory_ends_the_call_and_nothing_leaks),
        cmocka_unit_test(a_memory_limit_is_kept),
    };
    return cmocka_run_group_tests(tests, locate_open_devices, locate_close_devices);
}
