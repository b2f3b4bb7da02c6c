// SPDX-License-Identifier: MIT
// Cancelling and deadlines while inside is told from apart: after the search has found nothing, with everything built. Containers
// are closed, where a ray goes out from each component, and open, where each triangle is held against a box. The flag is raised at
// every allocation in turn, which says for certain where the query is, and by the clock in the middle of the work: then the query has to
// return well before it would have been done. Only the public API is used.
// ctest: concurrent
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>
#include <time.h>

#include "support_meshes.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void raise_flag(volatile int *flag)
{
    __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
}

// Loose triangles about the origin, in the cube from -1 to 1: each a component.
static test_mesh crumbs(uint32_t count)
{
    test_mesh mesh = {0};
    for (uint32_t i = 0; i < count; i++) {
        const double x = -0.9 + 1.8 * (double)(i % 97) / 97, y = -0.9 + 1.8 * (double)(i / 97 % 89) / 89;
        const double z = -0.9 + 1.8 * (double)(i / (97 * 89)) / 101;
        const double corners[3][3] = {{x, y, z}, {x + 0.01, y, z}, {x, y + 0.01, z}};
        test_mesh_add_loose_triangle(&mesh, corners);
    }
    return mesh;
}

// An odd number of boxes, one in the other, around the crumbs: what is in the middle is inside, and a ray out of it meets them all.
static test_mesh shells(uint32_t count)
{
    test_mesh mesh = {0};
    for (uint32_t i = 0; i < count; i++)
        test_mesh_take(&mesh, test_mesh_cube(-2.0 - i, -2.0 - i, -2.0 - i, 4.0 + 2.0 * i));
    return mesh;
}

// Small triangles in two places far apart: open, and what is between them lies in their box. So many that no leaf of a tree has both
// places in it.
static test_mesh far_triangles(void)
{
    test_mesh mesh = {0};
    for (int i = 0; i < 32; i++) {
        const double at = i < 16 ? -10.0 - i : i - 6.0;
        const double corners[3][3] = {{at, at, at}, {at + 0.5, at, at}, {at, at + 0.5, at}};
        test_mesh_add_loose_triangle(&mesh, corners);
    }
    return mesh;
}

// A question, and what its answer is where nobody ends it.
typedef struct question {
    const char *what;
    test_mesh inner, container;
    bool swap; // ask with the container first
    grz_relation relation;
    grz_containment containment;
} question;

enum {
    QUESTIONS = 4
};

// `large`: long enough to be ended in the middle by the clock.
static void make_questions(question questions[QUESTIONS], bool large)
{
    for (int i = 0; i < QUESTIONS; i++) {
        const bool closed = i < 2, swap = i % 2 != 0;
        questions[i] = (question){.what = closed ? swap ? "B in closed A" : "A in closed B"
                                          : swap ? "B in open A"
                                                 : "A in open B",
                                  .swap = swap,
                                  .relation = !closed ? GRZ_APART
                                              : swap  ? GRZ_B_INSIDE_A
                                                      : GRZ_A_INSIDE_B,
                                  .containment = closed ? GRZ_CONTAINMENT_DECIDED : GRZ_CONTAINMENT_UNDECIDABLE};
        if (closed) {
            questions[i].inner = crumbs(large ? 6000 : 20);
            questions[i].container = shells(large ? 301 : 3);
        } else {
            questions[i].inner = large ? test_mesh_grid(1000, 700, 0x1p-10) : test_mesh_grid(3, 3, 0.25);
            questions[i].container = far_triangles();
        }
    }
}

static void finish_questions(question questions[QUESTIONS])
{
    for (int i = 0; i < QUESTIONS; i++) {
        test_mesh_finish(&questions[i].inner);
        test_mesh_finish(&questions[i].container);
    }
}

// A question with its meshes in the library.
typedef struct asked {
    const question *question;
    grz_device *device;
    grz_mesh *meshes[2];
    grz_object a, b;
    grz_result *result;
} asked;

static asked ask_begin(const question *q, grz_device *device)
{
    asked made = {.question = q, .device = device, .result = test_result_create(device)};
    made.meshes[0] = test_mesh_upload(device, q->swap ? &q->container : &q->inner);
    made.meshes[1] = test_mesh_upload(device, q->swap ? &q->inner : &q->container);
    made.a = grz_object_at_origin(made.meshes[0]);
    made.b = grz_object_at_origin(made.meshes[1]);
    return made;
}

static void ask_finish(asked *made)
{
    grz_result_destroy(made->result);
    grz_mesh_destroy(made->meshes[0]);
    grz_mesh_destroy(made->meshes[1]);
}

static grz_status ask(asked *made, const grz_collide_options *options)
{
    grz_error error = {.code = GRZ_OK};
    const grz_status status = grz_collide(made->device, &made->a, &made->b, options, made->result, &error);
    const grz_summary *s = grz_result_summary(made->result);
    if (status == GRZ_OK) {
        assert_int_equal(s->relation, made->question->relation);
        assert_int_equal(s->containment, made->question->containment);
        assert_int_equal(s->certainty, GRZ_EXACT);
    } else {
        assert_int_equal(error.code, status);
        assert_int_equal(s->certainty, GRZ_UNDECIDED);
        assert_non_null(s->reason);
    }
    return status;
}

// An allocator that raises a flag in its `raise_at`-th call, counted from 1. One thread.
typedef struct telling_allocator {
    long calls, raise_at;
    volatile int *flag;
} telling_allocator;

static void *reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    telling_allocator *a = user;
    (void)old_size;
    if (++a->calls == a->raise_at)
        raise_flag(a->flag);
    return realloc(block, new_size);
}

static void release(void *block, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(block);
}

// What is built for containment is allocated after the search, so a flag that goes up there is for containment to see. `cold`: with
// nothing built before.
static void check_flag_at_allocations(const question *q, bool cold)
{
    volatile int flag = 0;
    telling_allocator allocator = {.flag = &flag};
    grz_device_options device_options = grz_default_device_options();
    grz_device *device = NULL;
    device_options.threads = 1;
    device_options.allocator = (grz_allocator){.reallocate = reallocate, .release = release, .user = &allocator};
    assert_int_equal(grz_device_open(&device_options, &device, NULL), GRZ_OK);
    grz_collide_options options = grz_default_collide_options();
    options.cancel = &flag;
    long raised = 0;
    for (bool done = false; !done;) {
        asked made = ask_begin(q, device);
        flag = 0;
        if (!cold)
            assert_int_equal(ask(&made, &options), GRZ_OK);
        allocator.calls = 0;
        allocator.raise_at = ++raised;
        const grz_status status = ask(&made, &options);
        done = allocator.calls < raised; // the query is over before so many
        allocator.raise_at = 0;
        if (status != (done ? GRZ_OK : GRZ_ERROR_CANCELLED))
            fail_msg("%s, %s: raised at allocation %ld of %ld, the query ended with %s", q->what, cold ? "cold" : "warm", raised,
                     allocator.calls, grz_status_name(status));
        ask_finish(&made);
    }
    grz_device_close(device);
    print_message("%s, %s: cancelled at each of %ld allocations\n", q->what, cold ? "cold" : "warm", raised - 1);
    assert_true(raised > 1 || !cold);
}

static void a_flag_raised_at_any_allocation_cancels(void **state)
{
    (void)state;
    question questions[QUESTIONS];
    make_questions(questions, false);
    for (int i = 0; i < QUESTIONS; i++)
        for (int cold = 0; cold < 2; cold++)
            check_flag_at_allocations(&questions[i], cold != 0);
    finish_questions(questions);
}

// Raises a flag after a while.
typedef struct alarm_clock {
    volatile int flag;
    double seconds;
} alarm_clock;

static void *ring(void *context)
{
    alarm_clock *alarm = context;
    const struct timespec pause = {.tv_sec = (time_t)alarm->seconds,
                                   .tv_nsec = (long)(1e9 * (alarm->seconds - (double)(time_t)alarm->seconds))};
    nanosleep(&pause, NULL);
    raise_flag(&alarm->flag);
    return NULL;
}

// One query that is to end after `seconds`, by the deadline or by a flag that another thread raises. Returns how long it took.
static double time_of_ended(asked *made, double seconds, bool by_flag, grz_status *status)
{
    alarm_clock alarm = {.seconds = seconds};
    grz_collide_options options = grz_default_collide_options();
    pthread_t thread;
    if (by_flag)
        options.cancel = &alarm.flag;
    else
        options.deadline = seconds;
    const double start = now();
    if (by_flag)
        assert_int_equal(pthread_create(&thread, NULL, ring, &alarm), 0);
    *status = ask(made, &options);
    const double taken = now() - start;
    if (by_flag)
        assert_int_equal(pthread_join(thread, NULL), 0);
    return taken;
}

// A query ended at a quarter of its time returns before three quarters of it. On a busy machine a try may fail for reasons of its own;
// a query that is never ended early fails them all.
static void check_ended_early(asked *made, double whole, bool by_flag)
{
    enum {
        TRIES = 30
    };
    const grz_status expected = by_flag ? GRZ_ERROR_CANCELLED : GRZ_ERROR_DEADLINE;
    double taken = 0;
    grz_status status = GRZ_OK;
    for (int i = 0; i < TRIES; i++) {
        taken = time_of_ended(made, 0.25 * whole, by_flag, &status);
        assert_true(status == expected || status == GRZ_OK);
        if (status == expected && taken < 0.75 * whole) {
            print_message("%s, by %s: %.1f ms of %.1f, try %d\n", made->question->what, by_flag ? "flag" : "deadline", 1e3 * taken,
                          1e3 * whole, i + 1);
            return;
        }
    }
    fail_msg("%s, by %s: not ended early in %d tries; the last gave %s after %.1f ms of %.1f", made->question->what,
             by_flag ? "flag" : "deadline", (int)TRIES, grz_status_name(status), 1e3 * taken, 1e3 * whole);
}

static void check_ended_in_the_middle(const question *q, grz_device *device)
{
    asked made = ask_begin(q, device);
    double whole = 0;
    for (int i = 0; i < 4; i++) {
        const double start = now();
        assert_int_equal(ask(&made, NULL), GRZ_OK);
        const double taken = now() - start;
        if (i == 1 || (i > 1 && taken < whole)) // the first builds the trees
            whole = taken;
    }
    // The search is over before a quarter of the time: what is ended is containment.
    const grz_summary *s = grz_result_summary(made.result);
    assert_int_equal(s->candidates, 0);
    if (s->prepare_ms + s->filter_ms > 200.0 * whole)
        fail_msg("%s: %g of %g ms go to the search: too many to tell containment apart", q->what, s->prepare_ms + s->filter_ms,
                 1e3 * whole);
    check_ended_early(&made, whole, false);
    check_ended_early(&made, whole, true);
    assert_int_equal(ask(&made, NULL), GRZ_OK); // and nothing is left of it
    ask_finish(&made);
}

static void containment_is_ended_in_the_middle(void **state)
{
    (void)state;
    question questions[QUESTIONS];
    make_questions(questions, true);
    grz_device *device = test_device_open(2);
    for (int i = 0; i < QUESTIONS; i++)
        check_ended_in_the_middle(&questions[i], device);
    grz_device_close(device);
    finish_questions(questions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flag_raised_at_any_allocation_cancels),
        cmocka_unit_test(containment_is_ended_in_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
