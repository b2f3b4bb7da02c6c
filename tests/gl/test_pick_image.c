// SPDX-License-Identifier: MIT
// The colour-coded picture against exact rays through its pixels: it differs only where an edge of a face is nearer to
// the middle of the pixel than OpenGL tells apart. Cases that it must get wrong; early ends; bad input.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/gl.h>

#include "support_camera.h"
#include "support_capture.h"
#include "support_gl.h"
#include "support_gl_mesh.h"
#include "support_queries.h"

enum {
    WIDTH = 120,
    HEIGHT = 90,
    OBJECTS = 3
};

static grz_device *device;

static grz_ray ray_through(const test_camera *camera, double column, double row)
{
    grz_ray ray;
    assert_int_equal(grz_ray_through_pixel((test_matrix)camera->to_pixels, column, row, &ray, NULL), GRZ_OK);
    ray.to = 1.0;
    return ray;
}

static void draw(const test_camera *camera, const grz_object *objects, uint32_t count, const grz_pick_options *options,
                 grz_pick_pixel *pixels)
{
    grz_error error;
    if (grz_pick_image_discrete(device, grz_targets_of_objects(objects, count), (test_matrix)camera->to_pixels,
                                camera->width, camera->height, options, pixels, &error) != GRZ_OK)
        fail_msg("%s", error.message);
}

// True if a ray near the middle of the pixel meets this face where it meets anything first, or just behind: at a
// silhouette a face that looks away lies behind one that looks to the eye, and they share an edge.
static bool is_near_an_edge(const test_camera *camera, const grz_object *objects, uint32_t column, uint32_t row,
                            grz_pick_pixel seen)
{
    for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++) {
            const grz_ray ray = ray_through(camera, column + 0.5 + i / 64.0, row + 0.5 + j / 64.0);
            grz_ray_hit hits[64];
            uint64_t found;
            assert_int_equal(
                grz_pick_all(device, grz_targets_of_objects(objects, OBJECTS), &ray, NULL, hits, 64, &found, NULL),
                GRZ_OK);
            for (uint64_t h = 0; h < found && h < 64 && hits[h].t - hits[0].t < 0.01; h++)
                if (hits[h].object == seen.object && hits[h].face == seen.face)
                    return true;
            if (found == 0 && seen.object == GRZ_NO_OBJECT)
                return true;
        }
    return false;
}

static uint64_t differing, all_pixels;

static void compare(const test_camera *camera, const grz_object *objects)
{
    static grz_pick_pixel pixels[WIDTH * HEIGHT];
    static grz_ray rays[WIDTH * HEIGHT];
    static grz_ray_hit hits[WIDTH * HEIGHT];
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        const uint32_t column = i % WIDTH, row = i / WIDTH;
        rays[i] = ray_through(camera, column + 0.5, row + 0.5);
    }
    assert_int_equal(grz_pick(device, grz_targets_of_objects(objects, OBJECTS), rays, WIDTH * HEIGHT, NULL, hits, NULL),
                     GRZ_OK);
    memset(pixels, 0x55, sizeof pixels);
    draw(camera, objects, OBJECTS, NULL, pixels);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        seen += pixels[i].object != GRZ_NO_OBJECT;
        if (pixels[i].object == hits[i].object && pixels[i].face == hits[i].face)
            continue;
        differing++;
        if (!is_near_an_edge(camera, objects, i % WIDTH, i / WIDTH, pixels[i]))
            fail_msg("pixel %u %u: object %u face %u, the ray hits object %u face %u", i % WIDTH, i / WIDTH,
                     pixels[i].object, pixels[i].face, hits[i].object, hits[i].face);
    }
    assert_true(seen > WIDTH * HEIGHT / 50);
    all_pixels += (uint64_t)WIDTH * HEIGHT;
}

static void only_pixels_on_edges_differ_from_exact_rays(void **state)
{
    (void)state;
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2551);
    test_mesh shapes[OBJECTS] = {test_mesh_torus(1.0, 0.4, 24, 12), test_mesh_cube_quads(-0.5, -0.5, -0.5, 1.0),
                                 test_mesh_icosphere(0.6, 2)};
    grz_mesh *meshes[OBJECTS];
    for (int i = 0; i < OBJECTS; i++)
        meshes[i] = test_mesh_upload(device, &shapes[i]);
    for (int round = 0; round < 12; round++) {
        const double far[3] = {round % 3 == 1 ? 1e6 : 0.0, round % 3 == 1 ? -2e6 : 0.0, round % 3 == 2 ? 100.0 : 0.0};
        grz_object objects[OBJECTS];
        for (int i = 0; i < OBJECTS; i++) {
            double shift[3], quaternion[4];
            for (int k = 0; k < 4; k++)
                quaternion[k] = random_signed(&random);
            for (int k = 0; k < 3; k++)
                shift[k] = far[k] + random_signed(&random);
            objects[i] = grz_object_at_origin(meshes[i]);
            assert_int_equal(grz_pose_from_quaternion(shift, quaternion, &objects[i].pose, NULL), GRZ_OK);
        }
        const test_camera camera =
            test_camera_around(&random, far, 2.0 + 3.0 * fabs(random_signed(&random)), WIDTH, HEIGHT);
        compare(&camera, objects);
    }
    printf("%llu of %llu pixels differ from the exact rays, all next to edges\n", (unsigned long long)differing,
           (unsigned long long)all_pixels);
    assert_true(differing * 100 < all_pixels);
    for (int i = 0; i < OBJECTS; i++) {
        grz_mesh_destroy(meshes[i]);
        test_mesh_finish(&shapes[i]);
    }
}

// A camera that looks down the z axis, one pixel a unit, without perspective: depth 0 at z = 1, depth 1 at z = -1.
static const test_camera plain = {
    .width = 16,
    .height = 16,
    .to_pixels = {{1.0, 0.0, 0.0, 0.0}, {0.0, -1.0, 0.0, 16.0}, {0.0, 0.0, -0.5, 0.5}, {0.0, 0.0, 0.0, 1.0}}};

static grz_mesh *triangle_at(double left, double z)
{
    const double positions[9] = {left, -20.0, z, 200.0, -20.0, z, left, 200.0, z};
    const grz_mesh_description d = grz_mesh_description_from_triangles(positions, GRZ_FLOAT64, 3, NULL, 1);
    grz_mesh *mesh;
    assert_int_equal(grz_mesh_create(device, &d, &mesh, NULL), GRZ_OK);
    return mesh;
}

// What is discrete must show its errors: rounding to a part of a pixel, and depths in floats.
static void some_pixels_are_wrong(void **state)
{
    (void)state;
    static grz_pick_pixel pixels[16 * 16];
    grz_ray_hit hit;
    const grz_ray ray = ray_through(&plain, 5.5, 8.5);
    grz_mesh *beside = triangle_at(5.5 + 0x1p-14, 0.0);
    const grz_object one = grz_object_at_origin(beside);
    draw(&plain, &one, 1, NULL, pixels);
    assert_int_equal(grz_pick(device, grz_targets_of_objects(&one, 1), &ray, 1, NULL, &hit, NULL), GRZ_OK);
    assert_int_equal(hit.face, GRZ_NO_FACE);
    assert_int_equal(pixels[8 * 16 + 5].face, 0);
    grz_mesh *below = triangle_at(0.0, 0.25), *above = triangle_at(0.0, 0.25 + 0x1p-40);
    const grz_object two[2] = {grz_object_at_origin(below), grz_object_at_origin(above)};
    draw(&plain, two, 2, NULL, pixels);
    assert_int_equal(grz_pick(device, grz_targets_of_objects(two, 2), &ray, 1, NULL, &hit, NULL), GRZ_OK);
    assert_int_equal(hit.object, 1);
    assert_int_equal(pixels[8 * 16 + 5].object, 0);
    grz_mesh_destroy(beside);
    grz_mesh_destroy(below);
    grz_mesh_destroy(above);
}

static void rows_depths_masks_and_gaps(void **state)
{
    (void)state;
    static grz_pick_pixel pixels[16 * 16];
    test_mesh shape = test_mesh_cube_quads(2.0, 9.0, 0.0, 0.5);
    grz_mesh *cube = test_mesh_upload(device, &shape), *sheet = triangle_at(-20.0, -0.5);
    grz_object objects[4] = {{.mesh = NULL},
                             grz_object_at_origin(sheet),
                             grz_object_at_origin(cube),
                             grz_object_at(cube, grz_pose_from_translation(8.6, 0.6, 0.6))};
    for (int i = 0; i < 12; i++)
        objects[2].pose.m[i / 4][i % 4] *= i % 4 == 3 || i / 4 == 2 ? 1.0 : 2.0; // 4 to 5, and 18 to 19: outside
    draw(&plain, objects, 4, NULL, pixels);
    assert_true(pixels[0].object == 1 && pixels[0].face == 0);
    for (int i = 0; i < 16 * 16; i++)
        assert_true(pixels[i].object == 1); // half a unit lies between middles of pixels, or is too near
    objects[2].pose = grz_pose_from_translation(0.25, 0.25, 0.0); // 2.25 to 2.75, and 9.25 to 9.75: a pixel's middle
    draw(&plain, objects, 4, NULL, pixels);
    for (int i = 0; i < 16 * 16; i++)
        assert_int_equal(pixels[i].object, i == (15 - 9) * 16 + 2 ? 2 : 1);
    assert_true(pixels[(15 - 9) * 16 + 2].face < 6); // a quad, not one of its triangles
    grz_pick_options options = grz_default_pick_options();
    objects[2].group = 4;
    options.mask = 4;
    draw(&plain, objects, 4, &options, pixels);
    for (int i = 0; i < 16 * 16; i++)
        assert_int_equal(pixels[i].object, i == (15 - 9) * 16 + 2 ? 2 : GRZ_NO_OBJECT);
    draw(&plain, NULL, 0, NULL, pixels);
    assert_true(pixels[7].object == GRZ_NO_OBJECT && pixels[7].face == GRZ_NO_FACE);
    grz_mesh_destroy(cube);
    grz_mesh_destroy(sheet);
    test_mesh_finish(&shape);
}

static void ends_and_bad_input(void **state)
{
    (void)state;
    grz_pick_pixel pixels[16 * 16];
    grz_error error;
    grz_mesh *sheet = triangle_at(-20.0, 0.0);
    grz_object object = grz_object_at_origin(sheet);
    test_camera camera = plain;
    const volatile int cancel = 1;
    grz_pick_options options = grz_default_pick_options();
    options.limits.cancel = &cancel;
    assert_int_equal(grz_pick_image_discrete(device, grz_targets_of_objects(&object, 1), (test_matrix)camera.to_pixels,
                                             16, 16, &options, pixels, &error),
                     GRZ_ERROR_CANCELLED);
    assert_true(pixels[0].object == GRZ_NO_OBJECT && pixels[255].face == GRZ_NO_FACE);
    options = grz_default_pick_options();
    options.method = "auto";
    assert_int_equal(grz_pick_image_discrete(device, grz_targets_of_objects(&object, 1), (test_matrix)camera.to_pixels,
                                             16, 16, &options, pixels, &error),
                     GRZ_OK);
    options.method = "naive";
    test_expect_error(grz_pick_image_discrete(device, grz_targets_of_objects(&object, 1), (test_matrix)camera.to_pixels,
                                              16, 16, &options, pixels, &error),
                      GRZ_ERROR_UNSUPPORTED, &error, "method", GRZ_NO_ELEMENT);
    options.method = NULL;
    options.skip_back = true;
    test_expect_error(grz_pick_image_discrete(device, grz_targets_of_objects(&object, 1), (test_matrix)camera.to_pixels,
                                              16, 16, &options, pixels, &error),
                      GRZ_ERROR_UNSUPPORTED, &error, "skip_back", GRZ_NO_ELEMENT);
    test_expect_error(grz_pick_image_discrete(device, grz_targets_of_objects(&object, 1), (test_matrix)camera.to_pixels,
                                              0, 16, NULL, pixels, &error),
                      GRZ_ERROR_ARGUMENT, &error, "0 x 16", GRZ_NO_ELEMENT);
    test_expect_error(
        grz_pick_image_discrete(device, grz_targets_of_objects(&object, 1), NULL, 16, 16, NULL, pixels, &error),
        GRZ_ERROR_ARGUMENT, &error, "matrix", GRZ_NO_ELEMENT);
    test_expect_error(grz_pick_image_discrete(device, grz_targets_of_objects(NULL, 1), (test_matrix)camera.to_pixels,
                                              16, 16, NULL, pixels, &error),
                      GRZ_ERROR_ARGUMENT, &error, "objects", GRZ_NO_ELEMENT);
    test_expect_error(grz_pick_image_discrete(device, grz_targets_of_objects(&object, 1), (test_matrix)camera.to_pixels,
                                              16, 16, NULL, NULL, &error),
                      GRZ_ERROR_ARGUMENT, &error, "pixels", GRZ_NO_ELEMENT);
    grz_pick_pixel *wide = malloc((size_t)1000000 * sizeof *wide);
    assert_non_null(wide);
    test_expect_error(grz_pick_image_discrete(device, grz_targets_of_objects(&object, 1), (test_matrix)camera.to_pixels,
                                              1000000, 1, NULL, wide, &error),
                      GRZ_ERROR_UNSUPPORTED, &error, "1000000 x 1", GRZ_NO_ELEMENT);
    free(wide);
    camera.to_pixels[2][1] = (double)NAN;
    test_expect_error(grz_pick_image_discrete(device, grz_targets_of_objects(&object, 1), (test_matrix)camera.to_pixels,
                                              16, 16, NULL, pixels, &error),
                      GRZ_ERROR_ARGUMENT, &error, "not finite", GRZ_NO_ELEMENT);
    object.pose.m[0][0] = HUGE_VAL;
    assert_int_equal(grz_pick_image_discrete(device, grz_targets_of_objects(&object, 1), (test_matrix)plain.to_pixels,
                                             16, 16, NULL, pixels, &error),
                     GRZ_ERROR_POSE);
    grz_device *cpu;
    grz_device_options without = grz_default_device_options();
    without.kind = GRZ_DEVICE_CPU;
    assert_int_equal(grz_device_open(&without, &cpu, NULL), GRZ_OK);
    assert_int_equal(grz_pick_image_discrete(cpu, grz_targets_of_objects(NULL, 0), (test_matrix)plain.to_pixels, 16, 16,
                                             NULL, pixels, &error),
                     GRZ_ERROR_UNSUPPORTED);
    object = grz_object_at_origin(sheet);
    test_expect_error(grz_pick_image_discrete(cpu, grz_targets_of_objects(&object, 1), (test_matrix)plain.to_pixels, 16,
                                              16, NULL, pixels, &error),
                      GRZ_ERROR_ARGUMENT, &error, "another device", 0);
    grz_device_close(cpu);
    grz_mesh_destroy(sheet);
}

#ifdef GRZ_HAVE_GL
static void use_the_callers_buffers(test_program program)
{
    static grz_pick_pixel pixels[2][WIDTH * HEIGHT];
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2552);
    test_mesh shape = test_mesh_icosphere(1.0, 2);
    test_mesh_round_to_floats(&shape);
    const double middle[3] = {0.0, 0.0, 0.0};
    const test_camera camera = test_camera_around(&random, middle, 3.0, WIDTH, HEIGHT);
    grz_mesh *copy = test_mesh_upload(program.device, &shape);
    grz_object object = grz_object_at_origin(copy);
    assert_int_equal(grz_pick_image_discrete(program.device, grz_targets_of_objects(&object, 1),
                                             (test_matrix)camera.to_pixels, WIDTH, HEIGHT, NULL, pixels[0], NULL),
                     GRZ_OK);
    test_mesh soup = test_mesh_soup(&shape);
    for (int layout = 0; layout < LAYOUT_COUNT; layout++) {
        test_buffers buffers = test_buffers_make(layout == SOUP ? &soup : &shape, (test_layout)layout);
        grz_mesh *lent = test_buffers_mesh(program.device, &buffers);
        uint32_t others = 0;
        object = grz_object_at_origin(lent);
        assert_int_equal(grz_pick_image_discrete(program.device, grz_targets_of_objects(&object, 1),
                                                 (test_matrix)camera.to_pixels, WIDTH, HEIGHT, NULL, pixels[1], NULL),
                         GRZ_OK);
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            others += pixels[0][i].face != pixels[1][i].face;
        assert_true(others < WIDTH * HEIGHT / 100);
        grz_mesh_destroy(lent);
        test_buffers_delete(&buffers);
    }
    grz_mesh_destroy(copy);
    test_mesh_finish(&shape);
    test_mesh_finish(&soup);
    test_program_end(&program);
}

// From a context that shares them, and from the caller's own.
static void meshes_in_the_callers_buffers_are_seen(void **state)
{
    (void)state;
    use_the_callers_buffers(test_program_start());
    use_the_callers_buffers(test_painter_start());
}
#endif

// Numbers of a scene have gaps.
static void a_scene_gives_the_same(void **state)
{
    (void)state;
    test_mesh shape = test_mesh_icosphere(3.0, 2);
    grz_mesh *mesh = test_mesh_upload(device, &shape);
    grz_object objects[3];
    grz_scene *scene;
    grz_pick_pixel pixels[2][16 * 16];
    uint32_t id;
    bool seen[3] = {false, false, false};
    assert_int_equal(grz_scene_create(device, &scene, NULL), GRZ_OK);
    for (int i = 0; i < 3; i++) {
        objects[i] = grz_object_at(mesh, grz_pose_from_translation(3.0 + 4.0 * i, 6.0, 0.0));
        assert_int_equal(grz_scene_add(scene, &objects[i], &id, NULL), GRZ_OK);
    }
    assert_int_equal(grz_scene_remove(scene, 1, NULL), GRZ_OK);
    objects[1].mesh = NULL;
    draw(&plain, objects, 3, NULL, pixels[0]);
    assert_int_equal(grz_pick_image_discrete(device, grz_targets_of_scene(scene), (test_matrix)plain.to_pixels, 16, 16,
                                             NULL, pixels[1], NULL),
                     GRZ_OK);
    assert_memory_equal(pixels[0], pixels[1], sizeof pixels[0]);
    for (int i = 0; i < 16 * 16; i++)
        if (pixels[1][i].object != GRZ_NO_OBJECT)
            seen[pixels[1][i].object] = true;
    assert_true(seen[0] && !seen[1] && seen[2]);
    grz_error error;
    assert_int_equal(grz_pick_image_discrete(device, grz_targets_of_scene(NULL), (test_matrix)plain.to_pixels, 16, 16,
                                             NULL, pixels[1], &error),
                     GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "pick image: the scene is NULL");
    for (int i = 0; i < 16 * 16; i++)
        assert_int_equal(pixels[1][i].object, GRZ_NO_OBJECT);
    grz_scene_destroy(scene);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
}

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
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_pixels_on_edges_differ_from_exact_rays),
                                       cmocka_unit_test(some_pixels_are_wrong),
                                       cmocka_unit_test(rows_depths_masks_and_gaps),
                                       cmocka_unit_test(a_scene_gives_the_same),
                                       cmocka_unit_test(ends_and_bad_input),
#ifdef GRZ_HAVE_GL
                                       cmocka_unit_test(meshes_in_the_callers_buffers_are_seen)
#endif
    };
    return test_gl_is_here() ? cmocka_run_group_tests(tests, open_device, close_device) : TEST_SKIPPED;
}
