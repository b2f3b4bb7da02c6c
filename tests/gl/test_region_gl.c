// SPDX-License-Identifier: MIT
// Picking by a region where OpenGL proposes the faces: the same bytes as from the CPU's tree, for poses and sizes of
// all kinds, faces that only touch, faces without area, and meshes in the caller's buffers.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_camera.h"
#include "support_capture.h"
#include "support_gl.h"
#include "support_gl_mesh.h"
#include "support_queries.h"

enum {
    OBJECTS = 4,
    ROOM = 8000,
    ROUNDS = 30
};

static grz_device *device;
static grz_region_hit hits[2][ROOM];

// Ask both; they must agree. Returns how many hits there are.
static uint64_t compare(grz_device *on, const grz_object *objects, const grz_object *by_gl, uint32_t count,
                        const grz_region *region)
{
    uint64_t found[2];
    grz_error error;
    if (grz_region_pick(on, grz_targets_of_objects(objects, count), region, NULL, hits[0], ROOM, &found[0], &error) !=
            GRZ_OK ||
        grz_region_pick_gl(on, grz_targets_of_objects(by_gl, count), region, NULL, hits[1], ROOM, &found[1], &error) !=
            GRZ_OK)
        fail_msg("%s", error.message);
    assert_true(found[0] <= ROOM);
    assert_int_equal(found[0], found[1]);
    assert_memory_equal(hits[0], hits[1], found[0] * sizeof **hits);
    return found[0];
}

static grz_region region_of(const test_camera *camera, double column, double row, double size)
{
    grz_region region;
    assert_int_equal(grz_region_of_pixels((test_matrix)camera->to_pixels, column, row, column + size, row + 0.7 * size,
                                          &region, NULL),
                     GRZ_OK);
    return region;
}

static void gpu_and_cpu_agree(void **state)
{
    (void)state;
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2581);
    uint64_t listed = 0;
    test_mesh shapes[OBJECTS] = {test_mesh_icosphere(0.8, 2), test_mesh_cube_quads(-0.5, -0.5, -0.5, 1.0),
                                 test_mesh_torus(0.8, 0.3, 20, 12), test_mesh_random_triangles(&random, 120, 0.7, 3)};
    for (uint32_t kind = 0; kind < 6; kind++) {
        const double around[3] = {kind == 4 ? 1e6 : 0.0, kind == 4 ? -3e6 : 0.0, 0.0},
                     size = kind == 5 ? 0x1p-130 : 1.0;
        grz_mesh *meshes[OBJECTS];
        for (int i = 0; i < OBJECTS; i++)
            meshes[i] = test_mesh_upload(device, &shapes[i]);
        for (int round = 0; round < ROUNDS; round++) {
            grz_object objects[OBJECTS];
            for (int i = 0; i < OBJECTS; i++) {
                grz_pose pose = grz_pose_identity();
                for (int k = 0; k < 12; k++)
                    pose.m[k / 4][k % 4] = k % 4 == 3                ? size * (around[k / 4] + random_signed(&random))
                                           : kind == 2 && k / 4 == 1 ? 0.0
                                                                     : size * random_signed(&random);
                objects[i] = grz_object_at(meshes[i], pose);
            }
            test_camera camera = test_camera_around(&random, around, 4.0, 120, 90);
            for (int k = 0; k < 3 && kind == 5; k++)
                camera.eye[k] *= size;
            camera.near *= size;
            camera.far *= size;
            test_camera_set(&camera);
            const double sizes[3] = {0.05, 6.0, 100.0};
            for (int s = 0; s < 3; s++) {
                const grz_region region = region_of(&camera, 60.0 + 40.0 * random_signed(&random),
                                                    45.0 + 30.0 * random_signed(&random), sizes[s]);
                listed += compare(device, objects, objects, OBJECTS, &region);
            }
        }
        for (int i = 0; i < OBJECTS; i++)
            grz_mesh_destroy(meshes[i]);
    }
    assert_true(listed > 5000);
    for (int i = 0; i < OBJECTS; i++)
        test_mesh_finish(&shapes[i]);
}

// One pixel a unit, without perspective.
static const double plain[4][4] = {
    {1.0, 0.0, 0.0, 0.0}, {0.0, -1.0, 0.0, 16.0}, {0.0, 0.0, -0.5, 0.5}, {0.0, 0.0, 0.0, 1.0}};

static void what_only_touches_is_proposed(void **state)
{
    (void)state;
    // The last two faces have no area: a segment, and a point, both on the region's side.
    const double positions[] = {4.0, 4.0, 0.0, 5.0, 4.0, 0.0,  5.0, 5.0,  0.0,
                                4.0, 5.0, 0.0, 4.0, 4.5, 0.25, 4.0, 4.75, 0.5};
    const uint32_t indices[] = {0, 1, 2, 0, 2, 3, 0, 4, 5, 4, 4, 4};
    const grz_mesh_description d = grz_mesh_description_from_triangles(positions, GRZ_FLOAT64, 6, indices, 4);
    grz_mesh *mesh;
    grz_region region;
    assert_int_equal(grz_mesh_create(device, &d, &mesh, NULL), GRZ_OK);
    for (int third = 0; third < 3; third++) { // also where no number is a float
        const double shift = third / 3.0;
        const grz_object object = grz_object_at(mesh, grz_pose_from_translation(shift, 0.0, 0.0));
        assert_int_equal(grz_region_of_pixels(plain, 0.0, 0.0, 4.0 + shift, 16.0, &region, NULL), GRZ_OK);
        assert_int_equal(compare(device, &object, &object, 1, &region), 4);
        assert_int_equal(grz_region_of_pixels(plain, 0.0, 0.0, nextafter(4.0 + shift, 0.0), 16.0, &region, NULL),
                         GRZ_OK);
        assert_int_equal(compare(device, &object, &object, 1, &region), 0);
    }
    grz_mesh_destroy(mesh);
}

// Numbers of a scene have gaps.
static void a_scene_gives_the_same(void **state)
{
    (void)state;
    test_mesh shape = test_mesh_icosphere(3.0, 2);
    grz_mesh *mesh = test_mesh_upload(device, &shape);
    grz_scene *scene;
    grz_region region;
    uint64_t found[3];
    uint32_t id;
    grz_error error;
    assert_int_equal(grz_scene_create(device, &scene, NULL), GRZ_OK);
    for (int i = 0; i < 3; i++) {
        const grz_object object = grz_object_at(mesh, grz_pose_from_translation(4.0 + 2.0 * i, 6.0, 0.0));
        assert_int_equal(grz_scene_add(scene, &object, &id, NULL), GRZ_OK);
    }
    assert_int_equal(grz_scene_remove(scene, 1, NULL), GRZ_OK);
    assert_int_equal(grz_region_of_pixels(plain, 2.0, 2.0, 9.0, 14.0, &region, NULL), GRZ_OK);
    assert_int_equal(
        grz_region_pick(device, grz_targets_of_scene(scene), &region, NULL, hits[0], ROOM, &found[0], NULL), GRZ_OK);
    assert_int_equal(
        grz_region_pick_gl(device, grz_targets_of_scene(scene), &region, NULL, hits[1], ROOM, &found[1], NULL), GRZ_OK);
    assert_int_equal(found[0], found[1]);
    assert_true(found[0] > 100 && found[0] <= ROOM);
    assert_memory_equal(hits[0], hits[1], found[0] * sizeof **hits);
    bool seen[3] = {false, false, false};
    for (uint64_t i = 0; i < found[1]; i++)
        seen[hits[1][i].object] = true;
    assert_true(seen[0] && !seen[1] && seen[2]);
    found[2] = 7;
    assert_int_equal(
        grz_region_pick_gl(device, grz_targets_of_scene(NULL), &region, NULL, hits[1], ROOM, &found[2], &error),
        GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "region: the scene is NULL");
    assert_int_equal(found[2], 0);
    grz_scene_destroy(scene);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
}

static void a_vertex_on_a_plane_is_proposed(void **state)
{
    (void)state;
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2583);
    for (int round = 0; round < 60; round++) {
        test_mesh shape = test_mesh_random_triangles(&random, 40, 0.7, 3);
        grz_mesh *mesh = test_mesh_upload(device, &shape);
        grz_pose pose;
        for (int i = 0; i < 12; i++)
            pose.m[i / 4][i % 4] = i % 4 == 3 ? 10.0 * random_signed(&random) : random_signed(&random);
        const grz_object object = grz_object_at(mesh, pose);
        for (int side = 0; side < 6; side++) {
            const grz_region region = test_region_at_end(&object, &shape, side % 3, side / 3);
            assert_true(compare(device, &object, &object, 1, &region) > 0);
        }
        grz_mesh_destroy(mesh);
        test_mesh_finish(&shape);
    }
}

static void ends_and_bad_input(void **state)
{
    (void)state;
    test_mesh shape = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    grz_mesh *cube = test_mesh_upload(device, &shape);
    const grz_object object = grz_object_at_origin(cube);
    const volatile int cancel = 1;
    grz_pick_options options = grz_default_pick_options();
    grz_device_options without = grz_default_device_options();
    grz_device *cpu;
    grz_region region;
    grz_error error;
    uint64_t found;
    assert_int_equal(grz_region_of_pixels(plain, 0.0, 0.0, 16.0, 16.0, &region, NULL), GRZ_OK);
    options.method = "auto";
    assert_int_equal(
        grz_region_pick_gl(device, grz_targets_of_objects(&object, 1), &region, &options, NULL, 0, &found, &error),
        GRZ_OK);
    options.method = "bvh";
    test_expect_error(
        grz_region_pick_gl(device, grz_targets_of_objects(&object, 1), &region, &options, NULL, 0, &found, &error),
        GRZ_ERROR_UNSUPPORTED, &error, "method", GRZ_NO_ELEMENT);
    options = grz_default_pick_options();
    options.limits.cancel = &cancel;
    test_expect_error(
        grz_region_pick_gl(device, grz_targets_of_objects(&object, 1), &region, &options, NULL, 0, &found, &error),
        GRZ_ERROR_CANCELLED, &error, "cancelled", GRZ_NO_ELEMENT);
    options = grz_default_pick_options();
    options.limits.memory_limit = 16;
    test_expect_error(
        grz_region_pick_gl(device, grz_targets_of_objects(&object, 1), &region, &options, NULL, 0, &found, &error),
        GRZ_ERROR_MEMORY, &error, "region", GRZ_NO_ELEMENT);
    without.kind = GRZ_DEVICE_CPU;
    assert_int_equal(grz_device_open(&without, &cpu, NULL), GRZ_OK);
    test_expect_error(
        grz_region_pick_gl(cpu, grz_targets_of_objects(&object, 1), &region, NULL, NULL, 0, &found, &error),
        GRZ_ERROR_ARGUMENT, &error, "another device", 0);
    assert_int_equal(grz_region_pick_gl(cpu, grz_targets_of_objects(NULL, 0), &region, NULL, NULL, 0, &found, &error),
                     GRZ_ERROR_UNSUPPORTED);
    grz_device_close(cpu);
    grz_mesh_destroy(cube);
    test_mesh_finish(&shape);
}

#ifdef GRZ_HAVE_GL
static void use_the_callers_buffers(test_program program)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2582);
    test_mesh shape = test_mesh_icosphere(1.0, 2);
    uint64_t listed = 0;
    test_mesh_round_to_floats(&shape);
    test_mesh soup = test_mesh_soup(&shape);
    for (int layout = 0; layout < LAYOUT_COUNT; layout++) {
        const test_mesh *used = layout == SOUP ? &soup : &shape;
        test_buffers buffers = test_buffers_make(used, (test_layout)layout);
        grz_mesh *lent = test_buffers_mesh(program.device, &buffers), *copy = test_mesh_upload(program.device, used);
        for (int round = 0; round < 10; round++) {
            const double middle[3] = {0.3, 0.0, 0.0};
            const test_camera camera = test_camera_around(&random, middle, 3.0, 120, 90);
            const grz_pose pose = grz_pose_from_translation(random_signed(&random), 0.0, 0.25);
            const grz_object here = grz_object_at(copy, pose), there = grz_object_at(lent, pose);
            const grz_region region = region_of(&camera, 50.0, 40.0, 1.0 + 10.0 * round);
            listed += compare(program.device, &here, &there, 1, &region);
        }
        grz_mesh_destroy(lent);
        grz_mesh_destroy(copy);
        test_buffers_delete(&buffers);
    }
    assert_true(listed > 100);
    test_mesh_finish(&shape);
    test_mesh_finish(&soup);
    test_program_end(&program);
}

// From a context that shares them, and from the caller's own.
static void meshes_in_the_callers_buffers_agree(void **state)
{
    (void)state;
    use_the_callers_buffers(test_program_start());
    use_the_callers_buffers(test_painter_start());
}
#endif

static int open_device(void **state)
{
    (void)state;
    device = test_gl_device_open();
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    test_gl_device_close(device);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gpu_and_cpu_agree),
                                       cmocka_unit_test(what_only_touches_is_proposed),
                                       cmocka_unit_test(a_vertex_on_a_plane_is_proposed),
                                       cmocka_unit_test(a_scene_gives_the_same),
                                       cmocka_unit_test(ends_and_bad_input),
#ifdef GRZ_HAVE_GL
                                       cmocka_unit_test(meshes_in_the_callers_buffers_agree)
#endif
    };
    return test_gl_is_here() ? cmocka_run_group_tests(tests, open_device, close_device) : TEST_SKIPPED;
}
