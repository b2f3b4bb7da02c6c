// SPDX-License-Identifier: MIT
// Events of a scene against sets: random histories of adding, removing, moving, deforming and regrouping objects, with
// queries of all pairs, of what changed and of one object, with clearances and without containment. After each update
// the nine lists are those of two sets of pairs, which the test makes from single calls. Also the same bytes for any
// number of threads and any broad phase; numbers that are given again; refusals; memory that runs out.
// ctest: concurrent threads_and_broad_phases_do_not_matter
// ctest: timeout 600
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_devices.h"
#include "support_meshes.h"
#include "support_scene_events.h"
#include "support_sanitizer.h"

typedef test_events_world world;

static uint32_t draw_random(void *source, uint32_t count)
{
    return random_below(source, count);
}

static world *open_world(unsigned threads)
{
    static random_stream unused;
    return test_events_open(threads, draw_random, &unused);
}

static void run_history(world *w, uint64_t seed, int frames)
{
    random_stream random = {.state = seed};
    w->source = &random;
    for (int i = 0; i < frames; i++)
        test_events_step(w);
    w->source = NULL;
}

static void events_are_differences_of_sets(void **state)
{
    world *w = open_world(1);
    (void)state;
    run_history(w, 3, TEST_SANITIZED ? 400 : 4000);
    printf("%llu updates, %llu refused\n", (unsigned long long)w->updates, (unsigned long long)w->refused);
    assert_true(w->updates > (TEST_SANITIZED ? 150 : 1500) && w->refused > (TEST_SANITIZED ? 20 : 200));
    for (int s = GRZ_PAIR_APART + 1; s < GRZ_PAIR_STATE_COUNT; s++)
        for (int e = 0; e < GRZ_PAIR_EVENT_COUNT; e++)
            if (w->seen[s][e] < (TEST_SANITIZED ? 1 : 20))
                fail_msg("state %d, event %d was seen %llu times", s, e, (unsigned long long)w->seen[s][e]);
    test_events_close(w);
}

static void threads_and_broad_phases_do_not_matter(void **state)
{
    uint64_t hash = 0;
    (void)state;
    for (int i = 0; i < 4; i++) {
        world *w = open_world(i % 2 == 0 ? 1 : 3);
        assert_int_equal(grz_scene_set_broad_phase(w->scene, (grz_broad_phase)i, NULL), GRZ_OK);
        run_history(w, 8, TEST_SANITIZED ? 60 : 300);
        assert_true(w->hash != 0 && (i == 0 || w->hash == hash));
        hash = w->hash;
        test_events_close(w);
    }
}

// ---- Known cases --------------------------------------------------------------------------------------------------

static uint64_t count_of(const grz_scene_events *events, grz_pair_state state, grz_pair_event event)
{
    uint64_t count;
    grz_scene_events_pairs(events, state, event, &count);
    return count;
}

static void update(world *w, const grz_collide_options *options)
{
    grz_error error;
    assert_int_equal(grz_collide_scene(w->device, w->scene, options, w->result, &error), GRZ_OK);
    if (grz_scene_events_update(w->events, w->result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
}

static uint32_t put(world *w, int mesh, double x)
{
    const grz_object object = grz_object_at(w->meshes[mesh], grz_pose_from_translation(x, 0, 0));
    uint32_t id;
    assert_int_equal(grz_scene_add(w->scene, &object, &id, NULL), GRZ_OK);
    return id;
}

static void move(world *w, uint32_t id, double x)
{
    const grz_pose pose = grz_pose_from_translation(x, 0, 0);
    assert_int_equal(grz_scene_set_pose(w->scene, id, &pose, NULL), GRZ_OK);
}

// A cube comes near, touches, goes in, and leaves.
static void near_is_a_state_of_its_own(void **state)
{
    world *w = open_world(1);
    grz_collide_options options = grz_default_collide_options();
    const uint32_t wall = put(w, 0, 0), cube = put(w, 1, 9);
    const double places[] = {9, 2, 1.75, 0, 1.75, 2, 9};
    const grz_pair_state states[] = {GRZ_PAIR_APART,     GRZ_PAIR_NEAR, GRZ_PAIR_COLLIDING, GRZ_PAIR_COLLIDING,
                                     GRZ_PAIR_COLLIDING, GRZ_PAIR_NEAR, GRZ_PAIR_APART};
    (void)state;
    options.clearance = 0.5;
    for (int i = 0; i < 7; i++) {
        move(w, cube, places[i]);
        update(w, &options);
        const grz_pair_state before = i > 0 ? states[i - 1] : GRZ_PAIR_APART, now = states[i];
        for (int s = GRZ_PAIR_APART + 1; s < GRZ_PAIR_STATE_COUNT; s++) {
            const bool was = (int)before == s, is = (int)now == s;
            assert_int_equal(count_of(w->events, (grz_pair_state)s, GRZ_PAIR_BEGAN), is && !was);
            assert_int_equal(count_of(w->events, (grz_pair_state)s, GRZ_PAIR_STAYS), is && was);
            assert_int_equal(count_of(w->events, (grz_pair_state)s, GRZ_PAIR_ENDED), was && !is);
        }
    }
    assert_int_equal(wall, 0);
    test_events_close(w);
}

// An object is taken out and another one takes its number and its place: the pair ends, and another one begins.
static void a_number_that_is_given_again(void **state)
{
    (void)state;
    for (int changed = 0; changed < 3; changed++) { // all pairs; those that changed; those of the other object
        world *w = open_world(1);
        grz_collide_options options = grz_default_collide_options();
        const uint32_t floor = put(w, 2, 0), cube = put(w, 0, 0);
        const uint64_t serial = grz_scene_object_serial(w->scene, cube);
        update(w, &options);
        assert_int_equal(count_of(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_BEGAN), 1);
        assert_int_equal(grz_scene_remove(w->scene, cube, NULL), GRZ_OK);
        assert_int_equal(put(w, 0, 0), cube);
        options.find |= changed == 1 ? (uint32_t)GRZ_FIND_CHANGED : 0;
        options.reference = changed == 2 ? floor : GRZ_ALL_OBJECTS;
        update(w, &options);
        uint64_t count;
        const grz_scene_event *ended = grz_scene_events_pairs(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_ENDED, &count);
        assert_int_equal(count, 1);
        assert_true(ended->a == floor && ended->b == cube && ended->serial_b == serial &&
                    ended->now == GRZ_PAIR_APART && ended->before == GRZ_PAIR_COLLIDING);
        const grz_scene_event *began = grz_scene_events_pairs(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_BEGAN, &count);
        assert_int_equal(count, 1);
        assert_true(began->b == cube && began->serial_b == grz_scene_object_serial(w->scene, cube) &&
                    began->serial_b != serial && began->serial_a == ended->serial_a);
        assert_int_equal(count_of(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_STAYS), 0);
        assert_int_equal(grz_scene_remove(w->scene, cube, NULL), GRZ_OK); // and for good
        update(w, &options);
        assert_int_equal(count_of(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_ENDED), 1);
        update(w, &options);
        assert_int_equal(count_of(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_ENDED), 0);
        test_events_close(w);
    }
}

static void expect_refused(world *w, const grz_result *result, const char *text)
{
    grz_error error = {.message = ""};
    const grz_status status = grz_scene_events_update(w->events, result, &error);
    if (status != GRZ_ERROR_ARGUMENT || strstr(error.message, text) == NULL)
        fail_msg("status %d, '%s' does not have '%s'", (int)status, error.message, text);
    assert_int_equal(count_of(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_BEGAN), 1); // unchanged
}

static void what_is_refused(void **state)
{
    world *w = open_world(1), *other = open_world(1);
    grz_collide_options options = grz_default_collide_options();
    volatile int cancel = 1;
    (void)state;
    const uint32_t cube = put(w, 0, 0);
    put(w, 2, 0);
    put(other, 0, 0);
    update(w, NULL);
    assert_int_equal(grz_scene_events_update(NULL, w->result, NULL), GRZ_ERROR_ARGUMENT);
    expect_refused(w, NULL, "the result is NULL");
    expect_refused(w, w->alone, "not that of a query of a scene");
    grz_object x = w->objects[0];
    x = grz_object_at_origin(w->meshes[0]);
    assert_int_equal(grz_collide(w->device, &x, &x, NULL, w->alone, NULL), GRZ_OK);
    expect_refused(w, w->alone, "not that of a query of a scene");
    assert_int_equal(grz_collide_scene(other->device, other->scene, NULL, other->result, NULL), GRZ_OK);
    expect_refused(w, other->result, "another scene");
    assert_int_equal(grz_collide_scene(w->device, w->scene, NULL, w->alone, NULL), GRZ_OK);
    expect_refused(w, w->result, "has changed since the query");
    move(w, cube, 0.5);
    expect_refused(w, w->alone, "has changed since the query");
    options.limits.cancel = &cancel;
    assert_int_equal(grz_collide_scene(w->device, w->scene, &options, w->alone, NULL), GRZ_ERROR_CANCELLED);
    expect_refused(w, w->alone, "not that of a query of a scene");
    options = grz_default_collide_options();
    options.find |= GRZ_FIND_CHANGED;
    assert_int_equal(grz_collide_scene(w->device, w->scene, &options, w->alone, NULL), GRZ_OK);
    expect_refused(w, w->alone, "GRZ_FIND_CHANGED");
    options = grz_default_collide_options();
    options.reference = cube;
    options.clearance = 1.0;
    assert_int_equal(grz_collide_scene(w->device, w->scene, &options, w->alone, NULL), GRZ_OK);
    expect_refused(w, w->alone, "not all pairs were asked about");
    grz_scene_events *events = w->events;
    assert_int_equal(grz_scene_events_create(NULL, &events, NULL), GRZ_ERROR_ARGUMENT);
    assert_null(events);
    assert_int_equal(grz_scene_events_create(w->scene, NULL, NULL), GRZ_ERROR_ARGUMENT);
    grz_scene_events_destroy(NULL);
    uint64_t count = 7;
    assert_null(grz_scene_events_pairs(NULL, GRZ_PAIR_COLLIDING, GRZ_PAIR_BEGAN, &count));
    assert_int_equal(count, 0);
    assert_null(grz_scene_events_pairs(w->events, GRZ_PAIR_APART, GRZ_PAIR_BEGAN, &count));
    assert_null(grz_scene_events_pairs(w->events, GRZ_PAIR_STATE_COUNT, GRZ_PAIR_BEGAN, &count));
    assert_null(grz_scene_events_pairs(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_EVENT_COUNT, &count));
    assert_non_null(grz_scene_events_pairs(w->events, GRZ_PAIR_COLLIDING, GRZ_PAIR_BEGAN, NULL));
    assert_int_equal(grz_scene_object_serial(NULL, 0), 0);
    assert_int_equal(grz_scene_object_serial(w->scene, 99), 0);
    test_events_close(w);
    test_events_close(other);
}

static void memory_that_runs_out(void **state)
{
    counting_allocator counter = {.fail_at = 0};
    grz_device *device = counting_device_open(&counter);
    const test_mesh cube = test_mesh_cube(0, 0, 0, 1);
    grz_mesh *mesh = test_mesh_upload(device, &cube);
    grz_result *result = test_result_create(device);
    grz_scene *scene;
    grz_scene_events *events = NULL;
    grz_error error;
    int failures = 0;
    (void)state;
    assert_int_equal(grz_scene_create(device, &scene, NULL), GRZ_OK);
    for (uint32_t i = 0; i < 40; i++) {
        const grz_object object = grz_object_at(mesh, grz_pose_from_translation(0.75 * i, 0, 0));
        uint32_t id;
        assert_int_equal(grz_scene_add(scene, &object, &id, NULL), GRZ_OK);
    }
    assert_int_equal(grz_collide_scene(device, scene, NULL, result, NULL), GRZ_OK);
    for (long i = 1; i < 100; i++) {
        counter.calls = 0;
        counter.fail_at = i;
        grz_status status = events == NULL ? grz_scene_events_create(scene, &events, &error) : GRZ_OK;
        if (status == GRZ_OK)
            status = grz_scene_events_update(events, result, &error);
        if (status == GRZ_OK)
            break;
        assert_int_equal(status, GRZ_ERROR_MEMORY);
        assert_int_equal(count_of(events, GRZ_PAIR_COLLIDING, GRZ_PAIR_BEGAN), 0);
        failures++;
    }
    assert_true(failures >= 3 && failures < 99);
    assert_int_equal(count_of(events, GRZ_PAIR_COLLIDING, GRZ_PAIR_BEGAN), 39);
    counter.fail_at = 0;
    grz_scene_destroy(scene);
    grz_result_destroy(result);
    grz_mesh_destroy(mesh);
    grz_device_close(device);
    grz_scene_events_destroy(events); // keeps the device
    assert_int_equal(counter.live, 0);
    test_mesh copy = cube;
    test_mesh_finish(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_differences_of_sets),
        cmocka_unit_test(threads_and_broad_phases_do_not_matter),
        cmocka_unit_test(near_is_a_state_of_its_own),
        cmocka_unit_test(a_number_that_is_given_again),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
