// SPDX-License-Identifier: MIT
// What the sink does with candidates: one that the filter has proved ends a yes-or-no job, but never enters a list by
// itself; others are decided by the predicates.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/control.h"
#include "decide/decide.h"
#include "mesh/mesh.h"
#include "support_meshes.h"

// Push one candidate, the first triangles of two cubes `gap` apart. Returns whether the sink then says that the objects
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
    grz_control_init(&control, a->allocator, NULL);
    assert_true(grz_decider_init(&decider, &control, &set, UINT64_MAX, NULL, grz_triangle_gap, &found, NULL));
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

static void a_proved_candidate_ends_a_yes_or_no_job(void **state)
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

static void lists_are_decided_even_if_candidates_are_proved(void **state)
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
        cmocka_unit_test(a_proved_candidate_ends_a_yes_or_no_job),
        cmocka_unit_test(lists_are_decided_even_if_candidates_are_proved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
