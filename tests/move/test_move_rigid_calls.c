// SPDX-License-Identifier: MIT
// grz_move_rigid() by other ways: paths of the caller's, meshes renumbered and exchanged, several threads, calls that
// end early, allocators that fail, and arguments that are refused.
// ctest: concurrent threads_share_meshes
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_allocator.h"
#include "support_queries.h"

static const double NONE[4] = {0, 0, 0, 1}, HERE[3] = {0, 0, 0};

static grz_device *device;

static grz_mesh *take(grz_device *of, test_mesh mesh)
{
    grz_mesh *uploaded = test_mesh_upload(of, &mesh);
    test_mesh_finish(&mesh);
    return uploaded;
}

// A sphere that comes along and turns, and a torus in its way.
static grz_motion coming(double sideways)
{
    const double from[3] = {-4.0, 0.3 + sideways, 0.2}, to[3] = {4.0, 0.5 + sideways, -0.1},
                 turn[4] = {0.3, 0.5, -0.2, 0.4};
    return grz_motion_slerp(from, NONE, to, turn);
}

static bool overlap(const grz_move_answer *x, const grz_move_answer *y)
{
    if (!x->has_contact || !y->has_contact)
        return x->has_contact == y->has_contact && x->certainty == y->certainty;
    return x->lower <= y->upper && y->lower <= x->upper;
}

// ---- Paths --------------------------------------------------------------------------------------------------------

// The motion above as the caller's own; `radius`: of the mesh around its origin.
typedef struct own_path {
    grz_motion motion;
    double radius, angle;
} own_path;

static void own_pose(void *user, double t, grz_pose *pose)
{
    const own_path *path = user;
    assert_int_equal(grz_motion_pose(&path->motion, t, pose, NULL), GRZ_OK);
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double own_travel(void *user, double from, double to)
{
    const own_path *path = user;
    const double way[3] = {path->motion.to[0] - path->motion.from[0], path->motion.to[1] - path->motion.from[1],
                           path->motion.to[2] - path->motion.from[2]};
    return (length(way) + path->angle * path->radius) * (to - from);
}

static void own_velocity(void *user, double t, double velocity[3], double spin[3])
{
    const own_path *path = user;
    const double *q = path->motion.to_turn, sine = length(q);
    (void)t;
    for (int k = 0; k < 3; k++) {
        velocity[k] = path->motion.to[k] - path->motion.from[k];
        spin[k] = path->angle * q[k] / sine;
    }
}

static void own_paths_give_what_slerp_gives(void **state)
{
    grz_mesh *a = take(device, test_mesh_icosphere(0.5, 2)), *b = take(device, test_mesh_torus(1.0, 0.4, 24, 12));
    int contacts = 0;
    (void)state;
    for (int i = 0; i < 9; i++) {
        own_path own = {.motion = coming(0.3 * i), .radius = 0.5 * sqrt(3.0)};
        own.angle = 2.0 * atan2(length(own.motion.to_turn), own.motion.to_turn[3]);
        grz_motion_path path = {.pose = own_pose, .travel = own_travel, .error = 1e-12, .user = &own};
        const grz_motion undirected = grz_motion_along(&path);
        path.velocity = own_velocity;
        path.acceleration = own.angle * own.angle * own.radius;
        const grz_motion directed = grz_motion_along(&path);
        grz_move_answer answers[3];
        assert_int_equal(grz_move_rigid(device, (grz_object[]){grz_object_at_origin(a)}, &own.motion,
                                        (grz_object[]){grz_object_at_origin(b)}, NULL, NULL, &answers[0], NULL),
                         GRZ_OK);
        assert_int_equal(grz_move_rigid(device, (grz_object[]){grz_object_at_origin(a)}, &undirected,
                                        (grz_object[]){grz_object_at_origin(b)}, NULL, NULL, &answers[1], NULL),
                         GRZ_OK);
        assert_int_equal(grz_move_rigid(device, (grz_object[]){grz_object_at_origin(a)}, &directed,
                                        (grz_object[]){grz_object_at_origin(b)}, NULL, NULL, &answers[2], NULL),
                         GRZ_OK);
        for (int k = 0; k < 3; k++)
            assert_true(TEST_LABEL_FITS(answers[k]) && overlap(&answers[0], &answers[k]));
        contacts += answers[0].has_contact;
    }
    assert_true(contacts > 2 && contacts < 9);
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
}

// ---- The same asked otherwise ---------------------------------------------------------------------------------------

static void numbers_and_order_do_not_matter(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 5);
    test_mesh plain = test_mesh_torus(1.0, 0.4, 24, 12), shuffled = test_mesh_copy(&plain);
    test_mesh_shuffle(&shuffled, &random, NULL);
    grz_mesh *a = take(device, test_mesh_icosphere(0.5, 2)), *b = take(device, plain), *c = take(device, shuffled);
    (void)state;
    for (int i = 0; i < 9; i++) {
        const grz_motion motion = coming(0.3 * i);
        grz_move_answer answers[3];
        assert_int_equal(grz_move_rigid(device, (grz_object[]){grz_object_at_origin(a)}, &motion,
                                        (grz_object[]){grz_object_at_origin(b)}, NULL, NULL, &answers[0], NULL),
                         GRZ_OK);
        assert_int_equal(grz_move_rigid(device, (grz_object[]){grz_object_at_origin(a)}, &motion,
                                        (grz_object[]){grz_object_at_origin(c)}, NULL, NULL, &answers[1], NULL),
                         GRZ_OK);
        assert_int_equal(grz_move_rigid(device, (grz_object[]){grz_object_at_origin(b)}, NULL,
                                        (grz_object[]){grz_object_at_origin(a)}, &motion, NULL, &answers[2], NULL),
                         GRZ_OK);
        assert_true(overlap(&answers[0], &answers[1]) && overlap(&answers[0], &answers[2]));
        for (int k = 0; k < 3 && answers[0].has_contact; k++)
            assert_true(fabs(answers[2].normal[k] + answers[0].normal[k]) < 1e-3);
    }
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    grz_mesh_destroy(c);
}

enum {
    THREADS = 4,
    ASKED = 12
};

typedef struct asking {
    const grz_mesh *a, *b;
    grz_move_answer answers[ASKED];
    grz_status status;
} asking;

static void *ask_all(void *context)
{
    asking *now = context;
    for (int i = 0; i < ASKED && now->status == GRZ_OK; i++) {
        const grz_motion motion = coming(0.2 * i);
        now->status = grz_move_rigid(device, (grz_object[]){grz_object_at_origin(now->a)}, &motion,
                                     (grz_object[]){grz_object_at_origin(now->b)}, NULL, NULL, &now->answers[i], NULL);
    }
    return NULL;
}

static void threads_share_meshes(void **state)
{
    asking all[THREADS];
    pthread_t threads[THREADS];
    grz_mesh *a = take(device, test_mesh_icosphere(0.5, 2)), *b = take(device, test_mesh_torus(1.0, 0.4, 24, 12));
    (void)state;
    memset(all, 0, sizeof all);
    for (int i = 0; i < THREADS; i++) {
        all[i] = (asking){.a = a, .b = b};
        assert_int_equal(pthread_create(&threads[i], NULL, ask_all, &all[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(all[i].status, GRZ_OK);
        for (int k = 0; k < ASKED; k++)
            assert_true(all[i].answers[k].lower == all[0].answers[k].lower &&
                        all[i].answers[k].upper == all[0].answers[k].upper &&
                        all[i].answers[k].face_a == all[0].answers[k].face_a &&
                        all[i].answers[k].compared == all[0].answers[k].compared);
    }
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
}

// ---- Ended early ----------------------------------------------------------------------------------------------------

static void what_ends_early_is_still_proved(void **state)
{
    grz_mesh *a = take(device, test_mesh_icosphere(0.5, 3)), *b = take(device, test_mesh_torus(1.0, 0.4, 60, 30));
    const grz_motion motion = coming(0.3);
    const int raised = 1;
    grz_rigid_options options = grz_default_rigid_options();
    grz_move_answer whole, early;
    double last = 0.0;
    (void)state;
    assert_int_equal(grz_move_rigid(device, (grz_object[]){grz_object_at_origin(a)}, &motion,
                                    (grz_object[]){grz_object_at_origin(b)}, NULL, NULL, &whole, NULL),
                     GRZ_OK);
    assert_true(whole.has_contact && whole.lower > 0.1);
    for (uint64_t steps = 1; steps < 4000; steps *= 3) {
        options.max_steps = steps;
        assert_int_equal(grz_move_rigid(device, (grz_object[]){grz_object_at_origin(a)}, &motion,
                                        (grz_object[]){grz_object_at_origin(b)}, NULL, &options, &early, NULL),
                         GRZ_OK);
        assert_true(early.lower <= whole.upper && early.lower >= last);
        assert_true(early.certainty != GRZ_UNDECIDED || early.upper == HUGE_VAL);
        assert_true(early.first_contact == early.lower);
        last = early.lower;
    }
    assert_true(last > 0.1);
    options = grz_default_rigid_options();
    options.limits.deadline = 1e-9;
    assert_int_equal(grz_move_rigid(device, (grz_object[]){grz_object_at_origin(a)}, &motion,
                                    (grz_object[]){grz_object_at_origin(b)}, NULL, &options, &early, NULL),
                     GRZ_ERROR_DEADLINE);
    assert_true(early.certainty == GRZ_UNDECIDED && early.lower <= whole.upper && early.upper == HUGE_VAL);
    options.limits.deadline = 0.0;
    options.limits.cancel = &raised;
    assert_int_equal(grz_move_rigid(device, (grz_object[]){grz_object_at_origin(a)}, &motion,
                                    (grz_object[]){grz_object_at_origin(b)}, NULL, &options, &early, NULL),
                     GRZ_ERROR_CANCELLED);
    assert_true(early.certainty == GRZ_UNDECIDED && early.lower <= whole.upper);
    options.limits.cancel = NULL;
    options.t_max = 0.5 * whole.lower; // nothing up to there
    assert_int_equal(grz_move_rigid(device, (grz_object[]){grz_object_at_origin(a)}, &motion,
                                    (grz_object[]){grz_object_at_origin(b)}, NULL, &options, &early, NULL),
                     GRZ_OK);
    assert_true(!early.has_contact && early.certainty == GRZ_EXACT && early.lower == HUGE_VAL);
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
}

// A ball comes to a torus; or, `flush`, a cube turns into another one, edge on edge, which needs another proof.
static bool runs_out_of_memory_at(long at, bool flush)
{
    test_strict_allocator strict = {.lock = PTHREAD_MUTEX_INITIALIZER};
    grz_device_options device_options = grz_default_device_options();
    const double from[3] = {2.5, 0.0, 0.0}, turn[4] = {0.0, 0.0, 1.0, 1.0}, upright[4] = {0.0, 0.0, 0.0, 1.0};
    const grz_motion motion = flush ? grz_motion_slerp(from, upright, (const double[3]){0.0}, turn) : coming(0.3);
    grz_move_answer answer;
    grz_device *own = NULL;
    device_options.threads = 1;
    device_options.allocator = test_strict_allocator_of(&strict);
    assert_int_equal(grz_device_open(&device_options, &own, NULL), GRZ_OK);
    grz_mesh *a = take(own, flush ? test_mesh_cube(-0.5, -0.5, -0.5, 1.0) : test_mesh_icosphere(0.5, 1)),
             *b = take(own, flush ? test_mesh_cube(-0.5, -0.5, -0.5, 1.0) : test_mesh_torus(1.0, 0.4, 12, 6));
    strict.fail_at = strict.calls + at;
    const grz_status status = grz_move_rigid(own, (grz_object[]){grz_object_at_origin(a)}, &motion,
                                             (grz_object[]){grz_object_at_origin(b)}, NULL, NULL, &answer, NULL);
    const bool failed = strict.failed;
    strict.fail_at = 0;
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    grz_device_close(own);
    assert_true(strict.blocks == 0 && !strict.misused);
    assert_int_equal(status, failed ? GRZ_ERROR_MEMORY : GRZ_OK);
    assert_true(failed || (answer.has_contact && TEST_LABEL_FITS(answer)));
    return failed;
}

static void memory_runs_out_at_every_call(void **state)
{
    (void)state;
    for (int flush = 0; flush < 2; flush++) {
        long at = 1;
        while (runs_out_of_memory_at(at, flush != 0))
            assert_true(++at < 1000);
        assert_true(at > 4);
    }
}

// ---- Refused ------------------------------------------------------------------------------------------------------

static void refuse(const grz_motion *motion, const grz_rigid_options *options, grz_status expected, const char *words)
{
    grz_mesh *a = take(device, test_mesh_cube(0, 0, 0, 1)), *b = take(device, test_mesh_cube(5, 5, 5, 1));
    grz_move_answer answer;
    grz_error error = {.code = GRZ_OK};
    const grz_status status = grz_move_rigid(device, (grz_object[]){grz_object_at_origin(a)}, motion,
                                             (grz_object[]){grz_object_at_origin(b)}, NULL, options, &answer, &error);
    if (status != expected || strstr(error.message, words) == NULL)
        print_message("%d, expected %d: %s, expected %s\n", (int)status, (int)expected, error.message, words);
    assert_int_equal(status, expected);
    assert_non_null(strstr(error.message, words));
    assert_true(answer.lower == 0.0 && answer.upper == HUGE_VAL && answer.certainty == GRZ_UNDECIDED);
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
}

static void bad_arguments_are_refused(void **state)
{
    const double zero[4] = {0, 0, 0, 0}, bad[4] = {0, (double)NAN, 0, 1}, far[3] = {0x1p101, 0, 0},
                 lost[3] = {0, (double)INFINITY, 0};
    grz_motion motion = grz_motion_slerp(HERE, zero, HERE, NONE);
    grz_rigid_options options = grz_default_rigid_options();
    grz_move_answer answer;
    grz_pose pose;
    (void)state;
    refuse(&motion, NULL, GRZ_ERROR_POSE, "quaternion is zero");
    motion = grz_motion_screw(HERE, NONE, HERE, bad);
    refuse(&motion, NULL, GRZ_ERROR_POSE, "component 1 is not finite");
    motion = grz_motion_slerp(HERE, NONE, far, NONE);
    refuse(&motion, NULL, GRZ_ERROR_POSE, "2^100");
    motion = grz_motion_slerp(lost, NONE, HERE, NONE);
    refuse(&motion, NULL, GRZ_ERROR_POSE, "component 1");
    motion = (grz_motion){0};
    refuse(&motion, NULL, GRZ_ERROR_POSE, "all numbers are 0");
    motion = grz_motion_along(NULL);
    refuse(&motion, NULL, GRZ_ERROR_ARGUMENT, "path.pose is NULL");
    motion.kind = (grz_motion_kind)9;
    refuse(&motion, NULL, GRZ_ERROR_ARGUMENT, "number 9");
    options.tolerance = -1.0;
    refuse(NULL, &options, GRZ_ERROR_ARGUMENT, "tolerance");
    options = grz_default_rigid_options();
    options.t_max = 1.5;
    refuse(NULL, &options, GRZ_ERROR_ARGUMENT, "t_max");
    options = grz_default_rigid_options();
    options.search = (grz_rigid_search)7;
    refuse(NULL, &options, GRZ_ERROR_ARGUMENT, "search is 7");
    options = grz_default_rigid_options();
    options.max_steps = 0;
    refuse(NULL, &options, GRZ_ERROR_ARGUMENT, "max_steps is 0");
    options = grz_default_rigid_options();
    options.limits.deadline = (double)NAN;
    refuse(NULL, &options, GRZ_ERROR_ARGUMENT, "deadline");
    assert_int_equal(grz_move_rigid(device, NULL, NULL, NULL, NULL, NULL, &answer, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_move_rigid(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), GRZ_ERROR_ARGUMENT);
    motion = coming(0.0);
    assert_int_equal(grz_motion_pose(&motion, 1.5, &pose, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_motion_pose(NULL, 0.5, &pose, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_motion_pose(&motion, 0.5, NULL, NULL), GRZ_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_paths_give_what_slerp_gives),
        cmocka_unit_test(numbers_and_order_do_not_matter),
        cmocka_unit_test(threads_share_meshes),
        cmocka_unit_test(what_ends_early_is_still_proved),
        cmocka_unit_test(memory_runs_out_at_every_call),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    device = test_device_open(2);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    grz_device_close(device);
    return failed;
}
