// SPDX-License-Identifier: MIT
// Batches of poses against single calls: random poses of several meshes, every kind of query, one to three threads;
// limits, bad poses, and every way to end early.
// ctest: concurrent each_pose_is_answered_as_by_a_single_call beyond_max_pairs_every_pose_keeps_its_yes_or_no
// ctest: concurrent answers_given_before_the_end_are_right
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_queries.h"

enum {
    POSES = 3000 // more than a block of the library's
};

typedef struct fixture {
    grz_device *device;
    grz_mesh *cube, *sphere, *sheet, *small;
    grz_pose *poses;
    grz_pose_answer *answers;
} fixture;

static fixture make_fixture(unsigned threads, uint64_t seed)
{
    random_stream random = {.state = seed};
    fixture f = {.device = test_device_open(threads), .poses = calloc(POSES, sizeof *f.poses)};
    test_mesh meshes[4] = {test_mesh_cube(-2, -2, -2, 4), test_mesh_icosphere(1.0, 2), test_mesh_grid_quads(4, 4, 1.0),
                           test_mesh_cube(0, 0, 0, 0.5)};
    grz_mesh **targets[4] = {&f.cube, &f.sphere, &f.sheet, &f.small};
    for (int i = 0; i < 4; i++) {
        *targets[i] = test_mesh_upload(f.device, &meshes[i]);
        test_mesh_finish(&meshes[i]);
    }
    f.answers = calloc(POSES, sizeof *f.answers);
    assert_true(f.poses != NULL && f.answers != NULL);
    for (int i = 0; i < POSES; i++) {
        f.poses[i] = grz_pose_from_translation((double)random_below(&random, 17) / 2 - 4,
                                               (double)random_below(&random, 17) / 2 - 4,
                                               (double)random_below(&random, 17) / 2 - 4);
        if (random_below(&random, 2) == 0) {
            const double translation[3] = {random_signed(&random) * 4, random_signed(&random) * 4,
                                           random_signed(&random) * 4};
            const double quaternion[4] = {random_signed(&random), random_signed(&random), random_signed(&random), 1.0};
            assert_int_equal(grz_pose_from_quaternion(translation, quaternion, &f.poses[i], NULL), GRZ_OK);
        }
    }
    return f;
}

static void finish_fixture(fixture *f)
{
    grz_mesh_destroy(f->cube);
    grz_mesh_destroy(f->sphere);
    grz_mesh_destroy(f->sheet);
    grz_mesh_destroy(f->small);
    free(f->poses);
    free(f->answers);
    grz_device_close(f->device);
}

// Expect that an answer of the batch is that of a single call.
static void expect_single(const fixture *f, const grz_object *a, const grz_mesh *b, int pose,
                          const grz_collide_options *options, grz_result *result)
{
    grz_object object = grz_object_at_origin(b);
    object.pose = f->poses[pose];
    const grz_pose_answer *got = &f->answers[pose];
    assert_int_equal(grz_collide(f->device, a, &object, options, result, NULL), GRZ_OK);
    const grz_summary *s = grz_result_summary(result);
    if (got->relation != s->relation || got->colliding != s->colliding || got->certainty != s->certainty ||
        got->containment != s->containment || got->pairs_complete != s->pairs_complete ||
        got->pair_count != s->pair_count || memcmp(got->kinds, s->kinds, sizeof s->kinds) != 0)
        fail_msg("pose %d, find 0x%x: relation %d, %llu pairs; alone %d, %llu", pose, options->find, (int)got->relation,
                 (unsigned long long)got->pair_count, (int)s->relation, (unsigned long long)s->pair_count);
}

static void each_pose_is_answered_as_by_a_single_call(void **state)
{
    (void)state;
    static const uint32_t finds[] = {0, GRZ_FIND_PAIRS, GRZ_FIND_CONTAINMENT, GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT};
    unsigned relations[5] = {0}, undecidable = 0;
    for (unsigned threads = 1; threads <= 3; threads++) {
        fixture f = make_fixture(threads, threads);
        grz_result *result = test_result_create(f.device);
        const grz_mesh *as[] = {f.cube, f.sphere, f.sheet}, *bs[] = {f.sphere, f.sheet, f.small};
        for (int k = 0; k < 9; k++) {
            grz_object a = grz_object_at_origin(as[k / 3]);
            a.pose = grz_pose_from_translation(0.25 * k, 0, 0);
            grz_collide_options options = grz_default_collide_options();
            options.find = finds[k % 4];
            options.method = k == 4 ? "naive" : "bvh";
            assert_int_equal(grz_collide_poses(f.device, &a, bs[k % 3], f.poses, POSES, &options, f.answers, NULL),
                             GRZ_OK);
            for (int pose = 0; pose < POSES; pose++) {
                relations[f.answers[pose].relation]++;
                undecidable += f.answers[pose].containment == GRZ_CONTAINMENT_UNDECIDABLE;
                expect_single(&f, &a, bs[k % 3], pose, &options, result);
            }
        }
        grz_result_destroy(result);
        finish_fixture(&f);
    }
    print_message("%u apart, %u colliding, %u and %u inside, %u undecidable\n", relations[GRZ_APART],
                  relations[GRZ_COLLIDING], relations[GRZ_A_INSIDE_B], relations[GRZ_B_INSIDE_A], undecidable);
    assert_true(relations[GRZ_APART] > 1000 && relations[GRZ_COLLIDING] > 1000 && relations[GRZ_B_INSIDE_A] > 20);
}

static void no_poses_are_no_work(void **state)
{
    (void)state;
    fixture f = make_fixture(1, 5);
    const grz_object a = grz_object_at_origin(f.cube);
    assert_int_equal(grz_collide_poses(f.device, &a, f.sphere, NULL, 0, NULL, NULL, NULL), GRZ_OK);
    f.answers[1].pair_count = 77; // answers beyond the poses are not written
    assert_int_equal(grz_collide_poses(f.device, &a, f.sphere, f.poses, 1, NULL, f.answers, NULL), GRZ_OK);
    assert_int_equal(f.answers[1].pair_count, 77);
    finish_fixture(&f);
}

static void wrong_arguments_are_refused_before_any_answer(void **state)
{
    (void)state;
    fixture f = make_fixture(2, 6);
    const grz_object a = grz_object_at_origin(f.cube);
    grz_object bad = a;
    grz_error error = {.code = GRZ_OK};
    grz_collide_options options = grz_default_collide_options();
    test_expect_error(grz_collide_poses(NULL, &a, f.sphere, f.poses, 5, NULL, f.answers, &error), GRZ_ERROR_ARGUMENT,
                      &error, "NULL", GRZ_NO_ELEMENT);
    test_expect_error(grz_collide_poses(f.device, NULL, f.sphere, f.poses, 5, NULL, f.answers, &error),
                      GRZ_ERROR_ARGUMENT, &error, "object A", 0);
    test_expect_error(grz_collide_poses(f.device, &a, NULL, f.poses, 5, NULL, f.answers, &error), GRZ_ERROR_ARGUMENT,
                      &error, "mesh B is NULL", GRZ_NO_ELEMENT);
    test_expect_error(grz_collide_poses(f.device, &a, f.sphere, NULL, 5, NULL, f.answers, &error), GRZ_ERROR_ARGUMENT,
                      &error, "poses are NULL", GRZ_NO_ELEMENT);
    test_expect_error(grz_collide_poses(f.device, &a, f.sphere, f.poses, 5, NULL, NULL, &error), GRZ_ERROR_ARGUMENT,
                      &error, "answers are NULL", GRZ_NO_ELEMENT);
    options.find = GRZ_FIND_CONTACTS;
    test_expect_error(grz_collide_poses(f.device, &a, f.sphere, f.poses, 5, &options, f.answers, &error),
                      GRZ_ERROR_ARGUMENT, &error, "options.find", GRZ_NO_ELEMENT);
    bad.pose.m[2][2] = (double)NAN;
    test_expect_error(grz_collide_poses(f.device, &bad, f.sphere, f.poses, 5, NULL, f.answers, &error), GRZ_ERROR_POSE,
                      &error, "object A", 0);
    f.poses[1700].m[0][3] = 0x1p301;
    memset(f.answers, 0x55, POSES * sizeof *f.answers);
    test_expect_error(grz_collide_poses(f.device, &a, f.sphere, f.poses, POSES, NULL, f.answers, &error),
                      GRZ_ERROR_POSE, &error, "pose 1700", 1700);
    for (int pose = 0; pose < POSES; pose++)
        assert_int_equal(f.answers[pose].certainty, GRZ_UNDECIDED);
    finish_fixture(&f);
}

static void beyond_max_pairs_every_pose_keeps_its_yes_or_no(void **state)
{
    (void)state;
    fixture f = make_fixture(2, 7);
    grz_result *result = test_result_create(f.device);
    const grz_object a = grz_object_at_origin(f.sphere);
    grz_collide_options options = grz_default_collide_options();
    for (uint64_t limit = 1; limit < 400; limit *= 5) {
        grz_error error = {.code = GRZ_OK};
        unsigned cut = 0;
        uint64_t first_cut = GRZ_NO_ELEMENT;
        options.max_pairs = limit;
        const grz_status status = grz_collide_poses(f.device, &a, f.sheet, f.poses, POSES, &options, f.answers, &error);
        for (int pose = 0; pose < POSES; pose++) {
            grz_object b = grz_object_at_origin(f.sheet);
            b.pose = f.poses[pose];
            const grz_status single = grz_collide(f.device, &a, &b, &options, result, NULL);
            const grz_summary *s = grz_result_summary(result);
            assert_int_equal(f.answers[pose].relation, s->relation);
            assert_int_equal(f.answers[pose].certainty, GRZ_EXACT);
            assert_int_equal(f.answers[pose].pair_count, s->pair_count);
            assert_int_equal(f.answers[pose].pairs_complete, s->pairs_complete);
            if (single == GRZ_ERROR_LIMIT) {
                cut++;
                first_cut = first_cut == GRZ_NO_ELEMENT ? (uint64_t)pose : first_cut;
            }
        }
        if (cut > 0)
            test_expect_error(status, GRZ_ERROR_LIMIT, &error, "pose ", first_cut);
        else
            assert_int_equal(status, GRZ_OK);
        print_message("limit %llu: %u poses past it\n", (unsigned long long)limit, cut);
        assert_true(limit > 100 || cut > 50);
    }
    grz_result_destroy(result);
    finish_fixture(&f);
}

static void answers_given_before_the_end_are_right(void **state)
{
    (void)state;
    fixture f = make_fixture(1, 8);
    grz_result *result = test_result_create(f.device);
    const grz_object a = grz_object_at_origin(f.cube);
    unsigned early = 0;
    for (int i = 0; i < 12; i++) {
        test_brake b = {.at = i / 10.0};
        grz_collide_options options = grz_default_collide_options();
        options.find = i % 2 == 0 ? GRZ_FIND_CONTAINMENT : options.find;
        const grz_collide_options plain = options;
        options.limits.progress = test_brake_pull;
        options.limits.progress_user = &b;
        options.limits.cancel = &b.flag;
        if (i == 11)
            options.limits.memory_limit = 100000;
        const grz_status status = grz_collide_poses(f.device, &a, f.sphere, f.poses, POSES, &options, f.answers, NULL);
        assert_true(status == GRZ_OK || status == (i == 11 ? GRZ_ERROR_MEMORY : GRZ_ERROR_CANCELLED));
        assert_false(b.went_back);
        early += status != GRZ_OK;
        for (int pose = 0; pose < POSES; pose++)
            if (f.answers[pose].certainty == GRZ_EXACT)
                expect_single(&f, &a, f.sphere, pose, &plain, result);
            else
                assert_true(status != GRZ_OK);
    }
    grz_collide_options options = grz_default_collide_options();
    options.limits.deadline = 1e-9;
    assert_int_equal(grz_collide_poses(f.device, &a, f.sphere, f.poses, POSES, &options, f.answers, NULL),
                     GRZ_ERROR_DEADLINE);
    assert_true(early > 3);
    grz_result_destroy(result);
    finish_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pose_is_answered_as_by_a_single_call),
        cmocka_unit_test(no_poses_are_no_work),
        cmocka_unit_test(wrong_arguments_are_refused_before_any_answer),
        cmocka_unit_test(beyond_max_pairs_every_pose_keeps_its_yes_or_no),
        cmocka_unit_test(answers_given_before_the_end_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
