// SPDX-License-Identifier: MIT
// <graze/flat.h>: every search against the twin in rational numbers, on nine classes of items; items that move, come
// and go against sets created again; answers that are known.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flat_twin.h"
#include "support_devices.h"
#include "support_plane.h"
#include "support_sanitizer.h"

enum {
    ITEMS = 40,
    SETS = TEST_SANITIZED ? 10 : TEST_SHORT ? 20 : 100
};

// How much the random cases held, by class.
typedef struct tally {
    uint64_t pairs, in_box, in_circle, hits, ties, touching_circles;
} tally;

static void expect_numbers(const uint32_t *found, uint64_t count, const uint32_t *wanted, uint64_t wanted_count,
                           const char *what)
{
    if (count != wanted_count || memcmp(found, wanted, (size_t)count * sizeof *found) != 0)
        fail_msg("%s: %llu numbers, wanted %llu, or others", what, (unsigned long long)count,
                 (unsigned long long)wanted_count);
}

static void check_lists(const grz_flat *flat, const flat_twin *twin, plane_class group, random_stream *random, tally *t,
                        const char *what)
{
    grz_flat_pair pairs[ITEMS * ITEMS], wanted_pairs[ITEMS * ITEMS];
    uint32_t numbers[ITEMS], wanted[ITEMS];
    double min[2], max[2], centre[2];
    uint64_t found;
    const uint64_t pair_count = flat_twin_pairs(twin, wanted_pairs);
    assert_int_equal(grz_flat_pairs(flat, NULL, pairs, ITEMS * ITEMS, &found, NULL), GRZ_OK);
    if (found != pair_count || memcmp(pairs, wanted_pairs, (size_t)found * sizeof *pairs) != 0)
        fail_msg("%s: %llu pairs, wanted %llu, or others", what, (unsigned long long)found,
                 (unsigned long long)pair_count);
    t->pairs += found;

    plane_point(group, random, centre);
    plane_point(group, random, max);
    for (int k = 0; k < 2; k++) {
        min[k] = centre[k] < max[k] ? centre[k] : max[k];
        max[k] = centre[k] < max[k] ? max[k] : centre[k];
    }
    assert_int_equal(grz_flat_in_box(flat, min, max, NULL, numbers, ITEMS, &found, NULL), GRZ_OK);
    expect_numbers(numbers, found, wanted, flat_twin_in_box(twin, min, max, wanted), what);
    t->in_box += found;

    double radius = fmin(hypot(max[0] - min[0], max[1] - min[1]), 0x1p300); // often the exact distance of a corner
    assert_int_equal(grz_flat_in_circle(flat, centre, radius, NULL, numbers, ITEMS, &found, NULL), GRZ_OK);
    expect_numbers(numbers, found, wanted, flat_twin_in_circle(twin, centre, radius, wanted), what);
    t->in_circle += found;
    const uint64_t with = found;
    radius = nextafter(radius, 0.0);
    assert_int_equal(grz_flat_in_circle(flat, centre, radius, NULL, numbers, ITEMS, &found, NULL), GRZ_OK);
    expect_numbers(numbers, found, wanted, flat_twin_in_circle(twin, centre, radius, wanted), what);
    t->touching_circles += with - found;
}

static void check_nearest(const grz_flat *flat, const flat_twin *twin, plane_class group, random_stream *random,
                          const char *what)
{
    double points[8];
    grz_flat_near near[4];
    for (int i = 0; i < 4; i++)
        plane_point(group, random, points + 2 * i);
    assert_int_equal(grz_flat_nearest(flat, points, 4, NULL, near, NULL), GRZ_OK);
    for (int i = 0; i < 4; i++) {
        const uint32_t wanted = flat_twin_nearest(twin, points + 2 * i);
        if (near[i].number != wanted)
            fail_msg("%s: nearest to (%a, %a) is %u, wanted %u", what, points[2 * i], points[2 * i + 1], near[i].number,
                     wanted);
        if (wanted != GRZ_FLAT_NONE && !flat_twin_is_distance(&twin->items[wanted], points + 2 * i, near[i].distance))
            fail_msg("%s: the distance of (%a, %a) from %u is not %a", what, points[2 * i], points[2 * i + 1], wanted,
                     near[i].distance);
        if (wanted == GRZ_FLAT_NONE)
            assert_true(near[i].distance == HUGE_VAL);
    }
}

static void check_rays(const grz_flat *flat, const flat_twin *twin, plane_class group, random_stream *random, tally *t,
                       const char *what)
{
    grz_flat_ray rays[4];
    grz_flat_hit first[4], hits[ITEMS];
    uint32_t wanted[ITEMS];
    uint64_t found;
    for (int i = 0; i < 4; i++)
        rays[i] = plane_ray(group, random);
    assert_int_equal(grz_flat_first_hits(flat, rays, 4, NULL, first, NULL), GRZ_OK);
    for (int i = 0; i < 4; i++) {
        const uint64_t count = flat_twin_hits(twin, &rays[i], wanted);
        assert_int_equal(grz_flat_all_hits(flat, &rays[i], NULL, hits, ITEMS, &found, NULL), GRZ_OK);
        if (found != count)
            fail_msg("%s: (%a, %a) to (%a, %a)%s meets %llu, wanted %llu", what, rays[i].from[0], rays[i].from[1],
                     rays[i].to[0], rays[i].to[1], rays[i].endless ? " and on" : "", (unsigned long long)found,
                     (unsigned long long)count);
        for (uint64_t k = 0; k < count; k++) {
            if (hits[k].number != wanted[k] || !flat_twin_is_entry(&twin->items[wanted[k]], &rays[i], hits[k].t))
                fail_msg("%s: hit %llu of (%a, %a) to (%a, %a) is %u at %a, wanted %u", what, (unsigned long long)k,
                         rays[i].from[0], rays[i].from[1], rays[i].to[0], rays[i].to[1], hits[k].number, hits[k].t,
                         wanted[k]);
            t->ties += k > 0 && hits[k].t == hits[k - 1].t;
        }
        t->hits += count;
        assert_int_equal(first[i].number, count > 0 ? wanted[0] : GRZ_FLAT_NONE);
        assert_true(first[i].t == (count > 0 ? hits[0].t : HUGE_VAL));
    }
}

static void check_all(const grz_flat *flat, const flat_twin *twin, plane_class group, random_stream *random, tally *t,
                      const char *what)
{
    check_lists(flat, twin, group, random, t, what);
    check_nearest(flat, twin, group, random, what);
    check_rays(flat, twin, group, random, t, what);
}

// Some random items of a class, in the set and for the twin.
typedef struct plane {
    grz_flat *flats[PLANE_SEARCHES];
    grz_flat_item items[ITEMS];
    bool is_there[ITEMS];
} plane;

static void check_plane(plane *p, plane_class group, uint64_t seed, tally *t, const char *when)
{
    const flat_twin twin = {p->items, p->is_there, ITEMS};
    char what[80];
    for (int i = 0; i < PLANE_SEARCHES; i++) {
        random_stream random = {seed};
        snprintf(what, sizeof what, "%s, %s, seed %llu, %s", plane_class_name(group),
                 plane_search_name((grz_flat_search)i), (unsigned long long)seed, when);
        check_all(p->flats[i], &twin, group, &random, t, what);
    }
}

// Some items move, some go, and some of these come again elsewhere; the same in all sets.
static void change_plane(plane *p, plane_class group, random_stream *random)
{
    uint32_t moved[ITEMS], gone[ITEMS], numbers[ITEMS];
    grz_flat_item items[ITEMS];
    uint64_t moved_count = 0, gone_count = 0, back;
    const uint32_t share = random_below(random, 3) == 0 ? 2 : 16;
    for (uint32_t i = 0; i < ITEMS; i++)
        if (p->is_there[i] && random_below(random, share) == 0) {
            p->items[i] = items[moved_count] = plane_item(group, random);
            moved[moved_count++] = i;
        }
    for (int i = 0; i < PLANE_SEARCHES; i++)
        assert_int_equal(grz_flat_move(p->flats[i], moved, items, moved_count, NULL, NULL), GRZ_OK);
    for (uint32_t i = 0; i < ITEMS; i++)
        if (p->is_there[i] && random_below(random, share) == 0) {
            p->is_there[i] = false;
            gone[gone_count++] = i;
        }
    for (int i = 0; i < PLANE_SEARCHES; i++)
        assert_int_equal(grz_flat_remove(p->flats[i], gone, gone_count, NULL, NULL), GRZ_OK);
    back = gone_count - gone_count / 3;
    for (uint64_t k = 0; k < back; k++)
        items[k] = plane_item(group, random);
    for (int i = 0; i < PLANE_SEARCHES; i++)
        assert_int_equal(grz_flat_add(p->flats[i], items, back, NULL, numbers, NULL), GRZ_OK);
    for (uint64_t k = 0, lowest = 0; k < back; k++) {
        while (p->is_there[lowest])
            lowest++;
        assert_int_equal(numbers[k], lowest); // the lowest that is free
        p->is_there[lowest] = true;
        p->items[lowest] = items[k];
    }
}

static void all_searches_answer_as_rational_numbers_do(void **state)
{
    (void)state;
    for (int group = 0; group < PLANE_CLASS_COUNT; group++) {
        tally t = {0};
        for (uint64_t set = 0; set < SETS; set++) {
            const uint64_t seed = 1000 * (uint64_t)group + set;
            random_stream random = {seed};
            plane p = {.flats = {NULL}};
            for (int i = 0; i < ITEMS; i++) {
                p.items[i] = plane_item((plane_class)group, &random);
                p.is_there[i] = true;
            }
            for (int i = 0; i < PLANE_SEARCHES; i++)
                p.flats[i] = plane_create(test_device, p.items, ITEMS, (grz_flat_search)i);
            check_plane(&p, (plane_class)group, seed, &t, "made");
            for (int round = 0; round < 3; round++) {
                change_plane(&p, (plane_class)group, &random);
                check_plane(&p, (plane_class)group, seed + 100 * (uint64_t)round, &t, "changed");
            }
            for (int i = 0; i < PLANE_SEARCHES; i++)
                grz_flat_destroy(p.flats[i]);
        }
        print_message("%-8s pairs %llu, in boxes %llu, in circles %llu (%llu touch), hits %llu (%llu ties)\n",
                      plane_class_name((plane_class)group), (unsigned long long)t.pairs, (unsigned long long)t.in_box,
                      (unsigned long long)t.in_circle, (unsigned long long)t.touching_circles,
                      (unsigned long long)t.hits, (unsigned long long)t.ties);
        assert_true(t.pairs > 0 && t.in_circle > 0 && t.hits > 0);
        assert_true(group != PLANE_LATTICE || (t.touching_circles > 0 && t.ties > 0));
    }
}

static void touching_counts(void **state)
{
    (void)state;
    const grz_flat_item items[] = {
        grz_flat_box(0.0, 0.0, 4.0, 1.0),       grz_flat_point(2.0, 1.0), grz_flat_segment(5.0, 0.0, 9.0, 3.0),
        grz_flat_box(4.0, 1.0, 5.0, 2.0),       grz_flat_point(7.0, 1.5), // on the segment
        grz_flat_segment(0.0, 1.5, 1.0, 1.125),                           // above the box
    };
    const grz_flat_pair wanted[] = {{0, 1}, {0, 3}, {2, 4}};
    for (int i = 0; i < PLANE_SEARCHES; i++) {
        grz_flat *flat = plane_create(test_device, items, 6, (grz_flat_search)i);
        grz_flat_pair pairs[8];
        uint64_t found;
        assert_int_equal(grz_flat_pairs(flat, NULL, pairs, 8, &found, NULL), GRZ_OK);
        assert_int_equal(found, 3);
        assert_memory_equal(pairs, wanted, sizeof wanted);
        // 3, 4, 5: exactly on the circle, and not a hair inside.
        uint32_t numbers[8];
        const double centre[2] = {10.0, 5.5};
        assert_int_equal(grz_flat_in_circle(flat, centre, 5.0, NULL, numbers, 8, &found, NULL), GRZ_OK);
        assert_int_equal(found, 2); // the point at a distance of exactly 5, and the segment
        assert_int_equal(numbers[1], 4);
        assert_int_equal(grz_flat_in_circle(flat, centre, nextafter(5.0, 0.0), NULL, numbers, 8, &found, NULL), GRZ_OK);
        assert_int_equal(found, 1);
        grz_flat_destroy(flat);
    }
}

static void ties_go_to_the_lowest_number(void **state)
{
    (void)state;
    // All at a distance of 5 from (0, 0), met by no other rule than their numbers.
    const grz_flat_item items[] = {grz_flat_point(3.0, 4.0), grz_flat_point(-5.0, 0.0),
                                   grz_flat_box(4.0, 3.0, 9.0, 9.0), grz_flat_segment(5.0, -1.0, 5.0, 1.0)};
    for (int i = 0; i < PLANE_SEARCHES; i++)
        for (uint32_t first = 0; first < 4; first++) {
            grz_flat_item turned[4];
            for (uint32_t k = 0; k < 4; k++)
                turned[k] = items[(first + k) % 4];
            grz_flat *flat = plane_create(test_device, turned, 4, (grz_flat_search)i);
            const double origin[2] = {0.0, 0.0};
            grz_flat_near near;
            assert_int_equal(grz_flat_nearest(flat, origin, 1, NULL, &near, NULL), GRZ_OK);
            assert_int_equal(near.number, 0);
            assert_true(near.distance == 5.0);
            grz_flat_destroy(flat);
        }
}

static void items_are_given_back(void **state)
{
    (void)state;
    const grz_flat_item items[] = {grz_flat_segment(3.0, -2.0, 1.0, 5.0), grz_flat_segment(1.0, 5.0, 1.0, -5.0),
                                   grz_flat_point(-0.0, 7.0), grz_flat_box(-1.0, -2.0, 3.0, 4.0)};
    for (int i = 0; i < PLANE_SEARCHES; i++) {
        grz_flat *flat = plane_create(test_device, items, 4, (grz_flat_search)i);
        for (uint32_t k = 0; k < 4; k++) {
            grz_flat_item item;
            assert_true(grz_flat_item_at(flat, k, &item));
            assert_int_equal(item.kind, items[k].kind);
            for (int c = 0; c < 2; c++) {
                assert_true(item.from[c] == items[k].from[c] && item.to[c] == items[k].to[c]);
                assert_false(item.from[c] == 0.0 && signbit(item.from[c]));
            }
        }
        grz_flat_destroy(flat);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touching_counts),
        cmocka_unit_test(ties_go_to_the_lowest_number),
        cmocka_unit_test(items_are_given_back),
        cmocka_unit_test(all_searches_answer_as_rational_numbers_do),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
