// SPDX-License-Identifier: MIT
// Method `selection`, discrete: the faces found are those that a second program finds, which cuts polygons in doubles,
// except where a face only just reaches into a volume. Planted cases that the paper's method gets wrong: surfaces that
// only come close, faces without area, bent quads. The answer is labelled, and the reference object matters. Skipped
// where there is no OpenGL.
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
#include "support_statistics.h"
#include "support_volumes.h"

#ifdef GRZ_HAVE_GL
#include "geometry/pose.h"
#include "mesh/mesh.h"

static test_polygon world_face(const grz_object *object, uint32_t face)
{
    test_polygon p = {.count = 0};
    uint32_t count;
    const uint32_t *corners = grz_mesh_face_corners(object->mesh, face, &count);
    assert_true(count <= 4);
    for (uint32_t i = 0; i < count; i++)
        grz_world_position(&object->pose, grz_mesh_position(object->mesh, corners[i]), p.at[p.count++]);
    return p;
}

static grz_box box_of_faces(const grz_object *object)
{
    grz_box whole = grz_box_empty();
    for (uint32_t i = 0; i < object->mesh->face_count; i++) {
        const test_polygon face = world_face(object, i);
        const grz_box box = test_polygon_box(&face);
        grz_box_add_box(&whole, &box);
    }
    return whole;
}

// What the method and the second program agree on, and what is too close to say.
typedef struct tally {
    uint64_t hits, close;
} tally;

static void compare(const char *what, grz_device *device, const grz_object *a, const grz_object *b, double thickness,
                    tally *counted)
{
    const double slack = 1e-5;
    test_answer answer = ask(device, a, b, thickness, GRZ_FIND_PAIRS);
    const grz_box all_a = box_of_faces(a), all_b = box_of_faces(b);
    for (uint32_t i = 0; i < a->mesh->face_count; i++)
        for (uint32_t j = 0; j < b->mesh->face_count; j++) {
            const test_polygon face = world_face(a, i), other = world_face(b, j);
            const grz_box box = test_polygon_box(&face), other_box = test_polygon_box(&other);
            // Faces outside the other object's box are left out before, even if they are close.
            const bool inside = grz_boxes_overlap(&box, &all_b) && grz_boxes_overlap(&other_box, &all_a);
            const bool surely = inside && test_selects(&face, &other, 0.5 * thickness, -slack),
                       perhaps = test_selects(&face, &other, 0.5 * thickness, slack), found = lists(&answer, i, j);
            if ((surely && !found) || (found && !perhaps))
                fail_msg("%s: face %u selects %u: %s by the method, %s by doubles", what, i, j, found ? "yes" : "no",
                         surely ? "yes" : "no");
            counted->hits += found;
            counted->close += surely != perhaps;
        }
    test_answer quick = ask(device, a, b, thickness, 0);
    assert_true(quick.summary.colliding == answer.summary.colliding);
    test_answer_finish(&quick);
    test_answer_finish(&answer);
}

static void faces_found_are_those_that_doubles_find(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = {.state = 41};
    tally counted = {0};
    test_mesh shapes[] = {test_mesh_icosphere(1.0, 2), test_mesh_torus(0.9, 0.4, 14, 9),
                          test_mesh_cube_quads(-0.6, -0.6, -0.6, 1.2), test_mesh_grid_quads(9, 9, 0.2),
                          test_mesh_random_triangles(&random, 120, 0.6, 0)};
    enum {
        SHAPES = sizeof shapes / sizeof *shapes
    };
    grz_mesh *meshes[SHAPES];
    for (int i = 0; i < SHAPES; i++)
        meshes[i] = test_mesh_upload(device, &shapes[i]);
    for (int i = 0; i < 30; i++) {
        const double at[3] = {0.4 * random_signed(&random), 0.4 * random_signed(&random), 0.4 * random_signed(&random)},
                     turn[4] = {random_signed(&random), random_signed(&random), random_signed(&random), 0.7};
        grz_object a = grz_object_at_origin(meshes[i % SHAPES]),
                   b = grz_object_at_origin(meshes[(i + 1 + i / SHAPES) % SHAPES]);
        assert_int_equal(grz_pose_from_quaternion(at, turn, &b.pose, NULL), GRZ_OK);
        compare("shapes", device, &a, &b, i % 2 == 0 ? 0.001 : 0.05, &counted);
    }
    print_message("  %llu faces found, %llu too close to say\n", (unsigned long long)counted.hits,
                  (unsigned long long)counted.close);
    assert_true(counted.hits > 1000 && counted.close < counted.hits / 20);
    for (int i = 0; i < SHAPES; i++) {
        grz_mesh_destroy(meshes[i]);
        test_mesh_finish(&shapes[i]);
    }
    test_gl_device_close(device);
}

// ---- What it gets wrong -------------------------------------------------------------------------------------------

static grz_relation exact_relation(grz_device *device, const grz_object *a, const grz_object *b)
{
    grz_result *result = test_result_create(device);
    assert_int_equal(grz_collide(device, a, b, NULL, result, NULL), GRZ_OK);
    const grz_relation relation = grz_result_summary(result)->relation;
    grz_result_destroy(result);
    return relation;
}

// Expect an exact and a discrete answer that differ. The meshes are freed.
static void expect_wrong(const char *what, grz_device *device, test_mesh a, test_mesh b, bool exact, bool discrete,
                         bool swapped_discrete)
{
    grz_mesh *mesh_a = test_mesh_upload(device, &a), *mesh_b = test_mesh_upload(device, &b);
    const grz_object object_a = grz_object_at_origin(mesh_a), object_b = grz_object_at_origin(mesh_b);
    if ((exact_relation(device, &object_a, &object_b) == GRZ_COLLIDING) != exact)
        fail_msg("%s: the case is not what it should be", what);
    test_answer answer = ask(device, &object_a, &object_b, 0.001, GRZ_FIND_PAIRS),
                swapped = ask(device, &object_b, &object_a, 0.001, GRZ_FIND_PAIRS);
    if (answer.summary.colliding != discrete || swapped.summary.colliding != swapped_discrete)
        fail_msg("%s: discrete %d, swapped %d", what, answer.summary.colliding, swapped.summary.colliding);
    test_answer_finish(&answer);
    test_answer_finish(&swapped);
    grz_mesh_destroy(mesh_a);
    grz_mesh_destroy(mesh_b);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
}

static void planted_cases_are_answered_wrongly(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    // Two slanting sheets, 0.0002 apart: said to touch, from either side.
    const double low[3][3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 1.0}, {0.0, 1.0, 1.0}};
    test_mesh sheet = {0}, above = {0};
    test_mesh_add_loose_triangle(&sheet, low);
    test_mesh_add_loose_triangle(&above, low);
    test_mesh_move(&above, 0.0, 0.0, 0.0003);
    expect_wrong("close sheets", device, sheet, above, false, true, true);
    // A needle without area goes through a sheet: it has no volume, so nothing is in it. From the sheet it is seen.
    const double needle_corners[3][3] = {{0.2, 0.2, -1.0}, {0.2, 0.2, 2.0}, {0.2, 0.2, 0.5}};
    test_mesh needle = {0};
    sheet = (test_mesh){0};
    test_mesh_add_loose_triangle(&sheet, low);
    test_mesh_add_loose_triangle(&needle, needle_corners);
    expect_wrong("needle", device, needle, sheet, true, false, true);
    // A bent quad: its diagonal is 1 above the plane of its volume, and there a small face touches it.
    const double bent[4][3] = {{-1.0, -1.0, 1.0}, {1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}, {-1.0, 1.0, -1.0}},
                 small[3][3] = {{0.0, 0.0, 0.9}, {0.01, 0.0, 1.1}, {0.0, 0.01, 1.1}};
    test_mesh quad = {0}, tip = {0};
    for (int i = 0; i < 4; i++)
        test_mesh_add_vertex(&quad, bent[i][0], bent[i][1], bent[i][2]);
    test_mesh_add_face(&quad, (const uint32_t[]){0, 1, 2, 3}, 4);
    test_mesh_add_loose_triangle(&tip, small);
    expect_wrong("bent quad", device, quad, tip, true, false, true);
    test_gl_device_close(device);
}

// A triangle in the dent of a quad is apart from it, whichever corner the quad starts at and whichever is the
// reference.
static void a_dent_is_not_in_the_face(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    const double dart[4][3] = {{0, 0, 0}, {2, -1, 0}, {0.5, 0, 0}, {2, 1, 0}},
                 in_dent[3][3] = {{1.5, -0.1, -1}, {1.5, 0.1, -1}, {1.5, 0, 1}},
                 in_face[3][3] = {{1.5, -0.7, -1}, {1.5, -0.6, -1}, {1.5, -0.65, 1}};
    for (int start = 0; start < 4; start++) {
        test_mesh quad = {0}, out = {0}, in = {0};
        for (int i = 0; i < 4; i++)
            test_mesh_add_vertex(&quad, dart[(start + i) % 4][0], dart[(start + i) % 4][1], dart[(start + i) % 4][2]);
        test_mesh_add_face(&quad, (const uint32_t[]){0, 1, 2, 3}, 4);
        test_mesh_add_loose_triangle(&out, in_dent);
        test_mesh_add_loose_triangle(&in, in_face);
        expect_wrong("in the dent", device, test_mesh_copy(&quad), out, false, false, false);
        expect_wrong("in the face", device, quad, in, true, true, true);
    }
    test_gl_device_close(device);
}

// ---- The reference object of a scene ------------------------------------------------------------------------------

static uint64_t ask_scene(grz_device *device, grz_scene *scene, const char *method, grz_answer kind, uint64_t reference,
                          grz_result *result)
{
    grz_collide_options options = grz_default_collide_options();
    uint64_t count;
    grz_error error;
    options.method = method;
    options.answer = kind;
    options.reference = reference;
    if (grz_collide_scene(device, scene, &options, result, &error) != GRZ_OK)
        fail_msg("%s: %s", method, error.message);
    grz_result_scene_pairs(result, &count);
    return count;
}

static void only_pairs_of_the_reference_are_tested(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    test_mesh ball = test_mesh_icosphere(1.0, 2);
    grz_mesh *mesh = test_mesh_upload(device, &ball);
    grz_result *result = test_result_create(device), *other = test_result_create(device);
    grz_scene *scene, *fresh;
    assert_int_equal(grz_scene_create(device, &scene, NULL), GRZ_OK);
    for (int i = 0; i < 5; i++) { // a row: each touches the next
        const grz_object object = grz_object_at(mesh, grz_pose_from_translation(1.5 * i, 0.01 * i, 0.0));
        uint32_t id;
        assert_int_equal(grz_scene_add(scene, &object, &id, NULL), GRZ_OK);
    }
    for (uint64_t reference = 0; reference < 5; reference++) {
        const uint64_t expected = reference == 0 || reference == 4 ? 1 : 2;
        uint64_t pairs_bvh, pairs;
        // Twice: the second time from the scene's memory.
        for (int i = 0; i < 2; i++) {
            assert_int_equal(ask_scene(device, scene, "selection", GRZ_ANSWER_EXACT, reference, result), expected);
            assert_int_equal(ask_scene(device, scene, "bvh", GRZ_ANSWER_EXACT, reference, other), expected);
            const grz_pair *x = grz_result_pairs(result, &pairs), *y = grz_result_pairs(other, &pairs_bvh);
            assert_int_equal(pairs, pairs_bvh);
            assert_memory_equal(x, y, pairs * sizeof *x);
            const grz_scene_pair *of = grz_result_scene_pairs(result, NULL);
            for (uint64_t k = 0; k < expected; k++)
                assert_true(of[k].a == reference || of[k].b == reference);
        }
        assert_int_equal(ask_scene(device, scene, "selection", GRZ_ANSWER_DISCRETE, reference, result), expected);
        assert_int_equal(grz_result_summary(result)->certainty, GRZ_DISCRETE);
    }
    assert_int_equal(ask_scene(device, scene, "bvh", GRZ_ANSWER_EXACT, GRZ_ALL_OBJECTS, result), 4);
    // No such object, and a scene without any.
    grz_collide_options options = grz_default_collide_options();
    grz_error error;
    const uint64_t wrong[] = {5, UINT64_C(1) << 32, UINT32_MAX};
    for (int i = 0; i < 3; i++) {
        options.reference = wrong[i];
        test_expect_error(grz_collide_scene(device, scene, &options, result, &error), GRZ_ERROR_ARGUMENT, &error,
                          "the scene has no object of this number", GRZ_NO_ELEMENT);
    }
    assert_int_equal(grz_scene_create(device, &fresh, NULL), GRZ_OK);
    options.reference = 0;
    test_expect_error(grz_collide_scene(device, fresh, &options, result, &error), GRZ_ERROR_ARGUMENT, &error,
                      "options.reference is 0", GRZ_NO_ELEMENT);
    assert_int_equal(ask_scene(device, fresh, "selection", GRZ_ANSWER_EXACT, GRZ_ALL_OBJECTS, result), 0);
    assert_int_equal(ask_scene(device, fresh, "selection", GRZ_ANSWER_DISCRETE, GRZ_ALL_OBJECTS, result), 0);
    grz_scene_destroy(scene);
    grz_scene_destroy(fresh);
    grz_result_destroy(result);
    grz_result_destroy(other);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&ball);
    test_gl_device_close(device);
}

// Whether the reference is the first or the second object of a pair, it is the one whose faces have volumes.
static void the_reference_has_the_volumes(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    const double sheet_corners[3][3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 1.0}, {0.0, 1.0, 1.0}},
                 needle_corners[3][3] = {{0.2, 0.2, -1.0}, {0.2, 0.2, 2.0}, {0.2, 0.2, 0.5}};
    test_mesh sheet = {0}, needle = {0};
    test_mesh_add_loose_triangle(&sheet, sheet_corners);
    test_mesh_add_loose_triangle(&needle, needle_corners);
    grz_mesh *meshes[2] = {test_mesh_upload(device, &sheet), test_mesh_upload(device, &needle)};
    grz_result *result = test_result_create(device);
    for (int first = 0; first < 2; first++) {
        grz_scene *scene;
        assert_int_equal(grz_scene_create(device, &scene, NULL), GRZ_OK);
        for (int i = 0; i < 2; i++) {
            const grz_object object = grz_object_at_origin(meshes[i ^ first]);
            uint32_t id;
            assert_int_equal(grz_scene_add(scene, &object, &id, NULL), GRZ_OK);
        }
        const uint64_t sheet_id = (uint64_t)first, needle_id = 1 - sheet_id;
        assert_int_equal(ask_scene(device, scene, "selection", GRZ_ANSWER_DISCRETE, sheet_id, result), 1);
        assert_int_equal(ask_scene(device, scene, "selection", GRZ_ANSWER_DISCRETE, needle_id, result), 0);
        grz_scene_destroy(scene);
    }
    grz_result_destroy(result);
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy(meshes[i]);
    test_mesh_finish(&sheet);
    test_mesh_finish(&needle);
    test_gl_device_close(device);
}

// ---- What an answer says ------------------------------------------------------------------------------------------

static void answers_are_labelled_in_every_case(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open(), *other = test_gl_device_open(), *cpu;
    grz_device_options only_cpu = grz_default_device_options();
    const double low[3][3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.3}},
                 high[3][3] = {{0.1, 0.1, 0.2}, {0.6, 0.1, 0.2}, {0.1, 0.3, 0.25}};
    test_mesh below = {0}, above = {0};
    test_mesh_add_loose_triangle(&below, low);
    test_mesh_add_loose_triangle(&above, high);
    only_cpu.kind = GRZ_DEVICE_CPU;
    assert_int_equal(grz_device_open(&only_cpu, &cpu, NULL), GRZ_OK);
    grz_mesh *meshes[] = {test_mesh_upload(device, &below), test_mesh_upload(device, &above),
                          test_mesh_upload(other, &above), test_mesh_upload(cpu, &above)};
    const grz_object a = grz_object_at_origin(meshes[0]), b = grz_object_at_origin(meshes[1]);
    grz_result *result = test_result_create(device);
    grz_selection_options selection = grz_default_selection_options();
    const grz_method_options own = {.method = "selection", .options = &selection};
    grz_collide_options options = grz_default_collide_options();
    const grz_summary *summary = grz_result_summary(result);
    test_statistics counted;
    grz_error error;
    options.method = "selection";
    options.answer = GRZ_ANSWER_DISCRETE;
    options.method_options = &own;
    // Close, but apart: a yes that is not exact, also if the pairs are too many to be listed.
    selection.thickness = 1.0;
    options.max_pairs = 0;
    assert_int_equal(grz_collide(device, &a, &b, &options, result, &error), GRZ_ERROR_LIMIT);
    assert_true(summary->colliding && summary->certainty == GRZ_DISCRETE && summary->may_invent && summary->may_miss);
    options.max_pairs = grz_default_collide_options().max_pairs;
    // The reference is for scenes.
    for (uint64_t reference = 0; reference < 2; reference++) {
        options.reference = reference;
        assert_int_equal(grz_collide(device, &a, &b, &options, result, &error), GRZ_OK);
        assert_int_equal(summary->pair_count, 1);
    }
    options.reference = GRZ_ALL_OBJECTS;
    // Contacts imply pairs, although the method has no contacts.
    options.find = GRZ_FIND_CONTACTS;
    assert_int_equal(grz_collide(device, &a, &b, &options, result, &error), GRZ_OK);
    assert_true(summary->pairs_listed && summary->pair_count == 1);
    // Meshes of other devices.
    for (int i = 2; i < 4; i++) {
        const grz_object stranger = grz_object_at_origin(meshes[i]);
        test_expect_error(grz_collide(device, &a, &stranger, &options, result, &error), GRZ_ERROR_ARGUMENT, &error,
                          "selection: the mesh of object B is of another device", GRZ_NO_ELEMENT);
    }
    // Scenes in which no boxes overlap have statistics, and say how they may err.
    grz_scene *scene;
    assert_int_equal(grz_scene_create(device, &scene, NULL), GRZ_OK);
    for (int i = 0; i < 2; i++) {
        const grz_object far_away = grz_object_at(meshes[0], grz_pose_from_translation(10.0 * i, 0.0, 0.0));
        uint32_t id;
        assert_int_equal(grz_collide_scene(device, scene, &options, result, &error), GRZ_OK);
        assert_true(test_statistics_read(result, "selection", &counted) && counted.hits == 0 &&
                    counted.leaf_pairs == 0);
        assert_true(summary->may_miss && summary->may_invent && summary->certainty == GRZ_DISCRETE);
        assert_int_equal(grz_scene_add(scene, &far_away, &id, NULL), GRZ_OK);
    }
    test_expect_error(grz_collide_self(device, &a, &options, result, &error), GRZ_ERROR_UNSUPPORTED, &error,
                      "method selection has a discrete answer for two objects, or scenes only", GRZ_NO_ELEMENT);
    grz_scene_destroy(scene);
    grz_result_destroy(result);
    for (int i = 0; i < 4; i++)
        grz_mesh_destroy(meshes[i]);
    grz_device_close(cpu);
    test_gl_device_close(other);
    test_gl_device_close(device);
    test_mesh_finish(&below);
    test_mesh_finish(&above);
}

// ---- Options ------------------------------------------------------------------------------------------------------

static void bad_thickness_is_refused(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    test_mesh cube = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    grz_mesh *mesh = test_mesh_upload(device, &cube);
    grz_result *result = test_result_create(device);
    grz_collide_options options = grz_default_collide_options();
    grz_selection_options selection = grz_default_selection_options();
    const grz_method_options own = {.method = "selection", .options = &selection};
    const grz_object a = grz_object_at_origin(mesh);
    const double wrong[] = {-0.001, (double)NAN, (double)INFINITY};
    grz_error error;
    assert_true(selection.thickness == 0.001);
    options.method = "selection";
    options.answer = GRZ_ANSWER_DISCRETE;
    options.method_options = &own;
    for (int i = 0; i < 3; i++) {
        selection.thickness = wrong[i];
        test_expect_error(grz_collide(device, &a, &a, &options, result, &error), GRZ_ERROR_ARGUMENT, &error,
                          "selection: options.thickness is negative or not a finite number", GRZ_NO_ELEMENT);
    }
    // Any other is taken: nothing at all, and more than the world.
    const double taken[] = {0.0, 1e-30, 1e30};
    for (int i = 0; i < 3; i++) {
        selection.thickness = taken[i];
        assert_int_equal(grz_collide(device, &a, &a, &options, result, &error), GRZ_OK);
    }
    assert_int_equal(grz_result_summary(result)->pair_count, 144);
    grz_result_destroy(result);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&cube);
    test_gl_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_found_are_those_that_doubles_find),
        cmocka_unit_test(planted_cases_are_answered_wrongly),
        cmocka_unit_test(a_dent_is_not_in_the_face),
        cmocka_unit_test(answers_are_labelled_in_every_case),
        cmocka_unit_test(only_pairs_of_the_reference_are_tested),
        cmocka_unit_test(the_reference_has_the_volumes),
        cmocka_unit_test(bad_thickness_is_refused),
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
