// SPDX-License-Identifier: MIT
// What the sink makes of candidates: a proof by the filter ends a yes-or-no job, and makes no list; what is not proved
// is decided.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "mesh/mesh.h"
#include "decide/decide.h"
#include "support_meshes.h"

// Hand over one candidate, the first triangles of two cubes `gap` apart; whether the job's objects are then taken to
// touch.
static bool touch_by_one_candidate(double gap, bool proved, bool list, bool *more_wanted)
{
    grz_device *device = test_device_open(1);
    test_mesh first = test_mesh_cube(0, 0, 0, 1), second = test_mesh_cube(0, 0, gap, 1);
    grz_mesh *a = test_mesh_upload(device, &first), *b = test_mesh_upload(device, &second);
    const grz_object objects[2] = {grz_object_at_origin(a), grz_object_at_origin(b)};
    const grz_job job = {.a = 0, .b = 1, .clip = a->bounds};
    const grz_job_set set = {.objects = objects,
                             .object_count = 2,
                             .jobs = &job,
                             .job_count = 1,
                             .flags = list ? 0 : GRZ_JOBS_FIRST_CONTACT};
    const grz_candidate candidate = {.proved = proved};
    grz_found_array found = {0};
    grz_control control;
    grz_decider decider;
    grz_control_init(&control, a->allocator, grz_clock_seconds());
    assert_true(grz_decider_init(&decider, &control, &set, UINT64_MAX, NULL, &found));
    *more_wanted = decider.sink.push(&decider.sink, &candidate, 1);
    const bool touching = grz_decider_touching(&decider, 0);
    assert_int_equal(found.count, list && touching);
    grz_decider_finish(&decider);
    grz_array_finish(grz_control_allocator(&control), &found);
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    test_mesh_finish(&first);
    test_mesh_finish(&second);
    grz_device_close(device);
    return touching;
}

static void proofs_end_a_question_of_yes_or_no(void **state)
{
    (void)state;
    bool more_wanted;
    assert_false(touch_by_one_candidate(5.0, false, false, &more_wanted));
    assert_true(more_wanted);
    assert_true(touch_by_one_candidate(0.0, false, false, &more_wanted));
    assert_false(more_wanted);
    assert_true(touch_by_one_candidate(5.0, true, false, &more_wanted)); // it is the filter's word
    assert_false(more_wanted);
}

static void lists_are_decided_whatever_is_proved(void **state)
{
    (void)state;
    bool more_wanted;
    assert_false(touch_by_one_candidate(5.0, true, true, &more_wanted));
    assert_true(touch_by_one_candidate(0.0, true, true, &more_wanted));
    assert_true(more_wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_end_a_question_of_yes_or_no),
        cmocka_unit_test(lists_are_decided_whatever_is_proved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
