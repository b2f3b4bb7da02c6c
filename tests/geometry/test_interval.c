// SPDX-License-Identifier: MIT
// Sets of intervals (grz_interval_set) against a grid of cells and points: what is added, in any order, joins where the
// union is one interval, and only what lies strictly inside of one part is surrounded. Open intervals that share only
// an end leave that instant out.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/interval/interval.h"
#include "pair_generator.h"

enum {
    POINTS = 24 // times 0 to POINTS - 1, and the cells between them
};

// Which points, and which cells from a point to the next, are in the set.
typedef struct grid {
    bool point[POINTS], cell[POINTS];
} grid;

static void grid_add(grid *g, grz_interval_ends ends, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i <= to; i++) {
        g->point[i] = g->point[i] || ends == GRZ_ENDS_CLOSED || (from < i && i < to);
        g->cell[i] = g->cell[i] || i < to;
    }
}

// All from `from` to `to` is in the set, and the cells before and after it.
static bool grid_surrounds(const grid *g, uint32_t from, uint32_t to)
{
    bool held = from > 0 && g->cell[from - 1] && g->point[to] && g->cell[to];
    for (uint32_t i = from; i < to; i++)
        held = held && g->point[i] && g->cell[i];
    return held;
}

// The parts of a set are what a grid has without a gap, whether ends are open or closed.
static uint32_t parts_of(const grid *g, grz_interval_ends ends)
{
    uint32_t parts = 0;
    for (uint32_t i = 0; i < POINTS; i++) {
        const bool before = i > 0 && g->cell[i - 1];
        if (ends == GRZ_ENDS_CLOSED)
            parts += g->point[i] && !before;
        else
            parts += g->cell[i] && !(before && g->point[i]);
    }
    return parts;
}

static void check_sets(grz_interval_ends ends, uint64_t seed)
{
    const grz_allocator allocator = grz_malloc_allocator();
    random_stream random = {seed};
    int held = 0, not_held = 0;
    for (int round = 0; round < 500; round++) {
        grz_interval_set set = {.ends = ends};
        grid g = {.point = {false}};
        const uint32_t added = 1 + random_below(&random, 8);
        for (uint32_t i = 0; i < added; i++) {
            const uint32_t from = random_below(&random, POINTS), length = random_below(&random, 6),
                           to = from + length < POINTS ? from + length : POINTS - 1;
            assert_true(grz_interval_set_add(&set, &allocator, (double)from, (double)to));
            grid_add(&g, ends, from, to);
        }
        for (uint32_t from = 0; from < POINTS; from++)
            for (uint32_t to = from; to < POINTS; to++) {
                const bool expected = grid_surrounds(&g, from, to);
                assert_int_equal(grz_interval_set_surrounds(&set, (double)from, (double)to), expected);
                held += expected;
                not_held += !expected;
            }
        assert_int_equal(set.parts.count, parts_of(&g, ends));
        for (size_t i = 1; i < set.parts.count; i++) {
            const double before = set.parts.items[i - 1].to, from = set.parts.items[i].from;
            assert_true(ends == GRZ_ENDS_CLOSED ? before < from : before <= from);
        }
        grz_interval_set_finish(&set, &allocator);
    }
    assert_true(held > 3000 && not_held > 3000);
}

static void closed_sets_are_what_a_grid_holds(void **state)
{
    (void)state;
    check_sets(GRZ_ENDS_CLOSED, 61);
}

static void open_sets_are_what_a_grid_holds(void **state)
{
    (void)state;
    check_sets(GRZ_ENDS_OPEN, 62);
}

// (1, 2) and (2, 3) leave 2 out, until something holds it.
static void open_intervals_that_share_an_end_leave_it_out(void **state)
{
    const grz_allocator allocator = grz_malloc_allocator();
    grz_interval_set set = {.ends = GRZ_ENDS_OPEN};
    (void)state;
    assert_true(grz_interval_set_add(&set, &allocator, 1.0, 2.0));
    assert_true(grz_interval_set_add(&set, &allocator, 2.0, 3.0));
    assert_int_equal(set.parts.count, 2);
    assert_false(grz_interval_set_surrounds(&set, 2.0, 2.0));
    assert_true(grz_interval_set_add(&set, &allocator, 2.0, 2.0)); // empty
    assert_int_equal(set.parts.count, 2);
    assert_true(grz_interval_set_add(&set, &allocator, 1.5, 2.5));
    assert_int_equal(set.parts.count, 1);
    assert_true(grz_interval_set_surrounds(&set, 2.0, 2.0));
    grz_interval_set_finish(&set, &allocator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_sets_are_what_a_grid_holds),
                                       cmocka_unit_test(open_sets_are_what_a_grid_holds),
                                       cmocka_unit_test(open_intervals_that_share_an_end_leave_it_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
