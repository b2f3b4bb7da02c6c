// SPDX-License-Identifier: MIT
// Sweep and prune against the plain loop over all pairs, after every step of random histories: objects of eight styles
// are added, removed, added under an old id, moved a little, moved far. Three sweeps run through each history: one
// repairs, one rebuilds, one chooses. A failure prints style, seed and step; the same call of run_history() replays it.
// Then: the same boxes by different histories, special cases of the interface, and failures of every allocation.
// ctest: timeout 900
// ctest: long
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/control.h"
#include "space/sweep/sweep_parts.h"
#include "support_allocator.h"
#include "support_boxes.h"
#include "support_sanitizer.h"

enum {
    WAYS = 3,
    MOST_OBJECTS = TEST_SHORT ? 600 : 2000,
    LEAST = TEST_SHORT ? 10 : 100 // of repairs, and of rebuilds, for each style
};

// The present boxes, and sweeps that get every change. An unused id has an empty box.
typedef struct world {
    box_crowd crowd;
    grz_box boxes[MOST_OBJECTS];
    grz_sweep *sweeps[WAYS];
} world;

static void set_box(void *user, uint32_t id, const grz_box *box)
{
    world *w = user;
    for (int way = 0; way < WAYS; way++)
        assert_true(grz_sweep_set(w->sweeps[way], id, box));
}

static void remove_box(void *user, uint32_t id)
{
    world *w = user;
    for (int way = 0; way < WAYS; way++)
        grz_sweep_remove(w->sweeps[way], id);
}

static void world_init(world *w, box_style style, uint32_t count, uint64_t seed)
{
    const grz_allocator allocator = grz_malloc_allocator();
    *w = (world){.crowd = {.style = style,
                           .count = count,
                           .random = {seed},
                           .boxes = w->boxes,
                           .set = set_box,
                           .remove = remove_box,
                           .user = w}};
    for (uint32_t id = 0; id < count; id++)
        w->boxes[id] = grz_box_empty();
    for (int way = 0; way < WAYS; way++) {
        w->sweeps[way] = grz_sweep_create(&allocator);
        assert_non_null(w->sweeps[way]);
        grz_sweep_force(w->sweeps[way], (grz_sweep_way)way);
    }
}

static void world_finish(world *w)
{
    for (int way = 0; way < WAYS; way++)
        grz_sweep_destroy(w->sweeps[way]);
}

// Expect that all three have the pairs of the plain loop. Returns their number.
static size_t expect_pairs(world *w, uint64_t seed, int step)
{
    static const char *const ways[] = {"cheapest", "repair", "rebuild"};
    const grz_sweep_pair *first = NULL;
    size_t first_count = 0;
    for (int way = 0; way < WAYS; way++) {
        char what[160];
        const grz_sweep_pair *pairs;
        size_t count;
        (void)snprintf(what, sizeof what, "%s, %u ids, seed %llu, step %d, way %s", box_style_name(w->crowd.style),
                       w->crowd.count, (unsigned long long)seed, step, ways[way]);
        assert_true(grz_sweep_update(w->sweeps[way], &pairs, &count));
        const bool as_first = first != NULL && count == first_count && memcmp(pairs, first, count * sizeof *pairs) == 0;
        if (!as_first)
            expect_box_pairs(what, w->boxes, w->crowd.count, pairs, count);
        if (way == 0 && count > 0)
            first = pairs, first_count = count;
    }
    return first_count;
}

// Totals over the histories of a style, to check that the test covers enough.
typedef struct tally {
    grz_sweep_work work[WAYS];
    size_t steps, pairs;
    size_t slabs, columns, segments; // the most of each
} tally;

static size_t more(size_t x, size_t y)
{
    return x > y ? x : y;
}

static void run_history(box_style style, uint32_t count, uint64_t seed, int steps, tally *sum)
{
    static world w;
    world_init(&w, style, count, seed);
    for (uint32_t id = 0; id < count; id++)
        if (random_below(&w.crowd.random, 3) != 0)
            box_crowd_draw(&w.crowd, id);
    for (int step = 0; step < steps; step++) {
        sum->pairs += expect_pairs(&w, seed, step);
        sum->steps++;
        sum->slabs = more(sum->slabs, w.sweeps[1]->lists.slabs.count);
        sum->columns = more(sum->columns, w.sweeps[1]->lists.columns.count);
        sum->segments = more(sum->segments, w.sweeps[1]->lists.segments.count);
        for (uint32_t rounds = random_below(&w.crowd.random, 3) + 1; rounds > 0; rounds--)
            box_crowd_step(&w.crowd);
    }
    for (int way = 0; way < WAYS; way++) {
        const grz_sweep_work *work = grz_sweep_work_done(w.sweeps[way]);
        sum->work[way].repairs += work->repairs;
        sum->work[way].rebuilds += work->rebuilds;
        sum->work[way].abandoned += work->abandoned;
    }
    world_finish(&w);
}

static void every_history_gives_the_pairs_of_the_plain_loop(void **state)
{
    (void)state;
    print_message("style       steps  pairs/step   repairs + rebuilds where it chooses, where it repairs   slabs, "
                  "columns, segments\n");
    for (int style = 0; style < BOXES_STYLE_COUNT; style++) {
        tally sum = {0};
        for (uint64_t seed = 1; seed <= (TEST_SHORT ? 2 : 6); seed++) {
            run_history((box_style)style, 12, seed, 60, &sum);
            run_history((box_style)style, 70, seed, 40, &sum);
            if (seed <= (TEST_SHORT ? 1 : 2))
                run_history((box_style)style, 400, seed, 40, &sum);
        }
        run_history((box_style)style, MOST_OBJECTS, 1, TEST_SHORT ? 6 : 12, &sum);
        print_message("%-10s %6zu %11.1f   %llu + %llu, %llu + %llu   %zu, %zu, %zu\n",
                      box_style_name((box_style)style), sum.steps, (double)sum.pairs / (double)sum.steps,
                      (unsigned long long)sum.work[0].repairs, (unsigned long long)sum.work[0].rebuilds,
                      (unsigned long long)sum.work[1].repairs, (unsigned long long)sum.work[1].rebuilds, sum.slabs,
                      sum.columns, sum.segments);
        assert_true(sum.pairs > sum.steps);
        assert_true(style == BOXES_IDENTICAL || sum.segments > 1);
        assert_true(style != BOXES_UNIFORM ||
                    (sum.slabs > 2 && sum.columns > 2 * sum.slabs && sum.segments > sum.columns));
        assert_true(sum.work[0].repairs > LEAST && sum.work[0].rebuilds > LEAST);
        assert_true(sum.work[1].repairs > 10 * sum.work[1].rebuilds);
        assert_true(sum.work[2].repairs == 0);
    }
}

// The changes of one step of a flight, in which most objects move.
static void fly(world *w, double velocities[][3], int step)
{
    for (uint32_t id = 0; id < w->crowd.count; id++) {
        grz_box box = w->boxes[id];
        if (grz_box_is_empty(&box) || (step / 24 % 4 == 3 && id % 16 != 0)) // at last most of them rest
            continue;
        if (step / 24 % 4 == 1) { // to and fro
            box_crowd_nudge(&w->crowd, id);
            continue;
        }
        if (random_below(&w->crowd.random, 200) == 0) // turns round
            for (int axis = 0; axis < 3; axis++)
                velocities[id][axis] = -velocities[id][axis];
        for (int axis = 0; axis < 3; axis++) {
            box.min[axis] += velocities[id][axis];
            box.max[axis] += velocities[id][axis];
        }
        box_crowd_put(&w->crowd, id, &box);
    }
    if (step / 24 % 4 == 2) // some do something else; and new ids
        for (uint32_t i = 0; i < 1 + w->crowd.count / 50; i++) {
            const uint32_t kind = random_below(&w->crowd.random, 8),
                           id = random_below(&w->crowd.random, w->crowd.count);
            box_crowd_change(&w->crowd, kind, id);
        }
}

// Most objects move in every step: the sweep that chooses then keeps enlarged ("fat") boxes, and checks their pairs.
static uint64_t run_flight(box_style style, uint32_t count, uint64_t seed, int steps)
{
    static world w;
    static double velocities[MOST_OBJECTS][3];
    world_init(&w, style, count, seed);
    for (uint32_t id = 0; id < count; id++) {
        const grz_box box = box_draw(style, &w.crowd.random, count);
        for (int axis = 0; axis < 3; axis++) {
            const double extent = box.max[axis] - box.min[axis];
            velocities[id][axis] = extent < HUGE_VAL ? 0.04 * extent * random_signed(&w.crowd.random) : 0.0;
        }
        if (id < count * 3 / 4)
            box_crowd_put(&w.crowd, id, &box);
    }
    for (int step = 0; step < steps; step++) {
        (void)expect_pairs(&w, seed, step);
        fly(&w, velocities, step);
        if (step == steps * 3 / 4) // from here on without fat boxes
            grz_sweep_force(w.sweeps[0], GRZ_SWEEP_REPAIR);
    }
    const uint64_t filtered = grz_sweep_work_done(w.sweeps[0])->filtered;
    assert_int_equal(grz_sweep_work_done(w.sweeps[1])->filtered + grz_sweep_work_done(w.sweeps[2])->filtered, 0);
    world_finish(&w);
    return filtered;
}

static void pairs_of_moving_boxes_are_those_of_the_plain_loop(void **state)
{
    (void)state;
    for (int style = 0; style < BOXES_STYLE_COUNT; style++) {
        uint64_t filtered = 0;
        for (uint64_t seed = 1; seed <= (TEST_SHORT ? 1 : 2); seed++) {
            filtered += run_flight((box_style)style, 70, seed, 200);
            filtered += run_flight((box_style)style, 400, seed, 130);
        }
        print_message("%-10s %llu candidates looked at\n", box_style_name((box_style)style),
                      (unsigned long long)filtered);
        assert_true(filtered > 0 || style != BOXES_UNIFORM);
    }
}

static void the_same_boxes_give_the_same_list_by_any_history(void **state)
{
    (void)state;
    static world w, fresh;
    for (int style = 0; style < BOXES_STYLE_COUNT; style++) {
        world_init(&w, (box_style)style, 300, 77);
        for (int step = 0; step < 40; step++) {
            box_crowd_step(&w.crowd);
            for (uint32_t id = 0; id < w.crowd.count; id++)
                if (grz_box_is_empty(&w.boxes[id]))
                    box_crowd_draw(&w.crowd, id);
            (void)expect_pairs(&w, 77, step);
        }
        world_init(&fresh, (box_style)style, 300, 78);
        for (uint32_t id = fresh.crowd.count; id-- > 0;)
            box_crowd_put(&fresh.crowd, id, &w.boxes[id]);
        const grz_sweep_pair *pairs[2 * WAYS];
        size_t counts[2 * WAYS];
        for (int i = 0; i < 2 * WAYS; i++) {
            assert_true(grz_sweep_update(i < WAYS ? w.sweeps[i] : fresh.sweeps[i - WAYS], &pairs[i], &counts[i]));
            assert_true(counts[i] > 0 && counts[i] == counts[0]);
            assert_memory_equal(pairs[i], pairs[0], counts[0] * sizeof *pairs[0]);
        }
        world_finish(&w);
        world_finish(&fresh);
    }
}

static void expect_list(grz_sweep *sweep, const grz_sweep_pair *expected, size_t count)
{
    const grz_sweep_pair *pairs;
    size_t found;
    assert_true(grz_sweep_update(sweep, &pairs, &found));
    assert_int_equal(found, count);
    if (count > 0)
        assert_memory_equal(pairs, expected, count * sizeof *pairs);
}

static void small_cases_are_as_worked_out_by_hand(void **state)
{
    (void)state;
    const grz_allocator allocator = grz_malloc_allocator();
    const grz_box unit = {{0, 0, 0}, {1, 1, 1}}, corner = {{1, 1, 1}, {2, 2, 2}}, beyond = {{1.5, -1, -1}, {3, 3, 3}};
    const grz_box zero = {{-0.0, 0.0, -0.0}, {0.0, -0.0, 0.0}},
                  all = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    const grz_box empty = grz_box_empty(), huge = {{-0x1p301, -0x1p301, -0x1p301}, {-0.0, 0x1p301, 0x1p301}};
    for (int way = 0; way < WAYS; way++) {
        grz_sweep *sweep = grz_sweep_create(&allocator);
        grz_sweep_force(sweep, (grz_sweep_way)way);
        expect_list(sweep, NULL, 0);
        grz_sweep_remove(sweep, 5);
        expect_list(sweep, NULL, 0);
        assert_true(grz_sweep_set(sweep, 7, &unit));
        expect_list(sweep, NULL, 0);
        assert_true(grz_sweep_set(sweep, 3, &corner)); // a corner touches a corner
        expect_list(sweep, (grz_sweep_pair[]){{3, 7}}, 1);
        assert_true(grz_sweep_set(sweep, 100, &beyond));
        expect_list(sweep, (grz_sweep_pair[]){{3, 7}, {3, 100}}, 2);
        assert_true(grz_sweep_set(sweep, 4, &zero));
        expect_list(sweep, (grz_sweep_pair[]){{3, 7}, {3, 100}, {4, 7}}, 3);
        assert_true(grz_sweep_set(sweep, 0, &huge)); // its face lies in the plane x = 0
        expect_list(sweep, (grz_sweep_pair[]){{0, 4}, {0, 7}, {3, 7}, {3, 100}, {4, 7}}, 5);
        grz_sweep_remove(sweep, 3);
        grz_sweep_remove(sweep, 3);
        grz_sweep_remove(sweep, 101);
        assert_true(grz_sweep_set(sweep, 1, &all));
        expect_list(sweep, (grz_sweep_pair[]){{0, 1}, {0, 4}, {0, 7}, {1, 4}, {1, 7}, {1, 100}, {4, 7}}, 7);
        assert_true(grz_sweep_set(sweep, 4, &empty)); // even an infinite box does not meet it
        assert_true(grz_sweep_set(sweep, 200, &empty));
        expect_list(sweep, (grz_sweep_pair[]){{0, 1}, {0, 7}, {1, 7}, {1, 100}}, 4);
        grz_sweep_remove(sweep, 1);
        grz_sweep_remove(sweep, 0);
        grz_sweep_remove(sweep, 7);
        grz_sweep_remove(sweep, 100);
        expect_list(sweep, NULL, 0);
        assert_false(grz_sweep_set(sweep, (uint32_t)GRZ_SWEEP_MAX_ID + 1, &unit));
        expect_list(sweep, NULL, 0);
        grz_sweep_destroy(sweep);
    }
    grz_sweep_destroy(NULL);
}

// By plain comparison an infinite box overlaps the empty box. Objects that are added while it changes must still be
// found.
static void infinite_boxes_meet_new_boxes_but_not_empty_ones(void **state)
{
    (void)state;
    const grz_allocator allocator = grz_malloc_allocator();
    const grz_box all = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    const grz_box half = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {0, HUGE_VAL, HUGE_VAL}}, point = {{-1, 0, 0}, {-1, 0, 0}};
    for (int way = 0; way < WAYS; way++)
        for (uint32_t order = 0; order < 2; order++) {
            const uint32_t endless = order == 0 ? 2 : 9;
            grz_sweep *sweep = grz_sweep_create(&allocator);
            grz_sweep_force(sweep, (grz_sweep_way)way);
            assert_true(grz_sweep_set(sweep, endless, &all));
            expect_list(sweep, NULL, 0);
            assert_true(grz_sweep_set(sweep, order == 0 ? 5 : endless, order == 0 ? &point : &half));
            assert_true(grz_sweep_set(sweep, order == 0 ? endless : 5, order == 0 ? &half : &point));
            expect_list(sweep, order == 0 ? (grz_sweep_pair[]){{2, 5}} : (grz_sweep_pair[]){{5, 9}}, 1);
            grz_sweep_remove(sweep, 5);
            assert_true(grz_sweep_set(sweep, endless, &all));
            expect_list(sweep, NULL, 0);
            grz_sweep_destroy(sweep);
        }
}

static void expect_failure(test_strict_allocator *memory, const char *what)
{
    if (!memory->failed)
        fail_msg("call %ld: %s failed with memory at hand", memory->fail_at, what);
    memory->fail_at = 0;
}

enum {
    LIFE_OBJECTS = 260,
    LIFE_CHANGES = 12, // steps in which some change; then all move on
    LIFE_STEPS = 30
};

// One life of a sweep whose allocation number `fail_at` fails. A failed call is tried again with memory. Returns the
// number of allocations.
static long live(long fail_at, bool for_good, grz_sweep_way way)
{
    static grz_box boxes[LIFE_OBJECTS];
    test_strict_allocator memory = {.lock = PTHREAD_MUTEX_INITIALIZER, .fail_at = fail_at, .for_good = for_good};
    const grz_allocator allocator = test_strict_allocator_of(&memory);
    random_stream random = {41};
    grz_sweep *sweep = grz_sweep_create(&allocator);
    if (sweep == NULL) {
        expect_failure(&memory, "grz_sweep_create");
        sweep = grz_sweep_create(&allocator);
        assert_non_null(sweep);
    }
    grz_sweep_force(sweep, way);
    for (uint32_t id = 0; id < LIFE_OBJECTS; id++)
        boxes[id] = grz_box_empty();
    for (int step = 0; step < LIFE_STEPS; step++) {
        const bool flies = step >= LIFE_CHANGES;
        const uint32_t first = step < 4 ? (uint32_t)step * 65 : 0;
        const uint32_t count = step < 4 ? 65 : flies ? LIFE_OBJECTS : (uint32_t)step * 8;
        const box_style style = step == 6 ? BOXES_IDENTICAL : step % 3 == 2 ? BOXES_TERRAIN : BOXES_UNIFORM;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t id = (first + i * (step < 4 || flies ? 1 : 3)) % LIFE_OBJECTS;
            grz_box box = step == 9 ? grz_box_empty() : box_draw(style, &random, LIFE_OBJECTS);
            if (flies) {
                box = boxes[id];
                box.min[id % 3] += 0x1p-8;
                box.max[id % 3] += 0x1p-8;
            }
            if (!grz_sweep_set(sweep, id, &box)) {
                expect_failure(&memory, "grz_sweep_set");
                assert_true(grz_sweep_set(sweep, id, &box));
            }
            boxes[id] = box;
        }
        const grz_sweep_pair *pairs;
        size_t pair_count;
        if (!grz_sweep_update(sweep, &pairs, &pair_count)) {
            assert_null(pairs);
            assert_int_equal(pair_count, 0);
            if (for_good && grz_sweep_update(sweep, &pairs, &pair_count)) // the rest of the work may need no memory
                expect_box_pairs("with memory still short", boxes, LIFE_OBJECTS, pairs, pair_count);
            expect_failure(&memory, "grz_sweep_update");
            if (step % 2 == 1) { // a change in between
                boxes[step] = grz_box_empty();
                grz_sweep_remove(sweep, (uint32_t)step);
            }
            assert_true(grz_sweep_update(sweep, &pairs, &pair_count));
        }
        char what[80];
        (void)snprintf(what, sizeof what, "call %ld fails%s, way %d, step %d", fail_at,
                       for_good ? " and all later" : "", (int)way, step);
        expect_box_pairs(what, boxes, LIFE_OBJECTS, pairs, pair_count);
    }
    if (fail_at == 0 && way == GRZ_SWEEP_CHEAPEST)
        assert_true(grz_sweep_work_done(sweep)->filtered > 0);
    grz_sweep_destroy(sweep);
    if (memory.bytes != 0 || memory.misused)
        fail_msg("call %ld fails: %ld bytes are lost, sizes are %s", fail_at, memory.bytes,
                 memory.misused ? "wrong" : "right");
    return memory.calls;
}

static void failed_allocations_break_nothing(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        const long calls = live(0, false, (grz_sweep_way)way);
        assert_true(calls > 40);
        for (long fail_at = 1; fail_at <= calls; fail_at += TEST_SHORT ? 8 : 2) {
            (void)live(fail_at, false, (grz_sweep_way)way);
            (void)live(fail_at, true, (grz_sweep_way)way);
        }
        print_message("%ld allocations, each failed in turn\n", calls);
    }
}

// ---- Control --------------------------------------------------------------------------------------------------------

// One update of many boxes under a deadline or a memory limit, which grows until the update completes. After an update
// that ended early, the next one gives the right pairs. In flight all boxes move on in every step, and did so before.
static unsigned end_early(grz_sweep_way way, bool by_memory, bool flight)
{
    enum {
        COUNT = TEST_SHORT ? 3000 : 20000,
        STEPS_MOST = 200
    };
    const grz_allocator allocator = grz_malloc_allocator();
    static grz_box boxes[COUNT];
    random_stream random = {.state = 5 + (uint64_t)way};
    grz_sweep *sweep = grz_sweep_create(&allocator), *fresh;
    unsigned ended = 0;
    bool done = false;
    grz_sweep_force(sweep, way);
    for (int step = flight ? -6 : 0; !done && step < STEPS_MOST; step++) {
        const grz_sweep_pair *pairs, *expected;
        size_t count, expected_count;
        grz_control control;
        grz_control_init(&control, &allocator, NULL);
        control.limits.deadline = by_memory || step < 0 ? 0.0 : 1e-6 * pow(1.3, step);
        control.start = grz_clock_seconds();
        control.limits.memory_limit = by_memory ? (uint64_t)(64.0 * pow(1.4, step)) : 0;
        for (uint32_t i = 0; i < COUNT; i++)
            if (flight && step > -6)
                boxes[i].min[i % 3] += 0x1p-10, boxes[i].max[i % 3] += 0x1p-10;
            else if (step % 4 == 0 || i % 8 == 0 || flight)
                boxes[i] = box_draw(BOXES_UNIFORM, &random, COUNT);
        // Ids are known before, so that setting needs no memory.
        for (uint32_t i = 0; i < COUNT; i++)
            assert_true(grz_sweep_set(sweep, i, &boxes[i]));
        grz_sweep_set_control(sweep, &control);
        const bool whole = grz_sweep_update(sweep, &pairs, &count);
        grz_sweep_set_control(sweep, NULL);
        done = whole && step > 0;
        if (!whole) {
            ended++;
            assert_null(pairs);
            assert_int_equal(count, 0);
            assert_true(by_memory ? atomic_load(&control.over_memory)
                                  : grz_control_status(&control) == GRZ_ERROR_DEADLINE);
            assert_true(grz_sweep_update(sweep, &pairs, &count));
        }
        fresh = grz_sweep_create(&allocator);
        for (uint32_t i = 0; i < COUNT; i++)
            assert_true(grz_sweep_set(fresh, i, &boxes[i]));
        assert_true(grz_sweep_update(fresh, &expected, &expected_count));
        if (count != expected_count || memcmp(pairs, expected, count * sizeof *pairs) != 0)
            fail_msg("way %d, step %d, %s: wrong pairs", (int)way, step, whole ? "whole" : "ended early");
        grz_sweep_destroy(fresh);
    }
    assert_true(done);
    assert_true(!flight || grz_sweep_work_done(sweep)->filtered > 0);
    grz_sweep_destroy(sweep);
    return ended;
}

static void updates_end_when_the_control_says_so(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        const unsigned late = end_early((grz_sweep_way)way, false, false),
                       large = end_early((grz_sweep_way)way, true, false);
        print_message("  way %d: %u updates were ended by a deadline, %u by a limit of memory\n", way, late, large);
        assert_true(late > 5);
        assert_true(large > 0);
    }
    const unsigned late = end_early(GRZ_SWEEP_CHEAPEST, false, true);
    print_message("  in flight: %u updates were ended by a deadline\n", late);
    assert_true(late > 0);
}

// A key and its value, to compare the sort with qsort().
typedef struct keyed {
    uint64_t key;
    uint32_t value;
} keyed;

static int compare_keyed(const void *x, const void *y)
{
    const keyed *a = x, *b = y;
    return a->key != b->key ? (a->key > b->key ? 1 : -1) : (a->value > b->value) - (a->value < b->value);
}

// Sort `count` keys that differ only in the bits of `mask`; values number them.
static void expect_sorted(random_stream *random, size_t count, uint64_t mask, bool valued)
{
    const grz_allocator allocator = grz_malloc_allocator();
    grz_sweep_numbers keys = {0}, spare_keys = {0};
    grz_sweep_ids values = {0}, spare_values = {0};
    keyed *sorted = calloc(count, sizeof *sorted);
    assert_non_null(sorted);
    assert_true(grz_array_reserve(&allocator, &keys, count) && grz_array_reserve(&allocator, &spare_keys, count) &&
                grz_array_reserve(&allocator, &values, count) && grz_array_reserve(&allocator, &spare_values, count));
    for (size_t i = 0; i < count && values.items != NULL; i++) { // clang-tidy does not see that it is not
        const uint64_t key = (random_bits(random) & mask) | (UINT64_C(0x3ff123456789abcd) & ~mask);
        sorted[i] = (keyed){key, (uint32_t)i};
        keys.items[i] = key;
        values.items[i] = (uint32_t)i;
    }
    qsort(sorted, count, sizeof *sorted, compare_keyed);
    assert_true(
        grz_sweep_sort(&keys, &spare_keys, valued ? &values : NULL, valued ? &spare_values : NULL, count, 64, NULL));
    for (size_t i = 0; i < count; i++)
        if (keys.items[i] != sorted[i].key || (valued && values.items[i] != sorted[i].value))
            fail_msg("%zu keys, bits %llx: item %zu is wrong", count, (unsigned long long)mask, i);
    grz_array_finish(&allocator, &keys);
    grz_array_finish(&allocator, &spare_keys);
    grz_array_finish(&allocator, &values);
    grz_array_finish(&allocator, &spare_values);
    free(sorted);
}

// Insertion sort ends what the upper digits began; where many keys agree in those, all digits are sorted instead.
static void coordinates_are_sorted_wherever_they_differ(void **state)
{
    (void)state;
    static const uint64_t masks[] = {
        UINT64_MAX,         0xffffffff00000000, 0x00000000ffffffff, 0x0000000080000000, 0x000000007fffffff,
        0x00000000000000ff, 0x00000007ffffffff, 0x8000000000000001, 0x0000003fffffffff, 0};
    static const size_t counts[] = {1, 2, 64, 65, 1000, 4096, 4097, 20000};
    random_stream random = {21};
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++)
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++)
            for (int valued = 0; valued < 2; valued++)
                expect_sorted(&random, counts[j], masks[i], valued != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_cases_are_as_worked_out_by_hand),
        cmocka_unit_test(infinite_boxes_meet_new_boxes_but_not_empty_ones),
        cmocka_unit_test(every_history_gives_the_pairs_of_the_plain_loop),
        cmocka_unit_test(pairs_of_moving_boxes_are_those_of_the_plain_loop),
        cmocka_unit_test(the_same_boxes_give_the_same_list_by_any_history),
        cmocka_unit_test(failed_allocations_break_nothing),
        cmocka_unit_test(updates_end_when_the_control_says_so),
        cmocka_unit_test(coordinates_are_sorted_wherever_they_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
