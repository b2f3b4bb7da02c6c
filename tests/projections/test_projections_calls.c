// SPDX-License-Identifier: MIT
// Calls of grz_projections_find(): what they refuse, and how they end early. Answers are tested in test_projections.c.
// ctest: timeout 600
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/io.h>

#include "support_devices.h"
#include "support_projections.h"
#define TEST_DEVICE_THREADS 1
#include "support_own_device.h"

static const char *const BOX[25] = {"#####", "#####", "#####", "#####", "#####", "#####", "#...#", "#...#", "#...#",
                                    "#####", "#####", "#...#", "#...#", "#...#", "#####", "#####", "#...#", "#...#",
                                    "#...#", "#####", "#####", "#####", "#####", "#####", "#####"};

// ---- Refusals -----------------------------------------------------------------------------------------------------

// Find with options that differ from the defaults in one member.
static void refuse_options(const grz_mesh *mesh, const grz_projections_options *options, const char *words,
                           uint64_t element)
{
    static char anything; // what the pointer was before
    grz_projections *found = (void *)&anything;
    grz_error error = {.code = GRZ_OK};
    const grz_status status = grz_projections_find(device, &mesh, 1, options, &found, &error);
    test_expect_error(status, GRZ_ERROR_ARGUMENT, &error, words, element);
    assert_null(found);
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    test_mesh cube = test_mesh_cube(0, 0, 0, 1);
    grz_mesh *mesh = test_mesh_upload(device, &cube);
    const double directions[6] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0}, infinite[3] = {0.0, HUGE_VAL, 0.0};
#define REFUSE(member, value, words, element)                                                                          \
    do {                                                                                                               \
        grz_projections_options wrong = grz_default_projections_options();                                             \
        wrong.member = (value);                                                                                        \
        refuse_options(mesh, &wrong, words, element);                                                                  \
    } while (0)
    REFUSE(tolerance, nan(""), "tolerance is", GRZ_NO_ELEMENT);
    REFUSE(tolerance, -1.0, "tolerance is -1", GRZ_NO_ELEMENT);
    REFUSE(tolerance, HUGE_VAL, "tolerance is inf", GRZ_NO_ELEMENT);
    REFUSE(tolerance, 1e-6, "2^-14 of the box's diagonal", GRZ_NO_ELEMENT);
    REFUSE(cells, 0, "cells is 0", GRZ_NO_ELEMENT);
    REFUSE(cells, (1u << 22) + 1, "cells is", GRZ_NO_ELEMENT);
    REFUSE(candidates, 50, "candidates is 50", GRZ_NO_ELEMENT);
    REFUSE(max_directions, 0, "max_directions is 0", GRZ_NO_ELEMENT);
    REFUSE(max_directions, 65, "max_directions is 65", GRZ_NO_ELEMENT);
    REFUSE(max_parts, 0, "max_parts is 0", GRZ_NO_ELEMENT);
    REFUSE(max_parts, 257, "max_parts is 257", GRZ_NO_ELEMENT);
    REFUSE(uncovered_share, nan(""), "uncovered_share", GRZ_NO_ELEMENT);
    REFUSE(uncovered_share, 1.5, "uncovered_share", GRZ_NO_ELEMENT);
    REFUSE(projection, (grz_projection)5, "projection is 5", GRZ_NO_ELEMENT);
    REFUSE(inside_rule, (grz_inside_rule)3, "inside_rule is 3", GRZ_NO_ELEMENT);
    REFUSE(limits.deadline, -1.0, "deadline", GRZ_NO_ELEMENT);
    REFUSE(direction_count, 1, "directions are NULL", GRZ_NO_ELEMENT);
    REFUSE(direction_count, 257, "direction_count is 257", GRZ_NO_ELEMENT);
    REFUSE(size, 4, "size", GRZ_NO_ELEMENT);
    grz_projections_options options = projections_bounded();
    options.directions = directions;
    options.direction_count = 2;
    refuse_options(mesh, &options, "direction 1", 1);
    options.directions = infinite;
    options.direction_count = 1;
    refuse_options(mesh, &options, "direction 0", 0);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&cube);
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    test_mesh cube = test_mesh_cube(0, 0, 0, 1), sphere = test_mesh_icosphere(1.0, 1);
    grz_mesh *mesh = test_mesh_upload(device, &cube), *other = test_mesh_upload(device, &sphere);
    const grz_mesh *poses[2] = {mesh, other}, *with_null[2] = {mesh, NULL};
    grz_projections *found;
    grz_projections_summary summary;
    grz_projections_part part;
    grz_error error;
    double positions[24];
    test_expect_error(grz_projections_find(NULL, poses, 1, NULL, &found, &error), GRZ_ERROR_ARGUMENT, &error,
                      "device is", GRZ_NO_ELEMENT);
    test_expect_error(grz_projections_find(device, NULL, 1, NULL, &found, &error), GRZ_ERROR_ARGUMENT, &error,
                      "poses are", GRZ_NO_ELEMENT);
    test_expect_error(grz_projections_find(device, poses, 1, NULL, NULL, &error), GRZ_ERROR_ARGUMENT, &error, "found",
                      GRZ_NO_ELEMENT);
    test_expect_error(grz_projections_find(device, poses, 0, NULL, &found, &error), GRZ_ERROR_ARGUMENT, &error,
                      "0 poses", GRZ_NO_ELEMENT);
    test_expect_error(grz_projections_find(device, with_null, 2, NULL, &found, &error), GRZ_ERROR_ARGUMENT, &error,
                      "pose 1 is NULL", 1);
    test_expect_error(grz_projections_find(device, poses, 2, NULL, &found, &error), GRZ_ERROR_ARGUMENT, &error,
                      "pose 1 has other faces", 1);
    assert_false(grz_projections_summary_of(NULL, &summary));
    assert_int_equal(summary.parts, 0);
    assert_false(grz_projections_part_of(NULL, 0, &part));
    grz_projections_destroy(NULL);
    found = projections_find(device, poses, 1, NULL);
    assert_false(grz_projections_part_of(found, 1, &part));
    assert_int_equal(part.triangle_count, 0);
    assert_int_equal(grz_projections_positions(found, 0, mesh, positions, NULL), GRZ_OK);
    assert_memory_equal(positions, cube.positions, sizeof positions);
    test_expect_error(grz_projections_positions(NULL, 0, mesh, positions, &error), GRZ_ERROR_ARGUMENT, &error, "NULL",
                      GRZ_NO_ELEMENT);
    test_expect_error(grz_projections_positions(found, 1, mesh, positions, &error), GRZ_ERROR_ARGUMENT, &error,
                      "part 1 of 1", 1);
    test_expect_error(grz_projections_positions(found, 0, other, positions, &error), GRZ_ERROR_ARGUMENT, &error,
                      "other faces", GRZ_NO_ELEMENT);
    grz_projections_destroy(found);
    grz_mesh_destroy(mesh);
    grz_mesh_destroy(other);
    test_mesh_finish(&cube);
    test_mesh_finish(&sphere);
}

static void refuse_mesh(test_mesh shape, grz_inside_rule rule, const char *words)
{
    grz_mesh *mesh = test_mesh_upload(device, &shape);
    const grz_mesh *pose = mesh;
    grz_projections *found;
    grz_error error = {.code = GRZ_OK};
    grz_projections_options options = projections_bounded();
    options.inside_rule = rule;
    test_expect_error(grz_projections_find(device, &pose, 1, &options, &found, &error), GRZ_ERROR_MESH, &error, words,
                      0);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
}

static void meshes_without_an_inside_are_refused(void **state)
{
    (void)state;
    random_stream random = {4};
    test_mesh open = test_mesh_cube(0, 0, 0, 1), flat = {0}, mixed = test_mesh_icosphere(1.0, 2);
    test_mesh_drop_face(&open, 3);
    refuse_mesh(open, GRZ_EVEN_ODD, "the mesh is open");
    for (int i = 0; i < 3; i++)
        test_mesh_add_vertex(&flat, i, 2.0 * i, 0.0);
    test_mesh_add_triangle(&flat, 0, 1, 2);
    test_mesh_add_triangle(&flat, 0, 2, 1);
    refuse_mesh(flat, GRZ_EVEN_ODD, "has no area");
    test_mesh_reverse_some(&mixed, &random);
    refuse_mesh(mixed, GRZ_NONZERO, "wound inconsistently");
}

static void calls_end_early(void **state)
{
    (void)state;
    test_mesh shape = test_mesh_load("data/cow_spot.ply");
    grz_mesh *mesh = test_mesh_upload(device, &shape);
    const grz_mesh *pose = mesh;
    grz_projections *found;
    grz_error error;
    int flag = 1;
    grz_projections_options options = projections_bounded();
    options.limits.cancel = &flag;
    test_expect_error(grz_projections_find(device, &pose, 1, &options, &found, &error), GRZ_ERROR_CANCELLED, &error,
                      "cancelled", GRZ_NO_ELEMENT);
    options.limits.cancel = NULL;
    options.limits.deadline = 0.05;
    options.cells = 1u << 20;
    test_expect_error(grz_projections_find(device, &pose, 1, &options, &found, &error), GRZ_ERROR_DEADLINE, &error,
                      "deadline", GRZ_NO_ELEMENT);
    options.limits.deadline = 0.0;
    options.limits.memory_limit = 1u << 20;
    test_expect_error(grz_projections_find(device, &pose, 1, &options, &found, &error), GRZ_ERROR_MEMORY, &error,
                      "projections", GRZ_NO_ELEMENT);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    counting_allocator counter = {0};
    grz_device *counted = counting_device_open(&counter);
    test_mesh shape = sight_shape(BOX);
    grz_projections_options options = projections_bounded();
    options.cells = 300;
    options.candidates = 3;
    grz_mesh *mesh = test_mesh_upload(counted, &shape);
    const grz_mesh *pose = mesh;
    grz_projections *found = projections_find(counted, &pose, 1, &options); // the mesh's own state is there then
    const long before = counter.live;
    grz_projections_destroy(found);
    long failures = 0;
    for (long at = 1;; at++) {
        const long live = counter.live;
        counter.calls = 0;
        counter.fail_at = at;
        const grz_status status = grz_projections_find(counted, &pose, 1, &options, &found, NULL);
        counter.fail_at = 0;
        if (status == GRZ_OK)
            break;
        assert_int_equal(status, GRZ_ERROR_MEMORY);
        assert_null(found);
        assert_int_equal(counter.live, live);
        failures++;
    }
    assert_int_equal(counter.live, before);
    grz_projections_destroy(found);
    print_message("%ld allocations\n", failures);
    assert_true(failures > 100);
    grz_mesh_destroy(mesh);
    grz_device_close(counted);
    assert_int_equal(counter.live, 0);
    test_mesh_finish(&shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(meshes_without_an_inside_are_refused),
        cmocka_unit_test(calls_end_early),
        cmocka_unit_test(each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
