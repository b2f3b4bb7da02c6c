// SPDX-License-Identifier: MIT
// Every kind of broad phase, by every way of updating, against the plain loop over all pairs, after every step of
// random histories: objects of eight styles are added, removed, added under an old id, moved a little, moved far, sent
// to empty boxes and back. A failure prints kind, way, style, seed and step; the same call of run_history() replays it.
// Then: small cases by hand, failures of every allocation, deadlines and memory limits, every SIMD width.
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
#include "space/pairs/pairs.h"
#include "support_allocator.h"
#include "support_boxes.h"
#include "support_sanitizer.h"

enum {
    MOST_OBJECTS = TEST_SHORT ? 400 : 2000,
    OBJECTS = TEST_SHORT ? 150 : 400,
    LEAST = TEST_SHORT ? 10 : 50 // updates of each way
};

typedef struct contestant {
    grz_pairs_kind kind;
    grz_pairs_way way;
} contestant;

static const contestant contestants[] = {{GRZ_PAIRS_TREE, GRZ_PAIRS_CHEAPEST}, {GRZ_PAIRS_TREE, GRZ_PAIRS_FEW},
                                         {GRZ_PAIRS_TREE, GRZ_PAIRS_COAST},    {GRZ_PAIRS_TREE, GRZ_PAIRS_RENEW},
                                         {GRZ_PAIRS_GRID, GRZ_PAIRS_CHEAPEST}, {GRZ_PAIRS_GRID, GRZ_PAIRS_FEW},
                                         {GRZ_PAIRS_GRID, GRZ_PAIRS_COAST},    {GRZ_PAIRS_GRID, GRZ_PAIRS_RENEW},
                                         {GRZ_PAIRS_AUTO, GRZ_PAIRS_CHEAPEST}, {GRZ_PAIRS_SWEEP, GRZ_PAIRS_CHEAPEST}};

enum {
    CONTESTANTS = sizeof contestants / sizeof *contestants
};

static const char *name_of(int i)
{
    static const char *const ways[] = {"cheapest", "few", "coast", "renew"};
    static char name[40];
    (void)snprintf(name, sizeof name, "%s, %s", grz_pairs_kind_name(contestants[i].kind), ways[contestants[i].way]);
    return name;
}

// A width that this machine has, another one for each number.
static grz_simd width_of(unsigned number)
{
    const grz_simd simd = (grz_simd)(number % GRZ_SIMD_COUNT);
    return grz_simd_available(simd) ? simd : GRZ_SIMD_BASE;
}

// The present boxes, and broad phases that get every change. An unused id has an empty box.
typedef struct world {
    box_crowd crowd;
    grz_box boxes[MOST_OBJECTS];
    double velocities[MOST_OBJECTS][3];
    grz_pairs *all[CONTESTANTS];
} world;

static void set_box(void *user, uint32_t id, const grz_box *box)
{
    world *w = user;
    for (int i = 0; i < CONTESTANTS; i++)
        assert_true(grz_pairs_set(w->all[i], id, box));
}

static void remove_box(void *user, uint32_t id)
{
    world *w = user;
    for (int i = 0; i < CONTESTANTS; i++)
        grz_pairs_remove(w->all[i], id);
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
    for (int i = 0; i < CONTESTANTS; i++) {
        w->all[i] = grz_pairs_create(contestants[i].kind, &allocator, width_of((unsigned)seed + (unsigned)i));
        assert_non_null(w->all[i]);
        grz_pairs_force(w->all[i], contestants[i].way);
    }
}

static void world_finish(world *w)
{
    for (int i = 0; i < CONTESTANTS; i++)
        grz_pairs_destroy(w->all[i]);
}

// Most objects go on as they went; some turn round, a few do something else.
static void fly(world *w, int step)
{
    for (uint32_t id = 0; id < w->crowd.count; id++) {
        grz_box box = w->boxes[id];
        if (grz_box_is_empty(&box))
            continue;
        if (step / 12 % 3 == 1) { // to and fro
            box_crowd_nudge(&w->crowd, id);
            continue;
        }
        if (random_below(&w->crowd.random, 100) == 0)
            for (int axis = 0; axis < 3; axis++)
                w->velocities[id][axis] = -w->velocities[id][axis];
        for (int axis = 0; axis < 3; axis++) {
            box.min[axis] += w->velocities[id][axis];
            box.max[axis] += w->velocities[id][axis];
        }
        box_crowd_put(&w->crowd, id, &box);
    }
    if (step / 12 % 3 == 2)
        for (uint32_t i = 0; i < 1 + w->crowd.count / 50; i++) {
            const uint32_t kind = random_below(&w->crowd.random, 8),
                           id = random_below(&w->crowd.random, w->crowd.count);
            box_crowd_change(&w->crowd, kind, id);
        }
}

// Expect that all have the pairs of the plain loop. Returns their number.
static size_t expect_pairs(world *w, uint64_t seed, int step)
{
    const grz_sweep_pair *first = NULL;
    size_t first_count = 0;
    for (int i = 0; i < CONTESTANTS; i++) {
        char what[200];
        const grz_sweep_pair *pairs;
        size_t count;
        (void)snprintf(what, sizeof what, "%s, %u ids, seed %llu, step %d, %s", box_style_name(w->crowd.style),
                       w->crowd.count, (unsigned long long)seed, step, name_of(i));
        if (!grz_pairs_update(w->all[i], &pairs, &count))
            fail_msg("%s: the update failed", what);
        const bool as_first = first != NULL && count == first_count && memcmp(pairs, first, count * sizeof *pairs) == 0;
        if (!as_first)
            expect_box_pairs(what, w->boxes, w->crowd.count, pairs, count);
        if (i == 0 && count > 0)
            first = pairs, first_count = count;
    }
    return first_count;
}

// Sums over the histories of a style, to check that the test covers enough.
typedef struct tally {
    grz_pairs_work work[CONTESTANTS];
    size_t steps, pairs;
} tally;

static void run_history(box_style style, uint32_t count, uint64_t seed, int steps, bool flight, tally *sum)
{
    static world w;
    world_init(&w, style, count, seed);
    for (uint32_t id = 0; id < count; id++) {
        const grz_box box = box_draw(style, &w.crowd.random, count);
        for (int axis = 0; axis < 3; axis++) {
            const double extent = box.max[axis] - box.min[axis];
            w.velocities[id][axis] = extent < HUGE_VAL ? 0.04 * extent * random_signed(&w.crowd.random) : 0.0;
        }
        if (flight && id < count * 3 / 4)
            box_crowd_put(&w.crowd, id, &box);
        else if (random_below(&w.crowd.random, 3) != 0)
            box_crowd_draw(&w.crowd, id);
    }
    for (int step = 0; step < steps; step++) {
        sum->pairs += expect_pairs(&w, seed, step);
        sum->steps++;
        if (flight)
            fly(&w, step);
        for (uint32_t rounds = flight ? 0 : random_below(&w.crowd.random, 3) + 1; rounds > 0; rounds--)
            box_crowd_step(&w.crowd);
    }
    for (int i = 0; i < CONTESTANTS; i++) {
        const grz_pairs_work *work = grz_pairs_work_done(w.all[i]);
        if (work == NULL)
            continue;
        sum->work[i].renewed += work->renewed;
        sum->work[i].few += work->few;
        sum->work[i].coasted += work->coasted;
    }
    world_finish(&w);
}

static void every_history_gives_the_pairs_of_the_plain_loop(void **state)
{
    (void)state;
    tally all = {0};
    for (int style = 0; style < BOXES_STYLE_COUNT; style++) {
        tally sum = {0};
        for (uint64_t seed = 1; seed <= (TEST_SHORT ? 1 : 2); seed++) {
            run_history((box_style)style, 12, seed, 60, false, &sum);
            run_history((box_style)style, 70, seed, 40, false, &sum);
            run_history((box_style)style, 70, seed, 72, true, &sum);
            if (seed <= (TEST_SHORT ? 1 : 2)) {
                run_history((box_style)style, OBJECTS, seed, 40, false, &sum);
                run_history((box_style)style, OBJECTS, seed, 72, true, &sum);
            }
        }
        run_history((box_style)style, MOST_OBJECTS, 1, TEST_SHORT ? 4 : 8, false, &sum);
        print_message("%-10s %zu steps, %.1f pairs in each\n", box_style_name((box_style)style), sum.steps,
                      (double)sum.pairs / (double)sum.steps);
        assert_true(sum.pairs > sum.steps);
        for (int i = 0; i < CONTESTANTS; i++) {
            all.work[i].renewed += sum.work[i].renewed;
            all.work[i].few += sum.work[i].few;
            all.work[i].coasted += sum.work[i].coasted;
        }
    }
    for (int i = 0; i < CONTESTANTS; i++) {
        if (contestants[i].kind == GRZ_PAIRS_SWEEP || contestants[i].kind == GRZ_PAIRS_AUTO)
            continue;
        const grz_pairs_work *work = &all.work[i];
        print_message("%-16s renewed %llu, few %llu, coasted %llu\n", name_of(i), (unsigned long long)work->renewed,
                      (unsigned long long)work->few, (unsigned long long)work->coasted);
        assert_true(work->renewed > LEAST);
        assert_true(contestants[i].way != GRZ_PAIRS_FEW || work->few > 10 * work->renewed);
        assert_true(contestants[i].way != GRZ_PAIRS_COAST || work->coasted > LEAST);
        assert_true(contestants[i].way != GRZ_PAIRS_CHEAPEST || (work->coasted > LEAST && work->few > LEAST));
        assert_true(contestants[i].way != GRZ_PAIRS_RENEW || work->coasted + work->few == 0);
    }
}

static void expect_list(grz_pairs *pairs, const grz_sweep_pair *expected, size_t count)
{
    const grz_sweep_pair *list;
    size_t found;
    assert_true(grz_pairs_update(pairs, &list, &found));
    assert_int_equal(found, count);
    if (count > 0)
        assert_memory_equal(list, expected, count * sizeof *list);
}

static void small_cases_are_as_worked_out_by_hand(void **state)
{
    (void)state;
    const grz_allocator allocator = grz_malloc_allocator();
    const grz_box unit = {{0, 0, 0}, {1, 1, 1}}, corner = {{1, 1, 1}, {2, 2, 2}}, beyond = {{1.5, -1, -1}, {3, 3, 3}};
    const grz_box zero = {{-0.0, 0.0, -0.0}, {0.0, -0.0, 0.0}},
                  all = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    const grz_box empty = grz_box_empty(), huge = {{-0x1p301, -0x1p301, -0x1p301}, {-0.0, 0x1p301, 0x1p301}};
    const grz_box nearly = {{0x1.0000000000001p0, 0, 0}, {2, 1, 1}}; // an ulp away from `unit`: the same in floats
    for (int i = 0; i < CONTESTANTS; i++) {
        grz_pairs *pairs = grz_pairs_create(contestants[i].kind, &allocator, GRZ_SIMD_BASE);
        grz_pairs_force(pairs, contestants[i].way);
        expect_list(pairs, NULL, 0);
        grz_pairs_remove(pairs, 5);
        expect_list(pairs, NULL, 0);
        assert_true(grz_pairs_set(pairs, 7, &unit));
        expect_list(pairs, NULL, 0);
        assert_true(grz_pairs_set(pairs, 3, &corner)); // a corner touches a corner
        expect_list(pairs, (grz_sweep_pair[]){{3, 7}}, 1);
        assert_true(grz_pairs_set(pairs, 100, &beyond));
        expect_list(pairs, (grz_sweep_pair[]){{3, 7}, {3, 100}}, 2);
        assert_true(grz_pairs_set(pairs, 4, &zero));
        expect_list(pairs, (grz_sweep_pair[]){{3, 7}, {3, 100}, {4, 7}}, 3);
        assert_true(grz_pairs_set(pairs, 0, &huge)); // its face lies in the plane x = 0
        expect_list(pairs, (grz_sweep_pair[]){{0, 4}, {0, 7}, {3, 7}, {3, 100}, {4, 7}}, 5);
        grz_pairs_remove(pairs, 3);
        grz_pairs_remove(pairs, 3);
        grz_pairs_remove(pairs, 101);
        assert_true(grz_pairs_set(pairs, 1, &all));
        expect_list(pairs, (grz_sweep_pair[]){{0, 1}, {0, 4}, {0, 7}, {1, 4}, {1, 7}, {1, 100}, {4, 7}}, 7);
        assert_true(grz_pairs_set(pairs, 4, &empty)); // even an infinite box does not meet it
        assert_true(grz_pairs_set(pairs, 200, &empty));
        expect_list(pairs, (grz_sweep_pair[]){{0, 1}, {0, 7}, {1, 7}, {1, 100}}, 4);
        grz_pairs_remove(pairs, 1);
        grz_pairs_remove(pairs, 0);
        assert_true(grz_pairs_set(pairs, 2, &nearly));
        expect_list(pairs, (grz_sweep_pair[]){{2, 100}}, 1);
        grz_pairs_remove(pairs, 2);
        grz_pairs_remove(pairs, 7);
        grz_pairs_remove(pairs, 100);
        expect_list(pairs, NULL, 0);
        assert_false(grz_pairs_set(pairs, (uint32_t)GRZ_SWEEP_MAX_ID + 1, &unit));
        expect_list(pairs, NULL, 0);
        grz_pairs_destroy(pairs);
    }
    grz_pairs_destroy(NULL);
}

static void expect_failure(test_strict_allocator *memory, const char *what)
{
    if (!memory->failed)
        fail_msg("call %ld: %s failed with memory at hand", memory->fail_at, what);
    memory->fail_at = 0;
}

enum {
    LIFE_OBJECTS = 200,
    LIFE_CHANGES = 12, // steps in which some change; then all move on
    LIFE_STEPS = 26
};

// One life of a broad phase whose allocation number `fail_at` fails. A failed call is tried again with memory. Returns
// the number of allocations.
static long live(long fail_at, bool for_good, int which)
{
    static grz_box boxes[LIFE_OBJECTS];
    test_strict_allocator memory = {.lock = PTHREAD_MUTEX_INITIALIZER, .fail_at = fail_at, .for_good = for_good};
    const grz_allocator allocator = test_strict_allocator_of(&memory);
    random_stream random = {41};
    grz_pairs *pairs = grz_pairs_create(contestants[which].kind, &allocator, GRZ_SIMD_BASE);
    if (pairs == NULL) {
        expect_failure(&memory, "grz_pairs_create");
        pairs = grz_pairs_create(contestants[which].kind, &allocator, GRZ_SIMD_BASE);
        assert_non_null(pairs);
    }
    grz_pairs_force(pairs, contestants[which].way);
    for (uint32_t id = 0; id < LIFE_OBJECTS; id++)
        boxes[id] = grz_box_empty();
    for (int step = 0; step < LIFE_STEPS; step++) {
        const bool flies = step >= LIFE_CHANGES;
        const uint32_t first = step < 4 ? (uint32_t)step * 50 : 0;
        const uint32_t count = step < 4 ? 50 : flies ? LIFE_OBJECTS : (uint32_t)step * 8;
        const box_style style = step == 6 ? BOXES_IDENTICAL : step % 3 == 2 ? BOXES_TERRAIN : BOXES_UNIFORM;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t id = (first + i * (step < 4 || flies ? 1 : 3)) % LIFE_OBJECTS;
            grz_box box = step == 9 ? grz_box_empty() : box_draw(style, &random, LIFE_OBJECTS);
            if (flies) {
                box = boxes[id];
                box.min[id % 3] += 0x1p-8;
                box.max[id % 3] += 0x1p-8;
            }
            if (!grz_pairs_set(pairs, id, &box)) {
                expect_failure(&memory, "grz_pairs_set");
                assert_true(grz_pairs_set(pairs, id, &box));
            }
            boxes[id] = box;
        }
        const grz_sweep_pair *list;
        size_t found;
        if (!grz_pairs_update(pairs, &list, &found)) {
            assert_null(list);
            assert_int_equal(found, 0);
            if (for_good && grz_pairs_update(pairs, &list, &found)) // the rest of the work may need no memory
                expect_box_pairs("with memory still short", boxes, LIFE_OBJECTS, list, found);
            expect_failure(&memory, "grz_pairs_update");
            if (step % 2 == 1) { // a change in between
                boxes[step] = grz_box_empty();
                grz_pairs_remove(pairs, (uint32_t)step);
            }
            assert_true(grz_pairs_update(pairs, &list, &found));
        }
        char what[120];
        (void)snprintf(what, sizeof what, "call %ld fails%s, %s, step %d", fail_at, for_good ? " and all later" : "",
                       name_of(which), step);
        expect_box_pairs(what, boxes, LIFE_OBJECTS, list, found);
    }
    grz_pairs_destroy(pairs);
    if (memory.bytes != 0 || memory.misused)
        fail_msg("call %ld fails: %ld bytes are lost, sizes are %s", fail_at, memory.bytes,
                 memory.misused ? "wrong" : "right");
    return memory.calls;
}

static void failed_allocations_break_nothing(void **state)
{
    (void)state;
    for (int which = 0; which < CONTESTANTS; which++) {
        if (contestants[which].kind == GRZ_PAIRS_SWEEP) // test_sweep_and_prune
            continue;
        const long calls = live(0, false, which);
        assert_true(calls > 20);
        // Alone, or with all that follow: either way in turn, as the ways of one kind allocate alike.
        for (long fail_at = 1; fail_at <= calls; fail_at += TEST_SHORT ? 9 : 3)
            (void)live(fail_at, (fail_at + which) % 2 == 0, which);
        print_message("%s: %ld allocations, each failed in turn\n", name_of(which), calls);
    }
}

// Updates of many boxes under a deadline or a memory limit, which grows until the update completes. After an update
// that ended early, the next one gives the right pairs.
static unsigned end_early(int which, bool by_memory)
{
    enum {
        COUNT = TEST_SHORT ? 2000 : 20000,
        STEPS_MOST = 200
    };
    const grz_allocator allocator = grz_malloc_allocator();
    static grz_box boxes[COUNT];
    random_stream random = {.state = 5};
    grz_pairs *pairs = grz_pairs_create(contestants[which].kind, &allocator, GRZ_SIMD_BASE);
    unsigned ended = 0;
    bool done = false;
    grz_pairs_force(pairs, contestants[which].way);
    for (int step = by_memory ? 0 : -6; !done && step < STEPS_MOST; step++) {
        const grz_sweep_pair *list, *expected;
        size_t count, expected_count;
        grz_control control;
        grz_control_init(&control, &allocator, NULL);
        control.limits.deadline = by_memory || step < 0 ? 0.0 : 1e-6 * pow(1.3, step);
        control.start = grz_clock_seconds();
        control.limits.memory_limit = by_memory && step >= 0 ? (uint64_t)(64.0 * pow(1.4, step)) : 0;
        for (uint32_t i = 0; i < COUNT; i++)
            if (step > (by_memory ? 0 : -6) && step % 4 != 0)
                boxes[i].min[i % 3] += 0x1p-10, boxes[i].max[i % 3] += 0x1p-10;
            else
                boxes[i] = box_draw(BOXES_UNIFORM, &random, COUNT);
        for (uint32_t i = 0; i < COUNT; i++)
            assert_true(grz_pairs_set(pairs, i, &boxes[i]));
        grz_pairs_set_control(pairs, &control);
        const bool whole = grz_pairs_update(pairs, &list, &count);
        grz_pairs_set_control(pairs, NULL);
        done = whole && step > 0;
        if (!whole) {
            ended++;
            assert_null(list);
            assert_int_equal(count, 0);
            assert_true(by_memory ? atomic_load(&control.over_memory)
                                  : grz_control_status(&control) == GRZ_ERROR_DEADLINE);
            assert_true(grz_pairs_update(pairs, &list, &count));
        }
        grz_sweep *fresh = grz_sweep_create(&allocator);
        for (uint32_t i = 0; i < COUNT; i++)
            assert_true(grz_sweep_set(fresh, i, &boxes[i]));
        assert_true(grz_sweep_update(fresh, &expected, &expected_count));
        if (count != expected_count || memcmp(list, expected, count * sizeof *list) != 0)
            fail_msg("%s, step %d, %s: wrong pairs", name_of(which), step, whole ? "whole" : "ended early");
        grz_sweep_destroy(fresh);
    }
    assert_true(done);
    grz_pairs_destroy(pairs);
    return ended;
}

static void updates_end_when_the_control_says_so(void **state)
{
    (void)state;
    for (int which = 0; which < CONTESTANTS; which++) {
        if (contestants[which].kind == GRZ_PAIRS_SWEEP)
            continue;
        const unsigned late = end_early(which, false), large = end_early(which, true);
        print_message("  %s: %u updates were ended by a deadline, %u by a limit of memory\n", name_of(which), late,
                      large);
        assert_true(late > 0 && large > 0);
    }
}

// Many boxes in a corner of the space of floats: far from the origin, and of very different sizes.
static void many_boxes_give_the_same_list_as_sweep_and_prune(void **state)
{
    (void)state;
    const grz_allocator allocator = grz_malloc_allocator();
    const uint32_t count = TEST_SHORT ? 3000 : 50000;
    for (int scene = 0; scene < 4; scene++)
        for (int i = 0; i < CONTESTANTS; i++) {
            random_stream random = {.state = 11};
            grz_pairs *pairs = grz_pairs_create(contestants[i].kind, &allocator, width_of((unsigned)i));
            grz_sweep *sweep = grz_sweep_create(&allocator);
            grz_pairs_force(pairs, contestants[i].way);
            for (int step = 0; step < 4; step++) {
                const grz_sweep_pair *list, *expected;
                size_t found, expected_count = 0;
                for (uint32_t id = 0; id < (step == 0 ? count : count / 50); id++) {
                    const double far_away = scene == 1 ? 1e6 : scene == 2 ? 1e15 : 0.0;
                    const double size = scene == 3 ? pow(10.0, 3.0 * random_signed(&random)) : 1.0;
                    const double across = 2.0 * cbrt((double)count);
                    grz_box box;
                    for (int axis = 0; axis < 3; axis++) {
                        box.min[axis] = far_away + across * (scene == 3 ? 20.0 : 1.0) * random_signed(&random);
                        box.max[axis] = box.min[axis] + size * fabs(random_signed(&random));
                    }
                    assert_true(grz_pairs_set(pairs, id * 3 % count, &box) &&
                                grz_sweep_set(sweep, id * 3 % count, &box));
                }
                assert_true(grz_pairs_update(pairs, &list, &found) &&
                            grz_sweep_update(sweep, &expected, &expected_count));
                if (found != expected_count || memcmp(list, expected, found * sizeof *list) != 0)
                    fail_msg("%s, scene %d, step %d: %zu pairs instead of %zu, or other ones", name_of(i), scene, step,
                             found, expected_count);
                assert_true(found > 0);
            }
            grz_pairs_destroy(pairs);
            grz_sweep_destroy(sweep);
        }
}

// Many that jump, then few that move, then many again: it changes to the grid and back, and the pairs stay right.
static void auto_changes_over_and_back(void **state)
{
    (void)state;
    enum {
        COUNT = 1500,
        PHASE = 20
    };
    const grz_allocator allocator = grz_malloc_allocator();
    static grz_box boxes[COUNT];
    random_stream random = {.state = 3};
    grz_pairs *pairs = grz_pairs_create(GRZ_PAIRS_AUTO, &allocator, GRZ_SIMD_BASE);
    for (uint32_t id = 0; id < COUNT; id++)
        boxes[id] = grz_box_empty();
    for (int step = 0; step < 3 * PHASE; step++) {
        const bool many = step / PHASE != 1;
        for (uint32_t id = 0; id < COUNT; id++)
            if (many || id % 100 == (uint32_t)step % 100) {
                boxes[id] = box_draw(BOXES_UNIFORM, &random, COUNT);
                assert_true(grz_pairs_set(pairs, id, &boxes[id]));
            }
        if (step % 7 == 3) {
            boxes[step] = grz_box_empty();
            grz_pairs_remove(pairs, (uint32_t)step);
        }
        const grz_sweep_pair *list;
        size_t found;
        assert_true(grz_pairs_update(pairs, &list, &found));
        expect_box_pairs("auto", boxes, COUNT, list, found);
    }
    assert_int_equal(grz_pairs_switches(pairs), 3);
    grz_pairs_destroy(pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_cases_are_as_worked_out_by_hand),
        cmocka_unit_test(every_history_gives_the_pairs_of_the_plain_loop),
        cmocka_unit_test(many_boxes_give_the_same_list_as_sweep_and_prune),
        cmocka_unit_test(auto_changes_over_and_back),
        cmocka_unit_test(failed_allocations_break_nothing),
        cmocka_unit_test(updates_end_when_the_control_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
