// SPDX-License-Identifier: MIT
// A device may be closed before the objects made with it: it stays alive until the last mesh, result or scene is
// destroyed, in any order and on any thread. A counting allocator checks that its memory is kept until then and
// released afterwards.
// ctest: concurrent
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_gl.h"
#include "support_meshes.h"

// Counts blocks, on any thread. Released blocks are overwritten, so that a later use shows even without a sanitizer.
static void *counting_reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    (void)old_size;
    if (block == NULL)
        atomic_fetch_add((atomic_long *)user, 1);
    return realloc(block, new_size);
}

static void counting_release(void *block, size_t size, void *user)
{
    atomic_fetch_sub((atomic_long *)user, 1);
    memset(block, 0xdd, size);
    free(block);
}

static grz_device *open_counted(atomic_long *blocks, grz_device_kind kind)
{
    grz_device_options options = grz_default_device_options();
    grz_device *device = NULL;
    grz_error error = {.message = ""};
    atomic_init(blocks, 0);
    options.allocator = (grz_allocator){counting_reallocate, counting_release, blocks};
    options.threads = 3;
    options.kind = kind;
    if (grz_device_open(&options, &device, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return device;
}

// Objects made with a device, and used once.
typedef struct things {
    grz_mesh *mesh;
    grz_result *result;
    grz_scene *scene;
} things;

static things make_things(grz_device *device, const char *method, grz_answer answer)
{
    test_mesh shape = test_mesh_icosphere(1.0, 3);
    things t = {.mesh = test_mesh_upload(device, &shape), .result = test_result_create(device)};
    grz_collide_options options = grz_default_collide_options();
    grz_object a = grz_object_at_origin(t.mesh), b = grz_object_at(t.mesh, grz_pose_from_translation(1.0, 0.5, 0.25));
    grz_error error = {.message = ""};
    uint32_t id;
    options.method = method;
    options.answer = answer;
    options.find = answer == GRZ_ANSWER_EXACT ? GRZ_FIND_CURVES : 0;
    if (grz_collide(device, &a, &b, &options, t.result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_int_equal(grz_scene_create(device, &t.scene, NULL), GRZ_OK);
    assert_int_equal(grz_scene_add(t.scene, &a, &id, NULL), GRZ_OK);
    test_mesh_finish(&shape);
    return t;
}

static void destroy_thing(things *t, int which)
{
    if (which == 0)
        grz_mesh_destroy(t->mesh);
    else if (which == 1)
        grz_result_destroy(t->result);
    else
        grz_scene_destroy(t->scene);
}

// Mesh, result, scene and the device itself (3), in every order.
static void objects_may_be_destroyed_in_any_order(void **state)
{
    (void)state;
    for (int order = 0; order < 256; order++) {
        const int turn[4] = {order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6 & 3};
        if ((1 << turn[0] | 1 << turn[1] | 1 << turn[2] | 1 << turn[3]) != 15)
            continue;
        atomic_long blocks;
        grz_device *device = open_counted(&blocks, GRZ_DEVICE_CPU);
        things t = make_things(device, NULL, GRZ_ANSWER_EXACT);
        for (int i = 0; i < 4; i++) {
            assert_true(atomic_load(&blocks) > 0);
            if (turn[i] == 3)
                grz_device_close(device);
            else
                destroy_thing(&t, turn[i]);
        }
        assert_int_equal(atomic_load(&blocks), 0);
    }
}

// The objects left can still be used: results are read, meshes checked, changed and prepared, objects added and moved.
static void objects_work_after_their_device_is_closed(void **state)
{
    (void)state;
    atomic_long blocks;
    grz_device *device = open_counted(&blocks, GRZ_DEVICE_CPU);
    things t = make_things(device, NULL, GRZ_ANSWER_EXACT);
    test_mesh larger = test_mesh_icosphere(2.0, 3);
    grz_device_close(device);
    uint64_t count = 0;
    grz_mesh_report report;
    uint32_t id;
    const grz_object *object = grz_scene_object(t.scene, 0);
    const grz_pose away = grz_pose_from_translation(9.0, 0.0, 0.0);
    assert_true(grz_result_summary(t.result)->colliding);
    assert_non_null(grz_result_pairs(t.result, &count));
    assert_true(count > 0);
    assert_int_equal(grz_mesh_check(t.mesh, &report, NULL), GRZ_OK);
    assert_true(report.closed);
    assert_int_equal(grz_mesh_set_positions(t.mesh, larger.positions, NULL), GRZ_OK);
    assert_int_equal(grz_mesh_prepare(t.mesh, NULL, NULL), GRZ_OK);
    assert_int_equal(grz_scene_add(t.scene, object, &id, NULL), GRZ_OK);
    assert_int_equal(grz_scene_set_pose(t.scene, id, &away, NULL), GRZ_OK);
    assert_int_equal(grz_scene_remove(t.scene, 0, NULL), GRZ_OK);
    grz_mesh_destroy(t.mesh); // the scene has it still
    grz_result_destroy(t.result);
    assert_true(atomic_load(&blocks) > 0);
    grz_scene_destroy(t.scene);
    assert_int_equal(atomic_load(&blocks), 0);
    test_mesh_finish(&larger);
}

static void *destroy_all(void *context)
{
    for (int i = 0; i < 3; i++)
        destroy_thing(context, i);
    return NULL;
}

static void threads_may_destroy_while_another_closes(void **state)
{
    (void)state;
    enum {
        THREADS = 4
    };
    for (int round = 0; round < 20; round++) {
        atomic_long blocks;
        grz_device *device = open_counted(&blocks, GRZ_DEVICE_CPU);
        things t[THREADS];
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++)
            t[i] = make_things(device, NULL, GRZ_ANSWER_EXACT);
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, destroy_all, &t[i]), 0);
        grz_device_close(device);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        assert_int_equal(atomic_load(&blocks), 0);
    }
}

// A call that fails must not keep the device alive.
static void refused_meshes_do_not_keep_a_device(void **state)
{
    (void)state;
    atomic_long blocks;
    grz_device *device = open_counted(&blocks, GRZ_DEVICE_CPU);
    grz_mesh_description d = grz_default_mesh_description();
    const float corners[9] = {0};
    const uint32_t bad[3] = {0, 1, 3};
    grz_mesh *mesh;
    d.positions = corners;
    d.vertex_count = 3;
    d.indices = bad;
    d.index_count = 3;
    d.face_count = 1;
    assert_int_equal(grz_mesh_create(device, &d, &mesh, NULL), GRZ_ERROR_MESH);
    grz_device_close(device);
    assert_int_equal(atomic_load(&blocks), 0);
}

// GPU uploads and the OpenGL context are released with the mesh that is destroyed last.
static void an_opengl_device_stays_alive_as_well(void **state)
{
    (void)state;
    if (!test_gl_is_here())
        test_skip_one("no OpenGL");
    for (int last = 0; last < 3; last++) {
        atomic_long blocks;
        grz_device *device = open_counted(&blocks, GRZ_DEVICE_GL);
        things t = make_things(device, "slices", GRZ_ANSWER_DISCRETE);
        grz_device_close(device);
        for (int i = 1; i <= 3; i++) {
            assert_true(atomic_load(&blocks) > 0);
            destroy_thing(&t, (last + i) % 3);
        }
        assert_int_equal(atomic_load(&blocks), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_may_be_destroyed_in_any_order),
        cmocka_unit_test(objects_work_after_their_device_is_closed),
        cmocka_unit_test(threads_may_destroy_while_another_closes),
        cmocka_unit_test(refused_meshes_do_not_keep_a_device),
        cmocka_unit_test(an_opengl_device_stays_alive_as_well),
    };
    return test_exit_status(cmocka_run_group_tests(tests, NULL, NULL));
}
