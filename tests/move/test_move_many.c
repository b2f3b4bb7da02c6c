// SPDX-License-Identifier: MIT
// grz_move_paths() and grz_move_scene(): each answer is grz_move()'s, on one thread and on two; groups and filters;
// what is bad is named.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_devices.h"
#include "support_meshes.h"

enum {
    PATHS = 200,
    OBJECTS = 60
};

static grz_move_answer ask(grz_device *device, const grz_object *a, const double to[3], const grz_object *b)
{
    grz_move_answer answer;
    grz_error error;
    if (grz_move(device, a, to, b, NULL, NULL, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return answer;
}

static void expect_same(const grz_move_answer *x, const grz_move_answer *y)
{
    assert_true(x->first_contact == y->first_contact && x->lower == y->lower && x->upper == y->upper);
    assert_true(x->has_contact == y->has_contact && x->started_inside == y->started_inside &&
                x->certainty == y->certainty);
    assert_true(x->face_a == y->face_a && x->face_b == y->face_b && x->ties == y->ties);
    assert_memory_equal(x->normal, y->normal, sizeof x->normal);
    assert_memory_equal(x->point, y->point, sizeof x->point);
}

// ---- Paths --------------------------------------------------------------------------------------------------------

static void paths_are_followed_as_each_alone(grz_device *device, double x)
{
    test_mesh ball = test_mesh_icosphere(1.0, 2), torus = test_mesh_torus(3.0, 1.0, 24, 12);
    const grz_object a = grz_object_at(test_mesh_upload(device, &ball), grz_pose_from_translation(x, 0.25, 0.5)),
                     b = grz_object_at_origin(test_mesh_upload(device, &torus));
    random_stream random = {41};
    double to[PATHS][3];
    grz_move_answer answers[PATHS];
    grz_error error;
    int contacts = 0;
    for (int i = 0; i < PATHS; i++)
        for (int k = 0; k < 3; k++)
            to[i][k] = 12.0 * random_signed(&random);
    if (grz_move_paths(device, &a, to[0], PATHS, &b, NULL, answers, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    for (int i = 0; i < PATHS; i++) {
        const grz_move_answer alone = ask(device, &a, to[i], &b);
        expect_same(&answers[i], &alone);
        contacts += alone.has_contact;
    }
    assert_true(x < 4.0 || (contacts > PATHS / 10 && contacts < PATHS));
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_mesh_destroy((grz_mesh *)b.mesh);
    test_mesh_finish(&ball);
    test_mesh_finish(&torus);
}

static void many_paths_are_many_moves(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        paths_are_followed_as_each_alone(test_devices[i], 7.0);
        paths_are_followed_as_each_alone(test_devices[i], 3.0); // starts inside
    }
}

static void bad_paths_are_named(void **state)
{
    test_mesh cube = test_mesh_cube(0, 0, 0, 1);
    grz_device *device = test_devices[1];
    const grz_object a = grz_object_at_origin(test_mesh_upload(device, &cube));
    const double to[2][3] = {{1, 2, 3}, {0, HUGE_VAL, 0}};
    grz_move_answer answers[2];
    grz_error error;
    (void)state;
    assert_int_equal(grz_move_paths(device, &a, to[0], 2, &a, NULL, answers, &error), GRZ_ERROR_POSE);
    assert_true(error.element == 1 && strstr(error.message, "path 1") != NULL);
    assert_int_equal(grz_move_paths(device, &a, NULL, 2, &a, NULL, answers, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_move_paths(device, &a, to[0], 2, &a, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_move_paths(NULL, &a, to[0], 2, &a, NULL, answers, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_move_paths(device, NULL, to[0], 2, &a, NULL, answers, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_move_paths(device, &a, NULL, 0, &a, NULL, NULL, &error), GRZ_OK);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    test_mesh_finish(&cube);
}

// ---- Scenes -------------------------------------------------------------------------------------------------------

static bool not_odd(uint32_t a, const grz_object *object_a, uint32_t b, const grz_object *object_b, void *user)
{
    (void)object_a;
    (void)object_b;
    (void)user;
    return a % 2 == 0 && b % 2 == 0;
}

static int compare(const void *x, const void *y)
{
    const grz_scene_contact *p = x, *q = y;
    if (p->answer.first_contact != q->answer.first_contact)
        return p->answer.first_contact < q->answer.first_contact ? -1 : 1;
    return (p->object > q->object) - (p->object < q->object);
}

static void a_scene_tells_what_is_touched_first(void **state)
{
    grz_device *device = test_devices[1];
    test_mesh cube = test_mesh_cube(0, 0, 0, 1), ball = test_mesh_icosphere(0.75, 2);
    const grz_mesh *meshes[2] = {test_mesh_upload(device, &cube), test_mesh_upload(device, &ball)};
    grz_object objects[OBJECTS];
    grz_scene *scene;
    grz_error error;
    random_stream random = {43};
    (void)state;
    assert_int_equal(grz_scene_create(device, &scene, &error), GRZ_OK);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        double at[3];
        uint32_t number;
        for (int k = 0; k < 3; k++)
            at[k] = i == 0 ? 0.0 : 3.0 * random_signed(&random);
        objects[i] = grz_object_at(meshes[i % 2], grz_pose_from_translation(at[0], at[1], at[2]));
        assert_int_equal(grz_scene_add(scene, &objects[i], &number, &error), GRZ_OK);
        assert_int_equal(number, i);
    }
    for (int filtered = 0; filtered < 2; filtered++) {
        const double to[3] = {5, 3, -2};
        grz_scene_contact expected[OBJECTS] = {{.object = 0}}, contacts[OBJECTS], first;
        uint64_t count = 0, found;
        assert_int_equal(grz_scene_set_filter(scene, filtered != 0 ? not_odd : NULL, NULL, &error), GRZ_OK);
        for (uint32_t i = 1; i < OBJECTS; i++) {
            const grz_move_answer answer = ask(device, &objects[0], to, &objects[i]);
            if (answer.has_contact && (filtered == 0 || i % 2 == 0))
                expected[count++] = (grz_scene_contact){i, answer};
        }
        qsort(expected, count, sizeof expected[0], compare);
        assert_true(count > (filtered != 0 ? 1 : 4) && count < OBJECTS - 1);
        assert_int_equal(grz_move_scene(device, scene, 0, to, NULL, contacts, OBJECTS, &found, &error), GRZ_OK);
        assert_int_equal(found, count);
        for (uint64_t i = 0; i < count; i++) {
            assert_int_equal(contacts[i].object, expected[i].object);
            expect_same(&contacts[i].answer, &expected[i].answer);
        }
        assert_int_equal(grz_move_scene(device, scene, 0, to, NULL, &first, 1, &found, &error), GRZ_OK);
        assert_true(found == 1 && first.object == expected[0].object);
        expect_same(&first.answer, &expected[0].answer);
    }
    assert_int_equal(grz_move_scene(device, scene, OBJECTS, (double[3]){0}, NULL, NULL, 0, NULL, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_true(error.element == OBJECTS && strstr(error.message, "no object 60") != NULL);
    assert_int_equal(grz_move_scene(device, scene, 0, NULL, NULL, NULL, 0, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_move_scene(test_devices[0], scene, 0, (double[3]){0}, NULL, NULL, 0, NULL, &error),
                     GRZ_ERROR_ARGUMENT);
    grz_scene_destroy(scene);
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy((grz_mesh *)meshes[i]);
    test_mesh_finish(&cube);
    test_mesh_finish(&ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_paths_are_many_moves),
        cmocka_unit_test(bad_paths_are_named),
        cmocka_unit_test(a_scene_tells_what_is_touched_first),
    };
    return cmocka_run_group_tests(tests, test_devices_open, test_devices_close);
}
