// SPDX-License-Identifier: MIT
// Picking by bounding boxes: no object that a ray hits is missed, hits lie in the stretch that is given, and it is
// hardly longer than it need be. The reference is exact: grz_pick_all() of the objects, and of their boxes as meshes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/graze.h>

#include "support_allocator.h"
#include "support_devices.h"
#include "support_queries.h"
#include "support_sanitizer.h"

enum {
    OBJECTS = 24,
    RAYS = TEST_SANITIZED ? 150 : 600,
    ROOM = 400
};

static grz_pose random_pose(random_stream *random, uint32_t kind)
{
    grz_pose pose = grz_pose_identity();
    const double shift[3] = {4.0 * random_signed(random), 4.0 * random_signed(random), 4.0 * random_signed(random)};
    double quaternion[4];
    for (int i = 0; i < 4; i++)
        quaternion[i] = random_signed(random);
    switch (kind) {
    case 0:
        return grz_pose_from_translation(shift[0], shift[1], shift[2]);
    case 1:
        assert_int_equal(grz_pose_from_quaternion(shift, quaternion, &pose, NULL), GRZ_OK);
        return pose;
    case 2: // any affine map
        for (int i = 0; i < 12; i++)
            pose.m[i / 4][i % 4] = 2.0 * random_signed(random);
        return pose;
    case 3: // flat
        for (int j = 0; j < 4; j++)
            pose.m[2][j] = pose.m[1][j];
        return pose;
    case 4: // far away
        return grz_pose_from_translation(1e6 * shift[0], 1e9 * shift[1], 1e3 * shift[2]);
    default: // tiny
        for (int i = 0; i < 3; i++)
            pose.m[i][i] = 0x1p-300;
        return pose;
    }
}

// From somewhere, to a vertex of an object, to a point near one, or along an axis through one.
static grz_ray random_ray(random_stream *random, const test_mesh *mesh, const grz_object *objects)
{
    double ends[2][3];
    for (int i = 0; i < 2; i++)
        grz_pose_apply(objects[random_below(random, OBJECTS)].pose,
                       mesh->positions + 3 * (size_t)random_below(random, (uint32_t)mesh->vertex_count), ends[i]);
    const uint32_t kind = random_below(random, 4);
    for (int k = 0; k < 3 && kind == 0; k++)
        ends[0][k] += 3.0 * random_signed(random);
    grz_ray ray = grz_ray_between(ends[0], ends[1]);
    if (kind == 1 || (ray.direction[0] == 0.0 && ray.direction[1] == 0.0 && ray.direction[2] == 0.0)) {
        const uint32_t axis = random_below(random, 3);
        for (uint32_t k = 0; k < 3; k++) {
            ray.direction[k] = k == axis ? (random_below(random, 2) == 0 ? -1.0 : 0x1p-200) : 0.0;
            ray.tail[k] = 0.0;
        }
    }
    const double limits[5] = {-HUGE_VAL, -1.0, 0.0, 1.0, HUGE_VAL};
    const uint32_t from = random_below(random, 4), to = from + 1 + random_below(random, 4 - from);
    ray.from = limits[from];
    ray.to = limits[to];
    return ray;
}

static uint64_t boxes_of(const grz_object *objects, const grz_ray *ray, const grz_pick_options *options,
                         grz_box_hit hits[OBJECTS])
{
    grz_error error;
    uint64_t found = 0;
    if (grz_pick_boxes(test_devices[0], grz_targets_of_objects(objects, OBJECTS), ray, options, hits, OBJECTS, &found,
                       &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_true(found <= OBJECTS);
    for (uint64_t i = 0; i < found; i++) {
        assert_true(hits[i].enter >= ray->from && hits[i].enter <= hits[i].leave && hits[i].leave <= ray->to);
        assert_true(i == 0 || hits[i - 1].enter < hits[i].enter ||
                    (hits[i - 1].enter == hits[i].enter && hits[i - 1].object < hits[i].object));
    }
    return found;
}

static const grz_box_hit *find(const grz_box_hit *hits, uint64_t found, uint32_t object)
{
    for (uint64_t i = 0; i < found; i++)
        if (hits[i].object == object)
            return &hits[i];
    return NULL;
}

static void no_object_that_is_hit_is_missed(void **state)
{
    (void)state;
    static grz_ray_hit all[ROOM];
    grz_box_hit hits[OBJECTS];
    uint64_t met = 0, listed = 0;
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2541);
    test_mesh mesh = test_mesh_icosphere(1.0, 1);
    grz_mesh *uploaded = test_mesh_upload(test_devices[0], &mesh);
    for (uint32_t kind = 0; kind < 6; kind++) {
        grz_object objects[OBJECTS];
        for (int i = 0; i < OBJECTS; i++)
            objects[i] = grz_object_at(uploaded, random_pose(&random, kind));
        for (int i = 0; i < RAYS; i++) {
            const grz_ray ray = random_ray(&random, &mesh, objects);
            uint64_t count = 0;
            const uint64_t found = boxes_of(objects, &ray, NULL, hits);
            assert_int_equal(grz_pick_all(test_devices[0], grz_targets_of_objects(objects, OBJECTS), &ray, NULL, all,
                                          ROOM, &count, NULL),
                             GRZ_OK);
            for (uint64_t h = 0; h < count && h < ROOM; h++) {
                const grz_box_hit *box = find(hits, found, all[h].object);
                if (box == NULL || box->enter > all[h].upper || box->leave < all[h].lower)
                    fail_msg("kind %u, ray %d: object %u is hit at t = %.17g, its box %s", kind, i, all[h].object,
                             all[h].t, box == NULL ? "is not listed" : "has another stretch");
            }
            met += count;
            listed += found;
        }
    }
    assert_true(met > RAYS && listed > RAYS);
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
}

// The box of an object as a mesh.
static grz_mesh *box_of(const grz_object *object)
{
    double min[3], max[3];
    assert_int_equal(grz_object_bounds(object, min, max, NULL), GRZ_OK);
    test_mesh box = test_mesh_box(min, max);
    grz_mesh *made = test_mesh_upload(test_devices[0], &box);
    test_mesh_finish(&box);
    return made;
}

// True if two numbers differ by no more than roundings do.
static bool are_near(double x, double y)
{
    return x == y || fabs(x - y) <= 0x1p-49 * fmax(fabs(x), fabs(y)) + 0x1p-990;
}

static void stretches_are_those_of_the_boxes(void **state)
{
    (void)state;
    static grz_ray_hit all[ROOM];
    grz_box_hit hits[OBJECTS];
    uint64_t compared = 0, more = 0;
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2542);
    test_mesh mesh = test_mesh_icosphere(1.0, 0);
    grz_mesh *uploaded = test_mesh_upload(test_devices[0], &mesh);
    for (uint32_t kind = 0; kind < 6; kind++) {
        grz_object objects[OBJECTS], boxes[OBJECTS];
        for (int i = 0; i < OBJECTS; i++) {
            objects[i] = grz_object_at(uploaded, random_pose(&random, kind));
            boxes[i] = grz_object_at_origin(box_of(&objects[i]));
        }
        for (int i = 0; i < RAYS; i++) {
            grz_ray ray = random_ray(&random, &mesh, objects);
            double first[OBJECTS], last[OBJECTS];
            uint64_t count = 0;
            ray.from = -HUGE_VAL; // then the surface of a box is met where the box is
            ray.to = HUGE_VAL;
            const uint64_t found = boxes_of(objects, &ray, NULL, hits);
            assert_int_equal(grz_pick_all(test_devices[0], grz_targets_of_objects(boxes, OBJECTS), &ray, NULL, all,
                                          ROOM, &count, NULL),
                             GRZ_OK);
            assert_true(count <= ROOM);
            for (int k = 0; k < OBJECTS; k++) {
                first[k] = HUGE_VAL;
                last[k] = -HUGE_VAL;
            }
            for (uint64_t h = 0; h < count; h++) {
                first[all[h].object] = fmin(first[all[h].object], all[h].t);
                last[all[h].object] = fmax(last[all[h].object], all[h].t);
            }
            for (uint32_t k = 0; k < OBJECTS; k++) {
                const grz_box_hit *box = find(hits, found, k);
                if (first[k] == HUGE_VAL) {
                    more += box != NULL;
                    continue;
                }
                assert_non_null(box);
                assert_true(box->enter <= first[k]);
                compared++;
                // A ray that runs along a face is listed where it enters the face only.
                if (!are_near(box->enter, first[k]) || (last[k] > first[k] && box->leave < last[k]))
                    fail_msg("kind %u, ray %d, object %u: %.17g to %.17g, the box %.17g to %.17g", kind, i, k,
                             box->enter, box->leave, first[k], last[k]);
            }
        }
        for (int i = 0; i < OBJECTS; i++)
            grz_mesh_destroy((grz_mesh *)boxes[i].mesh);
    }
    printf("%llu boxes met, %llu listed that are not met\n", (unsigned long long)compared, (unsigned long long)more);
    assert_true(compared > RAYS && more * 50 < compared);
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
}

static void scenes_masks_and_room(void **state)
{
    (void)state;
    grz_box_hit hits[OBJECTS], in_scene[OBJECTS];
    grz_object objects[OBJECTS];
    grz_scene *scene;
    uint64_t found;
    uint32_t id;
    test_mesh mesh = test_mesh_cube(-0.5, -0.5, -0.5, 1.0);
    grz_mesh *uploaded = test_mesh_upload(test_devices[0], &mesh);
    const grz_ray ray = grz_ray_along((double[3]){-9.0, 0.0, 0.0}, (double[3]){2.0, 0.0, 0.0});
    grz_pick_options options = grz_default_pick_options();
    assert_int_equal(grz_scene_create(test_devices[0], &scene, NULL), GRZ_OK);
    for (int i = 0; i < OBJECTS; i++) { // a row, the last one first, two at each place
        const int place = (OBJECTS - 1 - i) / 2;
        objects[i] = grz_object_at(uploaded, grz_pose_from_translation(2.0 * place, 0.0, 0.0));
        objects[i].group = i % 3 == 0 ? 2 : 1;
        assert_int_equal(grz_scene_add(scene, &objects[i], &id, NULL), GRZ_OK);
    }
    assert_int_equal(boxes_of(objects, &ray, NULL, hits), OBJECTS);
    assert_true(hits[0].object == OBJECTS - 2 && hits[1].object == OBJECTS - 1);
    assert_true(are_near(hits[0].enter, 4.25) && are_near(hits[0].leave, 4.75));
    options.mask = 2;
    assert_int_equal(boxes_of(objects, &ray, &options, hits), OBJECTS / 3);
    for (int i = 0; i < OBJECTS / 3; i++)
        assert_int_equal(hits[i].object % 3, 0);
    assert_int_equal(
        grz_pick_boxes(test_devices[0], grz_targets_of_scene(scene), &ray, &options, in_scene, OBJECTS, &found, NULL),
        GRZ_OK);
    assert_int_equal(found, OBJECTS / 3);
    for (int i = 0; i < OBJECTS / 3; i++)
        assert_true(hits[i].object == in_scene[i].object && hits[i].enter == in_scene[i].enter &&
                    hits[i].leave == in_scene[i].leave);
    // Little room, none, and an object that is gone.
    memset(hits, 0x55, sizeof hits);
    assert_int_equal(
        grz_pick_boxes(test_devices[0], grz_targets_of_objects(objects, OBJECTS), &ray, NULL, hits, 1, &found, NULL),
        GRZ_OK);
    assert_true(found == OBJECTS && hits[0].object == OBJECTS - 2 && hits[1].object == 0x55555555);
    assert_int_equal(grz_scene_remove(scene, 5, NULL), GRZ_OK);
    assert_int_equal(grz_pick_boxes(test_devices[0], grz_targets_of_scene(scene), &ray, NULL, NULL, 0, &found, NULL),
                     GRZ_OK);
    assert_int_equal(found, OBJECTS - 1);
    grz_scene_destroy(scene);
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    grz_box_hit hit;
    grz_error error;
    uint64_t found = 7;
    test_mesh mesh = test_mesh_cube(-0.5, -0.5, -0.5, 1.0);
    grz_mesh *uploaded = test_mesh_upload(test_devices[0], &mesh);
    grz_object cube = grz_object_at_origin(uploaded);
    grz_ray ray = grz_ray_along((double[3]){-9.0, 0.0, 0.0}, (double[3]){2.0, 0.0, 0.0});
    grz_device *device = test_devices[0];
    test_expect_error(grz_pick_boxes(NULL, grz_targets_of_objects(&cube, 1), &ray, NULL, &hit, 1, &found, &error),
                      GRZ_ERROR_ARGUMENT, &error, "device", GRZ_NO_ELEMENT);
    assert_int_equal(found, 0);
    test_expect_error(grz_pick_boxes(device, grz_targets_of_objects(NULL, 1), &ray, NULL, &hit, 1, &found, &error),
                      GRZ_ERROR_ARGUMENT, &error, "objects", GRZ_NO_ELEMENT);
    test_expect_error(grz_pick_boxes(device, grz_targets_of_objects(&cube, 1), NULL, NULL, &hit, 1, &found, &error),
                      GRZ_ERROR_ARGUMENT, &error, "the ray is NULL", GRZ_NO_ELEMENT);
    test_expect_error(grz_pick_boxes(device, grz_targets_of_objects(&cube, 1), &ray, NULL, NULL, 1, &found, &error),
                      GRZ_ERROR_ARGUMENT, &error, "answers", GRZ_NO_ELEMENT);
    test_expect_error(grz_pick_boxes(device, grz_targets_of_objects(&cube, 1), &ray, NULL, &hit, 1, NULL, &error),
                      GRZ_ERROR_ARGUMENT, &error, "number of hits", GRZ_NO_ELEMENT);
    test_expect_error(grz_pick_boxes(device, grz_targets_of_scene(NULL), &ray, NULL, &hit, 1, &found, &error),
                      GRZ_ERROR_ARGUMENT, &error, "scene", GRZ_NO_ELEMENT);
    const volatile int cancel = 1;
    grz_pick_options options = grz_default_pick_options();
    options.limits.cancel = &cancel;
    assert_int_equal(grz_pick_boxes(device, grz_targets_of_objects(&cube, 1), &ray, &options, &hit, 1, &found, NULL),
                     GRZ_ERROR_CANCELLED);
    options = grz_default_pick_options();
    options.limits.deadline = (double)NAN;
    test_expect_error(grz_pick_boxes(device, grz_targets_of_objects(&cube, 1), &ray, &options, &hit, 1, &found, &error),
                      GRZ_ERROR_ARGUMENT, &error, "deadline", GRZ_NO_ELEMENT);
    cube.pose.m[0][0] = (double)NAN;
    assert_int_equal(grz_pick_boxes(device, grz_targets_of_objects(&cube, 1), &ray, NULL, &hit, 1, &found, &error),
                     GRZ_ERROR_POSE);
    ray.direction[0] = 0.0;
    test_expect_error(grz_pick_boxes(device, grz_targets_of_objects(&cube, 1), &ray, NULL, &hit, 1, &found, &error),
                      GRZ_ERROR_ARGUMENT, &error, "direction is 0", 0);
    assert_int_equal(grz_pick_boxes(device, grz_targets_of_objects(NULL, 0), &ray, NULL, &hit, 1, &found, &error),
                     GRZ_ERROR_ARGUMENT);
    ray.direction[0] = 1.0;
    assert_int_equal(grz_pick_boxes(device, grz_targets_of_objects(NULL, 0), &ray, NULL, NULL, 0, &found, &error),
                     GRZ_OK);
    assert_int_equal(found, 0);
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_object_that_is_hit_is_missed),
                                       cmocka_unit_test(stretches_are_those_of_the_boxes),
                                       cmocka_unit_test(scenes_masks_and_room), cmocka_unit_test(bad_input_is_refused)};
    return cmocka_run_group_tests(tests, test_devices_open, test_devices_close);
}
