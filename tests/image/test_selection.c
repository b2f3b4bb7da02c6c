// SPDX-License-Identifier: MIT
// Method `selection`, exact: the pairs that the GPU proposes are those whose boxes overlap, by brute force, each once,
// with leaves of any size, in lists that have to grow, after new positions and for polygons. Only meshes with new
// positions are fitted again. What a leaf cannot hold is answered all the same. Skipped where there is no OpenGL.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/gl.h>

#include "support_gl.h"
#include "support_meshes.h"
#include "support_queries.h"
#include "support_voxels.h"

#ifdef GRZ_HAVE_GL
#include "base/clock.h"
#include "base/control.h"
#include "base/device.h"
#include "geometry/pose.h"
#include "gpu/leaf_buffers.h"
#include "mesh/triangles.h"

enum {
    FIND_ALL = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT,
    CELLS = 1024,
    SHADERS_TRY = 1 << 20
};

// ---- One round against brute force --------------------------------------------------------------------------------

static bool boxes_overlap(const grz_box *a, const grz_box *b, double margin)
{
    for (int j = 0; j < 3; j++)
        if (a->min[j] > b->max[j] + margin || b->min[j] > a->max[j] + margin)
            return false;
    return true;
}

static grz_box *boxes_of(const grz_object *object)
{
    grz_box *boxes = malloc(object->mesh->triangle_count * sizeof *boxes);
    assert_non_null(boxes);
    for (uint32_t t = 0; t < object->mesh->triangle_count; t++)
        boxes[t] = grz_world_triangle_box(object->mesh, &object->pose, t);
    return boxes;
}

// Expect that the round's candidates are the pairs whose boxes overlap: all of them, each once, and none whose boxes
// are further apart than `margin`. Returns how many there are.
static uint64_t expect_box_pairs(const char *what, grz_device *device, const grz_object *a, const grz_object *b,
                                 uint32_t max_faces, double margin)
{
    const uint32_t count_a = a->mesh->triangle_count, count_b = b->mesh->triangle_count;
    test_grid_request q;
    grz_grid_round round = {.answers = NULL};
    grz_control control;
    grz_error error;
    test_grid_request_init(&q, "selection", a, b, CELLS, GRZ_JOIN_LEAVES);
    q.request.max_faces = max_faces;
    grz_control_init(&control, grz_device_allocator(device), NULL);
    if (grz_grid_run(device, &q.request, &control, &round, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    if (round.answers[0].flags != 0)
        fail_msg("%s: flags %u with %u faces a leaf", what, round.answers[0].flags, max_faces);
    uint8_t *seen = calloc(count_a, count_b);
    grz_box *boxes_a = boxes_of(a), *boxes_b = boxes_of(b);
    assert_non_null(seen);
    for (size_t i = 0; i < round.candidate_count; i++) {
        const uint32_t s = round.candidates[i].triangles[0], t = round.candidates[i].triangles[1];
        if (seen[(size_t)s * count_b + t]++ != 0)
            fail_msg("%s: %u and %u are proposed twice, %u faces a leaf", what, s, t, max_faces);
        if (!boxes_overlap(&boxes_a[s], &boxes_b[t], margin))
            fail_msg("%s: %u and %u are proposed although far apart, %u faces a leaf", what, s, t, max_faces);
    }
    for (uint32_t s = 0; s < count_a; s++)
        for (uint32_t t = 0; t < count_b; t++)
            if (seen[(size_t)s * count_b + t] == 0 && boxes_overlap(&boxes_a[s], &boxes_b[t], 0.0))
                fail_msg("%s: %u and %u are not proposed, %u faces a leaf", what, s, t, max_faces);
    free(seen);
    free(boxes_a);
    free(boxes_b);
    const uint64_t count = round.candidate_count;
    grz_grid_round_finish(&round, &control);
    return count;
}

static const uint32_t sizes[] = {1, 3, 16, 64, 300, 4096};

// With leaves of all sizes. The meshes are freed.
static uint64_t expect_box_pairs_of(const char *what, grz_device *device, test_mesh a, test_mesh b,
                                    const grz_pose *pose_b, double margin)
{
    grz_mesh *mesh_a = test_mesh_upload(device, &a), *mesh_b = test_mesh_upload(device, &b);
    const grz_object object_a = grz_object_at_origin(mesh_a),
                     object_b = grz_object_at(mesh_b, pose_b != NULL ? *pose_b : grz_pose_identity());
    uint64_t count = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        count = expect_box_pairs(what, device, &object_a, &object_b, sizes[i], margin);
    grz_mesh_destroy(mesh_a);
    grz_mesh_destroy(mesh_b);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
    return count;
}

static grz_pose random_pose(random_stream *random, double reach)
{
    double at[3], quaternion[4];
    grz_pose pose;
    for (int i = 0; i < 3; i++)
        at[i] = reach * random_signed(random);
    for (int i = 0; i < 4; i++)
        quaternion[i] = random_signed(random) + (i == 3 ? 0.01 : 0.0);
    assert_int_equal(grz_pose_from_quaternion(at, quaternion, &pose, NULL), GRZ_OK);
    return pose;
}

static void pairs_are_those_whose_boxes_overlap(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = {.state = 31};
    uint64_t count = 0;
    for (int i = 0; i < 12; i++) {
        const grz_pose pose = random_pose(&random, 0.7);
        count += expect_box_pairs_of("ball and ring", device, test_mesh_icosphere(1.0, 3),
                                     test_mesh_torus(1.0, 0.3, 30, 15), &pose, 1e-5);
        count += expect_box_pairs_of("soups", device, test_mesh_random_triangles(&random, 300, 0.3, 0),
                                     test_mesh_random_triangles(&random, 200, 0.5, 0), &pose, 1e-5);
    }
    assert_true(count > 10000);
    // Flat regions: a sheet in the plane of another, and one that stands on it.
    assert_true(expect_box_pairs_of("one plane", device, test_mesh_grid(20, 20, 0.1), test_mesh_grid(15, 15, 0.1), NULL,
                                    1e-5) > 500);
    assert_true(expect_box_pairs_of("corner to corner", device, test_mesh_cube(0.0, 0.0, 0.0, 1.0),
                                    test_mesh_cube(1.0, 1.0, 1.0, 1.0), NULL, 1e-5) > 0);
    test_gl_device_close(device);
}

// 20,480 triangles on themselves make more pairs, of leaves and of triangles, than the lists have room for at first.
static void lists_grow_until_all_is_in_them(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    test_mesh m = test_mesh_icosphere(1.0, 4);
    grz_mesh *mesh = test_mesh_upload(device, &m);
    const grz_object object = grz_object_at_origin(mesh);
    const uint64_t count = expect_box_pairs("itself", device, &object, &object, 4, 1e-5);
    assert_true(count > 1 << 15);
    assert_int_equal(expect_box_pairs("itself", device, &object, &object, 500, 1e-5), count);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&m);
    test_gl_device_close(device);
}

// ---- Whole queries ------------------------------------------------------------------------------------------------

static test_answer ask(grz_device *device, const grz_object *a, const grz_object *b, const char *method,
                       uint32_t max_faces)
{
    grz_result *result = test_result_create(device);
    grz_collide_options options = grz_default_collide_options();
    grz_selection_options selection = grz_default_selection_options();
    const grz_method_options own = {.method = "selection", .options = &selection};
    grz_error error;
    selection.max_faces = max_faces;
    options.find = FIND_ALL;
    options.method = method;
    options.method_options = &own;
    if (grz_collide(device, a, b, &options, result, &error) != GRZ_OK)
        fail_msg("%s: %s", method, error.message);
    const test_answer answer = test_answer_of(result);
    grz_result_destroy(result);
    return answer;
}

static uint64_t expect_same(const char *what, grz_device *device, const grz_object *a, const grz_object *b)
{
    test_answer plain = ask(device, a, b, "bvh", 1);
    const uint64_t count = plain.pair_count;
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
        assert_int_equal(grz_grid_limit_pairs(device, i % 2 == 0 ? 0 : SHADERS_TRY, NULL), GRZ_OK);
        test_answer other = ask(device, a, b, "selection", sizes[i / 2]);
        if (!test_answers_equal(what, &plain, &other))
            fail_msg("%s: selection and bvh differ, %u faces a leaf", what, sizes[i / 2]);
        test_answer_finish(&other);
    }
    assert_int_equal(grz_grid_limit_pairs(device, 0, NULL), GRZ_OK);
    test_answer_finish(&plain);
    return count;
}

// All vertices move in each step, by themselves. Both meshes have quads and triangles.
static void deforming_meshes_have_the_answers_of_bvh(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = {.state = 32};
    test_mesh ground = test_mesh_grid_quads(30, 30, 0.1), tool = test_mesh_cube_quads(1.0, 1.0, -0.3, 0.6);
    test_mesh_take(&tool, test_mesh_icosphere(0.4, 2));
    double *positions = calloc(3 * ground.vertex_count, sizeof *positions);
    assert_non_null(positions);
    grz_mesh *mesh_a = test_mesh_upload(device, &ground), *mesh_b = test_mesh_upload(device, &tool);
    const grz_object a = grz_object_at_origin(mesh_a), b = grz_object_at_origin(mesh_b);
    uint64_t count = 0;
    for (int step = 0; step < 12; step++) {
        for (size_t i = 0; i < 3 * ground.vertex_count; i++)
            positions[i] = ground.positions[i] + 0.04 * step * random_signed(&random);
        assert_int_equal(grz_mesh_set_positions(mesh_a, positions, NULL), GRZ_OK);
        count += expect_same("deformed", device, &a, &b);
        count += expect_same("deformed, swapped", device, &b, &a);
    }
    assert_true(count > 1000);
    grz_mesh_destroy(mesh_a);
    grz_mesh_destroy(mesh_b);
    free(positions);
    test_mesh_finish(&ground);
    test_mesh_finish(&tool);
    test_gl_device_close(device);
}

// A disc of one face with 5,000 corners, and a bent quad whose corners do not lie in a plane.
static void faces_of_any_form_have_the_answers_of_bvh(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    enum {
        CORNERS = 5000
    };
    static uint32_t corners[CORNERS];
    test_mesh disc = {0}, bent = {0};
    for (uint32_t i = 0; i < CORNERS; i++) {
        const double angle = 6.28318530717958648 * i / CORNERS;
        corners[i] = test_mesh_add_vertex(&disc, cos(angle), sin(angle), 0.0);
    }
    test_mesh_add_face(&disc, corners, CORNERS);
    const double quad[4][3] = {{-1.0, -1.0, -0.5}, {1.0, -1.0, 0.5}, {1.0, 1.0, -0.5}, {-1.0, 1.0, 0.5}};
    for (uint32_t i = 0; i < 4; i++)
        test_mesh_add_vertex(&bent, quad[i][0], quad[i][1], quad[i][2]);
    test_mesh_add_face(&bent, (const uint32_t[]){0, 1, 2, 3}, 4);
    // A corner on the side between two others, and a face of no width.
    test_mesh_add_vertex(&bent, 0.0, -1.0, 0.0);
    test_mesh_add_face(&bent, (const uint32_t[]){0, 4, 1, 2}, 4);
    test_mesh_add_face(&bent, (const uint32_t[]){0, 4, 1}, 3);
    grz_mesh *mesh_a = test_mesh_upload(device, &disc), *mesh_b = test_mesh_upload(device, &bent);
    const grz_object a = grz_object_at_origin(mesh_a), b = grz_object_at_origin(mesh_b);
    assert_true(expect_same("disc and bent quads", device, &a, &b) > 0);
    assert_true(expect_same("bent quads twice", device, &b, &b) > 0);
    grz_mesh_destroy(mesh_a);
    grz_mesh_destroy(mesh_b);
    test_mesh_finish(&disc);
    test_mesh_finish(&bent);
    test_gl_device_close(device);
}

// ---- Only what moved ----------------------------------------------------------------------------------------------

// The leaves that a mesh keeps, as the last query left them.
static grz_leaf_boxes *kept_leaves(grz_device *device, const grz_mesh *mesh)
{
    const grz_leaf_buffers *buffers;
    grz_control control;
    grz_gl *gl;
    grz_control_init(&control, grz_device_allocator(device), NULL);
    assert_int_equal(grz_gl_enter(device, "test", &gl, NULL), GRZ_OK);
    const grz_status status = grz_leaf_buffers_get(gl, mesh, 0, &control, &buffers, NULL);
    assert_int_equal(grz_gl_leave(gl, status, NULL), GRZ_OK);
    return (grz_leaf_boxes *)&buffers->leaves;
}

static void only_meshes_with_new_positions_are_fitted_again(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    test_mesh ball = test_mesh_icosphere(1.0, 3);
    grz_mesh *meshes[2] = {test_mesh_upload(device, &ball), test_mesh_upload(device, &ball)};
    grz_result *result = test_result_create(device);
    grz_collide_options options = grz_default_collide_options();
    grz_scene *scene;
    options.method = "selection";
    assert_int_equal(grz_scene_create(device, &scene, NULL), GRZ_OK);
    for (int i = 0; i < 4; i++) { // each mesh twice, in a row
        const grz_object object = grz_object_at(meshes[i / 2], grz_pose_from_translation(1.5 * i, 0.0, 0.0));
        uint32_t id;
        assert_int_equal(grz_scene_add(scene, &object, &id, NULL), GRZ_OK);
    }
    assert_int_equal(grz_collide_scene(device, scene, &options, result, NULL), GRZ_OK);
    assert_int_equal(grz_result_summary(result)->relation, GRZ_COLLIDING);
    // A mark in the boxes on the CPU: a refit would overwrite it.
    for (int i = 0; i < 2; i++)
        kept_leaves(device, meshes[i])->boxes[0].min[0] = -77.0;
    for (size_t i = 0; i < 3 * ball.vertex_count; i++)
        ball.positions[i] *= 1.01;
    assert_int_equal(grz_mesh_set_positions(meshes[1], ball.positions, NULL), GRZ_OK);
    const grz_pose moved = grz_pose_from_translation(0.0, 0.1, 0.0);
    assert_int_equal(grz_scene_set_pose(scene, 0, &moved, NULL), GRZ_OK);
    assert_int_equal(grz_collide_scene(device, scene, &options, result, NULL), GRZ_OK);
    assert_true(kept_leaves(device, meshes[0])->boxes[0].min[0] == -77.0);
    assert_true(kept_leaves(device, meshes[1])->boxes[0].min[0] != -77.0);
    grz_scene_destroy(scene);
    grz_result_destroy(result);
    grz_mesh_destroy(meshes[0]);
    grz_mesh_destroy(meshes[1]);
    test_mesh_finish(&ball);
    test_gl_device_close(device);
}

// ---- Options ------------------------------------------------------------------------------------------------------

static void leaves_of_no_face_are_refused(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    test_mesh cube = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    grz_mesh *mesh = test_mesh_upload(device, &cube);
    grz_result *result = test_result_create(device);
    grz_collide_options options = grz_default_collide_options();
    grz_selection_options selection = grz_default_selection_options();
    const grz_method_options own = {.method = "selection", .options = &selection};
    const grz_object a = grz_object_at_origin(mesh),
                     far = grz_object_at(mesh, grz_pose_from_translation(9.0, 9.0, 9.0));
    grz_error error;
    options.method = "selection";
    options.method_options = &own;
    assert_int_equal(selection.max_faces, GRZ_SELECTION_AUTOMATIC);
    selection.max_faces = 0;
    // Also where boxes already show that nothing touches.
    const char *words = "selection: options.max_faces is 0, a leaf has at least 1 face";
    test_expect_error(grz_collide(device, &a, &a, &options, result, &error), GRZ_ERROR_ARGUMENT, &error, words,
                      GRZ_NO_ELEMENT);
    test_expect_error(grz_collide(device, &a, &far, &options, result, &error), GRZ_ERROR_ARGUMENT, &error, words,
                      GRZ_NO_ELEMENT);
    options.method = "bvh"; // another method ignores them
    assert_int_equal(grz_collide(device, &a, &a, &options, result, &error), GRZ_OK);
    grz_result_destroy(result);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&cube);
    test_gl_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_those_whose_boxes_overlap),
        cmocka_unit_test(lists_grow_until_all_is_in_them),
        cmocka_unit_test(deforming_meshes_have_the_answers_of_bvh),
        cmocka_unit_test(faces_of_any_form_have_the_answers_of_bvh),
        cmocka_unit_test(only_meshes_with_new_positions_are_fitted_again),
        cmocka_unit_test(leaves_of_no_face_are_refused),
    };
    if (!test_gl_is_here())
        return TEST_SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    printf("SKIPPED: this build has no OpenGL\n");
    return TEST_SKIPPED;
}
#endif
