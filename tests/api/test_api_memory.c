// SPDX-License-Identifier: MIT
// The caller's allocator and task runner. The allocator counts and poisons blocks, moves them at every reallocation and
// checks each size it is given. It fails at every call in turn while a device, meshes, a result and queries of all
// sorts are made. The failing step returns GRZ_ERROR_MEMORY, leaves nothing half made, and succeeds when tried again.
// Runners of three kinds give the same bytes as the device's own threads.
// ctest: concurrent any_task_runner_gives_the_same_bytes
// ctest: timeout 900
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_allocator.h"
#include "support_queries.h"
#include "support_sanitizer.h"

enum {
    FIND_ALL = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT
};

enum {
    QUERIES = 8,
    POSES = 3
};

// One life of a device: the objects made step by step, and the answers so far.
typedef struct life {
    test_strict_allocator *strict;
    unsigned threads;
    test_mesh a, b;
    grz_device *device;
    grz_mesh *mesh_a, *mesh_b;
    grz_result *result;
    test_answer answers[QUERIES];
} life;

static grz_status create_mesh(const life *l, const test_mesh *from, grz_mesh **mesh, grz_error *error)
{
    grz_mesh_description description = grz_default_mesh_description();
    description.positions = from->positions;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = from->vertex_count;
    description.indices = from->indices;
    description.index_count = from->index_count;
    description.face_count = from->face_count;
    description.corner_counts = from->corner_counts;
    return grz_mesh_create(l->device, &description, mesh, error);
}

static grz_status ask_poses(const life *l, const grz_object *a, grz_error *error)
{
    grz_pose poses[POSES];
    grz_pose_answer answers[POSES];
    memset(answers, 0x55, sizeof answers);
    for (int i = 0; i < POSES; i++)
        poses[i] = grz_pose_from_translation(0.5 * i, 0.0, 0.0);
    const grz_status status = grz_collide_poses(l->device, a, l->mesh_b, poses, POSES, NULL, answers, error);
    for (int i = 0; i < POSES; i++) // those answered before the failure stay
        if (answers[i].certainty != GRZ_EXACT && (status == GRZ_OK || answers[i].certainty != GRZ_UNDECIDED))
            fail_msg("call %ld fails: %s, and the certainty of pose %d is %d", l->strict->fail_at,
                     grz_status_name(status), i, (int)answers[i].certainty);
    return status;
}

static grz_status ask_scene(const life *l, const grz_object *a, const grz_object *b, grz_error *error)
{
    grz_collide_options options = grz_default_collide_options();
    grz_scene *scene = NULL;
    uint32_t id;
    options.find = GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT;
    grz_status status = grz_scene_create(l->device, &scene, error);
    for (int i = 0; i < 3 && status == GRZ_OK; i++) {
        grz_object object = i % 2 == 0 ? *a : *b;
        object.pose.m[1][3] += 0.5 * i;
        status = grz_scene_add(scene, &object, &id, error);
    }
    for (int round = 0; round < 2 && status == GRZ_OK; round++)
        status = grz_collide_scene(l->device, scene, &options, l->result, error);
    grz_scene_destroy(scene);
    return status;
}

// Queries that need every kind of state: a pair by each method, yes/no, self, one inside the other, after new
// positions, a batch of poses, and a scene.
static grz_status ask(const life *l, int number, grz_error *error)
{
    grz_collide_options options = grz_default_collide_options();
    grz_object a = grz_object_at_origin(l->mesh_a), b = grz_object_at_origin(l->mesh_b);
    b.pose = grz_pose_from_translation(0.75, 0.0, 0.0);
    options.find = number == 2 ? 0 : FIND_ALL;
    if (number >= 6)
        (void)grz_collide_self(l->device, NULL, NULL, l->result, NULL); // refused: the result forgets its last answer
    if (number == 6) {
        const grz_status status = ask_poses(l, &a, error);
        if (status != GRZ_OK)
            return status;
    }
    if (number == 7)
        return ask_scene(l, &a, &b, error);
    options.method = number == 0 ? "naive" : "bvh";
    if (number == 3)
        return grz_collide_self(l->device, &a, &options, l->result, error);
    if (number == 4)
        b.pose = (grz_pose){{{0.0625, 0, 0, 0.5}, {0, 0.0625, 0, 0.25}, {0, 0, 0.0625, 0.5}}};
    if (number == 5) {
        grz_status status = grz_mesh_set_positions(l->mesh_b, l->b.positions, error);
        if (status != GRZ_OK)
            return status;
    }
    return grz_collide(l->device, &a, &b, &options, l->result, error);
}

enum {
    STEPS = 6 + QUERIES
};

static grz_status take_step(life *l, int step, grz_error *error)
{
    grz_device_options options = grz_default_device_options();
    grz_mesh_report report;
    options.threads = l->threads;
    options.allocator = test_strict_allocator_of(l->strict);
    switch (step) {
    case 0:
        return grz_device_open(&options, &l->device, error);
    case 1:
        return create_mesh(l, &l->a, &l->mesh_a, error);
    case 2:
        return create_mesh(l, &l->b, &l->mesh_b, error);
    case 3:
        return grz_result_create(l->device, &l->result, error);
    case 4:
        return grz_mesh_prepare(l->mesh_a, "bvh", error);
    case 5:
        return grz_mesh_check(l->mesh_a, &report, error);
    default:
        return ask(l, step - 6, error);
    }
}

static void expect_clean_failure(const life *l, int step, const grz_error *error)
{
    const long call = l->strict->fail_at;
    if (error->code != GRZ_ERROR_MEMORY || strstr(error->message, "memory") == NULL)
        fail_msg("step %d, call %ld fails: the error says %d, \"%s\"", step, call, (int)error->code, error->message);
    if ((step == 0 && l->device != NULL) || (step == 1 && l->mesh_a != NULL) || (step == 2 && l->mesh_b != NULL) ||
        (step == 3 && l->result != NULL))
        fail_msg("step %d, call %ld fails: half an object came out", step, call);
    if (step < 6)
        return;
    test_answer answer = test_answer_of(l->result);
    const uint64_t entries =
        answer.pair_count + answer.contact_count + answer.point_count + answer.curve_count + answer.curve_point_count;
    // A touching pair may have been found before memory ran out; the result then says so.
    const bool nothing = answer.summary.certainty == GRZ_UNDECIDED && answer.summary.relation == GRZ_APART;
    const bool touching = answer.summary.certainty == GRZ_EXACT && answer.summary.relation == GRZ_COLLIDING;
    if (!(nothing || touching) || answer.summary.reason == NULL || answer.summary.pair_count != 0 ||
        answer.summary.pairs_complete || entries != 0)
        fail_msg("step %d, call %ld fails: the result says more than is known", step, call);
    test_answer_finish(&answer);
}

// Run all steps. A step that fails for lack of memory must leave nothing behind and succeed when tried again.
static void live(life *l, const test_answer *expected)
{
    for (int step = 0; step < STEPS; step++) {
        grz_error error = {.code = GRZ_OK};
        const long blocks = l->strict->blocks;
        grz_status status = take_step(l, step, &error);
        if (status != GRZ_OK) {
            if (status != GRZ_ERROR_MEMORY || !l->strict->failed)
                fail_msg("step %d: %s: %s", step, grz_status_name(status), error.message);
            expect_clean_failure(l, step, &error);
            if (step < 4 && l->strict->blocks != blocks)
                fail_msg("step %d, call %ld fails: %ld blocks are lost", step, l->strict->fail_at,
                         l->strict->blocks - blocks);
            l->strict->fail_at = 0;
            status = take_step(l, step, &error);
            if (status != GRZ_OK)
                fail_msg("step %d: tried again after a failure: %s: %s", step, grz_status_name(status), error.message);
        }
        if (step < 6)
            continue;
        l->answers[step - 6] = test_answer_of(l->result);
        if (expected != NULL &&
            !test_answers_equal("after memory was short", &expected[step - 6], &l->answers[step - 6]))
            fail_msg("step %d: another answer after memory was short", step);
    }
    grz_result_destroy(l->result);
    grz_mesh_destroy(l->mesh_a);
    grz_mesh_destroy(l->mesh_b);
    grz_device_close(l->device);
    if (l->strict->blocks != 0 || l->strict->bytes != 0)
        fail_msg("%ld blocks, %ld bytes are lost", l->strict->blocks, l->strict->bytes);
    if (l->strict->misused)
        fail_msg("the allocator was called with a wrong size");
}

static void finish_answers(test_answer *answers)
{
    for (int i = 0; i < QUERIES; i++)
        test_answer_finish(&answers[i]);
}

// A cube of quads, a prism whose bases need ear clipping, vertices at equal positions and an unused one; B is a sphere
// that crosses another.
static life make_life(test_strict_allocator *strict, unsigned threads)
{
    static const double arrow[5][2] = {{2, 0}, {4, 0}, {4, 2}, {3, 0.5}, {2, 2}};
    static const uint32_t bases[2][5] = {{4, 3, 2, 1, 0}, {5, 6, 7, 8, 9}};
    life l = {.strict = strict, .threads = threads, .a = test_mesh_cube_quads(0.0, 0.0, 0.0, 1.0)};
    test_mesh prism = {0}, soup = test_mesh_cube_quads(0.0, 0.0, 5.0, 1.0), second = test_mesh_icosphere(0.75, 1);
    for (int i = 0; i < 10; i++)
        test_mesh_add_vertex(&prism, arrow[i % 5][0], arrow[i % 5][1], i < 5 ? 0.0 : 1.0);
    test_mesh_add_vertex(&prism, 0.0, 0.0, 0.0);
    test_mesh_add_face(&prism, bases[0], 5);
    test_mesh_add_face(&prism, bases[1], 5);
    for (uint32_t i = 0; i < 5; i++) {
        const uint32_t side[4] = {i, (i + 1) % 5, 5 + (i + 1) % 5, 5 + i};
        test_mesh_add_face(&prism, side, 4);
    }
    test_mesh_take(&l.a, prism);
    test_mesh_take(&l.a, test_mesh_soup(&soup));
    test_mesh_finish(&soup);
    test_mesh_move(&second, 0.5, 0.25, 0.125);
    l.b = test_mesh_icosphere(0.75, 2);
    test_mesh_take(&l.b, second);
    return l;
}

static void finish_life(life *l)
{
    test_mesh_finish(&l->a);
    test_mesh_finish(&l->b);
}

static void running_out_of_memory_at_any_call_leaves_no_trace(void **state)
{
    (void)state;
    long failures = 0;
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        test_strict_allocator strict = {.lock = PTHREAD_MUTEX_INITIALIZER};
        life reference = make_life(&strict, threads);
        live(&reference, NULL);
        const long calls = strict.calls;
        assert_true(calls > 50 && reference.answers[1].curve_count > 0 &&
                    reference.answers[4].summary.relation == GRZ_B_INSIDE_A);
        assert_true(test_answers_equal("naive and bvh", &reference.answers[0], &reference.answers[1]));
        for (int for_good = 0; for_good < 2; for_good++) {
            for (long n = 1; n <= calls; n += TEST_SANITIZED ? 3 : 1) {
                strict =
                    (test_strict_allocator){.lock = PTHREAD_MUTEX_INITIALIZER, .fail_at = n, .for_good = for_good == 1};
                life l = make_life(&strict, threads);
                live(&l, reference.answers);
                failures += strict.failed;
                finish_answers(l.answers);
                finish_life(&l);
            }
        }
        finish_answers(reference.answers);
        finish_life(&reference);
    }
    print_message("%ld allocations failed\n", failures);
    assert_true(failures > (TEST_SANITIZED ? 70 : 200));
}

static void a_result_used_again_asks_for_no_memory(void **state)
{
    (void)state;
    test_strict_allocator strict = {.lock = PTHREAD_MUTEX_INITIALIZER};
    life l = make_life(&strict, 1);
    grz_object a, b;
    grz_collide_options options = grz_default_collide_options();
    for (int step = 0; step < 4; step++)
        assert_int_equal(take_step(&l, step, NULL), GRZ_OK);
    a = grz_object_at_origin(l.mesh_a);
    b = grz_object_at_origin(l.mesh_b);
    options.find = GRZ_FIND_CONTAINMENT;
    long calls = 0;
    for (int round = 0; round < 3; round++) {
        calls = strict.calls;
        assert_int_equal(grz_collide(l.device, &a, &b, &options, l.result, NULL), GRZ_OK);
    }
    assert_int_equal(strict.calls, calls);
    grz_result_destroy(l.result);
    grz_mesh_destroy(l.mesh_a);
    grz_mesh_destroy(l.mesh_b);
    grz_device_close(l.device);
    finish_life(&l);
}

static void run_one_by_one(void (*task)(size_t index, void *context), void *context, size_t count, void *user)
{
    ++*(size_t *)user;
    for (size_t i = 0; i < count; i++)
        task(i, context);
}

static void run_backwards(void (*task)(size_t index, void *context), void *context, size_t count, void *user)
{
    ++*(size_t *)user;
    while (count-- > 0)
        task(count, context);
}

typedef struct handed_out {
    void (*task)(size_t index, void *context);
    void *context;
    size_t count;
    atomic_size_t next;
} handed_out;

static void *take_tasks(void *argument)
{
    handed_out *work = argument;
    for (size_t i; (i = atomic_fetch_add(&work->next, 1)) < work->count;)
        work->task(i, work->context);
    return NULL;
}

static void run_on_new_threads(void (*task)(size_t index, void *context), void *context, size_t count, void *user)
{
    handed_out work = {.task = task, .context = context, .count = count};
    pthread_t threads[3];
    ++*(size_t *)user;
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_tasks, &work), 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

static void any_task_runner_gives_the_same_bytes(void **state)
{
    (void)state;
    static void (*const runs[3])(void (*)(size_t, void *), void *, size_t, void *) = {run_one_by_one, run_backwards,
                                                                                      run_on_new_threads};
    test_mesh sphere = test_mesh_icosphere(1.0, 3), torus = test_mesh_torus(0.8, 0.3, 30, 20);
    test_query query = test_query_of_pair(&sphere, &torus, FIND_ALL);
    test_answer expected = test_ask("the device's own threads", &query);
    for (int i = 0; i < 3; i++) {
        size_t calls = 0;
        grz_device_options options = grz_default_device_options();
        grz_device *device = NULL;
        options.threads = 7; // a runner's width counts instead
        options.task_runner = (grz_task_runner){.run = runs[i], .width = 3, .user = &calls};
        assert_int_equal(grz_device_open(&options, &device, NULL), GRZ_OK);
        assert_int_equal(grz_device_threads(device), 3);
        grz_mesh *mesh_a = test_mesh_upload(device, &sphere), *mesh_b = test_mesh_upload(device, &torus);
        grz_result *result = test_result_create(device);
        const grz_object a = grz_object_at_origin(mesh_a), b = grz_object_at_origin(mesh_b);
        for (size_t method = 0; test_exact_method(method) != NULL; method++) {
            grz_collide_options collide = grz_default_collide_options();
            collide.find = FIND_ALL;
            collide.method = test_exact_method(method);
            assert_int_equal(grz_collide(device, &a, &b, &collide, result, NULL), GRZ_OK);
            test_answer answer = test_answer_of(result);
            if (!test_answers_equal("task runner", &expected, &answer))
                fail_msg("runner %d, %s: other bytes than the device's own threads give", i, collide.method);
            test_answer_finish(&answer);
        }
        assert_true(calls > 0);
        grz_result_destroy(result);
        grz_mesh_destroy(mesh_a);
        grz_mesh_destroy(mesh_b);
        grz_device_close(device);
    }
    test_answer_finish(&expected);
    test_mesh_finish(&sphere);
    test_mesh_finish(&torus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(running_out_of_memory_at_any_call_leaves_no_trace),
        cmocka_unit_test(a_result_used_again_asks_for_no_memory),
        cmocka_unit_test(any_task_runner_gives_the_same_bytes),
    };
    int failed = cmocka_run_group_tests_name("api memory", tests, NULL, NULL);
    test_queries_finish();
    return failed;
}
