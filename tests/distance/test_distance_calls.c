// SPDX-License-Identifier: MIT
// Calls of grz_distance() that are disturbed: by other threads that share the meshes, by a flag that is raised in the
// middle of the walk, and by an allocator that fails at every call in turn.
// ctest: concurrent threads_share_meshes
// ctest: timeout 900
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_allocator.h"
#include "support_queries.h"

static bool same_answers(const grz_distance_answer *a, const grz_distance_answer *b)
{
    return a->distance == b->distance && a->lower == b->lower && a->upper == b->upper && a->certainty == b->certainty &&
           a->touching == b->touching && a->ties == b->ties && a->face_a == b->face_a && a->face_b == b->face_b &&
           memcmp(&a->feature_a, &b->feature_a, sizeof a->feature_a) == 0 &&
           memcmp(&a->feature_b, &b->feature_b, sizeof a->feature_b) == 0 &&
           memcmp(a->point_a, b->point_a, sizeof a->point_a) == 0 &&
           memcmp(a->point_b, b->point_b, sizeof a->point_b) == 0;
}

// ---- Threads ------------------------------------------------------------------------------------------------------

enum {
    THREADS = 4,
    ASKED = 24 // poses
};

typedef struct asking {
    grz_device *device;
    const grz_mesh *a, *b;
    const atomic_bool *go;
    grz_distance_answer answers[ASKED];
    grz_status status; // the first failure
} asking;

static void *ask_all(void *context)
{
    asking *now = context;
    while (!atomic_load(now->go)) {
    }
    for (int i = 0; i < ASKED && now->status == GRZ_OK; i++) {
        const grz_object a = grz_object_at_origin(now->a),
                         b = grz_object_at(now->b, grz_pose_from_translation(0.25 * i - 3.0, 0.5, 0.125 * i));
        now->status = grz_distance(now->device, &a, &b, NULL, &now->answers[i], NULL);
    }
    return NULL;
}

// Trees are made by whichever thread asks first.
static void threads_share_meshes(void **state)
{
    test_mesh meshes[2] = {test_mesh_torus(3.0, 1.0, 40, 20), test_mesh_icosphere(0.5, 3)};
    grz_device *device = NULL;
    (void)state;
    assert_int_equal(grz_device_open(NULL, &device, NULL), GRZ_OK);
    asking *all = calloc(THREADS + 1, sizeof *all);
    assert_non_null(all);
    for (int round = 0; round < 4; round++) {
        pthread_t threads[THREADS];
        atomic_bool go = true;
        grz_mesh *a = test_mesh_upload(device, &meshes[0]), *b = test_mesh_upload(device, &meshes[1]);
        for (int i = 0; i <= THREADS; i++)
            all[i] = (asking){.device = device, .a = a, .b = b, .go = &go};
        atomic_store(&go, false);
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, ask_all, &all[i]), 0);
        atomic_store(&go, true);
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(pthread_join(threads[i], NULL), 0);
        ask_all(&all[THREADS]);
        for (int i = 0; i <= THREADS; i++) {
            assert_int_equal(all[i].status, GRZ_OK);
            for (int k = 0; k < ASKED; k++)
                assert_true(same_answers(&all[i].answers[k], &all[THREADS].answers[k]));
        }
        grz_mesh_destroy(a);
        grz_mesh_destroy(b);
    }
    free(all);
    grz_device_close(device);
    test_mesh_finish(&meshes[0]);
    test_mesh_finish(&meshes[1]);
}

// ---- A flag in the middle -----------------------------------------------------------------------------------------

// Raises a flag when a block of this size is asked for.
typedef struct raising {
    int flag;
    size_t size;
} raising;

static void *reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    raising *raise = user;
    (void)old_size;
    if (raise->size != 0 && new_size >= raise->size)
        raise->flag = 1;
    return realloc(block, new_size);
}

static void release(void *block, size_t size, void *user)
{
    (void)size, (void)user;
    free(block);
}

// Between flat sheets everything is as near, so the list of pairs grows long; the flag is raised when it has. Nothing
// else takes so much memory.
static void a_flag_ends_the_walk(void **state)
{
    test_mesh sheet = test_mesh_grid(60, 60, 0.0625);
    raising raise = {.flag = 0};
    grz_device_options device_options = grz_default_device_options();
    grz_distance_options options = grz_default_distance_options();
    grz_device *device = NULL;
    grz_distance_answer exact, answer;
    grz_error error;
    (void)state;
    device_options.threads = 1;
    device_options.allocator = (grz_allocator){reallocate, release, &raise};
    assert_int_equal(grz_device_open(&device_options, &device, NULL), GRZ_OK);
    const grz_object a = grz_object_at_origin(test_mesh_upload(device, &sheet)),
                     b = grz_object_at(a.mesh, grz_pose_from_translation(0.0, 0.0, 0.125));
    assert_int_equal(grz_distance(device, &a, &b, NULL, &exact, NULL), GRZ_OK); // makes the trees
    options.limits.cancel = &raise.flag;
    for (size_t size = (size_t)1 << 18; size < (size_t)1 << 20; size *= 2) {
        raise = (raising){.size = size};
        test_expect_error(grz_distance(device, &a, &b, &options, &answer, &error), GRZ_ERROR_CANCELLED, &error,
                          "cancel", GRZ_NO_ELEMENT);
        assert_int_equal(raise.flag, 1);
        assert_true(answer.certainty == GRZ_UNDECIDED && answer.ties == 0 && answer.face_a != GRZ_NO_FACE);
        assert_true(answer.compared > 1000 && answer.compared < exact.compared / 2);
        assert_true(answer.lower <= exact.upper && exact.lower <= answer.upper && answer.upper < 0.13);
    }
    raise = (raising){.flag = 0};
    assert_int_equal(grz_distance(device, &a, &b, &options, &answer, NULL), GRZ_OK);
    assert_true(same_answers(&answer, &exact));
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_device_close(device);
    test_mesh_finish(&sheet);
}

// ---- Memory -------------------------------------------------------------------------------------------------------

static void every_allocation_may_fail(void **state)
{
    test_mesh ball = test_mesh_icosphere(1.0, 3), shell = test_mesh_icosphere(1.25, 3);
    test_strict_allocator strict = {.lock = PTHREAD_MUTEX_INITIALIZER};
    grz_device_options device_options = grz_default_device_options();
    grz_device *device = NULL;
    grz_distance_answer exact, answer;
    grz_error error;
    long call = 0;
    (void)state;
    device_options.threads = 1;
    device_options.allocator = test_strict_allocator_of(&strict);
    assert_int_equal(grz_device_open(&device_options, &device, NULL), GRZ_OK);
    const grz_object a = grz_object_at_origin(test_mesh_upload(device, &ball)),
                     b = grz_object_at_origin(test_mesh_upload(device, &shell));
    for (int i = 0; i < 64; i++) // until the trees have all that they learn from being walked
        assert_int_equal(grz_distance(device, &a, &b, NULL, &exact, NULL), GRZ_OK);
    const long blocks = strict.blocks;
    for (bool failed = true; failed;) {
        strict.calls = 0;
        strict.failed = false;
        strict.fail_at = ++call;
        const grz_status status = grz_distance(device, &a, &b, NULL, &answer, &error);
        failed = strict.failed;
        if (failed)
            assert_true(status == GRZ_ERROR_MEMORY && strstr(error.message, "memory") != NULL);
        else
            assert_true(status == GRZ_OK && same_answers(&answer, &exact));
        assert_int_equal(strict.blocks, blocks);
    }
    assert_true(call > 6); // the ends, what waits, and the list of pairs, which grows
    assert_false(strict.misused);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_mesh_destroy((grz_mesh *)b.mesh);
    grz_device_close(device);
    test_mesh_finish(&ball);
    test_mesh_finish(&shell);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_share_meshes),
        cmocka_unit_test(a_flag_ends_the_walk),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
