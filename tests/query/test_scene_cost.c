// SPDX-License-Identifier: MIT
// What a scene remembers, in bytes: a few for each pair of overlapping boxes, far fewer than the answer has; a query
// where nothing moved takes little more than its answer. A query that is cancelled among very many pairs ends soon.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "query/scene.h"
#include "support_allocator.h"
#include "support_queries.h"
#include "support_sanitizer.h"

enum {
    // Bytes for each pair: in the broad phase 8, and half as much again in an array that has grown; 5 remembered.
    KEPT_A_PAIR = 8 + 4 + 5,
    // More while a query runs: the broad phase's numbers to sort, 8 twice and half as much again.
    SORTED_A_PAIR = 8 + 8 + 4,
    CODE = 1,         // one byte for each pair while a query runs
    AN_OBJECT = 2048, // bytes for each object, all stages together
    BASE = 16 << 20   // working memory of a block of jobs
};

typedef struct crowd {
    test_strict_allocator strict;
    grz_device *device;
    grz_mesh *mesh;
    grz_scene *scene;
    grz_result *result;
    long before; // bytes in use before the first query
} crowd;

// `count` tetrahedra that all touch each other.
static void make_crowd(crowd *c, uint32_t count)
{
    *c = (crowd){.strict = {.lock = PTHREAD_MUTEX_INITIALIZER}};
    static const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    test_mesh source = test_mesh_tetrahedron(corners);
    grz_device_options options = grz_default_device_options();
    options.threads = 1;
    options.allocator = test_strict_allocator_of(&c->strict);
    assert_int_equal(grz_device_open(&options, &c->device, NULL), GRZ_OK);
    c->mesh = test_mesh_upload(c->device, &source);
    assert_int_equal(grz_scene_create(c->device, &c->scene, NULL), GRZ_OK);
    c->result = test_result_create(c->device);
    for (uint32_t i = 0; i < count; i++) {
        grz_object object = grz_object_at_origin(c->mesh);
        uint32_t id;
        object.pose = grz_pose_from_translation(0x1p-16 * i, 0, 0);
        assert_int_equal(grz_scene_add(c->scene, &object, &id, NULL), GRZ_OK);
    }
    c->before = c->strict.bytes;
    test_mesh_finish(&source);
}

static void finish_crowd(crowd *c)
{
    grz_result_destroy(c->result);
    grz_scene_destroy(c->scene);
    grz_mesh_destroy(c->mesh);
    grz_device_close(c->device);
    assert_int_equal(c->strict.bytes, 0);
    assert_false(c->strict.misused);
}

// Ask, with a new result. Returns the most bytes that were in use meanwhile; `kept` receives those in use afterwards
// without the result.
static long ask(crowd *c, uint64_t expected, long *kept)
{
    grz_collide_options options = grz_default_collide_options();
    uint64_t count;
    options.find = GRZ_FIND_CONTAINMENT;
    grz_result_destroy(c->result);
    c->result = test_result_create(c->device);
    c->strict.most = c->strict.bytes;
    assert_int_equal(grz_collide_scene(c->device, c->scene, &options, c->result, NULL), GRZ_OK);
    const long most = c->strict.most - c->before;
    grz_result_scene_pairs(c->result, &count);
    assert_int_equal(count, expected);
    grz_result_destroy(c->result);
    c->result = NULL;
    *kept = c->strict.bytes - c->before;
    c->result = test_result_create(c->device);
    return most;
}

static void memory_is_a_few_bytes_for_each_pair(void **state)
{
    (void)state;
    for (uint32_t count = TEST_SANITIZED ? 200 : 600; count <= (TEST_SANITIZED ? 400 : 1200); count *= 2) {
        const long pairs = (long)count * (count - 1) / 2, answer = pairs * (long)sizeof(grz_scene_pair);
        crowd c;
        long kept[3], most[3];
        make_crowd(&c, count);
        for (int i = 0; i < 3; i++) {
            most[i] = ask(&c, (uint64_t)pairs, &kept[i]);
            if (i == 1) { // then one moves
                const grz_pose pose = grz_pose_from_translation(0, 0x1p-16, 0);
                assert_int_equal(grz_scene_set_pose(c.scene, count / 2, &pose, NULL), GRZ_OK);
            }
        }
        print_message(
            "%u objects, a pair of boxes: kept %.1f, %.1f, %.1f bytes; at most %.1f, %.1f, %.1f; answer %.1f\n", count,
            (double)kept[0] / (double)pairs, (double)kept[1] / (double)pairs, (double)kept[2] / (double)pairs,
            (double)most[0] / (double)pairs, (double)most[1] / (double)pairs, (double)most[2] / (double)pairs,
            (double)answer / (double)pairs);
        for (int i = 0; i < 3; i++)
            assert_true(kept[i] <= KEPT_A_PAIR * pairs + AN_OBJECT * (long)count);
        // A growing array is half as large again, and exists twice while it moves.
        assert_true(most[0] <= SORTED_A_PAIR * pairs + 5 * answer / 2 + KEPT_A_PAIR * pairs + BASE);
        assert_true(most[1] <= answer + (KEPT_A_PAIR + CODE) * pairs + AN_OBJECT * (long)count);
        assert_true(most[2] <= 5 * answer / 2 + (KEPT_A_PAIR + CODE + 5) * pairs + BASE);
        finish_crowd(&c);
    }
}

// Raises a flag at a certain call, and counts the calls after that.
typedef struct stopper {
    uint64_t calls, at;
    int flag;
} stopper;

static bool count_call(uint32_t a, const grz_object *object_a, uint32_t b, const grz_object *object_b, void *user)
{
    stopper *s = user;
    (void)a, (void)b, (void)object_a, (void)object_b;
    s->flag = ++s->calls >= s->at;
    return false;
}

static void a_query_is_cancelled_among_many_pairs(void **state)
{
    (void)state;
    crowd c;
    make_crowd(&c, 600);
    for (uint64_t at = 1; at < 600 * 599 / 2 - 20000; at += 33333) {
        stopper s = {.at = at};
        grz_collide_options options = grz_default_collide_options();
        options.limits.cancel = &s.flag;
        assert_int_equal(grz_scene_set_filter(c.scene, count_call, &s, NULL), GRZ_OK);
        assert_int_equal(grz_collide_scene(c.device, c.scene, &options, c.result, NULL), GRZ_ERROR_CANCELLED);
        assert_true(s.calls >= at && s.calls <= at + (1 << 14));
    }
    finish_crowd(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_a_few_bytes_for_each_pair),
        cmocka_unit_test(a_query_is_cancelled_among_many_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
