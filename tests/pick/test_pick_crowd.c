// SPDX-License-Identifier: MIT
// Rays among many objects: the tree over their boxes against each object by itself, byte for byte; a few rays and many;
// scenes with gaps, masks, objects in the same place; and the tree itself against all boxes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ask/pick/crowd.h"
#include "base/control.h"
#include "base/device.h"
#include "support_devices.h"
#include "support_queries.h"

enum {
    OBJECTS = 150,
    RAYS = 120,
    ROOM = 400
};

static double spread(random_stream *random, double size)
{
    return size * random_signed(random);
}

static grz_ray random_ray(random_stream *random)
{
    double p[3], q[3];
    for (int k = 0; k < 3; k++) {
        p[k] = spread(random, 12.0);
        q[k] = spread(random, 6.0);
    }
    const uint32_t kind = random_below(random, 4);
    for (int k = 0; k < 3 && kind == 0; k++) // along an axis, through the middle of a cell of objects
        q[k] = k == 1 ? q[k] : p[k];
    grz_ray ray = grz_ray_between(p, q);
    ray.from = kind == 1 ? -HUGE_VAL : 0.0;
    ray.to = kind == 2 ? 1.0 : HUGE_VAL;
    return ray;
}

static bool same(const grz_ray_hit *x, const grz_ray_hit *y)
{
    return memcmp(&x->t, &y->t, sizeof x->t) == 0 && memcmp(x->point, y->point, sizeof x->point) == 0 &&
           x->object == y->object && x->face == y->face;
}

// ---- Rays -----------------------------------------------------------------------------------------------------------

typedef struct crowd {
    grz_mesh *meshes[3];
    grz_scene *scene;
    grz_object objects[OBJECTS];
    uint32_t numbers[OBJECTS];
} crowd;

static void make_crowd(random_stream *random, crowd *c)
{
    test_mesh meshes[3] = {test_mesh_icosphere(0.8, 1), test_mesh_cube_quads(0.0, 0.0, 0.0, 1.0),
                           test_mesh_torus(1.0, 0.3, 8, 6)};
    grz_error error;
    for (int i = 0; i < 3; i++) {
        c->meshes[i] = test_mesh_upload(test_devices[1], &meshes[i]);
        test_mesh_finish(&meshes[i]);
    }
    assert_int_equal(grz_scene_create(test_devices[1], &c->scene, &error), GRZ_OK);
    for (int i = 0; i < OBJECTS; i++) {
        grz_pose pose = grz_pose_from_translation(spread(random, 6.0), spread(random, 6.0), spread(random, 6.0));
        if (i % 3 == 0) // cubes in the cells of a grid: rays run along their faces
            pose = grz_pose_from_translation(i / 3 % 4, i / 12 % 4, 0.0);
        for (int j = 0; j < 3 && i % 7 == 1; j++)
            pose.m[j][j] = 1.0 + 0.5 * random_signed(random);
        c->objects[i] = grz_object_at(c->meshes[i % 3 == 0 ? 1 : i % 2 * 2], pose);
        c->objects[i].group = 1u << i % 5;
        if (i % 10 == 9)
            c->objects[i] = c->objects[i - 1]; // in the same place
        assert_int_equal(grz_scene_add(c->scene, &c->objects[i], &c->numbers[i], &error), GRZ_OK);
    }
}

static void finish_crowd(crowd *c)
{
    grz_scene_destroy(c->scene);
    for (int i = 0; i < 3; i++)
        grz_mesh_destroy(c->meshes[i]);
}

// The twin: all triangles of all objects.
static void check_rays(const crowd *c, const grz_ray *rays, uint32_t mask, int *hit_count)
{
    static const char *const methods[] = {NULL, "grid", "kdop"};
    static grz_ray_hit all[ROOM], others[ROOM], first[RAYS], in_scene[RAYS], few[3], one;
    static bool any[RAYS], any_in_scene[RAYS];
    grz_pick_options options = grz_default_pick_options(), naive = options;
    grz_device *device = test_devices[1];
    uint64_t found, found_others;
    options.mask = naive.mask = mask;
    naive.method = "naive";
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        options.method = methods[m];
        assert_int_equal(
            grz_pick(device, grz_targets_of_objects(c->objects, OBJECTS), rays, RAYS, &options, first, NULL), GRZ_OK);
        assert_int_equal(
            grz_pick_any(device, grz_targets_of_objects(c->objects, OBJECTS), rays, RAYS, &options, any, NULL), GRZ_OK);
        assert_int_equal(grz_pick(device, grz_targets_of_scene(c->scene), rays, RAYS, &options, in_scene, NULL),
                         GRZ_OK);
        assert_int_equal(grz_pick_any(device, grz_targets_of_scene(c->scene), rays, RAYS, &options, any_in_scene, NULL),
                         GRZ_OK);
        for (int i = 0; i < RAYS; i++) {
            assert_int_equal(grz_pick_all(device, grz_targets_of_objects(c->objects, OBJECTS), &rays[i], &naive, all,
                                          ROOM, &found, NULL),
                             GRZ_OK);
            assert_int_equal(grz_pick_all(device, grz_targets_of_objects(c->objects, OBJECTS), &rays[i], &options,
                                          others, ROOM, &found_others, NULL),
                             GRZ_OK);
            assert_int_equal(
                grz_pick(device, grz_targets_of_objects(c->objects, OBJECTS), &rays[i], 1, &options, &one, NULL),
                GRZ_OK);
            if (i % 3 == 0) {
                assert_int_equal(
                    grz_pick(device, grz_targets_of_objects(c->objects, OBJECTS), &rays[i], 3, &options, few, NULL),
                    GRZ_OK);
                assert_true(same(&few[0], &first[i]) && same(&few[1], &first[i + 1]) && same(&few[2], &first[i + 2]));
            }
            assert_true(found <= ROOM);
            assert_int_equal(found, found_others);
            for (uint64_t k = 0; k < found; k++)
                assert_true(same(&all[k], &others[k]));
            assert_int_equal(any[i], found > 0);
            assert_int_equal(first[i].face != GRZ_NO_FACE, found > 0);
            assert_true(same(&first[i], &one) && any[i] == any_in_scene[i]);
            if (found > 0)
                assert_true(same(&first[i], &all[0]));
            grz_ray_hit listed = in_scene[i];
            for (int k = 0; k < OBJECTS && listed.object != GRZ_NO_OBJECT; k++)
                if (c->numbers[k] == in_scene[i].object)
                    listed.object = (uint32_t)k;
            assert_true(same(&first[i], &listed));
            *hit_count += found > 0;
        }
    }
}

static void a_crowd_is_hit_as_its_objects_are(void **state)
{
    (void)state;
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2612);
    static grz_ray rays[RAYS];
    int hit_count = 0;
    crowd c;
    make_crowd(&random, &c);
    for (int i = 0; i < RAYS; i++)
        rays[i] = random_ray(&random);
    check_rays(&c, rays, UINT32_MAX, &hit_count);
    check_rays(&c, rays, 2, &hit_count);
    assert_true(hit_count > RAYS && hit_count < 5 * RAYS);
    finish_crowd(&c);
}

// ---- The tree -------------------------------------------------------------------------------------------------------

static void the_tree_lists_all_boxes_that_are_met(void **state)
{
    (void)state;
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2613);
    static grz_box boxes[600];
    static uint32_t order[600];
    static bool listed[600];
    long met = 0, missed = 0;
    for (uint32_t count = 1; count <= 600; count = count * 2 + random_below(&random, 3)) {
        grz_control control;
        grz_crowd tree;
        grz_control_init(&control, grz_device_allocator(test_devices[0]), NULL);
        for (uint32_t i = 0; i < count; i++) {
            order[i] = i;
            for (int k = 0; k < 3; k++) {
                boxes[i].min[k] = i % 5 == 4 ? boxes[i - 1].min[k] : spread(&random, 6.0);
                boxes[i].max[k] = boxes[i].min[k] + (i % 4 == 0 ? 0.0 : fabs(spread(&random, 4.0)));
            }
        }
        assert_int_equal(grz_crowd_build(&tree, boxes, order, count, &control), GRZ_OK);
        assert_int_equal(tree.node_count, 2 * count - 1);
        for (int i = 0; i < RAYS; i++) {
            const grz_ray ray = random_ray(&random);
            grz_crowd_walk walk;
            grz_line line;
            uint32_t number;
            assert_true(grz_line_set(&line, ray.origin, ray.direction, ray.tail));
            memset(listed, 0, sizeof listed);
            grz_crowd_begin(&tree, &walk, &line, ray.from, ray.to);
            while ((number = grz_crowd_next(&tree, &walk, &line, HUGE_VAL)) != UINT32_MAX) {
                assert_true(number < count && !listed[number]);
                listed[number] = true;
            }
            for (uint32_t k = 0; k < count; k++) {
                grz_stretch stretch = {ray.from, ray.to};
                const bool meets = grz_line_cut_to_box(&line, &boxes[k], &stretch);
                assert_int_equal(listed[k], meets);
                met += meets;
                missed += !meets;
            }
        }
        grz_crowd_finish(&tree, grz_device_allocator(test_devices[0]));
    }
    assert_true(met > 1000 && missed > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crowd_is_hit_as_its_objects_are),
        cmocka_unit_test(the_tree_lists_all_boxes_that_are_met),
    };
    return cmocka_run_group_tests(tests, test_devices_open, test_devices_close);
}
