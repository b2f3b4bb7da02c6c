// SPDX-License-Identifier: MIT
// Adding a method takes one folder and one line. This program compiles the library's table of methods
// (src/query/methods.c) with a list that has one more method, `toy`, which is in this file. Nothing else names it.
// Every query accepts it by name, passes its options to it, and gives the same bytes as with `bvh`. The test also
// checks how methods are chosen and refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define GRZ_METHOD_LIST "tests/query/toy_method_list.h"
// This replaces the library's object file, which the linker then leaves out.
#include "query/methods.c" // NOLINT(bugprone-suspicious-include)

#include "base/control.h"
#include "filter/filter.h"
#include "mesh/triangles.h"
#include "support_meshes.h"
#include "support_queries.h"

// ---- The method -----------------------------------------------------------------------------------------------------

// Its options.
typedef struct toy_options {
    size_t size;
    uint32_t *proposals; // counts how many candidates it has proposed
} toy_options;

// Every pair of triangles, whatever their boxes.
static grz_status toy_propose(grz_device *device, const grz_job_set *set, grz_sink *sink, grz_error *error)
{
    (void)device;
    (void)error;
    for (uint32_t i = 0; i < set->job_count; i++) {
        const grz_job *job = &set->jobs[i];
        const grz_mesh *a = grz_job_object_a(set, job)->mesh, *b = grz_job_object_b(set, job)->mesh;
        grz_chunk chunk;
        grz_chunk_init(&chunk, sink, i, (set->flags & GRZ_JOBS_FIRST_CONTACT) != 0);
        for (uint32_t t = 0; t < a->triangle_count && !sink->stopped(sink, i); t++)
            for (uint32_t u = job->b == GRZ_SELF ? t + 1 : 0; u < b->triangle_count; u++)
                if (job->b != GRZ_SELF || grz_mesh_triangle_face(a, t) != grz_mesh_triangle_face(b, u))
                    if (!grz_chunk_add(&chunk, t, u))
                        break;
        grz_chunk_flush(&chunk);
    }
    return GRZ_OK;
}

// Its discrete answer: do the boxes overlap?
static grz_status toy_discrete(grz_device *device, const grz_job_set *set, const void *given, grz_control *control,
                               bool *confirm, grz_discrete *answer, grz_error *error)
{
    const toy_options *options = given;
    (void)device;
    (void)control;
    (void)error;
    answer->may_invent = true;
    answer->colliding = !grz_box_is_empty(&set->jobs[0].clip);
    grz_discrete_set(answer, "boxes", 2);
    if (options != NULL)
        (*options->proposals)++;
    *confirm = false;
    return GRZ_OK;
}

const grz_filter grz_filter_toy = {.name = "toy",
                                   .capabilities = GRZ_CAN_PAIR | GRZ_CAN_SELF | GRZ_CAN_MANY | GRZ_CAN_DISCRETE_PAIR,
                                   .propose = toy_propose,
                                   .discrete = toy_discrete};

// ---- The tests ------------------------------------------------------------------------------------------------------

static void the_toy_method_is_listed(void **state)
{
    (void)state;
    grz_method method;
    size_t count = 0;
    while (grz_method_name(count) != NULL)
        count++;
    assert_true(count >= 3);
    assert_true(grz_method_info(count - 1, &method));
    assert_string_equal(method.name, "toy");
    assert_true(method.exact && method.discrete && method.self && !method.gl);
}

static void the_toy_method_gives_the_same_bytes(void **state)
{
    (void)state;
    grz_device *device = test_device_open(2);
    test_mesh shapes[2] = {test_mesh_icosphere(1.0, 2), test_mesh_torus(1.0, 0.4, 12, 8)};
    grz_mesh *meshes[2] = {test_mesh_upload(device, &shapes[0]), test_mesh_upload(device, &shapes[1])};
    grz_object a = grz_object_at_origin(meshes[0]), b = grz_object_at_origin(meshes[1]);
    grz_collide_options options = grz_default_collide_options();
    b.pose = grz_pose_from_translation(0.7, 0.2, 0.1);
    for (uint32_t kind = 0; kind < 2; kind++) {
        test_answer answers[2];
        for (int i = 0; i < 2; i++) {
            grz_result *result = test_result_create(device);
            options.method = i == 0 ? "bvh" : "toy";
            options.find = GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT;
            assert_int_equal(kind == 0 ? grz_collide(device, &a, &b, &options, result, NULL)
                                       : grz_collide_self(device, &a, &options, result, NULL),
                             GRZ_OK);
            assert_string_equal(grz_result_summary(result)->method, options.method);
            answers[i] = test_answer_of(result);
            grz_result_destroy(result);
        }
        assert_true(kind == 1 || answers[0].summary.pair_count > 0);
        assert_true(test_answers_equal("toy", &answers[0], &answers[1]));
        test_answer_finish(&answers[0]);
        test_answer_finish(&answers[1]);
    }
    for (int i = 0; i < 2; i++) {
        grz_mesh_destroy(meshes[i]);
        test_mesh_finish(&shapes[i]);
    }
    grz_device_close(device);
}

static void the_toy_method_has_its_own_options_and_statistics(void **state)
{
    (void)state;
    uint32_t proposals = 0;
    uint64_t count, boxes;
    grz_error error = {0};
    const toy_options own = {.size = sizeof own, .proposals = &proposals};
    const grz_method_options entry = {.method = "toy", .options = &own}, unknown = {.method = "tyo", .options = &own},
                             empty = {.method = "toy"}, list = {.method = "bvh", .options = &own, .next = &entry};
    grz_device *device = test_device_open(1);
    grz_result *result = test_result_create(device);
    test_mesh shape = test_mesh_cube(0, 0, 0, 1);
    grz_mesh *mesh = test_mesh_upload(device, &shape);
    const grz_object a = grz_object_at_origin(mesh);
    grz_collide_options options = grz_default_collide_options();
    options.method = "toy";
    options.answer = GRZ_ANSWER_DISCRETE;
    options.method_options = &list;
    assert_int_equal(grz_collide(device, &a, &a, &options, result, NULL), GRZ_OK);
    assert_int_equal(proposals, 1);
    assert_true(grz_result_summary(result)->colliding && grz_result_summary(result)->certainty == GRZ_DISCRETE);
    const grz_statistic *statistics = grz_result_statistics(result, &count);
    assert_true(count == 1 && strcmp(statistics[0].name, "boxes") == 0 && statistics[0].value == 2);
    assert_true(grz_result_statistic(result, "boxes", &boxes) && boxes == 2);
    assert_false(grz_result_statistic(result, "cells", &boxes));
    assert_int_equal(boxes, 0);
    assert_int_equal(grz_collide_self(device, &a, &options, result, &error), GRZ_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "two objects only"));
    options.method_options = &unknown;
    assert_int_equal(grz_collide(device, &a, &a, &options, result, &error), GRZ_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "\"tyo\""));
    options.method_options = &empty;
    assert_int_equal(grz_collide(device, &a, &a, &options, result, &error), GRZ_ERROR_ARGUMENT);
    grz_method_options circle = {.method = "toy", .options = &own};
    circle.next = &circle;
    options.method_options = &circle;
    assert_int_equal(grz_collide(device, &a, &a, &options, result, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "leads back to itself"));
    options.method_options = NULL;
    options.method = "no\nline\x1b";
    assert_int_equal(grz_collide(device, &a, &a, &options, result, &error), GRZ_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "\"no?line?\"")); // one line, whatever the name
    options.method = "toy";
    options.answer = GRZ_ANSWER_EXACT;
    assert_int_equal(grz_collide(device, &a, &a, &options, result, &error), GRZ_OK);
    grz_result_statistics(result, &count);
    assert_int_equal(count, 0);
    grz_result_destroy(result);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
    grz_device_close(device);
}

// The reference method is chosen by name only. "auto" is the first method in the list that can do the job.
static void methods_are_chosen_by_what_they_can_do(void **state)
{
    (void)state;
    assert_string_equal(grz_filter_choose(GRZ_CAN_PAIR)->name, "bvh");
    assert_string_equal(grz_filter_choose(GRZ_CAN_PAIR | GRZ_CAN_SELF | GRZ_CAN_MANY)->name, "bvh");
    assert_string_equal(grz_filter_choose(GRZ_CAN_MARGIN)->name, "bvh");
    assert_string_equal(grz_filter_find("naive")->name, "naive");
    assert_null(grz_filter_find("auto"));
    assert_null(grz_filter_find(NULL));
#ifdef GRZ_HAVE_GL
    assert_string_equal(grz_filter_choose(GRZ_CAN_DISCRETE_PAIR)->name, "slices");
    assert_string_equal(grz_filter_choose(GRZ_CAN_DISCRETE_SCENE)->name, "layers");
#else
    assert_string_equal(grz_filter_choose(GRZ_CAN_DISCRETE_PAIR)->name, "toy");
#endif
}

// A sink that counts.
typedef struct counting_sink {
    grz_sink sink;
    size_t count;
} counting_sink;

static bool count_candidates(grz_sink *sink, const grz_candidate *candidates, size_t count)
{
    (void)candidates;
    ((counting_sink *)sink)->count += count;
    return true;
}

static bool never_stopped(grz_sink *sink, uint32_t job)
{
    (void)sink;
    (void)job;
    return false;
}

// With a margin the reference also proposes triangles that are nearer to each other than that.
static void a_margin_adds_candidates(void **state)
{
    (void)state;
    grz_device *device = test_device_open(1);
    test_mesh shape = test_mesh_cube(0, 0, 0, 1);
    grz_mesh *mesh = test_mesh_upload(device, &shape);
    grz_object objects[2] = {grz_object_at_origin(mesh), grz_object_at_origin(mesh)};
    objects[1].pose = grz_pose_from_translation(0.0, 0.0, 1.5);
    const grz_job job = {.a = 0, .b = 1, .clip = {{-9.0, -9.0, -9.0}, {9.0, 9.0, 9.0}}};
    static const double margins[] = {0.0, 0.49, 0.5, 0.51};
    static const size_t least[] = {0, 0, 4, 4}; // the two faces that lie opposite, two triangles each
    for (int i = 0; i < 4; i++) {
        grz_control control;
        grz_control_init(&control, mesh->allocator, NULL);
        counting_sink counting = {.sink = {.push = count_candidates, .stopped = never_stopped, .control = &control}};
        const grz_job_set set = {
            .objects = objects, .object_count = 2, .jobs = &job, .job_count = 1, .margin = margins[i]};
        assert_int_equal(grz_filter_naive.propose(device, &set, &counting.sink, NULL), GRZ_OK);
        assert_true(counting.count >= least[i] && (least[i] > 0 || counting.count == 0));
    }
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
    grz_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_toy_method_is_listed),
        cmocka_unit_test(the_toy_method_gives_the_same_bytes),
        cmocka_unit_test(the_toy_method_has_its_own_options_and_statistics),
        cmocka_unit_test(methods_are_chosen_by_what_they_can_do),
        cmocka_unit_test(a_margin_adds_candidates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
