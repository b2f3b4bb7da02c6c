// SPDX-License-Identifier: MIT
// Lists of covered times (grz_cover) against a grid of cells and points: what is added, in any order, joins where it
// meets, and only what lies strictly inside of one part is held.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "motion/translate/cover.h"
#include "pair_generator.h"

enum {
    POINTS = 24 // times 0 to POINTS - 1, and the cells between them
};

// Which points, and which cells from a point to the next, are covered.
typedef struct grid {
    bool point[POINTS], cell[POINTS];
} grid;

static void grid_add(grid *g, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i <= to; i++) {
        g->point[i] = true;
        g->cell[i] = g->cell[i] || i < to;
    }
}

// All from `from` to `to` is covered, and the cells before and after it.
static bool grid_holds(const grid *g, uint32_t from, uint32_t to)
{
    bool held = from > 0 && g->cell[from - 1] && g->point[to] && g->cell[to];
    for (uint32_t i = from; i < to; i++)
        held = held && g->point[i] && g->cell[i];
    return held;
}

static void covers_hold_what_a_grid_holds(void **state)
{
    const grz_allocator allocator = grz_malloc_allocator();
    random_stream random = {61};
    int held = 0, not_held = 0;
    (void)state;
    for (int round = 0; round < 500; round++) {
        grz_cover cover = {.parts = {0}};
        grid g = {.point = {false}};
        const uint32_t added = 1 + random_below(&random, 8);
        for (uint32_t i = 0; i < added; i++) {
            const uint32_t from = random_below(&random, POINTS), length = random_below(&random, 6),
                           to = from + length < POINTS ? from + length : POINTS - 1;
            assert_true(grz_cover_add(&cover, &allocator, (double)from, (double)to));
            grid_add(&g, from, to);
        }
        for (uint32_t from = 0; from < POINTS; from++)
            for (uint32_t to = from; to < POINTS; to++) {
                const bool expected = grid_holds(&g, from, to);
                assert_int_equal(grz_cover_holds(&cover, (double)from, (double)to), expected);
                held += expected;
                not_held += !expected;
            }
        for (size_t i = 1; i < cover.parts.count; i++)
            assert_true(cover.parts.items[i - 1].to < cover.parts.items[i].from);
        grz_array_finish(&allocator, &cover.parts);
    }
    assert_true(held > 5000 && not_held > 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(covers_hold_what_a_grid_holds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
