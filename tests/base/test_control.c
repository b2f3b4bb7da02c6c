// SPDX-License-Identifier: MIT
// Cancel flags, deadlines and memory limits that take effect in the middle of every stage (trees, search, lists,
// curves, containment). The call ends soon, no result is half-written, meshes and results stay usable, and the
// allocator checks that the memory limit is kept. Building a large tree ends within a small share of its own time.
// ctest: concurrent a_cancel_flag_ends_the_call_soon_in_every_stage a_batch_short_of_memory_gives_only_right_answers
// ctest: concurrent a_thread_that_waits_for_a_tree_keeps_its_own_deadline
// ctest: timeout 600
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/control.h"
#include "support_control.h"
#include "support_queries.h"
#include "support_sanitizer.h"

enum {
    FIND_ALL = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT,
    SUBDIVISIONS = TEST_SANITIZED ? 3 : 4, // 1,280 or 5,120 triangles a sphere
    CUBES = TEST_SANITIZED ? 400 : 2000,
    STEPS = TEST_SANITIZED ? 6 : 12,
    LIMIT_PART = TEST_SANITIZED ? 1 : 2
};

// Far more than the library promises: the machine may be busy, or a sanitizer slow.
static const double soon = 5.0;

// What the caller's callback knows about a running call.
typedef struct watch {
    double raise_at, told, raised_at;
    int flag;
    bool falling, outside;
    unsigned calls;
} watch;

static void look(double share, void *user)
{
    watch *w = user;
    w->falling = w->falling || share < w->told;
    w->outside = w->outside || !(share >= 0.0 && share <= 1.0);
    w->told = share;
    w->calls++;
    if (share >= w->raise_at && w->flag == 0) {
        __atomic_store_n(&w->flag, 1, __ATOMIC_RELAXED);
        w->raised_at = grz_clock_seconds();
    }
}

// A query with meshes of its own, so that trees and topology are built each time, too.
typedef struct question {
    grz_device *device;
    grz_mesh *a, *b;
    grz_object object_a, object_b;
    grz_result *result;
} question;

typedef enum shape {
    CROSSING_SPHERES,
    SPHERE_IN_SPHERE,
    SCATTERED_IN_SPHERE, // many components
    SELF_CROSSING,
    SHAPES
} shape;

static question make_question(shape kind, grz_device *device)
{
    question q = {.device = device, .result = test_result_create(device)};
    test_mesh a = test_mesh_icosphere(1.0, SUBDIVISIONS), b = {0};
    if (kind == SPHERE_IN_SPHERE)
        b = test_mesh_icosphere(0.5, SUBDIVISIONS);
    else if (kind == SCATTERED_IN_SPHERE)
        for (int i = 0; i < CUBES; i++) {
            const int x = i % 20, y = i / 20 % 20, z = i / 400;
            test_mesh_take(&b, test_mesh_cube(-0.4 + 0.04 * x, -0.4 + 0.04 * y, -0.1 + 0.04 * z, 0.02));
        }
    else
        b = test_mesh_icosphere(1.0, SUBDIVISIONS);
    if (kind == SELF_CROSSING) {
        test_mesh_move(&b, 0.3, 0.2, 0.1);
        test_mesh_append(&a, &b);
    }
    q.a = test_mesh_upload(device, &a);
    q.b = test_mesh_upload(device, &b);
    q.object_a = grz_object_at_origin(q.a);
    q.object_b = grz_object_at_origin(q.b);
    if (kind == CROSSING_SPHERES)
        q.object_b.pose = grz_pose_from_translation(0.3, 0.2, 0.1);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
    return q;
}

static void finish_question(question *q)
{
    grz_result_destroy(q->result);
    grz_mesh_destroy(q->a);
    grz_mesh_destroy(q->b);
}

static grz_status ask(const question *q, shape kind, const grz_collide_options *options, grz_error *error)
{
    return kind == SELF_CROSSING ? grz_collide_self(q->device, &q->object_a, options, q->result, error)
                                 : grz_collide(q->device, &q->object_a, &q->object_b, options, q->result, error);
}

static test_answer whole_answer(shape kind, grz_device *device)
{
    question q = make_question(kind, device);
    grz_collide_options options = grz_default_collide_options();
    options.find = FIND_ALL;
    assert_int_equal(ask(&q, kind, &options, NULL), GRZ_OK);
    test_answer answer = test_answer_of(q.result);
    finish_question(&q);
    return answer;
}

// After a call that ended early, all lists are empty, and what the summary says is true.
static void expect_nothing_half_written(const char *what, const question *q, const test_answer *whole)
{
    test_answer got = test_answer_of(q->result);
    const grz_summary *s = &got.summary;
    if (got.pair_count + got.contact_count + got.point_count + got.curve_count + got.curve_point_count != 0 ||
        s->pair_count != 0 || s->has_region || s->pairs_complete || s->reason == NULL)
        fail_msg("%s: the result is half-written", what);
    if (s->certainty != GRZ_UNDECIDED && (s->certainty != GRZ_EXACT || s->relation != whole->summary.relation))
        fail_msg("%s: the result claims certainty %d, relation %d", what, (int)s->certainty, (int)s->relation);
    test_answer_finish(&got);
}

static void expect_whole(const char *what, const question *q, shape kind, const test_answer *whole)
{
    grz_collide_options options = grz_default_collide_options();
    options.find = FIND_ALL;
    assert_int_equal(ask(q, kind, &options, NULL), GRZ_OK);
    test_answer got = test_answer_of(q->result);
    assert_true(test_answers_equal(what, &got, whole));
    test_answer_finish(&got);
}

static void a_cancel_flag_ends_the_call_soon_in_every_stage(void **state)
{
    (void)state;
    unsigned ended = 0;
    for (unsigned threads = 1; threads <= 2; threads++) {
        grz_device *device = test_device_open(threads);
        for (int kind = 0; kind < SHAPES; kind++) {
            test_answer whole = whole_answer((shape)kind, device);
            for (int step = 0; step <= STEPS; step++) {
                question q = make_question((shape)kind, device);
                watch w = {.raise_at = (double)step / STEPS};
                grz_collide_options options = grz_default_collide_options();
                char what[80];
                options.find = FIND_ALL;
                options.limits.cancel = &w.flag;
                options.limits.progress = look;
                options.limits.progress_user = &w;
                snprintf(what, sizeof what, "shape %d, %u threads, raised at %g", kind, threads, w.raise_at);
                const grz_status status = ask(&q, (shape)kind, &options, NULL);
                const double took = grz_clock_seconds() - w.raised_at;
                if (w.falling || w.outside)
                    fail_msg("%s: the progress falls or leaves 0 to 1", what);
                if (status == GRZ_ERROR_CANCELLED) {
                    ended++;
                    if (w.flag == 0 || took > soon)
                        fail_msg("%s: the call went on for %g s", what, took);
                    expect_nothing_half_written(what, &q, &whole);
                } else {
                    assert_int_equal(status, GRZ_OK);
                }
                expect_whole(what, &q, (shape)kind, &whole);
                finish_question(&q);
            }
            test_answer_finish(&whole);
        }
        grz_device_close(device);
    }
    print_message("%u calls were cancelled\n", ended);
    assert_true(ended > 2 * STEPS);
}

static void a_deadline_ends_the_call_soon_in_every_stage(void **state)
{
    (void)state;
    unsigned ended = 0, finished = 0;
    grz_device *device = test_device_open(2);
    for (int kind = 0; kind < SHAPES; kind++) {
        test_answer whole = whole_answer((shape)kind, device);
        grz_status status = GRZ_ERROR_DEADLINE;
        for (int step = 0; status != GRZ_OK && step < 34; step++) {
            const double deadline = 2e-5 * pow(1.6, step); // up to 110 s
            question q = make_question((shape)kind, device);
            grz_collide_options options = grz_default_collide_options();
            grz_error error = {.code = GRZ_OK};
            options.find = FIND_ALL;
            options.limits.deadline = deadline;
            const double start = grz_clock_seconds();
            status = ask(&q, (shape)kind, &options, &error);
            const double over = grz_clock_seconds() - start - deadline;
            if (status == GRZ_ERROR_DEADLINE) {
                ended++;
                assert_non_null(strstr(error.message, "deadline"));
                if (over > soon)
                    fail_msg("shape %d: a deadline of %g s was passed by %g s", kind, deadline, over);
                expect_nothing_half_written("deadline", &q, &whole);
            } else {
                assert_int_equal(status, GRZ_OK);
                finished++;
            }
            expect_whole("after a deadline", &q, (shape)kind, &whole);
            finish_question(&q);
        }
        test_answer_finish(&whole);
    }
    print_message("%u calls were ended by their deadline, %u in time\n", ended, finished);
    assert_true(ended > 20 && finished == SHAPES);
    grz_device_close(device);
}

// An allocator that counts the bytes in use, and their maximum.
typedef struct meter {
    pthread_mutex_t lock;
    size_t held, most;
} meter;

static void *metered_reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    meter *m = user;
    void *moved = realloc(block, new_size);
    pthread_mutex_lock(&m->lock);
    if (moved != NULL)
        m->held += new_size - old_size;
    m->most = m->held > m->most ? m->held : m->most;
    pthread_mutex_unlock(&m->lock);
    return moved;
}

static void metered_release(void *block, size_t size, void *user)
{
    meter *m = user;
    pthread_mutex_lock(&m->lock);
    m->held -= size;
    pthread_mutex_unlock(&m->lock);
    free(block);
}

static grz_device *open_metered_device(meter *m)
{
    grz_device_options device_options = grz_default_device_options();
    grz_device *device = NULL;
    device_options.threads = 2;
    device_options.allocator = (grz_allocator){metered_reallocate, metered_release, m};
    assert_int_equal(grz_device_open(&device_options, &device, NULL), GRZ_OK);
    return device;
}

// Reset the maximum. Returns the bytes in use now.
static size_t restart_meter(meter *m)
{
    pthread_mutex_lock(&m->lock);
    const size_t held = m->held;
    m->most = held;
    pthread_mutex_unlock(&m->lock);
    return held;
}

static void the_memory_limit_is_never_exceeded(void **state)
{
    (void)state;
    unsigned ended = 0, finished = 0;
    meter m = {.lock = PTHREAD_MUTEX_INITIALIZER};
    grz_device *device = open_metered_device(&m);
    for (int kind = 0; kind < SHAPES; kind++) {
        test_answer whole = whole_answer((shape)kind, device);
        for (uint64_t limit = 1; limit < UINT64_C(1) << 28; limit += limit / LIMIT_PART + 1) {
            question q = make_question((shape)kind, device);
            grz_collide_options options = grz_default_collide_options();
            grz_error error = {.code = GRZ_OK};
            options.find = FIND_ALL;
            options.limits.memory_limit = limit;
            const size_t before = restart_meter(&m);
            const grz_status status = ask(&q, (shape)kind, &options, &error);
            if (m.most - before > limit)
                fail_msg("shape %d, limit %llu: %zu bytes were taken", kind, (unsigned long long)limit,
                         m.most - before);
            if (status == GRZ_ERROR_MEMORY) {
                ended++;
                assert_non_null(strstr(error.message, "limit"));
                expect_nothing_half_written("memory limit", &q, &whole);
            } else {
                assert_int_equal(status, GRZ_OK);
                finished++;
            }
            if (limit % 3 == 0)
                expect_whole("after a memory limit", &q, (shape)kind, &whole);
            finish_question(&q);
        }
        test_answer_finish(&whole);
    }
    print_message("%u calls were ended by their memory limit, %u were not\n", ended, finished);
    assert_true(ended > 40 && finished > 10);
    assert_int_equal(m.held > 0, true); // the device's own
    grz_device_close(device);
    assert_int_equal(m.held, 0);
}

enum {
    POSES = 2200 // more than two blocks of the library's
};

// A batch: a sphere that comes nearer, from apart to deep inside the other one. Each has meshes of its own, so that
// their trees are built, too.
static grz_status ask_poses(grz_device *device, const grz_collide_options *options, grz_pose_answer *answers, meter *m,
                            size_t *taken, grz_error *error)
{
    test_mesh sphere = test_mesh_icosphere(1.0, 1), small = test_mesh_icosphere(0.4, 1);
    grz_mesh *a = test_mesh_upload(device, &sphere), *b = test_mesh_upload(device, &small);
    const grz_object object = grz_object_at_origin(a);
    grz_pose *poses = calloc(POSES, sizeof *poses);
    assert_non_null(poses);
    for (int i = 0; i < POSES; i++)
        poses[i] = grz_pose_from_translation(1.5 * (1.0 - (double)i / POSES), 0.03 * (i % 7), 0.02 * (i % 5));
    const size_t before = restart_meter(m);
    const grz_status status = grz_collide_poses(device, &object, b, poses, POSES, options, answers, error);
    *taken = m->most - before;
    free(poses);
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    test_mesh_finish(&sphere);
    test_mesh_finish(&small);
    return status;
}

static bool same_pose_answer(const grz_pose_answer *x, const grz_pose_answer *y)
{
    return x->relation == y->relation && x->colliding == y->colliding && x->certainty == y->certainty &&
           x->containment == y->containment && x->pairs_complete == y->pairs_complete &&
           x->pair_count == y->pair_count && memcmp(x->kinds, y->kinds, sizeof x->kinds) == 0;
}

static void a_batch_short_of_memory_gives_only_right_answers(void **state)
{
    (void)state;
    static const uint32_t finds[] = {0, GRZ_FIND_PAIRS, GRZ_FIND_CONTAINMENT, GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT};
    const grz_pose_answer none = {.relation = GRZ_APART, .certainty = GRZ_UNDECIDED};
    unsigned ended = 0, finished = 0, in_part = 0;
    meter m = {.lock = PTHREAD_MUTEX_INITIALIZER};
    grz_device *device = open_metered_device(&m);
    grz_pose_answer *whole = calloc(POSES, sizeof *whole), *got = calloc(POSES, sizeof *got);
    assert_non_null(whole);
    assert_non_null(got);
    for (size_t k = 0; k < sizeof finds / sizeof *finds; k++) {
        grz_collide_options options = grz_default_collide_options();
        size_t taken;
        options.find = finds[k];
        assert_int_equal(ask_poses(device, &options, whole, &m, &taken, NULL), GRZ_OK);
        assert_int_equal(whole[0].relation, GRZ_APART);
        assert_int_equal(whole[POSES / 3].relation, GRZ_COLLIDING);
        assert_int_equal(whole[POSES - 1].relation,
                         (finds[k] & GRZ_FIND_CONTAINMENT) != 0 ? GRZ_B_INSIDE_A : GRZ_APART);
        for (uint64_t limit = 1; limit < 2 * (uint64_t)taken + 4; limit += limit / (4 * LIMIT_PART) + 1) {
            grz_error error = {.code = GRZ_OK};
            size_t now = 0;
            unsigned given = 0;
            options.limits.memory_limit = limit;
            memset(got, 0x55, POSES * sizeof *got);
            const grz_status status = ask_poses(device, &options, got, &m, &now, &error);
            if (now > limit)
                fail_msg("find 0x%x, limit %llu: %zu bytes were taken", finds[k], (unsigned long long)limit, now);
            for (int i = 0; i < POSES; i++) {
                given += got[i].certainty == GRZ_EXACT;
                if (!same_pose_answer(&got[i], got[i].certainty == GRZ_EXACT ? &whole[i] : &none))
                    fail_msg("find 0x%x, limit %llu, pose %d: certainty %d, relation %d, %llu pairs", finds[k],
                             (unsigned long long)limit, i, (int)got[i].certainty, (int)got[i].relation,
                             (unsigned long long)got[i].pair_count);
            }
            if (status == GRZ_ERROR_MEMORY) {
                ended++;
                in_part += given > 0;
                assert_non_null(strstr(error.message, "limit"));
                assert_true(given < POSES);
            } else {
                assert_int_equal(status, GRZ_OK);
                assert_int_equal(given, POSES);
                finished++;
            }
        }
    }
    print_message("%u batches were ended by their memory limit, %u of them with some answers given; %u were not\n",
                  ended, in_part, finished);
    assert_true(ended > 100 && in_part > 8 && finished > 8);
    free(whole);
    free(got);
    grz_device_close(device);
    assert_int_equal(m.held, 0);
}

// Build a large mesh's tree.
typedef struct builder {
    const grz_mesh *mesh;
    atomic_bool done;
    grz_status status;
} builder;

static void *build(void *argument)
{
    builder *b = argument;
    b->status = grz_mesh_prepare(b->mesh, "bvh", NULL);
    atomic_store(&b->done, true);
    return NULL;
}

static void a_thread_that_waits_for_a_tree_keeps_its_own_deadline(void **state)
{
    (void)state;
    const uint32_t side = TEST_SANITIZED ? 300 : 700;
    test_mesh grid = test_mesh_grid(side, side, 1.0);
    grz_device *device = test_device_open(1);
    grz_result *result = test_result_create(device);
    unsigned ended = 0;
    for (int round = 0; round < 5 && ended == 0; round++) {
        builder b = {.mesh = test_mesh_upload(device, &grid)};
        const grz_object object = grz_object_at_origin(b.mesh);
        pthread_t thread;
        grz_collide_options options = grz_default_collide_options();
        grz_status status = GRZ_OK;
        options.find = 0;
        options.limits.deadline = 0.002;
        atomic_init(&b.done, false);
        assert_int_equal(pthread_create(&thread, NULL, build, &b), 0);
        // One of the two threads builds and the other waits. This one must never wait past its deadline.
        for (int i = 0; i < 20 && !atomic_load(&b.done); i++) {
            status = grz_collide(device, &object, &object, &options, result, NULL);
            assert_true(status == GRZ_OK || status == GRZ_ERROR_DEADLINE);
            ended += status == GRZ_ERROR_DEADLINE && !atomic_load(&b.done);
        }
        pthread_join(thread, NULL);
        assert_int_equal(b.status, GRZ_OK);
        options.limits.deadline = 0.0;
        assert_int_equal(grz_collide(device, &object, &object, &options, result, NULL), GRZ_OK);
        assert_true(grz_result_summary(result)->colliding);
        grz_mesh_destroy((grz_mesh *)b.mesh);
    }
    assert_true(ended > 0);
    test_mesh_finish(&grid);
    grz_result_destroy(result);
    grz_device_close(device);
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The system's time to release memory is not counted: a hundred megabytes may take longer than all that is tested here.
static double releasing; // processor time

static void *plain_reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    (void)old_size, (void)user;
    return realloc(block, new_size);
}

static void timed_release(void *block, size_t size, void *user)
{
    (void)size, (void)user;
    const double start = processor_seconds();
    free(block);
    releasing += processor_seconds() - start;
}

// Ends the building of a tree at a given report of its progress, so that the moment does not depend on timers or other
// processes.
typedef struct ender {
    grz_control control;
    int flag;
    bool by_deadline;
    unsigned left;   // checks of the control until the build is told to end
    double ended_at; // processor time
} ender;

static void end_now(ender *e)
{
    if (e->by_deadline)
        e->control.limits.deadline = 1e-12;
    else
        e->flag = 1;
    releasing = 0.0;
    e->ended_at = processor_seconds();
}

static void count_down(double share, void *user)
{
    (void)share;
    ender *e = user;
    if (e->left > 0 && --e->left == 0)
        end_now(e);
}

// Build the tree of a mesh that has none, and cancel the build at its check number `look` of the control. Check 1 is
// before the root is split; 0 cancels before the build starts, while the triangles' boxes are computed. Returns the
// processor time spent after that, in seconds.
static double work_after_the_end(const grz_mesh *mesh, unsigned look, bool by_deadline)
{
    ender e = {.by_deadline = by_deadline, .left = look};
    const grz_bvh *bvh;
    grz_error error = {.code = GRZ_OK};
    grz_control_init(&e.control, mesh->allocator, NULL);
    e.control.limits.cancel = &e.flag;
    e.control.limits.progress = count_down;
    e.control.limits.progress_user = &e;
    if (look == 0)
        end_now(&e);
    const grz_status status = grz_mesh_bvh(mesh, &e.control, &bvh, &error);
    const double late = processor_seconds() - e.ended_at - releasing;
    if (status != (by_deadline ? GRZ_ERROR_DEADLINE : GRZ_ERROR_CANCELLED) || error.code != status)
        fail_msg("look %u: %s", look, grz_status_name(status));
    assert_null(bvh);
    return late;
}

static void building_a_large_tree_ends_in_time_at_its_first_nodes(void **state)
{
    (void)state;
    enum {
        LOOKS = 10, // check 2 is while half of all triangles are split, check 3 a quarter, …
        TRIES = 5   // the smallest time counts, because other processes disturb the caches
    };
    const uint32_t side = TEST_SANITIZED ? 400 : 700;
    // Sanitizers slow down the work between two checks (32,768 triangles) more than the rest.
    const double slack = TEST_SANITIZED ? 0.03 : 0.003;
    test_mesh grid = test_mesh_grid(side, side, 1.0);
    grz_device_options device_options = grz_default_device_options();
    grz_device *device = NULL;
    device_options.threads = 1;
    device_options.allocator = (grz_allocator){plain_reallocate, timed_release, NULL};
    assert_int_equal(grz_device_open(&device_options, &device, NULL), GRZ_OK);
    grz_mesh *whole = test_mesh_upload(device, &grid), *mesh = test_mesh_upload(device, &grid);
    const grz_bvh *bvh;
    double start = processor_seconds(), worst = 0.0;
    assert_int_equal(test_mesh_bvh(whole, &bvh), GRZ_OK);
    const double full = processor_seconds() - start, allowed = full / 100 + slack;
    grz_mesh_destroy(whole);
    for (unsigned look = 0; look <= LOOKS; look++)
        for (int by_deadline = 0; by_deadline < 2; by_deadline++) {
            double late = HUGE_VAL;
            for (int i = 0; i < TRIES && late >= allowed; i++)
                late = fmin(late, work_after_the_end(mesh, look, by_deadline));
            worst = fmax(worst, late);
            if (late >= allowed)
                fail_msg(
                    "told to end at look %u by its %s, the tree went on for %.1f ms of work; all of it takes %.1f ms",
                    look, by_deadline ? "deadline" : "flag", late * 1e3, full * 1e3);
        }
    print_message("a tree of %.0f ms ended at most %.2f ms late\n", full * 1e3, worst * 1e3);
    test_mesh_finish(&grid);
    grz_mesh_destroy(mesh);
    grz_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cancel_flag_ends_the_call_soon_in_every_stage),
        cmocka_unit_test(a_deadline_ends_the_call_soon_in_every_stage),
        cmocka_unit_test(the_memory_limit_is_never_exceeded),
        cmocka_unit_test(a_batch_short_of_memory_gives_only_right_answers),
        cmocka_unit_test(a_thread_that_waits_for_a_tree_keeps_its_own_deadline),
        cmocka_unit_test(building_a_large_tree_ends_in_time_at_its_first_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
