// SPDX-License-Identifier: MIT
// A deadline that passes is named as the caller gave it, also by calls that ask other calls with the time that is left:
// each is asked with deadlines from a microsecond up to what it takes, and every text is compared.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <graze/graze.h>

#include "support_devices.h"
#include "support_meshes.h"
#include "support_sanitizer.h"

// Two solids that overlap, a floor below them.
static grz_mesh *ring, *ball, *ground;
static grz_object a, b, floor_object;
static const double away[3] = {9.0, 1.0, 0.5}, along[3] = {0.3, 1.0, 0.2};

typedef grz_status asking(double deadline, grz_error *error);

#define OPTIONS(name)                                                                                                  \
    grz_##name##_options options = grz_default_##name##_options();                                                     \
    options.limits.deadline = deadline

static grz_status ask_move(double deadline, grz_error *error)
{
    OPTIONS(move);
    grz_move_answer answer;
    return grz_move(test_device, &a, away, &b, NULL, &options, &answer, error);
}

static grz_status ask_move_intervals(double deadline, grz_error *error)
{
    OPTIONS(move);
    grz_contact_interval found[4];
    return grz_move_intervals(test_device, &a, away, &b, NULL, &options, found, 4, NULL, error);
}

static grz_status ask_move_paths(double deadline, grz_error *error)
{
    OPTIONS(move);
    const double ends[2][3] = {{9.0, 1.0, 0.5}, {0.0, 7.0, 1.0}};
    grz_move_answer answers[2];
    return grz_move_paths(test_device, &a, ends[0], 2, &b, &options, answers, error);
}

static grz_status ask_move_scene(double deadline, grz_error *error)
{
    OPTIONS(move);
    grz_scene *scene;
    grz_scene_contact contacts[2];
    uint32_t number, other;
    assert_int_equal(grz_scene_create(test_device, &scene, NULL), GRZ_OK);
    assert_int_equal(grz_scene_add(scene, &a, &number, NULL), GRZ_OK);
    assert_int_equal(grz_scene_add(scene, &b, &other, NULL), GRZ_OK);
    const grz_status status = grz_move_scene(test_device, scene, number, away, &options, contacts, 2, NULL, error);
    grz_scene_destroy(scene);
    return status;
}

static grz_status ask_move_rigid(double deadline, grz_error *error)
{
    OPTIONS(rigid);
    const double turn[4] = {0.1, 0.7, 0.2, 0.5}, none[4] = {0.0, 0.0, 0.0, 1.0}, start[3] = {7.0, 0.3, 0.2};
    const grz_motion coming = grz_motion_slerp(start, none, (const double[3]){0.0}, turn);
    const grz_motion rest = grz_motion_rest(b.pose);
    grz_move_answer answer;
    return grz_move_rigid(test_device, &a, &coming, &b, &rest, &options, &answer, error);
}

// From where they overlap: the start is a query.
static grz_status ask_move_rigid_start(double deadline, grz_error *error)
{
    OPTIONS(rigid);
    const grz_motion rest[2] = {grz_motion_rest(a.pose), grz_motion_rest(b.pose)};
    grz_move_answer answer;
    return grz_move_rigid(test_device, &a, &rest[0], &b, &rest[1], &options, &answer, error);
}

static grz_status ask_penetration(double deadline, grz_error *error)
{
    OPTIONS(move);
    grz_penetration_answer answer;
    return grz_penetration(test_device, &a, &b, &options, &answer, error);
}

static grz_status ask_penetration_along(double deadline, grz_error *error)
{
    OPTIONS(move);
    grz_penetration_answer answer;
    return grz_penetration_along(test_device, &a, &b, along, &options, &answer, error);
}

static grz_status ask_volume(double deadline, grz_error *error)
{
    OPTIONS(move);
    grz_overlap_volume_answer answer;
    return grz_overlap_volume(test_device, &a, &b, &options, &answer, error);
}

static grz_status ask_depth(double deadline, grz_error *error)
{
    OPTIONS(overlap_depth);
    grz_overlap_depth_answer answer;
    return grz_overlap_depth(test_device, &a, &b, &options, &answer, error);
}

static grz_status ask_manifold(double deadline, grz_error *error)
{
    OPTIONS(manifold);
    static grz_manifold_answer answer; // large
    return grz_manifold_find(test_device, &a, &b, &options, &answer, error);
}

static grz_status ask_footsteps(double deadline, grz_error *error)
{
    OPTIONS(footsteps);
    grz_footstep steps[2];
    grz_object feet[2] = {a, a};
    options.reach = 9.0;
    return grz_footsteps_correct(test_device, feet, 2, &floor_object, 1, &options, steps, error);
}

static grz_status ask_portals(double deadline, grz_error *error)
{
    OPTIONS(portals);
    const grz_object object = grz_object_at_origin(ring);
    grz_portals *level = NULL;
    const grz_status status = grz_portals_create(test_device, &object, NULL, 0, &options, &level, error);
    grz_portals_destroy(level);
    return status;
}

static grz_status ask_projections(double deadline, grz_error *error)
{
    OPTIONS(projections);
    const grz_mesh *const poses[1] = {ball};
    grz_projections *found = NULL;
    const grz_status status = grz_projections_find(test_device, poses, 1, &options, &found, error);
    grz_projections_destroy(found);
    return status;
}

static grz_status ask_cover(double deadline, grz_error *error)
{
    OPTIONS(convex_cover);
    grz_convex_parts *parts = NULL;
    const grz_status status = grz_convex_cover_of_mesh(ring, &options, &parts, error);
    grz_convex_parts_destroy(parts);
    return status;
}

// Ask with longer and longer deadlines, until the call ends in time or that takes too long.
static void check(const char *name, asking *ask)
{
    int passed = 0;
    double deadline = 1e-6;
    while (deadline < 0.12) {
        grz_error error = {.message = ""};
        char expected[64];
        const grz_status status = ask(deadline, &error);
        if (status == GRZ_OK)
            break;
        snprintf(expected, sizeof expected, "the deadline of %g s passed", deadline);
        if (status != GRZ_ERROR_DEADLINE || strcmp(error.message, expected) != 0)
            fail_msg("%s, deadline %g: status %d, \"%s\"", name, deadline, (int)status, error.message);
        passed++;
        deadline *= deadline < 1e-3 ? 1.4 : 1.15;
    }
    print_message("%s: %d deadlines passed\n", name, passed);
    assert_in_range(passed, 1, 1000);
}

static void the_callers_deadline_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        asking *ask;
    } calls[] = {{"move", ask_move},
                 {"move intervals", ask_move_intervals},
                 {"move paths", ask_move_paths},
                 {"move scene", ask_move_scene},
                 {"move rigid", ask_move_rigid},
                 {"move rigid, its start", ask_move_rigid_start},
                 {"penetration", ask_penetration},
                 {"penetration along", ask_penetration_along},
                 {"overlap volume", ask_volume},
                 {"overlap depth", ask_depth},
                 {"manifold", ask_manifold},
                 {"footsteps", ask_footsteps},
                 {"portals", ask_portals},
                 {"projections", ask_projections},
                 {"convex cover", ask_cover}};
    test_mesh torus = test_mesh_torus(2.0, 0.7, 90, 40), sphere = test_mesh_icosphere(1.3, TEST_SANITIZED ? 3 : 4);
    test_mesh grid = test_mesh_grid(TEST_SANITIZED ? 20 : 60, TEST_SANITIZED ? 20 : 60, 0.5);
    ring = test_mesh_upload(test_device, &torus);
    ball = test_mesh_upload(test_device, &sphere);
    ground = test_mesh_upload(test_device, &grid);
    a = grz_object_at_origin(ring);
    b = grz_object_at_origin(ball);
    b.pose.m[0][3] = 2.1;
    b.pose.m[1][3] = 0.03;
    floor_object = grz_object_at_origin(ground);
    floor_object.pose.m[0][3] = floor_object.pose.m[1][3] = -9.0;
    floor_object.pose.m[2][3] = -3.0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        check(calls[i].name, calls[i].ask);
    grz_mesh_destroy(ring);
    grz_mesh_destroy(ball);
    grz_mesh_destroy(ground);
    test_mesh_finish(&torus);
    test_mesh_finish(&sphere);
    test_mesh_finish(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_callers_deadline_is_named)};
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
