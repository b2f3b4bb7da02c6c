// SPDX-License-Identifier: MIT
// Several threads at once run queries, checks and preparations on the same const meshes, whose derived state (trees,
// topology) is not built yet. All get the answers that one thread alone gets: on one device, on two, and after new
// positions. Meshes are created and destroyed on several threads. Queries are cancelled from another thread. Run under
// the thread sanitizer.
// ctest: concurrent
// ctest: processors 2
// ctest: timeout 900
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_queries.h"

enum {
    FIND_ALL = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT,
    MESHES = 4,
    QUESTIONS = 8,
    CALLERS = 5,
    ROUNDS = 12
};

static test_mesh sources[MESHES];

static void make_sources(void)
{
    random_stream random = {3};
    sources[0] = test_mesh_icosphere(1.0, 2);
    sources[1] = test_mesh_torus(0.9, 0.35, 18, 10);
    sources[2] = test_mesh_random_triangles(&random, 200, 0.5, 0);
    sources[3] = test_mesh_cube_quads(-0.125, -0.125, -0.125, 0.25);
}

static void finish_sources(void)
{
    for (int i = 0; i < MESHES; i++)
        test_mesh_finish(&sources[i]);
}

// A device and its meshes, shared by several callers.
typedef struct world {
    grz_device *device;
    grz_mesh *meshes[MESHES];
} world;

static void make_meshes(world *w)
{
    for (int i = 0; i < MESHES; i++)
        w->meshes[i] = test_mesh_upload(w->device, &sources[i]);
}

static void finish_meshes(world *w)
{
    for (int i = 0; i < MESHES; i++)
        grz_mesh_destroy(w->meshes[i]);
}

// Question `number`: pairs by both methods, containment, self, yes/no.
static grz_status ask(const world *w, int number, grz_result *result)
{
    static const int a[QUESTIONS] = {0, 0, 2, 3, 1, 2, 0, 2}, b[QUESTIONS] = {1, 1, 0, 0, -1, -1, 2, 1};
    grz_collide_options options = grz_default_collide_options();
    grz_object object_a = grz_object_at_origin(w->meshes[a[number]]), object_b = grz_object_at_origin(NULL);
    options.find = number == 6 ? 0 : FIND_ALL;
    options.method = number % 2 == 1 ? "naive" : "bvh";
    object_a.pose = grz_pose_from_translation(0.0625 * (number == 3 ? 1 : number), 0.0, 0.03125);
    if (b[number] < 0)
        return grz_collide_self(w->device, &object_a, &options, result, NULL);
    object_b.mesh = w->meshes[b[number]];
    return grz_collide(w->device, &object_a, &object_b, &options, result, NULL);
}

// The answers that one thread alone gets.
static void answer_alone(test_answer answers[QUESTIONS], const double *moved)
{
    world w = {.device = test_device_open(1)};
    make_meshes(&w);
    grz_result *result = test_result_create(w.device);
    if (moved != NULL)
        assert_int_equal(grz_mesh_set_positions(w.meshes[0], moved, NULL), GRZ_OK);
    for (int i = 0; i < QUESTIONS; i++) {
        assert_int_equal(ask(&w, i, result), GRZ_OK);
        answers[i] = test_answer_of(result);
    }
    grz_result_destroy(result);
    finish_meshes(&w);
    grz_device_close(w.device);
}

static void finish_answers(test_answer answers[QUESTIONS])
{
    for (int i = 0; i < QUESTIONS; i++)
        test_answer_finish(&answers[i]);
}

// One thread's work. Assertions work on the main thread only, so mistakes are counted here.
typedef struct caller {
    pthread_t thread;
    pthread_barrier_t *start;
    const world *world;
    const test_answer *expected;
    int number;
    unsigned mistakes;
} caller;

static void *call(void *argument)
{
    caller *c = argument;
    grz_result *result = test_result_create(c->world->device);
    grz_mesh_report report;
    pthread_barrier_wait(c->start);
    // Each thread begins with another question, so that in some round several threads ask first for each kind of state.
    for (int i = 0; i < QUESTIONS; i++) {
        const int number = (i + c->number) % QUESTIONS;
        if (ask(c->world, number, result) != GRZ_OK) {
            c->mistakes++;
            continue;
        }
        test_answer answer = test_answer_of(result);
        if (number == 6 ? answer.summary.relation != c->expected[number].summary.relation
                        : !test_answers_equal("from several threads", &c->expected[number], &answer))
            c->mistakes++;
        test_answer_finish(&answer);
        const grz_mesh *mesh = c->world->meshes[number % MESHES];
        if (grz_mesh_prepare(mesh, NULL, NULL) != GRZ_OK || grz_mesh_check(mesh, &report, NULL) != GRZ_OK ||
            report.faces != grz_mesh_face_count(mesh))
            c->mistakes++;
    }
    grz_result_destroy(result);
    return NULL;
}

// Threads divided among the worlds, all starting together.
static void call_together(const world *worlds, int world_count, const test_answer *expected, int round)
{
    caller callers[CALLERS];
    pthread_barrier_t start;
    assert_int_equal(pthread_barrier_init(&start, NULL, CALLERS), 0);
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (caller){.start = &start,
                              .world = &worlds[i % world_count],
                              .expected = expected,
                              .number = round % 3 == 0 ? round / 3 : i + round};
        assert_int_equal(pthread_create(&callers[i].thread, NULL, call, &callers[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++)
        pthread_join(callers[i].thread, NULL);
    pthread_barrier_destroy(&start);
    for (int i = 0; i < CALLERS; i++)
        if (callers[i].mistakes != 0)
            fail_msg("round %d: thread %d of %d had %u other answers than one thread alone", round, i, CALLERS,
                     callers[i].mistakes);
}

static void first_use_from_many_threads_gives_the_same_bytes(void **state)
{
    (void)state;
    test_answer expected[QUESTIONS];
    answer_alone(expected, NULL);
    assert_true(expected[0].pair_count > 10 && expected[3].summary.relation == GRZ_A_INSIDE_B &&
                expected[5].pair_count > 10);
    for (unsigned threads = 1; threads <= 3; threads++) {
        world w = {.device = test_device_open(threads)};
        for (int round = 0; round < ROUNDS; round++) {
            make_meshes(&w);
            call_together(&w, 1, expected, round);
            finish_meshes(&w);
        }
        grz_device_close(w.device);
    }
    finish_answers(expected);
}

static void two_devices_work_side_by_side(void **state)
{
    (void)state;
    test_answer expected[QUESTIONS];
    answer_alone(expected, NULL);
    world worlds[2] = {{.device = test_device_open(2)}, {.device = test_device_open(3)}};
    for (int round = 0; round < ROUNDS; round++) {
        make_meshes(&worlds[0]);
        make_meshes(&worlds[1]);
        call_together(worlds, 2, expected, round);
        finish_meshes(&worlds[0]);
        finish_meshes(&worlds[1]);
    }
    grz_device_close(worlds[0].device);
    grz_device_close(worlds[1].device);
    finish_answers(expected);
}

static void first_use_of_new_positions_gives_the_same_bytes(void **state)
{
    (void)state;
    test_mesh moved = test_mesh_copy(&sources[0]);
    world w = {.device = test_device_open(2)};
    make_meshes(&w);
    for (int round = 0; round < ROUNDS / 2; round++) {
        test_answer expected[QUESTIONS];
        test_mesh_scale(&moved, 0.95, 1.05, 0.9);
        answer_alone(expected, moved.positions);
        // New positions need exclusive access to the mesh. The trees are then refitted by the first thread that
        // queries.
        assert_int_equal(grz_mesh_set_positions(w.meshes[0], moved.positions, NULL), GRZ_OK);
        call_together(&w, 1, expected, round);
        finish_answers(expected);
    }
    finish_meshes(&w);
    grz_device_close(w.device);
    test_mesh_finish(&moved);
}

static void *make_and_destroy(void *argument)
{
    caller *c = argument;
    world own = {.device = c->world->device};
    pthread_barrier_wait(c->start);
    for (int i = 0; i < 4; i++) {
        make_meshes(&own);
        grz_result *result = test_result_create(own.device);
        const int number = (i + c->number) % 6;
        if (ask(&own, number, result) != GRZ_OK)
            c->mistakes++;
        test_answer answer = test_answer_of(result);
        if (!test_answers_equal("own meshes", &c->expected[number], &answer))
            c->mistakes++;
        test_answer_finish(&answer);
        grz_result_destroy(result);
        finish_meshes(&own);
    }
    return NULL;
}

static void meshes_of_one_device_come_and_go_on_any_thread(void **state)
{
    (void)state;
    test_answer expected[QUESTIONS];
    world w = {.device = test_device_open(2)};
    caller callers[CALLERS];
    pthread_barrier_t start;
    answer_alone(expected, NULL);
    assert_int_equal(pthread_barrier_init(&start, NULL, CALLERS), 0);
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (caller){.start = &start, .world = &w, .expected = expected, .number = i};
        assert_int_equal(pthread_create(&callers[i].thread, NULL, make_and_destroy, &callers[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++)
        pthread_join(callers[i].thread, NULL);
    pthread_barrier_destroy(&start);
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(callers[i].mistakes, 0);
    grz_device_close(w.device);
    finish_answers(expected);
}

// A query that another thread cancels.
typedef struct cancelled_query {
    grz_device *device;
    const grz_mesh *mesh;
    volatile int cancel;
    atomic_bool running;
    grz_status status;
    grz_certainty certainty;
} cancelled_query;

static void note_running(double share, void *user)
{
    (void)share;
    atomic_store(&((cancelled_query *)user)->running, true);
}

static void *ask_until_cancelled(void *argument)
{
    cancelled_query *q = argument;
    grz_object a = grz_object_at_origin(q->mesh), b = a;
    grz_collide_options options = grz_default_collide_options();
    grz_result *result = test_result_create(q->device);
    b.pose = grz_pose_from_translation(0.1, 0.2, 0.3);
    options.method = "naive";
    options.limits.cancel = &q->cancel;
    options.limits.progress = note_running;
    options.limits.progress_user = q;
    do {
        q->status = grz_collide(q->device, &a, &b, &options, result, NULL);
    } while (q->status == GRZ_OK);
    q->certainty = grz_result_summary(result)->certainty;
    atomic_store(&q->running, true);
    grz_result_destroy(result);
    return NULL;
}

static void any_thread_may_cancel_a_query(void **state)
{
    (void)state;
    test_mesh sphere = test_mesh_icosphere(1.0, 4);
    for (unsigned threads = 1; threads <= 2; threads++) {
        cancelled_query q = {.device = test_device_open(threads)};
        grz_mesh *mesh = test_mesh_upload(q.device, &sphere);
        pthread_t thread;
        q.mesh = mesh;
        assert_int_equal(pthread_create(&thread, NULL, ask_until_cancelled, &q), 0);
        while (!atomic_load(&q.running))
            sched_yield();
        __atomic_store_n(&q.cancel, 1, __ATOMIC_RELAXED);
        pthread_join(thread, NULL);
        assert_int_equal(q.status, GRZ_ERROR_CANCELLED);
        assert_true(q.certainty == GRZ_UNDECIDED ||
                    q.certainty == GRZ_EXACT); // exact: a touching pair was found before
        grz_mesh_destroy(mesh);
        grz_device_close(q.device);
    }
    test_mesh_finish(&sphere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_use_from_many_threads_gives_the_same_bytes),
        cmocka_unit_test(two_devices_work_side_by_side),
        cmocka_unit_test(first_use_of_new_positions_gives_the_same_bytes),
        cmocka_unit_test(meshes_of_one_device_come_and_go_on_any_thread),
        cmocka_unit_test(any_thread_may_cancel_a_query),
    };
    make_sources();
    int failed = cmocka_run_group_tests_name("threads", tests, NULL, NULL);
    finish_sources();
    return failed;
}
