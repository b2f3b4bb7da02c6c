// SPDX-License-Identifier: MIT
// Picking by a region: the tree against all triangles, byte for byte; every face that a ray through the rectangle hits
// is listed, with depths around the hit's; known cases; hierarchical names; early ends; bad input.
// tests/geometry/test_region_triangle.c has a triangle and a region against rationals.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/graze.h>

#include "support_allocator.h"
#include "support_camera.h"
#include "support_devices.h"
#include "support_queries.h"

enum {
    OBJECTS = 4,
    ROOM = 8000,
    ROUNDS = 24
};

static uint64_t pick(const grz_object *objects, uint32_t count, const grz_region *region, const char *method,
                     grz_region_hit hits[ROOM])
{
    grz_pick_options options = grz_default_pick_options();
    grz_error error;
    uint64_t found = 0;
    options.method = method;
    if (grz_region_pick(test_devices[0], grz_targets_of_objects(objects, count), region, &options, hits, ROOM, &found,
                        &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_true(found <= ROOM);
    for (uint64_t i = 0; i < found; i++) {
        assert_true(hits[i].depth_min <= hits[i].depth_max);
        assert_true(i == 0 || hits[i - 1].object < hits[i].object ||
                    (hits[i - 1].object == hits[i].object && hits[i - 1].face < hits[i].face));
    }
    return found;
}

static grz_pose random_pose(random_stream *random, uint32_t kind, const double around[3])
{
    grz_pose pose = grz_pose_identity();
    double shift[3], quaternion[4];
    for (int k = 0; k < 4; k++)
        quaternion[k] = random_signed(random);
    for (int k = 0; k < 3; k++)
        shift[k] = around[k] + random_signed(random);
    switch (kind) {
    case 0:
        assert_int_equal(grz_pose_from_quaternion(shift, quaternion, &pose, NULL), GRZ_OK);
        return pose;
    case 1: // any affine map
        for (int i = 0; i < 12; i++)
            pose.m[i / 4][i % 4] = i % 4 == 3 ? shift[i / 4] : random_signed(random);
        return pose;
    case 2: // flat
        for (int i = 0; i < 12; i++)
            pose.m[i / 4][i % 4] = i % 4 == 3 ? shift[i / 4] : i / 4 == 1 ? 0.0 : random_signed(random);
        return pose;
    default:
        return grz_pose_from_translation(shift[0], shift[1], shift[2]);
    }
}

// A rectangle of the picture: from a part of a pixel to all of it, and beyond.
static grz_region random_region(random_stream *random, const test_camera *camera, double sides[4])
{
    grz_region region;
    grz_error error;
    const double sizes[4] = {0.01, 3.0, 40.0, 2.0 * camera->width}, size = sizes[random_below(random, 4)];
    sides[0] = 0.5 * camera->width * (1.0 + 0.6 * random_signed(random));
    sides[1] = 0.5 * camera->height * (1.0 + 0.6 * random_signed(random));
    sides[2] = sides[0] + size;
    sides[3] = sides[1] + size * (0.2 + fabs(random_signed(random)));
    if (grz_region_of_pixels((test_matrix)camera->to_pixels, sides[0], sides[1], sides[2], sides[3], &region, &error) !=
        GRZ_OK)
        fail_msg("%s", error.message);
    return region;
}

static const grz_region_hit *find(const grz_region_hit *hits, uint64_t found, uint32_t object, uint32_t face)
{
    for (uint64_t i = 0; i < found; i++)
        if (hits[i].object == object && hits[i].face == face)
            return &hits[i];
    return NULL;
}

// Every hit of a ray through the rectangle is in the list.
static uint64_t check_rays(random_stream *random, const test_camera *camera, const double sides[4],
                           const grz_object *objects, const grz_region_hit *hits, uint64_t found)
{
    static grz_ray_hit all[512];
    uint64_t met = 0;
    for (int i = 0; i < 20; i++) {
        const double column = sides[0] + (sides[2] - sides[0]) * (0.5 + 0.49 * random_signed(random)),
                     row = sides[1] + (sides[3] - sides[1]) * (0.5 + 0.49 * random_signed(random));
        grz_ray ray;
        uint64_t count;
        assert_int_equal(grz_ray_through_pixel((test_matrix)camera->to_pixels, column, row, &ray, NULL), GRZ_OK);
        ray.from = 0x1p-30;
        ray.to = 1.0 - 0x1p-30;
        assert_int_equal(
            grz_pick_all(test_devices[0], grz_targets_of_objects(objects, OBJECTS), &ray, NULL, all, 512, &count, NULL),
            GRZ_OK);
        for (uint64_t h = 0; h < count && h < 512; h++) {
            const grz_region_hit *hit = find(hits, found, all[h].object, all[h].face);
            double at[2];
            for (int k = 0; k < 2; k++) {
                const double *m = camera->to_pixels[2 + k];
                at[k] = ((m[0] * all[h].point[0] + m[1] * all[h].point[1]) + m[2] * all[h].point[2]) + m[3];
            }
            const double depth = at[0] / at[1];
            if (hit == NULL || depth < hit->depth_min - 1e-7 || depth > hit->depth_max + 1e-7)
                fail_msg("object %u face %u at depth %g: %s", all[h].object, all[h].face, depth,
                         hit == NULL ? "is not listed" : "other depths");
            met++;
        }
    }
    return met;
}

static void trees_find_what_all_triangles_give(void **state)
{
    (void)state;
    static grz_region_hit hits[2][ROOM];
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2571);
    test_mesh shapes[OBJECTS] = {test_mesh_icosphere(0.8, 2), test_mesh_cube_quads(-0.5, -0.5, -0.5, 1.0),
                                 test_mesh_torus(0.8, 0.3, 20, 12), test_mesh_random_triangles(&random, 120, 0.7, 3)};
    grz_mesh *meshes[OBJECTS];
    uint64_t listed = 0, met = 0;
    for (int i = 0; i < OBJECTS; i++)
        meshes[i] = test_mesh_upload(test_devices[0], &shapes[i]);
    for (uint32_t kind = 0; kind < 5; kind++)
        for (int round = 0; round < ROUNDS; round++) {
            const double around[3] = {kind == 4 ? 1e6 : 0.0, kind == 4 ? -3e6 : 0.0, 0.0};
            grz_object objects[OBJECTS];
            double sides[4];
            for (int i = 0; i < OBJECTS; i++)
                objects[i] = grz_object_at(meshes[i], random_pose(&random, kind, around));
            const test_camera camera = test_camera_around(&random, around, 4.0, 120, 90);
            const grz_region region = random_region(&random, &camera, sides);
            const uint64_t found = pick(objects, OBJECTS, &region, "naive", hits[0]);
            assert_int_equal(pick(objects, OBJECTS, &region, NULL, hits[1]), found);
            assert_memory_equal(hits[0], hits[1], found * sizeof **hits);
            listed += found;
            met += check_rays(&random, &camera, sides, objects, hits[0], found);
        }
    assert_true(listed > 5000 && met > 5000);
    for (int i = 0; i < OBJECTS; i++) {
        grz_mesh_destroy(meshes[i]);
        test_mesh_finish(&shapes[i]);
    }
}

static void a_vertex_on_a_plane_is_found(void **state)
{
    (void)state;
    static grz_region_hit hits[ROOM];
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2573);
    const double around[3] = {1.0, 10.0, 100.0};
    for (int round = 0; round < 60; round++) {
        test_mesh shape = test_mesh_random_triangles(&random, 40, 0.7, 3);
        grz_mesh *mesh = test_mesh_upload(test_devices[0], &shape);
        for (uint32_t kind = 0; kind < 4; kind++) {
            const grz_object object = grz_object_at(mesh, random_pose(&random, kind, around));
            for (int side = 0; side < 6; side++) {
                const grz_region region = test_region_at_end(&object, &shape, side % 3, side / 3);
                assert_true(pick(&object, 1, &region, NULL, hits) > 0);
            }
        }
        grz_mesh_destroy(mesh);
        test_mesh_finish(&shape);
    }
}

// One pixel a unit, without perspective: columns are x, rows are 16 - y, depth is 0 at z = 1 and 1 at z = -1.
static const double plain[4][4] = {
    {1.0, 0.0, 0.0, 0.0}, {0.0, -1.0, 0.0, 16.0}, {0.0, 0.0, -0.5, 0.5}, {0.0, 0.0, 0.0, 1.0}};

static grz_region plain_region(double left, double top, double right, double bottom)
{
    grz_region region;
    assert_int_equal(grz_region_of_pixels(plain, left, top, right, bottom, &region, NULL), GRZ_OK);
    return region;
}

static void faces_are_listed_where_they_should_be(void **state)
{
    (void)state;
    static grz_region_hit hits[ROOM];
    // A cube from (4, 4, -0.5) to (5, 5, 0.5): rows 11 to 12.
    test_mesh shape = test_mesh_cube_quads(4.0, 4.0, -0.5, 1.0);
    grz_mesh *cube = test_mesh_upload(test_devices[0], &shape);
    grz_object objects[3] = {
        {.mesh = NULL}, grz_object_at_origin(cube), grz_object_at(cube, grz_pose_from_translation(0.0, 0.0, 1.0))};
    grz_region region = plain_region(4.25, 11.25, 4.5, 11.5);
    assert_int_equal(pick(objects, 2, &region, NULL, hits), 2); // front and back, hidden or not
    assert_true(fmin(hits[0].depth_min, hits[1].depth_min) == 0.25);
    assert_true(fmax(hits[0].depth_max, hits[1].depth_max) == 0.75);
    assert_true(hits[0].depth_min == hits[0].depth_max && hits[1].depth_min == hits[1].depth_max);
    // The second cube begins at the first one's front; its own front is nearer than depth 0.
    assert_int_equal(pick(objects, 3, &region, NULL, hits), 3);
    assert_true(hits[2].object == 2 && hits[2].depth_min == 0.25);
    // All six faces, and the four sides that only touch.
    region = plain_region(3.0, 10.0, 6.0, 13.0);
    assert_int_equal(pick(objects, 2, &region, NULL, hits), 6);
    region = plain_region(3.0, 10.0, 4.0, 13.0);
    assert_int_equal(pick(objects, 2, &region, NULL, hits), 5); // all but the one at x = 5
    region = plain_region(3.0, 10.0, 4.0, 11.0);
    assert_int_equal(pick(objects, 2, &region, NULL, hits), 4); // those at an edge: x = 4, y = 5, front and back
    region = plain_region(3.0, 10.0, nextafter(4.0, 0.0), 13.0);
    assert_int_equal(pick(objects, 2, &region, NULL, hits), 0);
    // A part of a side: its depths are those of the part.
    region = plain_region(4.25, 10.0, 4.75, 11.0);
    objects[1].pose.m[2][0] = 1.0; // z grows with x: 3.5 more at x = 4
    objects[1].pose.m[2][3] = -4.5;
    uint64_t found = pick(objects, 2, &region, NULL, hits);
    assert_true(found >= 3);
    for (uint64_t i = 0; i < found; i++)
        assert_true(hits[i].depth_min >= 0.0 && hits[i].depth_max <= 1.0);
    // Masks, little room, nothing.
    grz_pick_options options = grz_default_pick_options();
    grz_region_hit one;
    objects[1] = grz_object_at_origin(cube);
    objects[1].group = 2;
    options.mask = 1;
    region = plain_region(4.25, 11.25, 4.5, 11.5);
    assert_int_equal(
        grz_region_pick(test_devices[0], grz_targets_of_objects(objects, 3), &region, &options, &one, 1, &found, NULL),
        GRZ_OK);
    assert_true(found == 1 && one.object == 2);
    assert_int_equal(
        grz_region_pick(test_devices[0], grz_targets_of_objects(objects, 3), &region, NULL, &one, 1, &found, NULL),
        GRZ_OK);
    assert_true(found == 3 && one.object == 1);
    assert_int_equal(
        grz_region_pick(test_devices[0], grz_targets_of_objects(NULL, 0), &region, NULL, NULL, 0, &found, NULL),
        GRZ_OK);
    assert_int_equal(found, 0);
    grz_mesh_destroy(cube);
    test_mesh_finish(&shape);
}

static void scenes_agree(void **state)
{
    (void)state;
    static grz_region_hit hits[2][ROOM];
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2574);
    const double around[3] = {0.0, 0.0, 0.0};
    test_mesh shape = test_mesh_icosphere(0.5, 1);
    grz_mesh *mesh = test_mesh_upload(test_devices[0], &shape);
    grz_object objects[6];
    grz_scene *scene;
    grz_error error;
    uint64_t found[2];
    assert_int_equal(grz_scene_create(test_devices[0], &scene, NULL), GRZ_OK);
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t id;
        objects[i] = grz_object_at(mesh, random_pose(&random, 0, around));
        assert_int_equal(grz_scene_add(scene, &objects[i], &id, NULL), GRZ_OK);
        assert_int_equal(id, i);
    }
    const test_camera camera = test_camera_around(&random, around, 4.0, 120, 90);
    grz_region region;
    assert_int_equal(grz_region_of_pixels((test_matrix)camera.to_pixels, 20.0, 20.0, 90.0, 80.0, &region, NULL),
                     GRZ_OK);
    for (int round = 0; round < 2; round++) {
        found[0] = pick(objects, 6, &region, NULL, hits[0]);
        assert_int_equal(grz_region_pick(test_devices[0], grz_targets_of_scene(scene), &region, NULL, hits[1], ROOM,
                                         &found[1], NULL),
                         GRZ_OK);
        assert_true(found[0] > 20);
        assert_int_equal(found[0], found[1]);
        assert_memory_equal(hits[0], hits[1], found[0] * sizeof **hits);
        objects[3].mesh = NULL; // an object that is gone
        (void)grz_scene_remove(scene, 3, NULL);
    }
    test_expect_error(
        grz_region_pick(test_devices[0], grz_targets_of_scene(NULL), &region, NULL, NULL, 0, &found[0], &error),
        GRZ_ERROR_ARGUMENT, &error, "scene", GRZ_NO_ELEMENT);
    test_expect_error(
        grz_region_pick(test_devices[1], grz_targets_of_scene(scene), &region, NULL, NULL, 0, &found[0], &error),
        GRZ_ERROR_ARGUMENT, &error, "another device", GRZ_NO_ELEMENT);
    grz_scene_destroy(scene);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
}

static void names_join_hits(void **state)
{
    (void)state;
    const uint32_t wheel[] = {7, 2}, door[] = {7, 1}, tree[] = {3}, handle[] = {7, 1, 9};
    const grz_name_path paths[] = {{wheel, 2}, {door, 2}, {tree, 1}, {handle, 3}, {NULL, 0}, {door, 2}};
    const grz_region_hit hits[] = {{0.5, 0.6, 0, 4},  {0.4, 0.9, 0, 8},  {0.25, 0.3, 1, 5}, {0.1, 0.2, 2, 0},
                                   {0.25, 0.9, 3, 6}, {0.7, 0.75, 4, 1}, {0.25, 0.95, 5, 0}};
    grz_region_record records[8];
    grz_error error;
    uint64_t found;
    grz_device *device = test_devices[0];
    assert_int_equal(grz_region_join(device, hits, 7, paths, 6, 1, records, 8, &found, &error), GRZ_OK);
    assert_int_equal(found, 3); // the tree, the car, what has no name
    assert_true(records[0].names[0] == 3 && records[0].hit_count == 1 && records[0].depth_min == 0.1);
    assert_true(records[1].names[0] == 7 && records[1].name_count == 1 && records[1].hit_count == 5);
    assert_true(records[1].depth_min == 0.25 && records[1].depth_max == 0.95 && records[1].object == 1 &&
                records[1].face == 5); // of three at one depth the first object
    assert_true(records[2].name_count == 0 && records[2].object == 4 && records[2].hit_count == 1);
    assert_int_equal(grz_region_join(device, hits, 7, paths, 6, 2, records, 8, &found, &error), GRZ_OK);
    assert_int_equal(found, 4);
    assert_true(records[1].names[1] == 1 && records[1].hit_count == 3); // the door with its handle
    assert_true(records[2].names[1] == 2 && records[2].hit_count == 2 && records[2].object == 0 &&
                records[2].face == 8 && records[2].depth_max == 0.9);
    assert_int_equal(grz_region_join(device, hits, 7, paths, 6, GRZ_ALL_NAMES, records, 8, &found, &error), GRZ_OK);
    assert_int_equal(found, 5);
    assert_true(records[1].name_count == 2 && records[1].hit_count == 2 && records[2].name_count == 3);
    assert_int_equal(grz_region_join(device, hits, 7, paths, 6, 0, records, 1, &found, &error), GRZ_OK);
    assert_true(found == 1 && records[0].hit_count == 7 && records[0].object == 2 && records[0].name_count == 0);
    assert_int_equal(grz_region_join(device, NULL, 0, NULL, 0, 1, NULL, 0, &found, &error), GRZ_OK);
    assert_int_equal(found, 0);
    test_expect_error(grz_region_join(device, hits, 7, paths, 5, 1, records, 8, &found, &error), GRZ_ERROR_ARGUMENT,
                      &error, "hit 6 is of object 5", 6);
    const grz_name_path bad[] = {{wheel, 2}, {NULL, 1}};
    test_expect_error(grz_region_join(device, hits, 1, bad, 2, 1, records, 8, &found, &error), GRZ_ERROR_ARGUMENT,
                      &error, "path 1", 1);
    test_expect_error(grz_region_join(NULL, hits, 1, paths, 2, 1, records, 8, &found, &error), GRZ_ERROR_ARGUMENT,
                      &error, "device", GRZ_NO_ELEMENT);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    test_mesh shape = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    grz_mesh *cube = test_mesh_upload(test_devices[0], &shape);
    grz_object object = grz_object_at_origin(cube);
    grz_device *device = test_devices[0];
    grz_region region = plain_region(0.0, 0.0, 16.0, 16.0), bad = region;
    grz_region_hit hit;
    grz_error error;
    uint64_t found = 5;
    double m[4][4];
    memcpy(m, plain, sizeof m);
    m[1][2] = (double)NAN;
    test_expect_error(grz_region_of_pixels((test_matrix)m, 0.0, 0.0, 1.0, 1.0, &bad, &error), GRZ_ERROR_ARGUMENT,
                      &error, "not finite", GRZ_NO_ELEMENT);
    memset(m, 0, sizeof m);
    test_expect_error(grz_region_of_pixels((test_matrix)m, 0.0, 0.0, 1.0, 1.0, &bad, &error), GRZ_ERROR_ARGUMENT,
                      &error, "no inverse: the left side", GRZ_NO_ELEMENT);
    memcpy(m, plain, sizeof m);
    memset(m[1], 0, sizeof m[1]);
    m[1][3] = 3.0;
    test_expect_error(grz_region_of_pixels((test_matrix)m, 0.0, 0.0, 1.0, 1.0, &bad, &error), GRZ_ERROR_ARGUMENT,
                      &error, "no inverse: the top side", GRZ_NO_ELEMENT);
    test_expect_error(grz_region_of_pixels(plain, 0.0, 0.0, 0.0, 1.0, &bad, &error), GRZ_ERROR_ARGUMENT, &error,
                      "no such rectangle", GRZ_NO_ELEMENT);
    test_expect_error(grz_region_of_pixels(plain, 0.0, 2.0, 1.0, 1.0, &bad, &error), GRZ_ERROR_ARGUMENT, &error,
                      "no such rectangle", GRZ_NO_ELEMENT);
    test_expect_error(grz_region_of_pixels(plain, 0.0, 2.0, HUGE_VAL, 3.0, &bad, &error), GRZ_ERROR_ARGUMENT, &error,
                      "side", GRZ_NO_ELEMENT);
    test_expect_error(grz_region_of_pixels(NULL, 0.0, 0.0, 1.0, 1.0, &bad, &error), GRZ_ERROR_ARGUMENT, &error,
                      "matrix", GRZ_NO_ELEMENT);
    bad.planes[3][2] = HUGE_VAL;
    test_expect_error(grz_region_pick(device, grz_targets_of_objects(&object, 1), &bad, NULL, &hit, 1, &found, &error),
                      GRZ_ERROR_ARGUMENT, &error, "row 3 of the planes", GRZ_NO_ELEMENT);
    assert_int_equal(found, 0);
    bad = region;
    bad.depth[1][0] = (double)NAN;
    test_expect_error(grz_region_pick(device, grz_targets_of_objects(&object, 1), &bad, NULL, &hit, 1, &found, &error),
                      GRZ_ERROR_ARGUMENT, &error, "row 1 of the depth", GRZ_NO_ELEMENT);
    test_expect_error(grz_region_pick(NULL, grz_targets_of_objects(&object, 1), &region, NULL, &hit, 1, &found, &error),
                      GRZ_ERROR_ARGUMENT, &error, "device", GRZ_NO_ELEMENT);
    test_expect_error(grz_region_pick(device, grz_targets_of_objects(NULL, 1), &region, NULL, &hit, 1, &found, &error),
                      GRZ_ERROR_ARGUMENT, &error, "objects", GRZ_NO_ELEMENT);
    test_expect_error(grz_region_pick(device, grz_targets_of_objects(&object, 1), NULL, NULL, &hit, 1, &found, &error),
                      GRZ_ERROR_ARGUMENT, &error, "region", GRZ_NO_ELEMENT);
    test_expect_error(
        grz_region_pick(device, grz_targets_of_objects(&object, 1), &region, NULL, NULL, 1, &found, &error),
        GRZ_ERROR_ARGUMENT, &error, "hits", GRZ_NO_ELEMENT);
    test_expect_error(grz_region_pick(device, grz_targets_of_objects(&object, 1), &region, NULL, &hit, 1, NULL, &error),
                      GRZ_ERROR_ARGUMENT, &error, "number of hits", GRZ_NO_ELEMENT);
    grz_pick_options options = grz_default_pick_options();
    options.skip_front = true;
    test_expect_error(
        grz_region_pick(device, grz_targets_of_objects(&object, 1), &region, &options, &hit, 1, &found, &error),
        GRZ_ERROR_UNSUPPORTED, &error, "skip_front", GRZ_NO_ELEMENT);
    options = grz_default_pick_options();
    options.method = "layers";
    assert_int_equal(
        grz_region_pick(device, grz_targets_of_objects(&object, 1), &region, &options, &hit, 1, &found, &error),
        GRZ_ERROR_UNSUPPORTED);
    const volatile int cancel = 1;
    options = grz_default_pick_options();
    options.limits.cancel = &cancel;
    test_expect_error(
        grz_region_pick(device, grz_targets_of_objects(&object, 1), &region, &options, &hit, 1, &found, &error),
        GRZ_ERROR_CANCELLED, &error, "cancelled", GRZ_NO_ELEMENT);
    object.pose.m[2][2] = (double)NAN;
    assert_int_equal(
        grz_region_pick(device, grz_targets_of_objects(&object, 1), &region, NULL, &hit, 1, &found, &error),
        GRZ_ERROR_POSE);
    grz_mesh_destroy(cube);
    test_mesh_finish(&shape);
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    test_mesh shape = test_mesh_icosphere(1.0, 1);
    const grz_region region = {.planes = {{1.0, 0.0, 0.0, 0.5}}, .depth = {{0.0}, {0.0, 0.0, 0.0, 1.0}}};
    const uint32_t names[1] = {7};
    const grz_name_path path = {names, 1};
    const grz_ray ray = grz_ray_between((double[3]){-3.0, 0.0, 0.0}, (double[3]){3.0, 0.1, 0.2});
    grz_region_hit hits[100];
    grz_region_record record;
    grz_box_hit box;
    int failures = 0;
    for (long fail_at = 1;; fail_at++) {
        test_strict_allocator strict = {.lock = PTHREAD_MUTEX_INITIALIZER};
        grz_device_options options = grz_default_device_options();
        grz_device *device;
        options.allocator = test_strict_allocator_of(&strict);
        options.threads = 1;
        assert_int_equal(grz_device_open(&options, &device, NULL), GRZ_OK);
        grz_mesh *uploaded = test_mesh_upload(device, &shape);
        const grz_object object = grz_object_at_origin(uploaded);
        uint64_t found = 0, joined = 0, boxes = 0;
        strict.fail_at = strict.calls + fail_at;
        grz_status status =
            grz_region_pick(device, grz_targets_of_objects(&object, 1), &region, NULL, hits, 100, &found, NULL);
        assert_true(status == GRZ_OK ? found > 20 && found < 80 : found == 0);
        if (status == GRZ_OK)
            status = grz_region_join(device, hits, found, &path, 1, 1, &record, 1, &joined, NULL);
        if (status == GRZ_OK)
            status = grz_pick_boxes(device, grz_targets_of_objects(&object, 1), &ray, NULL, &box, 1, &boxes, NULL);
        assert_true(status == GRZ_OK ? joined == 1 && record.hit_count == found && boxes == 1 : boxes == 0);
        assert_int_equal(status, strict.failed ? GRZ_ERROR_MEMORY : GRZ_OK);
        const bool failed = strict.failed;
        grz_mesh_destroy(uploaded);
        grz_device_close(device);
        assert_true(strict.blocks == 0 && !strict.misused);
        failures += failed;
        if (!failed)
            break;
    }
    assert_true(failures > 3);
    test_mesh_finish(&shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_find_what_all_triangles_give),
                                       cmocka_unit_test(faces_are_listed_where_they_should_be),
                                       cmocka_unit_test(a_vertex_on_a_plane_is_found),
                                       cmocka_unit_test(names_join_hits),
                                       cmocka_unit_test(bad_input_is_refused),
                                       cmocka_unit_test(scenes_agree),
                                       cmocka_unit_test(each_allocation_may_fail)};
    return cmocka_run_group_tests(tests, test_devices_open, test_devices_close);
}
