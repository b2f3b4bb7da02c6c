// SPDX-License-Identifier: MIT
// Queries that end early, and results that are reused: max_pairs, the cancel flag, the deadline; the contents of a
// result before its first query and after a failed one. A result that held a longer, shorter or failed answer before
// must give the same bytes as a new one.
// ctest: concurrent a_running_query_can_be_cancelled another_thread_may_cancel
// ctest: timeout 900
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_contacts.h"
#include "support_control.h"

// A device with two threads, and a few objects: two sheets of quads that cross in many faces, and a cube in a cube.
typedef struct fixture {
    grz_device *device;
    grz_mesh *meshes[4];
    grz_object objects[4];
    grz_result *result;
} fixture;

enum {
    FLAT,
    WAVY,
    BIG,
    SMALL,
    ALL_FINDS = GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT
};

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->device = test_device_open(2);
    f->result = test_result_create(f->device);
    test_mesh sources[4] = {test_mesh_grid_quads(24, 24, 1), test_mesh_grid_quads(24, 24, 1),
                            test_mesh_cube(100, 100, 100, 8), test_mesh_cube(102, 102, 102, 2)};
    // The wavy one is at z = -1, 0 or 1 by columns, so that it touches and crosses the flat one, and in rows shifted by
    // a half.
    for (uint64_t v = 0; v < sources[WAVY].vertex_count; v++) {
        sources[WAVY].positions[3 * v + 2] = (double)(v % 25 % 3) - 1.0;
        sources[WAVY].positions[3 * v + 1] += 0.5;
    }
    for (int i = 0; i < 4; i++) {
        f->meshes[i] = test_mesh_upload(f->device, &sources[i]);
        f->objects[i] = grz_object_at_origin(f->meshes[i]);
        test_mesh_finish(&sources[i]);
    }
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 4; i++)
        grz_mesh_destroy(f->meshes[i]);
    grz_result_destroy(f->result);
    grz_device_close(f->device);
    free(f);
    return 0;
}

static grz_status ask(fixture *f, int a, int b, const grz_collide_options *options)
{
    grz_error error = {.code = GRZ_OK};
    const grz_status status = b >= 0
                                  ? grz_collide(f->device, &f->objects[a], &f->objects[b], options, f->result, &error)
                                  : grz_collide_self(f->device, &f->objects[a], options, f->result, &error);
    if (status != GRZ_OK) {
        assert_int_equal(error.code, status);
        assert_int_equal(error.element, GRZ_NO_ELEMENT);
        assert_true(strlen(error.message) > 0);
    }
    return status;
}

static grz_collide_options options_of(const char *method, uint32_t find)
{
    grz_collide_options options = grz_default_collide_options();
    options.method = method;
    options.find = find;
    return options;
}

static void expect_nothing_listed(const grz_result *result)
{
    uint64_t counts[5];
    (void)grz_result_pairs(result, &counts[0]);
    (void)grz_result_contacts(result, &counts[1]);
    (void)grz_result_points(result, &counts[2]);
    (void)grz_result_curves(result, &counts[3]);
    (void)grz_result_curve_points(result, &counts[4]);
    for (int i = 0; i < 5; i++)
        assert_int_equal(counts[i], 0);
    const grz_summary *s = grz_result_summary(result);
    assert_int_equal(s->pair_count, 0);
    assert_int_equal(s->kinds[GRZ_TOUCHING] + s->kinds[GRZ_COPLANAR] + s->kinds[GRZ_CROSSING], 0);
    assert_false(s->has_region);
}

static void expect_undecided(const grz_result *result)
{
    const grz_summary *s = grz_result_summary(result);
    expect_nothing_listed(result);
    assert_int_equal(s->certainty, GRZ_UNDECIDED);
    assert_false(s->colliding);
    assert_false(s->pairs_complete);
    assert_int_equal(s->relation, GRZ_APART);
    assert_int_equal(s->containment, GRZ_CONTAINMENT_NOT_ASKED);
    assert_non_null(s->reason);
    assert_non_null(s->method);
}

// A query of touching meshes that ended early: its result says that they touch, if a pair was found before, or that
// nothing is known.
static void expect_ended(const grz_result *result)
{
    const grz_summary *s = grz_result_summary(result);
    if (s->certainty == GRZ_UNDECIDED) {
        expect_undecided(result);
        return;
    }
    expect_nothing_listed(result);
    assert_int_equal(s->certainty, GRZ_EXACT);
    assert_true(s->colliding);
    assert_int_equal(s->relation, GRZ_COLLIDING);
    assert_false(s->pairs_complete);
    assert_non_null(s->reason);
}

static void a_new_result_says_that_nothing_is_known(void **state)
{
    fixture *f = *state;
    grz_result *fresh = test_result_create(f->device);
    expect_undecided(fresh);
    grz_result_destroy(fresh);
    grz_result_destroy(NULL);
}

static void all_lists_are_empty_if_nothing_touches(void **state)
{
    fixture *f = *state;
    const grz_collide_options options = options_of(NULL, ALL_FINDS);
    assert_int_equal(ask(f, FLAT, BIG, &options), GRZ_OK);
    expect_nothing_listed(f->result);
    const grz_summary *s = grz_result_summary(f->result);
    assert_int_equal(s->relation, GRZ_APART);
    assert_int_equal(s->certainty, GRZ_EXACT);
    assert_true(s->pairs_complete);
    assert_null(s->reason);
    assert_string_equal(s->method, "bvh");
}

static void with_too_many_pairs_the_yes_is_kept(void **state)
{
    fixture *f = *state;
    const char *methods[] = {"naive", "bvh"};
    for (int m = 0; m < 2; m++) {
        grz_collide_options options = options_of(methods[m], ALL_FINDS);
        assert_int_equal(ask(f, FLAT, WAVY, &options), GRZ_OK);
        const uint64_t pairs = grz_result_summary(f->result)->pair_count;
        uint64_t contacts;
        (void)grz_result_contacts(f->result, &contacts);
        // Faces are quads: there are more contacts than pairs, and the limit is one of pairs of faces.
        assert_true(pairs > 500 && contacts > pairs);
        const uint64_t limits[] = {0, 1, pairs / 2, pairs - 1, pairs, pairs + 1, UINT64_MAX};
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
            options.max_pairs = limits[i];
            const grz_status status = ask(f, FLAT, WAVY, &options);
            if (limits[i] >= pairs) {
                assert_int_equal(status, GRZ_OK);
                assert_int_equal(grz_result_summary(f->result)->pair_count, pairs);
                continue;
            }
            assert_int_equal(status, GRZ_ERROR_LIMIT);
            expect_nothing_listed(f->result);
            const grz_summary *s = grz_result_summary(f->result);
            assert_true(s->colliding);
            assert_int_equal(s->relation, GRZ_COLLIDING);
            assert_int_equal(s->certainty, GRZ_EXACT);
            assert_false(s->pairs_complete);
            assert_non_null(s->reason);
        }
        // Without a list, or if nothing touches, the limit has no effect.
        options = options_of(methods[m], 0);
        options.max_pairs = 0;
        assert_int_equal(ask(f, FLAT, WAVY, &options), GRZ_OK);
        assert_true(grz_result_summary(f->result)->colliding);
        options = options_of(methods[m], ALL_FINDS);
        options.max_pairs = 0;
        assert_int_equal(ask(f, SMALL, BIG, &options), GRZ_OK);
        assert_int_equal(grz_result_summary(f->result)->relation, GRZ_A_INSIDE_B);
        assert_int_equal(ask(f, BIG, -1, &options), GRZ_OK);
    }
}

static void a_raised_cancel_flag_ends_the_query(void **state)
{
    fixture *f = *state;
    volatile int cancel = 1;
    const char *methods[] = {"naive", "bvh"};
    for (int m = 0; m < 2; m++) {
        grz_collide_options options = options_of(methods[m], ALL_FINDS);
        options.limits.cancel = &cancel;
        cancel = 1;
        const int others[] = {WAVY, BIG, -1};
        for (int i = 0; i < 3; i++) {
            assert_int_equal(ask(f, FLAT, others[i], &options), GRZ_ERROR_CANCELLED);
            expect_ended(f->result);
            assert_string_equal(grz_result_summary(f->result)->method, methods[m]);
        }
        cancel = 0;
        assert_int_equal(ask(f, FLAT, WAVY, &options), GRZ_OK);
        assert_true(grz_result_summary(f->result)->pair_count > 500);
    }
}

static void raise_flag(double share, void *user)
{
    if (share > 0.0 && share < 1.0) // the end is reported once more
        __atomic_store_n((volatile int *)user, 1, __ATOMIC_RELAXED);
}

static void a_running_query_can_be_cancelled(void **state)
{
    fixture *f = *state;
    const char *methods[] = {"naive", "bvh"};
    int cancelled = 0;
    for (int m = 0; m < 2; m++) {
        volatile int cancel = 0;
        grz_collide_options options = options_of(methods[m], ALL_FINDS);
        options.limits.cancel = &cancel;
        options.limits.progress = raise_flag;
        options.limits.progress_user = (void *)&cancel;
        const grz_status status = ask(f, FLAT, WAVY, &options);
        // The number of progress reports is not specified. If the flag was raised by one, the query must be cancelled.
        assert_int_equal(status, cancel ? GRZ_ERROR_CANCELLED : GRZ_OK);
        if (cancel)
            expect_ended(f->result);
        cancelled += cancel;
    }
    assert_true(cancelled > 0);
}

static void *raise_from_elsewhere(void *flag)
{
    __atomic_store_n((int *)flag, 1, __ATOMIC_RELAXED);
    return NULL;
}

static void another_thread_may_cancel(void **state)
{
    fixture *f = *state;
    int cancelled = 0;
    for (int round = 0; round < 20 || (cancelled == 0 && round < 1000); round++) {
        int cancel = 0;
        pthread_t thread;
        grz_collide_options options = options_of("naive", ALL_FINDS);
        options.limits.cancel = &cancel;
        assert_int_equal(pthread_create(&thread, NULL, raise_from_elsewhere, &cancel), 0);
        const grz_status status = ask(f, FLAT, WAVY, &options);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_true(status == GRZ_OK || status == GRZ_ERROR_CANCELLED);
        if (status == GRZ_OK)
            assert_true(grz_result_summary(f->result)->pair_count > 500);
        else
            expect_ended(f->result);
        cancelled += status == GRZ_ERROR_CANCELLED;
    }
    assert_true(cancelled > 0);
}

static void a_deadline_ends_the_query(void **state)
{
    fixture *f = *state;
    const char *methods[] = {"naive", "bvh"};
    for (int m = 0; m < 2; m++) {
        grz_collide_options options = options_of(methods[m], ALL_FINDS);
        options.limits.deadline = 1e-9;
        assert_int_equal(ask(f, FLAT, WAVY, &options), GRZ_ERROR_DEADLINE);
        expect_undecided(f->result);
        assert_int_equal(ask(f, FLAT, -1, &options), GRZ_ERROR_DEADLINE);
        expect_undecided(f->result);
        options.limits.deadline = 3600.0;
        assert_int_equal(ask(f, FLAT, WAVY, &options), GRZ_OK);
        // In between, the query gives a complete answer or none.
        const uint64_t pairs = grz_result_summary(f->result)->pair_count;
        for (int i = 0; i < 30; i++) {
            options.limits.deadline = 1e-5 * (double)(1 << (i % 10));
            const grz_status status = ask(f, FLAT, WAVY, &options);
            assert_true(status == GRZ_OK || status == GRZ_ERROR_DEADLINE);
            if (status == GRZ_OK)
                assert_int_equal(grz_result_summary(f->result)->pair_count, pairs);
            else
                expect_ended(f->result);
        }
    }
}

static void a_result_used_again_answers_like_a_new_one(void **state)
{
    fixture *f = *state;
    const struct {
        int a, b;
        uint32_t find;
        uint64_t max_pairs;
    } questions[] = {
        {FLAT, WAVY, ALL_FINDS, 1 << 20}, {SMALL, BIG, ALL_FINDS, 1}, {FLAT, WAVY, GRZ_FIND_PAIRS, 3},
        {WAVY, -1, ALL_FINDS, 1 << 20},   {FLAT, WAVY, 0, 1},         {WAVY, FLAT, GRZ_FIND_CONTACTS, 1 << 20},
        {FLAT, BIG, ALL_FINDS, 1}};
    const size_t count = sizeof questions / sizeof questions[0];
    grz_result *used = f->result;
    random_stream random = {.state = 4};
    for (int i = 0; i < 60; i++) {
        const size_t k = random_below(&random, (uint32_t)count);
        grz_collide_options options = options_of(i % 2 == 0 ? "bvh" : "naive", questions[k].find);
        options.max_pairs = questions[k].max_pairs;
        f->result = used;
        const grz_status status = ask(f, questions[k].a, questions[k].b, &options);
        f->result = test_result_create(f->device);
        assert_int_equal(ask(f, questions[k].a, questions[k].b, &options), status);
        test_answer again = test_answer_of(used), fresh = test_answer_of(f->result);
        assert_true(test_answers_equal("used again", &again, &fresh));
        test_answer_finish(&again);
        test_answer_finish(&fresh);
        grz_result_destroy(f->result);
        f->result = used;
    }
}

// Each triangle is 1.5 times as large as the one before, all at one corner: splits by area separate one at a time.
static grz_mesh *shrinking_triangles(grz_device *device, double scale)
{
    enum {
        COUNT = 1000
    };
    static double positions[COUNT * 9];
    double size = scale * 0x1p-290;
    for (int i = 0; i < COUNT; i++) {
        const double corners[9] = {size, size, size, 1.25 * size, size, size, size, 1.25 * size, 1.125 * size};
        memcpy(positions + 9 * (size_t)i, corners, sizeof corners);
        size *= 1.5;
    }
    grz_mesh_description d = grz_default_mesh_description();
    d.positions = positions;
    d.position_type = GRZ_FLOAT64;
    d.vertex_count = 3 * COUNT;
    d.face_count = COUNT;
    grz_mesh *mesh = NULL;
    assert_int_equal(grz_mesh_create(device, &d, &mesh, NULL), GRZ_OK);
    return mesh;
}

// The trees of such meshes are deeper than others. Traversal stacks must be large enough.
static void trees_stay_within_their_depth(void **state)
{
    fixture *f = *state;
    const grz_bvh *bvh = NULL;
    grz_mesh *a = shrinking_triangles(f->device, 1.0), *b = shrinking_triangles(f->device, 1.03125);
    assert_int_equal(test_mesh_bvh(a, &bvh), GRZ_OK);
    unsigned *depth = calloc(bvh->node_count, sizeof *depth), deepest = 0;
    assert_non_null(depth);
    for (uint32_t i = 0; i < bvh->node_count; i++) {
        deepest = depth[i] > deepest ? depth[i] : deepest;
        for (int child = 0; child < GRZ_BVH_WIDTH && bvh->nodes[i].child[child] != GRZ_BVH_NONE; child++)
            if (!grz_bvh_is_triangle(bvh->nodes[i].child[child]))
                depth[bvh->nodes[i].child[child]] = depth[i] + 1;
    }
    free(depth);
    assert_in_range(deepest, 4, GRZ_BVH_MAX_DEPTH); // a balanced tree of so few has 3
    const grz_object object_a = grz_object_at_origin(a), object_b = grz_object_at_origin(b);
    uint64_t counts[2];
    for (int i = 0; i < 2; i++) {
        grz_collide_options options = options_of(i == 0 ? "naive" : "bvh", GRZ_FIND_PAIRS);
        assert_int_equal(grz_collide(f->device, &object_a, &object_b, &options, f->result, NULL), GRZ_OK);
        counts[i] = grz_result_summary(f->result)->pair_count;
    }
    assert_true(counts[0] == counts[1]);
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
}

// Whether a pose is in range depends on the present positions, not on those of creation.
static void new_positions_change_which_poses_are_refused(void **state)
{
    fixture *f = *state;
    double positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    grz_mesh_description d = grz_default_mesh_description();
    d.positions = positions;
    d.position_type = GRZ_FLOAT64;
    d.vertex_count = 3;
    d.face_count = 1;
    grz_mesh *mesh = NULL;
    assert_int_equal(grz_mesh_create(f->device, &d, &mesh, NULL), GRZ_OK);
    grz_object object = grz_object_at_origin(mesh);
    object.pose.m[0][0] = 0x1p10;
    assert_int_equal(grz_collide(f->device, &object, &object, NULL, f->result, NULL), GRZ_OK);
    positions[3] = 0x1p295;
    assert_int_equal(grz_mesh_set_positions(mesh, positions, NULL), GRZ_OK);
    assert_int_equal(grz_collide(f->device, &object, &object, NULL, f->result, NULL), GRZ_ERROR_POSE);
    positions[3] = 2;
    assert_int_equal(grz_mesh_set_positions(mesh, positions, NULL), GRZ_OK);
    assert_int_equal(grz_collide(f->device, &object, &object, NULL, f->result, NULL), GRZ_OK);
    grz_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_stay_within_their_depth),
        cmocka_unit_test(new_positions_change_which_poses_are_refused),
        cmocka_unit_test(a_new_result_says_that_nothing_is_known),
        cmocka_unit_test(all_lists_are_empty_if_nothing_touches),
        cmocka_unit_test(with_too_many_pairs_the_yes_is_kept),
        cmocka_unit_test(a_raised_cancel_flag_ends_the_query),
        cmocka_unit_test(a_running_query_can_be_cancelled),
        cmocka_unit_test(another_thread_may_cancel),
        cmocka_unit_test(a_deadline_ends_the_query),
        cmocka_unit_test(a_result_used_again_answers_like_a_new_one),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
