// SPDX-License-Identifier: MIT
// grz_distance_poses() and grz_distance_scene(): each answer is that of grz_distance(); the nearest pairs of a scene
// are those of all pairs; bad input.
// ctest: timeout 300
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/graze.h>

#include "support_devices.h"
#include "support_queries.h"
#include "support_questions.h"
#include "support_sanitizer.h"

static bool same_feature(grz_feature a, grz_feature b)
{
    return a.vertex[0] == b.vertex[0] && a.vertex[1] == b.vertex[1];
}

// All but how many pairs were compared.
static void expect_same(const char *what, const grz_distance_answer *x, const grz_distance_answer *y)
{
    const bool same = x->distance == y->distance && x->lower == y->lower && x->upper == y->upper &&
                      x->certainty == y->certainty && x->touching == y->touching && x->face_a == y->face_a &&
                      x->face_b == y->face_b && x->ties == y->ties && same_feature(x->feature_a, y->feature_a) &&
                      same_feature(x->feature_b, y->feature_b) &&
                      memcmp(x->point_a, y->point_a, sizeof x->point_a) == 0 &&
                      memcmp(x->point_b, y->point_b, sizeof x->point_b) == 0;
    if (!same)
        fail_msg("%s: %a, faces %u and %u, %llu ties; alone %a, %u and %u, %llu", what, x->distance, x->face_a,
                 x->face_b, (unsigned long long)x->ties, y->distance, y->face_a, y->face_b,
                 (unsigned long long)y->ties);
}

static void poses_are_as_single_calls(void **state)
{
    enum {
        POSES = TEST_SANITIZED ? 10 : TEST_SHORT ? 30 : 75
    };
    const int cases = TEST_SHORT ? 8 : 16;
    random_stream random = {8};
    grz_pose poses[POSES] = {{.m = {{0.0}}}};
    grz_distance_answer answers[2][POSES], alone;
    uint64_t touching = 0;
    (void)state;
    for (int i = 0; i < cases; i++) {
        test_question q = test_random_question(&random);
        for (int k = 0; k < POSES; k++) {
            test_question other = test_random_question(&random);
            poses[k] = k % 3 == 0 ? other.poses[1] : k > 0 ? poses[k - 1] : q.poses[1];
            poses[k].m[k % 3][3] += 0.25 * random_signed(&random);
            test_mesh_finish(&other.meshes[0]);
            test_mesh_finish(&other.meshes[1]);
        }
        for (int d = 0; d < 2; d++) {
            grz_distance_options options = grz_default_distance_options();
            const grz_object a = grz_object_at(test_mesh_upload(test_devices[d], &q.meshes[0]), q.poses[0]);
            grz_mesh *b = test_mesh_upload(test_devices[d], &q.meshes[1]);
            options.method = i % 8 == 7 ? "naive" : NULL;
            assert_int_equal(grz_distance_poses(test_devices[d], &a, b, poses, POSES, &options, answers[d], NULL),
                             GRZ_OK);
            for (int k = 0; k < POSES && d == 0; k++) {
                const grz_object moved = grz_object_at(b, poses[k]);
                assert_int_equal(grz_distance(test_devices[d], &a, &moved, &options, &alone, NULL), GRZ_OK);
                expect_same("pose", &answers[d][k], &alone);
                touching += alone.touching;
            }
            for (int k = 0; k < POSES && d == 1; k++)
                expect_same("threads", &answers[1][k], &answers[0][k]);
            grz_mesh_destroy((grz_mesh *)a.mesh);
            grz_mesh_destroy(b);
        }
        test_mesh_finish(&q.meshes[0]);
        test_mesh_finish(&q.meshes[1]);
    }
    assert_true(touching > cases * POSES / 30 && touching < cases * POSES * 29 / 30);
}

// ---- Scenes -------------------------------------------------------------------------------------------------------

enum {
    OBJECTS = 30,
    PAIRS = OBJECTS * (OBJECTS - 1) / 2
};

static int compare_distances(const void *x, const void *y)
{
    const grz_scene_distance *p = x, *r = y;
    if (p->answer.distance != r->answer.distance)
        return p->answer.distance < r->answer.distance ? -1 : 1;
    return p->a != r->a ? (p->a > r->a) - (p->a < r->a) : (p->b > r->b) - (p->b < r->b);
}

static bool not_three_apart(uint32_t a, const grz_object *object_a, uint32_t b, const grz_object *object_b, void *user)
{
    (void)object_a, (void)object_b;
    ++*(int *)user;
    return b - a != 3;
}

// All pairs of a scene that are allowed, sorted.
static uint64_t all_pairs(grz_device *device, const grz_scene *scene, bool filtered, grz_scene_distance *pairs)
{
    uint64_t count = 0;
    for (uint32_t a = 0; a < OBJECTS; a++)
        for (uint32_t b = a + 1; b < OBJECTS; b++) {
            const grz_object *x = grz_scene_object(scene, a), *y = grz_scene_object(scene, b);
            if (x == NULL || y == NULL || (filtered && b - a == 3) || (x->group & y->mask) == 0 ||
                (y->group & x->mask) == 0)
                continue;
            pairs[count].a = a;
            pairs[count].b = b;
            assert_int_equal(grz_distance(device, x, y, NULL, &pairs[count].answer, NULL), GRZ_OK);
            count++;
        }
    qsort(pairs, count, sizeof *pairs, compare_distances);
    return count;
}

static void the_nearest_of_a_scene_are_those_of_all_pairs(void **state)
{
    static grz_scene_distance all[PAIRS], nearest[PAIRS + 5];
    random_stream random = {12};
    (void)state;
    for (int i = 0; i < (TEST_SHORT ? 4 : 12); i++) {
        grz_device *device = test_devices[i % 2];
        const double room = i % 3 == 0 ? 4.0 : 20.0, scale = i % 4 == 3 ? 0x1p-700 : 1.0;
        test_mesh shapes[3] = {test_mesh_cube(0.0, 0.0, 0.0, 1.0), test_mesh_icosphere(0.7, 1),
                               test_mesh_grid(3, 3, 0.5)};
        grz_mesh *meshes[3];
        grz_scene *scene;
        uint64_t found;
        int calls = 0;
        assert_int_equal(grz_scene_create(device, &scene, NULL), GRZ_OK);
        for (int k = 0; k < 3; k++) {
            test_mesh_scale(&shapes[k], scale, scale, scale);
            meshes[k] = test_mesh_upload(device, &shapes[k]);
        }
        for (int k = 0; k < OBJECTS; k++) {
            uint32_t id;
            grz_object object =
                grz_object_at(meshes[k % 3], grz_pose_from_translation(scale * floor(room * random_signed(&random)),
                                                                       scale * floor(room * random_signed(&random)),
                                                                       scale * room * random_signed(&random)));
            // Group 4 wants group 1, which does not want it: the masks of both must be asked.
            object.group = k % 5 == 0 ? 2 : k % 7 == 3 ? 4 : 1;
            object.mask = k % 5 == 0 ? 5 : k % 7 == 3 ? 7 : 3;
            assert_int_equal(grz_scene_add(scene, &object, &id, NULL), GRZ_OK);
        }
        assert_int_equal(grz_scene_remove(scene, 4, NULL), GRZ_OK);
        if (i % 2 == 1)
            assert_int_equal(grz_scene_set_filter(scene, not_three_apart, &calls, NULL), GRZ_OK);
        const uint64_t count = all_pairs(device, scene, i % 2 == 1, all);
        const uint64_t wanted[] = {1, 2, 7, 40, count, PAIRS + 5};
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
            assert_int_equal(grz_distance_scene(device, scene, NULL, nearest, wanted[k], &found, NULL), GRZ_OK);
            assert_int_equal(found, wanted[k] < count ? wanted[k] : count);
            for (uint64_t p = 0; p < found; p++) {
                assert_true(nearest[p].a == all[p].a && nearest[p].b == all[p].b);
                expect_same("scene", &nearest[p].answer, &all[p].answer);
            }
        }
        assert_true(i % 2 == 0 || calls > 0);
        grz_scene_destroy(scene);
        for (int k = 0; k < 3; k++) {
            grz_mesh_destroy(meshes[k]);
            test_mesh_finish(&shapes[k]);
        }
    }
}

// Two pairs at exactly 1: two cubes, and a cube and a wall askew, whose boxes overlap. So the second pair is measured
// first.
static void ties_of_a_scene_are_sorted_by_number(void **state)
{
    static const double wall[2][3][3] = {{{4, 0, 0}, {0, 3, 0}, {0, 3, 1}}, {{4, 0, 0}, {0, 3, 1}, {4, 0, 1}}};
    grz_device *device = test_devices[0];
    test_mesh shapes[2] = {test_mesh_cube(0.0, 0.0, 0.0, 1.0), {.positions = NULL}};
    grz_mesh *meshes[2];
    grz_scene *scene;
    grz_scene_distance nearest[2];
    uint64_t found;
    (void)state;
    for (int i = 0; i < 2; i++)
        test_mesh_add_loose_triangle(&shapes[1], wall[i]);
    for (int i = 0; i < 2; i++)
        meshes[i] = test_mesh_upload(device, &shapes[i]);
    const grz_object objects[4] = {grz_object_at(meshes[0], grz_pose_from_translation(0.0, 50.0, 0.0)),
                                   grz_object_at(meshes[0], grz_pose_from_translation(2.0, 50.0, 0.0)),
                                   grz_object_at_origin(meshes[0]), grz_object_at_origin(meshes[1])};
    assert_int_equal(grz_scene_create(device, &scene, NULL), GRZ_OK);
    for (uint32_t i = 0, id; i < 4; i++)
        assert_int_equal(grz_scene_add(scene, &objects[i], &id, NULL), GRZ_OK);
    for (uint64_t most = 1; most <= 2; most++) {
        assert_int_equal(grz_distance_scene(device, scene, NULL, nearest, most, &found, NULL), GRZ_OK);
        assert_int_equal(found, most);
        for (uint32_t i = 0; i < most; i++) {
            assert_true(nearest[i].a == 2 * i && nearest[i].b == 2 * i + 1);
            assert_true(nearest[i].answer.distance == 1.0 && nearest[i].answer.lower == nearest[i].answer.upper);
        }
    }
    grz_scene_destroy(scene);
    for (int i = 0; i < 2; i++) {
        grz_mesh_destroy(meshes[i]);
        test_mesh_finish(&shapes[i]);
    }
}

static void bad_input_is_refused(void **state)
{
    test_mesh shape = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    grz_device *device = test_devices[0];
    grz_mesh *cube = test_mesh_upload(device, &shape);
    const grz_object a = grz_object_at_origin(cube);
    grz_pose poses[3] = {grz_pose_identity(), grz_pose_identity(), grz_pose_identity()};
    grz_distance_options options = grz_default_distance_options();
    grz_distance_answer answers[3];
    grz_scene_distance distances[2];
    grz_scene *scene;
    uint64_t found = 9;
    uint32_t id;
    grz_error error;
    const volatile int cancelled = 1;
    (void)state;
    poses[1].m[0][0] = (double)NAN;
    test_expect_error(grz_distance_poses(device, &a, cube, poses, 3, NULL, answers, &error), GRZ_ERROR_POSE, &error,
                      "pose 1", 1);
    assert_true(answers[0].face_a == GRZ_NO_FACE && answers[2].upper == HUGE_VAL);
    test_expect_error(grz_distance_poses(device, &a, NULL, poses, 3, NULL, answers, &error), GRZ_ERROR_ARGUMENT, &error,
                      "mesh B is NULL", GRZ_NO_ELEMENT);
    test_expect_error(grz_distance_poses(device, &a, cube, NULL, 3, NULL, answers, &error), GRZ_ERROR_ARGUMENT, &error,
                      "poses are NULL", GRZ_NO_ELEMENT);
    test_expect_error(grz_distance_poses(device, &a, cube, poses, 3, NULL, NULL, &error), GRZ_ERROR_ARGUMENT, &error,
                      "answers are NULL", GRZ_NO_ELEMENT);
    test_expect_error(grz_distance_poses(NULL, &a, cube, poses, 3, NULL, answers, &error), GRZ_ERROR_ARGUMENT, &error,
                      "device is NULL", GRZ_NO_ELEMENT);
    assert_int_equal(grz_distance_poses(device, &a, cube, NULL, 0, NULL, NULL, &error), GRZ_OK);
    options.limits.cancel = &cancelled;
    poses[1] = grz_pose_identity();
    test_expect_error(grz_distance_poses(device, &a, cube, poses, 3, &options, answers, &error), GRZ_ERROR_CANCELLED,
                      &error, "cancelled", GRZ_NO_ELEMENT);
    assert_int_equal(grz_scene_create(device, &scene, NULL), GRZ_OK);
    assert_int_equal(grz_distance_scene(device, scene, NULL, distances, 2, &found, &error), GRZ_OK);
    assert_int_equal(found, 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(grz_scene_add(scene, &a, &id, NULL), GRZ_OK);
    test_expect_error(grz_distance_scene(device, scene, &options, distances, 2, &found, &error), GRZ_ERROR_CANCELLED,
                      &error, "cancelled", GRZ_NO_ELEMENT);
    assert_int_equal(found, 0);
    test_expect_error(grz_distance_scene(device, NULL, NULL, distances, 2, &found, &error), GRZ_ERROR_ARGUMENT, &error,
                      "scene is NULL", GRZ_NO_ELEMENT);
    test_expect_error(grz_distance_scene(device, scene, NULL, NULL, 2, &found, &error), GRZ_ERROR_ARGUMENT, &error,
                      "list of distances is NULL", GRZ_NO_ELEMENT);
    test_expect_error(grz_distance_scene(test_devices[1], scene, NULL, distances, 2, &found, &error),
                      GRZ_ERROR_ARGUMENT, &error, "another device", GRZ_NO_ELEMENT);
    options.limits.cancel = NULL;
    options.method = "slices";
    const grz_status status = grz_distance_scene(device, scene, &options, distances, 2, &found, &error);
    test_expect_error(status, GRZ_ERROR_UNSUPPORTED, &error, "method", GRZ_NO_ELEMENT);
    assert_int_equal(grz_distance_scene(device, scene, NULL, NULL, 0, &found, &error), GRZ_OK);
    assert_int_equal(grz_distance_scene(device, scene, NULL, distances, 2, NULL, &error), GRZ_OK);
    assert_true(distances[0].a == 0 && distances[0].b == 1 && distances[1].b == 2 && distances[1].answer.touching);
    grz_scene_destroy(scene);
    grz_mesh_destroy(cube);
    test_mesh_finish(&shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_are_as_single_calls),
        cmocka_unit_test(the_nearest_of_a_scene_are_those_of_all_pairs),
        cmocka_unit_test(ties_of_a_scene_are_sorted_by_number),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, test_devices_open, test_devices_close);
}
