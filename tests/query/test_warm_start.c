// SPDX-License-Identifier: MIT
// Warm start gives the same answers as a query without it, for objects that move, deform and are replaced. If the last
// pair still touches, nothing else is tested and no tree is built.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "mesh/mesh.h"
#include "space/bvh/bvh.h"
#include "support_meshes.h"
#include "support_sanitizer.h"

static grz_collide_options yes_or_no(bool warm_start)
{
    grz_collide_options options = grz_default_collide_options();
    options.find = 0;
    options.warm_start = warm_start;
    return options;
}

// B moves along a wave through A; sometimes one of them is replaced or deformed. Every eighth time a query for pairs
// comes in between.
static void moving_objects_get_the_same_answers(void **state)
{
    (void)state;
    random_stream random = {.state = 3};
    for (unsigned threads = 1; threads <= 2; threads++) {
        grz_device *device = test_device_open(threads);
        grz_result *warm = test_result_create(device), *cold = test_result_create(device);
        unsigned touching = 0, at_once = 0, queries = TEST_SANITIZED ? 1000 : 2000;
        test_mesh mesh[2] = {test_mesh_icosphere(1.0, 3), test_mesh_random_triangles(&random, 300, 0.2, 0)};
        grz_mesh *uploaded[2] = {test_mesh_upload(device, &mesh[0]), test_mesh_upload(device, &mesh[1])};
        for (unsigned i = 0; i < queries; i++) {
            grz_object a = grz_object_at_origin(uploaded[0]), b = grz_object_at_origin(uploaded[1]);
            if (i % 50 == 49) {
                grz_mesh_destroy(uploaded[1]);
                test_mesh_finish(&mesh[1]);
                mesh[1] = test_mesh_random_triangles(&random, 20 + random_below(&random, 600), 0.2, 0);
                uploaded[1] = test_mesh_upload(device, &mesh[1]);
                b.mesh = uploaded[1];
            } else if (i % 20 == 19) {
                for (uint64_t k = 0; k < 3 * mesh[0].vertex_count; k++)
                    mesh[0].positions[k] *= 1.0 + 0.05 * random_signed(&random);
                assert_int_equal(grz_mesh_set_positions(uploaded[0], mesh[0].positions, NULL), GRZ_OK);
            }
            b.pose.m[0][3] = 2.2 * sin(0.005 * i);
            b.pose.m[1][3] = 2.2 * cos(0.0033 * i);
            const grz_collide_options with = yes_or_no(true), without = yes_or_no(false);
            assert_int_equal(grz_collide(device, &a, &b, &with, warm, NULL), GRZ_OK);
            assert_int_equal(grz_collide(device, &a, &b, &without, cold, NULL), GRZ_OK);
            assert_int_equal(grz_result_summary(warm)->relation, grz_result_summary(cold)->relation);
            assert_int_equal(grz_result_summary(warm)->certainty, GRZ_EXACT);
            touching += grz_result_summary(warm)->colliding;
            at_once += grz_result_summary(warm)->colliding && grz_result_summary(warm)->candidates == 1;
            if (i % 8 == 7) {
                grz_collide_options list = grz_default_collide_options();
                assert_int_equal(grz_collide(device, &a, &b, &list, cold, NULL), GRZ_OK);
                list.warm_start = true;
                assert_int_equal(grz_collide(device, &a, &b, &list, warm, NULL), GRZ_OK);
                assert_int_equal(grz_result_summary(warm)->pair_count, grz_result_summary(cold)->pair_count);
            }
        }
        print_message("  %u of %u touch, %u of them seen at once\n", touching, queries, at_once);
        assert_true(touching > queries / 4 && touching < queries && at_once > touching / 2);
        for (int i = 0; i < 2; i++) {
            grz_mesh_destroy(uploaded[i]);
            test_mesh_finish(&mesh[i]);
        }
        grz_result_destroy(warm);
        grz_result_destroy(cold);
        grz_device_close(device);
    }
}

// A sheet that folds onto itself and unfolds.
static void a_mesh_with_itself_gets_the_same_answers(void **state)
{
    (void)state;
    grz_device *device = test_device_open(1);
    grz_result *warm = test_result_create(device), *cold = test_result_create(device);
    test_mesh sheet = test_mesh_grid(24, 6, 1.0 / 24.0);
    double *positions = calloc(sheet.vertex_count, 3 * sizeof *positions);
    assert_non_null(positions);
    grz_mesh *mesh = test_mesh_upload(device, &sheet);
    const grz_object object = grz_object_at_origin(mesh);
    unsigned touching = 0, at_once = 0;
    for (unsigned frame = 0; frame < 200; frame++) {
        const double turn = 8.0 * sin(0.05 * frame); // radians along the sheet: from flat to more than once round
        for (uint64_t i = 0; i < sheet.vertex_count; i++) {
            const double *p = sheet.positions + 3 * i, radius = 0.2 + 0.02 * p[1];
            positions[3 * i] = radius * sin(turn * p[0]);
            positions[3 * i + 1] = p[1];
            positions[3 * i + 2] = radius * cos(turn * p[0]) + 0.001 * p[0];
        }
        assert_int_equal(grz_mesh_set_positions(mesh, positions, NULL), GRZ_OK);
        const grz_collide_options with = yes_or_no(true), without = yes_or_no(false);
        assert_int_equal(grz_collide_self(device, &object, &with, warm, NULL), GRZ_OK);
        assert_int_equal(grz_collide_self(device, &object, &without, cold, NULL), GRZ_OK);
        assert_int_equal(grz_result_summary(warm)->colliding, grz_result_summary(cold)->colliding);
        touching += grz_result_summary(warm)->colliding;
        at_once += grz_result_summary(warm)->colliding && grz_result_summary(warm)->candidates == 1;
    }
    print_message("  %u of 200 touch, %u of them seen at once\n", touching, at_once);
    assert_true(touching > 20 && touching < 200 && at_once > touching / 4);
    grz_mesh_destroy(mesh);
    free(positions);
    test_mesh_finish(&sheet);
    grz_result_destroy(warm);
    grz_result_destroy(cold);
    grz_device_close(device);
}

// A query whose last pair still touches refits no tree.
static void nothing_is_built_for_a_pair_that_still_touches(void **state)
{
    (void)state;
    grz_device *device = test_device_open(1);
    grz_result *result = test_result_create(device);
    test_mesh ball = test_mesh_icosphere(1.0, 3);
    grz_mesh *mesh_a = test_mesh_upload(device, &ball), *mesh_b = test_mesh_upload(device, &ball);
    grz_object a = grz_object_at_origin(mesh_a), b = grz_object_at_origin(mesh_b);
    const grz_collide_options warm = yes_or_no(true);
    b.pose.m[0][3] = 1.0;
    assert_int_equal(grz_collide(device, &a, &b, &warm, result, NULL), GRZ_OK);
    assert_true(grz_result_summary(result)->colliding && grz_mesh_slot_ready(mesh_a, &grz_bvh_slot_type));
    assert_int_equal(grz_mesh_set_positions(mesh_a, ball.positions, NULL), GRZ_OK);
    assert_int_equal(grz_collide(device, &a, &b, &warm, result, NULL), GRZ_OK);
    assert_true(grz_result_summary(result)->colliding && !grz_mesh_slot_ready(mesh_a, &grz_bvh_slot_type));
    assert_int_equal(grz_result_summary(result)->candidates, 1);
    assert_int_equal(grz_collide(device, &b, &a, &warm, result, NULL),
                     GRZ_OK); // in the other order these are different objects
    assert_true(grz_result_summary(result)->colliding && grz_mesh_slot_ready(mesh_a, &grz_bvh_slot_type));
    b.pose.m[0][3] = 3.0;
    assert_int_equal(grz_collide(device, &b, &a, &warm, result, NULL), GRZ_OK);
    assert_false(grz_result_summary(result)->colliding);
    grz_mesh_destroy(mesh_a);
    grz_mesh_destroy(mesh_b);
    test_mesh_finish(&ball);
    grz_result_destroy(result);
    grz_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moving_objects_get_the_same_answers),
        cmocka_unit_test(a_mesh_with_itself_gets_the_same_answers),
        cmocka_unit_test(nothing_is_built_for_a_pair_that_still_touches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
