// SPDX-License-Identifier: MIT
// grz_overlap_depths(): each pair has the answer of grz_overlap_depth(), bit for bit, on any number of threads, of a
// list and of a scene, with the places of each; what is refused; what ends early.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support_allocator.h"
#include "support_own_device.h"
#include "support_sanitizer.h"
#include "support_solids.h"

enum {
    OBJECTS = 7,
    PAIRS = TEST_SANITIZED ? 12 : 60,
    PLACES = 2 // of each pair
};

typedef struct fixture {
    test_mesh meshes[OBJECTS];
    grz_object objects[OBJECTS];
    grz_overlap_pair pairs[PAIRS];
} fixture;

// Blocks and balls around one place, so that nearly all overlap; one of them is open.
static void make(fixture *f, random_stream *random, grz_device *on)
{
    for (int i = 0; i < OBJECTS; i++) {
        const double at = 0.25 * (double)random_below(random, 9), size = 1.0 + 0.25 * (double)random_below(random, 9);
        f->meshes[i] = i == 0       ? test_mesh_grid(3, 3, 1.0)
                       : i % 2 == 0 ? test_mesh_icosphere(size, 1)
                                    : test_mesh_cube(at, 0.5 * at, 0.125, size);
        f->objects[i] = grz_object_at_origin(test_mesh_upload(on, &f->meshes[i]));
        f->objects[i].pose = grz_pose_from_translation(0.125 * (double)random_below(random, 9), 0.25, 0.0);
    }
    for (int i = 0; i < PAIRS; i++)
        f->pairs[i] = (grz_overlap_pair){random_below(random, OBJECTS), random_below(random, OBJECTS),
                                         0.125 * (double)random_below(random, 12)};
}

static void finish(fixture *f)
{
    for (int i = 0; i < OBJECTS; i++) {
        grz_mesh_destroy((grz_mesh *)f->objects[i].mesh);
        test_mesh_finish(&f->meshes[i]);
    }
}

static bool same(const grz_overlap_depth_answer *x, const grz_overlap_depth_answer *y)
{
    return memcmp(&x->lower, &y->lower, sizeof x->lower) == 0 && memcmp(&x->upper, &y->upper, sizeof x->upper) == 0 &&
           memcmp(x->centre, y->centre, sizeof x->centre) == 0 && x->certainty == y->certainty &&
           x->deeper == y->deeper && x->reason == y->reason && x->part_count == y->part_count && x->cells == y->cells;
}

static void pairs_have_the_answers_of_single_calls(void **state)
{
    random_stream random = {41};
    (void)state;
    for (int threads = 1; threads <= 5; threads += 2) {
        fixture f;
        grz_device *on = test_device_open((uint32_t)threads);
        grz_scene *scene;
        grz_overlap_depth_options options = grz_default_overlap_depth_options();
        static grz_overlap_part parts[2][PAIRS * PLACES];
        static grz_overlap_depth_answer answers[2][PAIRS];
        make(&f, &random, on);
        assert_int_equal(grz_scene_create(on, &scene, NULL), GRZ_OK);
        for (uint32_t i = 0, id; i < OBJECTS; i++)
            assert_int_equal(grz_scene_add(scene, &f.objects[i], &id, NULL), GRZ_OK);
        options.decide = true;
        options.measure = threads == 3;
        options.tolerance = 0.25;
        options.max_cells = 300;
        options.part_capacity = PLACES;
        const grz_targets targets[2] = {grz_targets_of_objects(f.objects, OBJECTS), grz_targets_of_scene(scene)};
        for (int k = 0; k < 2; k++) {
            options.parts = parts[k];
            memset(parts[k], 0, sizeof parts[k]);
            assert_int_equal(grz_overlap_depths(on, targets[k], f.pairs, PAIRS, &options, answers[k], NULL), GRZ_OK);
        }
        for (int i = 0; i < PAIRS; i++) {
            grz_overlap_depth_answer alone;
            grz_overlap_part places[PLACES];
            memset(places, 0, sizeof places);
            options.parts = places;
            options.deeper_than = f.pairs[i].deeper_than;
            assert_int_equal(
                grz_overlap_depth(on, &f.objects[f.pairs[i].a], &f.objects[f.pairs[i].b], &options, &alone, NULL),
                GRZ_OK);
            for (int k = 0; k < 2; k++) {
                assert_true(same(&alone, &answers[k][i]));
                assert_memory_equal(places, parts[k] + i * PLACES, sizeof places);
            }
        }
        grz_scene_destroy(scene);
        finish(&f);
        grz_device_close(on);
    }
}

static void bad_pairs_are_refused(void **state)
{
    random_stream random = {43};
    fixture f;
    grz_overlap_depth_answer answers[PAIRS];
    grz_overlap_depth_options options = grz_default_overlap_depth_options();
    grz_error error;
    const int stop = 1;
    (void)state;
    make(&f, &random, device);
    const grz_targets targets = grz_targets_of_objects(f.objects, OBJECTS), none = grz_targets_of_objects(NULL, 0);
    assert_int_equal(grz_overlap_depths(device, none, NULL, 0, NULL, NULL, &error), GRZ_OK);
    assert_int_equal(grz_overlap_depths(device, targets, NULL, 1, NULL, answers, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_overlap_depths(device, targets, f.pairs, 1, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_overlap_depths(NULL, targets, f.pairs, 1, NULL, answers, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_overlap_depths(device, grz_targets_of_scene(NULL), f.pairs, 1, NULL, answers, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "overlap depths: the scene is NULL");
    f.pairs[5].b = OBJECTS;
    assert_int_equal(grz_overlap_depths(device, targets, f.pairs, PAIRS, NULL, answers, &error), GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "overlap depths: pairs[5].b is 7: there is no such object");
    assert_true(error.element == 5 && answers[0].upper == HUGE_VAL && answers[0].certainty == GRZ_UNDECIDED);
    f.pairs[5].b = 1;
    f.pairs[3].deeper_than = (double)NAN;
    assert_int_equal(grz_overlap_depths(device, targets, f.pairs, PAIRS, NULL, answers, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "pairs[3].deeper_than is"));
    f.pairs[3].deeper_than = 0.0;
    options.tolerance = 2.0;
    assert_int_equal(grz_overlap_depths(device, targets, f.pairs, PAIRS, &options, answers, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "overlap depths: options.tolerance is 2"));
    options.tolerance = 0.001;
    options.limits.cancel = &stop;
    assert_int_equal(grz_overlap_depths(device, targets, f.pairs, PAIRS, &options, answers, &error),
                     GRZ_ERROR_CANCELLED);
    assert_true(answers[PAIRS - 1].certainty == GRZ_UNDECIDED && answers[PAIRS - 1].upper == HUGE_VAL);
    f.objects[f.pairs[0].a].pose.m[0][3] = (double)NAN;
    assert_int_equal(grz_overlap_depths(device, targets, f.pairs, PAIRS, NULL, answers, &error), GRZ_ERROR_POSE);
    assert_true(error.element == f.pairs[0].a);
    finish(&f);
}

static void memory_that_runs_out_is_an_error(void **state)
{
    test_strict_allocator strict = {.lock = PTHREAD_MUTEX_INITIALIZER};
    grz_device_options wanted = grz_default_device_options();
    int failures = 0;
    bool again = true;
    (void)state;
    wanted.allocator = test_strict_allocator_of(&strict);
    wanted.threads = 1;
    for (long fail_at = 1; again; fail_at += 1 + fail_at / 8) {
        random_stream random = {44};
        fixture f;
        grz_device *own;
        grz_overlap_depth_answer answers[3];
        grz_overlap_depth_options options = grz_default_overlap_depth_options();
        strict.fail_at = 0;
        assert_int_equal(grz_device_open(&wanted, &own, NULL), GRZ_OK);
        make(&f, &random, own);
        options.max_cells = 50;
        strict.calls = 0;
        strict.failed = false;
        strict.fail_at = fail_at;
        const grz_status status =
            grz_overlap_depths(own, grz_targets_of_objects(f.objects, OBJECTS), f.pairs, 3, &options, answers, NULL);
        again = strict.failed;
        assert_int_equal(status, again ? GRZ_ERROR_MEMORY : GRZ_OK);
        failures += again;
        strict.fail_at = 0;
        finish(&f);
        grz_device_close(own);
        assert_true(strict.blocks == 0 && strict.bytes == 0 && !strict.misused);
    }
    assert_true(failures > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_have_the_answers_of_single_calls),
        cmocka_unit_test(bad_pairs_are_refused),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
