// SPDX-License-Identifier: MIT
// <graze/flat.h>: what is refused, and how the error names it; lists that are too short; empty sets; limits; memory
// that runs out at each allocation in turn: the set is then as it was.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_arrays.h"
#include "support_devices.h"
#include "support_plane.h"

enum {
    MANY = 20000
};

static const double INFINITE = HUGE_VAL;

static void expect_error(grz_status status, const grz_error *error, grz_status wanted, uint64_t element,
                         const char *text)
{
    if (status != wanted || error->code != wanted || error->element != element || strstr(error->message, text) == NULL)
        fail_msg("%s, element %llu, \"%s\"; wanted %s, %llu, \"%s\"", grz_status_name(status),
                 (unsigned long long)error->element, error->message, grz_status_name(wanted),
                 (unsigned long long)element, text);
}

static void bad_items_are_named(void **state)
{
    (void)state;
    const struct {
        grz_flat_item item;
        const char *text;
    } cases[] = {
        {{{(double)NAN, 0.0}, {(double)NAN, 0.0}, GRZ_FLAT_POINT}, "item 1: x of from is not finite"},
        {{{0.0, 0.0}, {0.0, INFINITE}, GRZ_FLAT_BOX}, "item 1: y of to is not finite"},
        {{{0.0, -0x1.0000000000001p300}, {0.0, 0.0}, GRZ_FLAT_SEGMENT}, "item 1: y of from is above 2^300"},
        {{{0.0, 0.0}, {0.0, 1.0}, GRZ_FLAT_POINT}, "item 1: y of from is 0, not 1, that of to"},
        {{{2.0, 0.0}, {1.0, 1.0}, GRZ_FLAT_BOX}, "item 1: x of from is 2, above 1, that of to"},
        {{{0.0, 0.0}, {0.0, 0.0}, (grz_flat_kind)3}, "item 1: it has no kind"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const grz_flat_item items[2] = {grz_flat_point(1.0, 2.0), cases[i].item};
        grz_flat *flat = (grz_flat *)&flat;
        grz_error error;
        expect_error(grz_flat_create(test_device, items, 2, NULL, &flat, &error), &error, GRZ_ERROR_ARGUMENT, 1,
                     cases[i].text);
        assert_null(flat);
        assert_int_equal(grz_flat_create(test_device, items, 1, NULL, &flat, NULL), GRZ_OK);
        expect_error(grz_flat_add(flat, items, 2, NULL, NULL, &error), &error, GRZ_ERROR_ARGUMENT, 1, cases[i].text);
        const uint32_t numbers[2] = {0, 0};
        assert_int_equal(grz_flat_add(flat, items, 1, NULL, NULL, NULL), GRZ_OK);
        expect_error(grz_flat_move(flat, NULL, items, 2, NULL, &error), &error, GRZ_ERROR_ARGUMENT, 1, cases[i].text);
        expect_error(grz_flat_move(flat, numbers, items, 2, NULL, &error), &error, GRZ_ERROR_ARGUMENT, 1,
                     "item 0 is listed twice");
        assert_int_equal(grz_flat_count(flat), 2);
        grz_flat_destroy(flat);
    }
}

static void bad_calls_are_refused(void **state)
{
    (void)state;
    const grz_flat_item item = grz_flat_point(0.0, 0.0);
    const uint32_t one = 1, twice[2] = {0, 0};
    const double origin[2] = {0.0, 0.0}, bad[2] = {0.0, (double)NAN}, above[2] = {1.0, 1.0},
                 points[4] = {0.0, 0.0, (double)NAN, 0.0};
    const grz_flat_ray rays[2] = {{{0.0, 0.0}, {1.0, 0.0}, true}, {{1.0, 1.0}, {1.0, 1.0}, true}};
    grz_flat_options options = grz_default_flat_options();
    grz_flat_near near[2];
    grz_flat_hit hits[2];
    uint32_t number;
    uint64_t found = 7;
    grz_flat *flat;
    grz_error error;
    expect_error(grz_flat_create(NULL, &item, 1, NULL, &flat, &error), &error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                 "the device is NULL");
    expect_error(grz_flat_create(test_device, NULL, 1, NULL, &flat, &error), &error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                 "the items are NULL");
    expect_error(grz_flat_create(test_device, &item, 1, NULL, NULL, &error), &error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                 "the place for the set is NULL");
    expect_error(grz_flat_create(test_device, &item, UINT32_MAX, NULL, &flat, &error), &error, GRZ_ERROR_LIMIT,
                 GRZ_NO_ELEMENT, "4294967295 items");
    options.search = (grz_flat_search)9;
    expect_error(grz_flat_create(test_device, &item, 1, &options, &flat, &error), &error, GRZ_ERROR_ARGUMENT,
                 GRZ_NO_ELEMENT, "options.search is 9");
    assert_int_equal(grz_flat_create(test_device, &item, 1, NULL, &flat, NULL), GRZ_OK);
    expect_error(grz_flat_add(flat, &item, UINT32_MAX - 1, NULL, NULL, &error), &error, GRZ_ERROR_LIMIT, GRZ_NO_ELEMENT,
                 "more than 4294967294 items");
    expect_error(grz_flat_move(flat, &one, &item, 1, NULL, &error), &error, GRZ_ERROR_ARGUMENT, 0,
                 "there is no item 1");
    expect_error(grz_flat_remove(flat, twice, 2, NULL, &error), &error, GRZ_ERROR_ARGUMENT, 1,
                 "item 0 is listed twice");
    expect_error(grz_flat_move(flat, NULL, &item, 2, NULL, &error), &error, GRZ_ERROR_ARGUMENT, 1,
                 "there are not so many items");
    expect_error(grz_flat_pairs(flat, NULL, NULL, 1, &found, &error), &error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                 "the place for the answers is NULL");
    assert_int_equal(found, 0);
    expect_error(grz_flat_pairs(NULL, NULL, NULL, 0, &found, &error), &error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                 "the set is NULL");
    expect_error(grz_flat_pairs(flat, NULL, NULL, 0, NULL, &error), &error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                 "found is NULL");
    expect_error(grz_flat_in_box(flat, above, origin, NULL, &number, 1, &found, &error), &error, GRZ_ERROR_ARGUMENT,
                 GRZ_NO_ELEMENT, "the lower corner is above the upper one");
    expect_error(grz_flat_in_box(flat, origin, bad, NULL, &number, 1, &found, &error), &error, GRZ_ERROR_ARGUMENT,
                 GRZ_NO_ELEMENT, "y of the upper corner is not finite");
    expect_error(grz_flat_in_circle(flat, origin, -1.0, NULL, &number, 1, &found, &error), &error, GRZ_ERROR_ARGUMENT,
                 GRZ_NO_ELEMENT, "the radius is -1");
    expect_error(grz_flat_in_circle(flat, bad, 1.0, NULL, &number, 1, &found, &error), &error, GRZ_ERROR_ARGUMENT,
                 GRZ_NO_ELEMENT, "y of the centre is not finite");
    expect_error(grz_flat_nearest(flat, points, 2, NULL, near, &error), &error, GRZ_ERROR_ARGUMENT, 1,
                 "x of point 1 is not finite");
    expect_error(grz_flat_first_hits(flat, rays, 2, NULL, hits, &error), &error, GRZ_ERROR_ARGUMENT, 1,
                 "ray 1: from and to are the same");
    expect_error(grz_flat_all_hits(flat, &rays[1], NULL, hits, 2, &found, &error), &error, GRZ_ERROR_ARGUMENT, 0,
                 "ray 0: from and to are the same");
    grz_flat_destroy(flat);
    grz_flat_destroy(NULL);
    assert_int_equal(grz_flat_count(NULL), 0);
}

static void empty_sets_answer(void **state)
{
    (void)state;
    for (int i = 0; i < PLANE_SEARCHES; i++) {
        const double low[2] = {-1.0, -1.0}, high[2] = {1.0, 1.0};
        const grz_flat_item item = grz_flat_segment(0.0, 0.0, 1.0, 2.0);
        const grz_flat_ray ray = {{-1.0, 0.0}, {0.0, 0.0}, true};
        grz_flat *flat = plane_create(test_device, NULL, 0, (grz_flat_search)i);
        grz_flat_item out;
        for (int round = 0; round < 2; round++) { // empty from the beginning, and after the only item has gone
            uint64_t found = 1;
            grz_flat_near near;
            grz_flat_hit hit;
            assert_int_equal(grz_flat_pairs(flat, NULL, NULL, 0, &found, NULL), GRZ_OK);
            assert_int_equal(found, 0);
            assert_int_equal(grz_flat_in_box(flat, low, high, NULL, NULL, 0, &found, NULL), GRZ_OK);
            assert_int_equal(found, 0);
            assert_int_equal(grz_flat_in_circle(flat, low, 9.0, NULL, NULL, 0, &found, NULL), GRZ_OK);
            assert_int_equal(found, 0);
            assert_int_equal(grz_flat_nearest(flat, low, 1, NULL, &near, NULL), GRZ_OK);
            assert_true(near.number == GRZ_FLAT_NONE && near.distance == HUGE_VAL);
            assert_int_equal(grz_flat_first_hits(flat, &ray, 1, NULL, &hit, NULL), GRZ_OK);
            assert_true(hit.number == GRZ_FLAT_NONE && hit.t == HUGE_VAL);
            assert_int_equal(grz_flat_all_hits(flat, &ray, NULL, NULL, 0, &found, NULL), GRZ_OK);
            assert_int_equal(found, 0);
            assert_false(grz_flat_item_at(flat, 0, &out));
            const uint32_t zero = 0;
            uint32_t number = 9;
            assert_int_equal(grz_flat_add(flat, &item, 1, NULL, &number, NULL), GRZ_OK);
            assert_int_equal(number, 0);
            assert_int_equal(grz_flat_first_hits(flat, &ray, 1, NULL, &hit, NULL), GRZ_OK);
            assert_true(hit.number == 0 && hit.t == 1.0);
            assert_int_equal(grz_flat_remove(flat, &zero, 1, NULL, NULL), GRZ_OK);
        }
        grz_flat_destroy(flat);
    }
}

static void short_lists_have_the_first(void **state)
{
    (void)state;
    grz_flat_item items[8];
    for (int i = 0; i < 8; i++)
        items[i] = grz_flat_box(i, 0.0, i + 1.0, 1.0);
    for (int i = 0; i < PLANE_SEARCHES; i++) {
        const double low[2] = {0.5, 0.0}, high[2] = {8.0, 0.0};
        const grz_flat_ray ray = {{9.0, 0.5}, {8.5, 0.5}, true};
        grz_flat *flat = plane_create(test_device, items, 8, (grz_flat_search)i);
        grz_flat_pair pairs[3] = {{9, 9}, {9, 9}, {9, 9}};
        uint32_t numbers[3] = {9, 9, 9};
        grz_flat_hit hits[3] = {{0.0, 9}, {0.0, 9}, {0.0, 9}};
        uint64_t found;
        assert_int_equal(grz_flat_pairs(flat, NULL, pairs, 2, &found, NULL), GRZ_OK);
        assert_true(found == 7 && pairs[1].a == 1 && pairs[1].b == 2 && pairs[2].a == 9);
        assert_int_equal(grz_flat_in_box(flat, low, high, NULL, numbers, 2, &found, NULL), GRZ_OK);
        assert_true(found == 8 && numbers[1] == 1 && numbers[2] == 9);
        assert_int_equal(grz_flat_all_hits(flat, &ray, NULL, hits, 2, &found, NULL), GRZ_OK);
        assert_true(found == 8 && hits[0].number == 7 && hits[0].t == 2.0 && hits[1].number == 6 &&
                    hits[2].number == 9);
        grz_flat_destroy(flat);
    }
}

static grz_flat_item *many_items(void)
{
    random_stream random = {11};
    grz_flat_item *items = allocate_zeroed(MANY, sizeof *items);
    for (int i = 0; i < MANY; i++)
        items[i] = plane_item(PLANE_EVEN, &random);
    return items;
}

static void limits_end_calls(void **state)
{
    (void)state;
    grz_flat_item *items = many_items();
    const int raised = 1;
    for (int i = 0; i < PLANE_SEARCHES; i++) {
        grz_flat_options options = grz_default_flat_options(), cancel = options, memory = options;
        grz_flat *flat;
        uint64_t found, before;
        cancel.limits.cancel = &raised;
        cancel.search = options.search = memory.search = (grz_flat_search)i;
        memory.limits.memory_limit = 100;
        assert_int_equal(grz_flat_create(test_device, items, MANY, &cancel, &flat, NULL), GRZ_ERROR_CANCELLED);
        assert_int_equal(grz_flat_create(test_device, items, MANY, &memory, &flat, NULL), GRZ_ERROR_MEMORY);
        assert_int_equal(grz_flat_create(test_device, items, MANY, &options, &flat, NULL), GRZ_OK);
        assert_int_equal(grz_flat_pairs(flat, NULL, NULL, 0, &before, NULL), GRZ_OK);
        assert_true(before > 0);
        assert_int_equal(grz_flat_pairs(flat, &cancel, NULL, 0, &found, NULL), GRZ_ERROR_CANCELLED);
        assert_int_equal(found, 0);
        assert_int_equal(grz_flat_pairs(flat, &memory, NULL, 0, &found, NULL), GRZ_ERROR_MEMORY);
        assert_int_equal(grz_flat_move(flat, NULL, items + 1, MANY - 1, &cancel, NULL), GRZ_ERROR_CANCELLED);
        assert_int_equal(grz_flat_move(flat, NULL, items + 1, MANY - 1, &memory, NULL), GRZ_ERROR_MEMORY);
        assert_int_equal(grz_flat_add(flat, items, MANY, &memory, NULL, NULL), GRZ_ERROR_MEMORY);
        assert_int_equal(grz_flat_pairs(flat, NULL, NULL, 0, &found, NULL), GRZ_OK);
        assert_int_equal(found, before); // nothing has changed
        grz_flat_destroy(flat);
    }
    free(items);
}

// An allocator that raises a flag at one of its calls.
typedef struct raising_allocator {
    long calls, raise_at;
    int raised;
} raising_allocator;

static void *raising_reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    raising_allocator *r = user;
    (void)old_size;
    if (++r->calls == r->raise_at)
        r->raised = 1;
    return realloc(block, new_size);
}

static void raising_release(void *block, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(block);
}

enum {
    CROWD = 6000 // more than the items between two looks at the flag
};

// Items that all come to a few places: structures that divide allocate while they change, and so the flag is raised in
// the middle. The set is then as it was.
static void a_change_that_is_cancelled_is_undone(void **state)
{
    (void)state;
    random_stream random = {31};
    grz_flat_item *items = allocate_zeroed(CROWD, sizeof *items), *moved = allocate_zeroed(CROWD, sizeof *moved);
    for (int i = 0; i < CROWD; i++) {
        items[i] = plane_item(PLANE_EVEN, &random);
        moved[i] = grz_flat_point((double)(i % 5) + 0.01 * random_signed(&random), 0.01 * random_signed(&random));
    }
    for (int i = 1; i < PLANE_SEARCHES; i++) {
        grz_flat *twin = plane_create(test_device, items, CROWD, (grz_flat_search)i);
        uint32_t cancelled = 0;
        for (long raise_at = 1;; raise_at++) {
            raising_allocator raising = {.raise_at = 0};
            grz_device_options device_options = grz_default_device_options();
            grz_flat_options options = grz_default_flat_options();
            grz_device *device;
            device_options.threads = 1;
            device_options.allocator = (grz_allocator){raising_reallocate, raising_release, &raising};
            assert_int_equal(grz_device_open(&device_options, &device, NULL), GRZ_OK);
            grz_flat *flat = plane_create(device, items, CROWD, (grz_flat_search)i);
            options.limits.cancel = &raising.raised;
            raising.calls = 0;
            raising.raise_at = raise_at;
            const grz_status status = grz_flat_move(flat, NULL, moved, CROWD, &options, NULL);
            if (status != GRZ_OK) {
                assert_int_equal(status, GRZ_ERROR_CANCELLED);
                assert_int_equal(grz_flat_count(flat), CROWD);
                plane_compare(twin, flat, PLANE_EVEN, &random, plane_search_name((grz_flat_search)i));
                cancelled++;
            }
            const bool came_to_it = raising.raised != 0;
            grz_flat_destroy(flat);
            grz_device_close(device);
            if (!came_to_it)
                break;
        }
        assert_true(cancelled >= 3); // at the items, at what was there, and later
        grz_flat_destroy(twin);
    }
    free(items);
    free(moved);
}

enum {
    FEW = 60
};

// All calls, one after the other. Stops at the first that fails.
static grz_status live(grz_device *device, const grz_flat_item *items, grz_flat_search search, uint64_t *answers)
{
    grz_flat_options options = grz_default_flat_options();
    grz_flat *flat = NULL;
    grz_error error = {.code = GRZ_OK};
    uint64_t found = 0, before = 0;
    uint32_t numbers[FEW];
    options.search = search;
    *answers = 0;
    grz_status status = grz_flat_create(device, items, FEW, &options, &flat, &error);
    const grz_flat_ray ray = {{-100.0, -3.0}, {100.0, 5.0}, true};
    for (int step = 0; step < 8 && status == GRZ_OK; step++) {
        before = grz_flat_count(flat);
        found = 0;
        const double low[2] = {-50.0, -50.0}, high[2] = {50.0, 50.0};
        const uint32_t gone[3] = {3, 59, 17};
        status = step == 0   ? grz_flat_pairs(flat, NULL, NULL, 0, &found, &error)
                 : step == 1 ? grz_flat_in_box(flat, low, high, NULL, numbers, FEW, &found, &error)
                 : step == 2 ? grz_flat_all_hits(flat, &ray, NULL, NULL, 0, &found, &error)
                 : step == 3 ? grz_flat_move(flat, gone, items + 20, 3, NULL, &error)
                 : step == 4 ? grz_flat_remove(flat, gone, 3, NULL, &error)
                 : step == 5 ? grz_flat_add(flat, items, 5, NULL, numbers, &error)
                 : step == 6 ? grz_flat_add(flat, items, FEW, NULL, numbers, &error)
                             : grz_flat_pairs(flat, NULL, NULL, 0, &found, &error);
        *answers += found;
        if (status != GRZ_OK) {
            assert_int_equal(status, GRZ_ERROR_MEMORY);
            assert_non_null(strstr(error.message, "memory"));
            assert_int_equal(grz_flat_count(flat), before);
        }
    }
    grz_flat_destroy(flat);
    return status;
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    random_stream random = {23};
    grz_flat_item items[FEW];
    for (int i = 0; i < FEW; i++)
        items[i] = plane_item(PLANE_EVEN, &random);
    for (int i = 0; i < PLANE_SEARCHES; i++) {
        uint64_t wanted = 0, answers;
        long failures = 0;
        for (long fail_at = 0;; fail_at++) {
            counting_allocator counter = {.fail_at = 0};
            grz_device *device = counting_device_open(&counter);
            counter.calls = 0;
            counter.fail_at = fail_at;
            const grz_status status = live(device, items, (grz_flat_search)i, &answers);
            const bool came_to_it = counter.calls >= fail_at;
            grz_device_close(device);
            assert_int_equal(counter.live, 0);
            if (fail_at == 0)
                wanted = answers;
            if (status == GRZ_OK) // also where a structure makes do without memory
                assert_int_equal(answers, wanted);
            else
                failures++;
            if (fail_at > 0 && !came_to_it)
                break;
        }
        assert_true(wanted > 10 && failures > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_items_are_named),     cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(empty_sets_answer),       cmocka_unit_test(short_lists_have_the_first),
        cmocka_unit_test(limits_end_calls),        cmocka_unit_test(a_change_that_is_cancelled_is_undone),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
