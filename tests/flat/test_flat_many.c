// SPDX-License-Identifier: MIT
// <graze/flat.h> with thousands of items: every search against the one without a structure; items that move, come and
// go, a few and many at a time, against sets created again; points and rays far outside of all items.
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
#include "support_sanitizer.h"

enum {
    ITEMS = TEST_SANITIZED ? 701 : 3000,
    ROUNDS = TEST_SANITIZED ? 6 : TEST_SHORT ? 10 : 16
};

// What can be answered for so many items without a list of millions of pairs.
static const plane_class classes[] = {PLANE_EVEN, PLANE_CLUSTERS, PLANE_SIZES, PLANE_HUGE};

enum {
    CLASSES = sizeof classes / sizeof classes[0]
};

static void make_items(plane_class group, random_stream *random, grz_flat_item *items, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        items[i] = plane_item(group, random);
}

static void searches_agree(void **state)
{
    (void)state;
    grz_flat_item *items = allocate_zeroed(ITEMS, sizeof *items);
    for (int c = 0; c < CLASSES; c++) {
        random_stream random = {(uint64_t)c + 1};
        uint64_t answers = 0;
        make_items(classes[c], &random, items, ITEMS);
        grz_flat *naive = plane_create(test_device, items, ITEMS, GRZ_FLAT_NAIVE);
        for (int i = 1; i < PLANE_SEARCHES; i++) {
            grz_flat *flat = plane_create(test_device, items, ITEMS, (grz_flat_search)i);
            char what[80];
            snprintf(what, sizeof what, "%s, %s", plane_class_name(classes[c]), plane_search_name((grz_flat_search)i));
            for (int round = 0; round < ROUNDS; round++)
                answers += plane_compare(naive, flat, classes[c], &random, what);
            grz_flat_destroy(flat);
        }
        grz_flat_destroy(naive);
        assert_true(answers > 1000);
    }
    free(items);
}

// Items as they should be after changes.
typedef struct world {
    grz_flat_item *items;
    bool *is_there;
    uint32_t *numbers; // working memory
    grz_flat_item *changed;
} world;

static uint64_t choose(const world *w, random_stream *random, uint64_t wanted)
{
    uint64_t count = 0;
    const uint32_t begin = random_below(random, ITEMS);
    for (uint32_t i = 0; i < ITEMS && count < wanted; i++) {
        const uint32_t number = (begin + 7 * i) % ITEMS; // 7 has no factor in common with ITEMS
        if (w->is_there[number])
            w->numbers[count++] = number;
    }
    return count;
}

static void move_some(world *w, grz_flat *const flats[PLANE_SEARCHES], plane_class group, random_stream *random,
                      uint64_t wanted)
{
    const uint64_t count = choose(w, random, wanted);
    for (uint64_t k = 0; k < count; k++) {
        grz_flat_item *item = &w->items[w->numbers[k]];
        if (random_below(random, 4) == 0) { // somewhere else
            *item = plane_item(group, random);
        } else { // a little
            const double way[2] = {0.125 * random_signed(random), 0.125 * random_signed(random)};
            for (int c = 0; c < 2; c++) {
                const bool in_range = fabs(item->from[c]) < 0x1p299 && fabs(item->to[c]) < 0x1p299;
                item->from[c] += in_range ? way[c] : 0.0;
                item->to[c] += in_range ? way[c] : 0.0;
            }
        }
        w->changed[k] = *item;
    }
    for (int i = 0; i < PLANE_SEARCHES; i++)
        assert_int_equal(grz_flat_move(flats[i], w->numbers, w->changed, count, NULL, NULL), GRZ_OK);
}

static void replace_some(world *w, grz_flat *const flats[PLANE_SEARCHES], plane_class group, random_stream *random,
                         uint64_t wanted)
{
    const uint64_t count = choose(w, random, wanted);
    for (int i = 0; i < PLANE_SEARCHES; i++)
        assert_int_equal(grz_flat_remove(flats[i], w->numbers, count, NULL, NULL), GRZ_OK);
    for (uint64_t k = 0; k < count; k++)
        w->is_there[w->numbers[k]] = false;
    const uint64_t back = count / 2;
    make_items(group, random, w->changed, back);
    for (int i = 0; i < PLANE_SEARCHES; i++)
        assert_int_equal(grz_flat_add(flats[i], w->changed, back, NULL, w->numbers, NULL), GRZ_OK);
    for (uint64_t k = 0; k < back; k++) {
        w->items[w->numbers[k]] = w->changed[k];
        w->is_there[w->numbers[k]] = true;
    }
}

// The same items, created again: numbers without an item are taken out.
static grz_flat *rebuild(const world *w, grz_flat_search search)
{
    uint64_t gone = 0;
    grz_flat *flat = plane_create(test_device, w->items, ITEMS, search);
    for (uint32_t i = 0; i < ITEMS; i++)
        if (!w->is_there[i])
            w->numbers[gone++] = i;
    assert_int_equal(grz_flat_remove(flat, w->numbers, gone, NULL, NULL), GRZ_OK);
    return flat;
}

static void moved_items_are_as_made_anew(void **state)
{
    (void)state;
    world w = {allocate_zeroed(ITEMS, sizeof *w.items), allocate_zeroed(ITEMS, sizeof *w.is_there),
               allocate_zeroed(ITEMS, sizeof *w.numbers), allocate_zeroed(ITEMS, sizeof *w.changed)};
    for (int c = 0; c < CLASSES; c++) {
        random_stream random = {(uint64_t)c + 77};
        grz_flat *flats[PLANE_SEARCHES];
        make_items(classes[c], &random, w.items, ITEMS);
        for (uint32_t i = 0; i < ITEMS; i++)
            w.is_there[i] = true;
        for (int i = 0; i < PLANE_SEARCHES; i++)
            flats[i] = plane_create(test_device, w.items, ITEMS, (grz_flat_search)i);
        for (int round = 0; round < ROUNDS; round++) {
            static const uint64_t shares[] = {1, 10, ITEMS / 16, ITEMS / 2};
            move_some(&w, flats, classes[c], &random, shares[round % 4]);
            replace_some(&w, flats, classes[c], &random, shares[(round + 1) % 4] / 4 + 1);
            for (int i = 0; i < PLANE_SEARCHES; i++) {
                grz_flat *anew = rebuild(&w, (grz_flat_search)i);
                char what[80];
                snprintf(what, sizeof what, "%s, %s, round %d", plane_class_name(classes[c]),
                         plane_search_name((grz_flat_search)i), round);
                assert_int_equal(grz_flat_count(flats[i]), grz_flat_count(anew));
                plane_compare(flats[i], anew, classes[c], &random, what);
                plane_compare(flats[0], flats[i], classes[c], &random, what);
                grz_flat_destroy(anew);
            }
        }
        for (int i = 0; i < PLANE_SEARCHES; i++)
            grz_flat_destroy(flats[i]);
    }
    free(w.items);
    free(w.is_there);
    free(w.numbers);
    free(w.changed);
}

// From 1,000 times as far away as the items are spread, and rays that only graze them.
static void far_points_and_rays_agree(void **state)
{
    (void)state;
    grz_flat_item *items = allocate_zeroed(ITEMS, sizeof *items);
    random_stream random = {5};
    make_items(PLANE_EVEN, &random, items, ITEMS);
    grz_flat *naive = plane_create(test_device, items, ITEMS, GRZ_FLAT_NAIVE);
    for (int i = 1; i < PLANE_SEARCHES; i++) {
        grz_flat *flat = plane_create(test_device, items, ITEMS, (grz_flat_search)i);
        uint32_t met = 0;
        for (int k = 0; k < 400; k++) {
            const double point[2] = {1e5 * random_signed(&random), 1e5 * random_signed(&random)};
            const grz_flat_ray ray = {
                {point[0], point[1]}, {100.0 * random_signed(&random), 100.0 * random_signed(&random)}, k % 2 == 0};
            grz_flat_near near[2];
            grz_flat_hit hits[2];
            assert_int_equal(grz_flat_nearest(naive, point, 1, NULL, &near[0], NULL), GRZ_OK);
            assert_int_equal(grz_flat_nearest(flat, point, 1, NULL, &near[1], NULL), GRZ_OK);
            assert_int_equal(grz_flat_first_hits(naive, &ray, 1, NULL, &hits[0], NULL), GRZ_OK);
            assert_int_equal(grz_flat_first_hits(flat, &ray, 1, NULL, &hits[1], NULL), GRZ_OK);
            assert_int_equal(near[0].number, near[1].number);
            assert_int_equal(hits[0].number, hits[1].number);
            met += hits[0].number != GRZ_FLAT_NONE ? 1 : 0;
        }
        assert_true(met > 100);
        grz_flat_destroy(flat);
    }
    grz_flat_destroy(naive);
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_agree),
        cmocka_unit_test(moved_items_are_as_made_anew),
        cmocka_unit_test(far_points_and_rays_agree),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
