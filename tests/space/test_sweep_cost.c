// SPDX-License-Identifier: MIT
// The cost of sweep and prune, in counted work, not in time: none if nothing changed; little if little moved, for any
// number of objects; never quadratic if there are few pairs, in any scene. With GRZ_SWEEP_MEASURE set, the program
// prints the times of docs/internals/sweep.md instead.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "space/sweep/sweep_parts.h"
#include "support_boxes.h"

typedef struct scene {
    uint32_t count;
    random_stream random;
    grz_box *boxes;
    grz_sweep *sweep;
    size_t pairs; // after the last update
} scene;

static scene scene_of(box_style style, uint32_t count, uint64_t seed)
{
    const grz_allocator allocator = grz_malloc_allocator();
    scene s = {.count = count,
               .random = {seed},
               .boxes = calloc(count, sizeof *s.boxes),
               .sweep = grz_sweep_create(&allocator)};
    assert_non_null(s.boxes);
    assert_non_null(s.sweep);
    for (uint32_t id = 0; id < count; id++)
        s.boxes[id] = box_draw(style, &s.random, count);
    return s;
}

static void scene_finish(scene *s)
{
    grz_sweep_destroy(s->sweep);
    free(s->boxes);
}

static void set(scene *s, uint32_t id)
{
    assert_true(grz_sweep_set(s->sweep, id, &s->boxes[id]));
}

static void set_all(scene *s)
{
    for (uint32_t id = 0; id < s->count; id++)
        set(s, id);
}

// Update; returns what it took.
static grz_sweep_work update(scene *s)
{
    const grz_sweep_work before = *grz_sweep_work_done(s->sweep), *after = grz_sweep_work_done(s->sweep);
    const grz_sweep_pair *pairs;
    assert_true(grz_sweep_update(s->sweep, &pairs, &s->pairs));
    return (grz_sweep_work){after->rebuilds - before.rebuilds,   after->repairs - before.repairs,
                            after->abandoned - before.abandoned, after->visits - before.visits,
                            after->tests - before.tests,         after->shifts - before.shifts,
                            after->copied - before.copied,       after->filtered - before.filtered};
}

// Move `moved` of the objects a little.
static void nudge(scene *s, box_style style, uint32_t moved)
{
    for (uint32_t i = 0; i < moved; i++) {
        const uint32_t id = moved == s->count ? i : random_below(&s->random, s->count);
        box_move(style, &s->random, &s->boxes[id]);
        set(s, id);
    }
}

static void expect_at_most(const char *what, uint64_t found, double most)
{
    if ((double)found > most)
        fail_msg("%s: %llu, should be at most %.0f", what, (unsigned long long)found, most);
}

static void expect_no_work(scene *s)
{
    const grz_sweep_work nothing = {0}, work = update(s);
    assert_memory_equal(&work, &nothing, sizeof work);
}

static void unchanged_boxes_cost_nothing(void **state)
{
    (void)state;
    scene s = scene_of(BOXES_UNIFORM, 5000, 1);
    set_all(&s);
    (void)update(&s);
    expect_no_work(&s);
    set_all(&s);
    expect_no_work(&s);
    nudge(&s, BOXES_UNIFORM, 100);
    for (uint32_t id = 0; id < s.count; id++) { // away and back
        const grz_box away = {{5, 5, 5}, {6, 6, 6}};
        assert_true(grz_sweep_set(s.sweep, id, &away));
    }
    set_all(&s);
    const grz_sweep_work work = update(&s);
    assert_int_equal(work.repairs, 1);
    expect_at_most("segments visited for 100 objects", work.visits, 1000);
    grz_sweep_remove(s.sweep, s.count + 7);
    expect_no_work(&s);
    for (int i = 0; i < 2; i++) {
        for (uint32_t id = 0; id < 10; id++) { // empty, in two ways
            s.boxes[id] = box_draw_empty(&s.random);
            set(&s, id);
        }
        if (i == 0)
            (void)update(&s);
    }
    expect_no_work(&s);
    scene_finish(&s);
}

// Work per object moved, over ten updates.
static void expect_cheap_moves(box_style style, uint32_t count, uint32_t moved, double most_tests)
{
    scene s = scene_of(style, count, count);
    set_all(&s);
    const grz_sweep_work first = update(&s);
    assert_int_equal(first.rebuilds, 1);
    double tests = 0, shifts = 0, visits = 0, copied = 0;
    for (int i = 0; i < 10; i++) {
        nudge(&s, style, moved);
        const grz_sweep_work work = update(&s);
        assert_int_equal(work.repairs, 1);
        tests += (double)work.tests, shifts += (double)work.shifts, visits += (double)work.visits,
            copied += (double)work.copied;
    }
    const double objects = 10.0 * moved;
    print_message(
        "%-9s %6u boxes, %3u moved at a time: each %5.1f tests, %4.1f shifts, %.1f visits; %4.2f of the pairs copied\n",
        box_style_name(style), count, moved, tests / objects, shifts / objects, visits / objects,
        copied / 10 / (double)s.pairs);
    expect_at_most("tests per object", (uint64_t)(tests / objects), most_tests);
    expect_at_most("shifts per object", (uint64_t)(shifts / objects), 60);
    expect_at_most("visits per object", (uint64_t)(visits / objects), 8);
    expect_at_most("pairs copied, in lists", (uint64_t)(copied / 10), 2.0 * (double)s.pairs);
    scene_finish(&s);
}

static void few_moves_cost_the_same_among_any_number_of_objects(void **state)
{
    (void)state;
    for (uint32_t count = 1000; count <= 64000; count *= 8) {
        expect_cheap_moves(BOXES_UNIFORM, count, 10, 200);
        expect_cheap_moves(BOXES_TOWER, count, 10, 200);
        expect_cheap_moves(BOXES_CLUSTERS, count, 10, 400);
    }
    expect_cheap_moves(BOXES_UNIFORM, 64000, 640, 200);
}

// Build the lists for the first time, and again after all objects moved elsewhere.
static void rebuilding_is_far_from_quadratic(void **state)
{
    (void)state;
    static const box_style styles[] = {BOXES_UNIFORM, BOXES_TOWER, BOXES_CLUSTERS};
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++)
        for (uint32_t count = 1000; count <= 64000; count *= 8) {
            scene s = scene_of(styles[i], count, 5);
            set_all(&s);
            const grz_sweep_work first = update(&s);
            for (uint32_t id = 0; id < count; id++)
                s.boxes[id] = box_draw(styles[i], &s.random, count);
            set_all(&s);
            const grz_sweep_work second = update(&s);
            print_message("%-9s %6u boxes, %6zu pairs: %.1f tests a box, %.1f after all jumped\n",
                          box_style_name(styles[i]), count, s.pairs, (double)first.tests / count,
                          (double)second.tests / count);
            assert_int_equal(first.rebuilds, 1);
            assert_int_equal(second.rebuilds, 1);
            expect_at_most("tests of the first update", first.tests, 100.0 * count);
            expect_at_most("tests and shifts after all jumped", second.tests + second.shifts, 150.0 * count);
            scene_finish(&s);
        }
}

// A few boxes span everything: each overlaps all others, and is in all lists.
static void terrain_does_not_slow_the_others(void **state)
{
    (void)state;
    const uint32_t count = 20000;
    scene s = scene_of(BOXES_UNIFORM, count, 6);
    for (uint32_t id = 0; id < 3; id++)
        s.boxes[id] = (grz_box){{-1, -1, -1}, {2, 2, 2}};
    set_all(&s);
    const grz_sweep_work first = update(&s);
    assert_true(s.pairs > 3 * (size_t)count - 10);
    expect_at_most("tests of the first update", first.tests, 60.0 * count);
    for (uint32_t id = 3; id < 103; id++) {
        box_move(BOXES_UNIFORM, &s.random, &s.boxes[id]);
        set(&s, id);
    }
    const grz_sweep_work few = update(&s);
    assert_int_equal(few.repairs, 1);
    expect_at_most("tests for 100 objects among terrain", few.tests, 100 * 200.0);
    box_move(BOXES_UNIFORM, &s.random, &s.boxes[1]); // all of its 20,000 pairs are tested again
    set(&s, 1);
    const grz_sweep_work ground = update(&s);
    expect_at_most("tests for the ground", ground.tests, 10.0 * count);
    scene_finish(&s);
}

// Half of all pairs overlap: the cost must be about one test for each.
static void identical_boxes_cost_their_pairs(void **state)
{
    (void)state;
    const uint32_t count = 2000;
    const size_t all = (size_t)count * (count - 1) / 2;
    scene s = scene_of(BOXES_UNIFORM, count, 7);
    for (uint32_t id = 0; id < count; id++)
        s.boxes[id] = s.boxes[0];
    set_all(&s);
    const grz_sweep_work first = update(&s);
    assert_int_equal(s.pairs, all);
    expect_at_most("tests of the first update", first.tests, 2.0 * (double)all);
    nudge(&s, BOXES_UNIFORM, 5);
    const grz_sweep_work few = update(&s);
    assert_int_equal(few.repairs, 1);
    expect_at_most("tests for 5 objects", few.tests, 5.0 * count);
    assert_int_equal(few.copied, 0); // no pair came or went
    scene_finish(&s);
}

static void removing_many_is_not_quadratic(void **state)
{
    (void)state;
    static const box_style styles[] = {BOXES_UNIFORM, BOXES_TOWER, BOXES_CLUSTERS, BOXES_TERRAIN};
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        const uint32_t count = 30000;
        scene s = scene_of(styles[i], count, 8);
        set_all(&s);
        (void)update(&s);
        for (uint32_t share = 2; share <= 3; share++) { // a half, then of the rest two in three
            for (uint32_t id = 0; id < count; id++)
                if (id % share != 0)
                    grz_sweep_remove(s.sweep, id);
            const size_t pairs = s.pairs;
            const grz_sweep_work work = update(&s);
            expect_at_most("work of removing", work.tests + work.shifts, 200.0 * count + 20.0 * (double)pairs);
        }
        scene_finish(&s);
    }
}

// Objects gather, a few at a time, in a corner that is a single segment of the lists. Repairs become expensive, and
// occasional rebuilds keep the total cost low.
static void uneven_lists_are_rebuilt(void **state)
{
    (void)state;
    const uint32_t count = 8000;
    scene s = scene_of(BOXES_UNIFORM, count, 9);
    set_all(&s);
    (void)update(&s);
    grz_sweep_work sum = {0};
    for (uint32_t id = 0; id < count / 2; id++) {
        for (int axis = 0; axis < 3; axis++) {
            s.boxes[id].min[axis] *= 0x1p-10, s.boxes[id].max[axis] *= 0x1p-10;
        }
        set(&s, id);
        const grz_sweep_work work = update(&s);
        sum.rebuilds += work.rebuilds, sum.tests += work.tests, sum.shifts += work.shifts;
    }
    print_message("%u objects gather one by one: %llu rebuilds, %.1f tests and %.1f shifts for each\n", count / 2,
                  (unsigned long long)sum.rebuilds, 2.0 * (double)sum.tests / count, 2.0 * (double)sum.shifts / count);
    assert_true(sum.rebuilds > 0);
    expect_at_most("rebuilds", sum.rebuilds, count / 100.0);
    expect_at_most("tests and shifts", sum.tests + sum.shifts, 600.0 * count / 2);
    scene_finish(&s);
}

// Objects that all move into one segment cost more than their number suggests: the repair is abandoned for a rebuild.
static void a_repair_that_becomes_too_expensive_is_abandoned(void **state)
{
    (void)state;
    const uint32_t count = 100000, jumping = 6000;
    scene s = scene_of(BOXES_UNIFORM, count, 11);
    set_all(&s);
    (void)update(&s);
    for (uint32_t id = 0; id < jumping; id++) {
        for (int axis = 0; axis < 3; axis++)
            s.boxes[id].min[axis] = s.boxes[id].max[axis] = 0.5 + 0x1p-12 * random_signed(&s.random);
        set(&s, id);
    }
    const grz_sweep_work work = update(&s);
    assert_int_equal(work.abandoned, 1);
    assert_int_equal(work.rebuilds, 1);
    expect_at_most("tests and shifts", work.tests + work.shifts, 100.0 * count);
    scene_finish(&s);
}

// Space is divided by a sample of the objects. If all others span the whole width and depth, each would be in every
// column.
static void an_unlucky_sample_does_not_fill_memory(void **state)
{
    (void)state;
    const uint32_t count = 3000;
    scene s = scene_of(BOXES_UNIFORM, count, 12);
    set_all(&s);
    (void)update(&s);
    assert_true(s.sweep->lists.columns.count > 20);
    bool *sampled = calloc(count, sizeof *sampled);
    assert_non_null(sampled);
    for (size_t i = 0; i < s.sweep->scratch.sample.count; i++)
        sampled[s.sweep->scratch.sample.items[i]] = true;
    uint32_t wide = 0;
    for (uint32_t id = 0; id < count; id += 2) {
        if (sampled[id])
            continue;
        wide++;
        for (int i = 0; i < 2; i++)
            s.boxes[id].min[s.sweep->lists.axes[i]] = -1, s.boxes[id].max[s.sweep->lists.axes[i]] = 2;
    }
    assert_true(wide * s.sweep->lists.columns.count > 6 * count + 64);
    free(sampled);
    set_all(&s);
    const grz_sweep_pair *pairs;
    size_t pair_count;
    grz_sweep_force(s.sweep, GRZ_SWEEP_REBUILD);
    assert_true(grz_sweep_update(s.sweep, &pairs, &pair_count));
    assert_true(s.sweep->lists.columns.count > 1);
    expect_at_most("places in columns", s.sweep->scratch.places.count, 6.0 * count + 64);
    expect_at_most("entries", s.sweep->built.entries, 12.0 * count + 128);
    expect_box_pairs("an unlucky sample", s.boxes, count, pairs, pair_count);
    scene_finish(&s);
}

static int compare_counts(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

// While all boxes move steadily, the search with enlarged boxes is repeated only every few updates. The update that
// repeats it is dearer than the others, but by a bounded factor. When the boxes rest, the lists hold the boxes
// themselves again, and few moves are cheap.
static void steady_motion_costs_less_than_searching_again(void **state)
{
    (void)state;
    const uint32_t count = 10000;
    enum {
        UPDATES = 100
    };
    scene s = scene_of(BOXES_UNIFORM, count, 13);
    double(*velocities)[3] = calloc(count, sizeof *velocities);
    assert_non_null(velocities);
    for (uint32_t id = 0; id < count; id++)
        for (int axis = 0; axis < 3; axis++)
            velocities[id][axis] = 0.05 * (s.boxes[id].max[axis] - s.boxes[id].min[axis]) * random_signed(&s.random);
    set_all(&s);
    const grz_sweep_work first = update(&s);
    grz_sweep_work sum = {0};
    uint64_t compared[UPDATES], most_tests = 0; // boxes compared by each update
    for (int i = 0; i < UPDATES; i++) {
        for (uint32_t id = 0; id < count; id++)
            for (int axis = 0; axis < 3; axis++)
                s.boxes[id].min[axis] += velocities[id][axis], s.boxes[id].max[axis] += velocities[id][axis];
        set_all(&s);
        const grz_sweep_work work = update(&s);
        sum.rebuilds += work.rebuilds, sum.tests += work.tests, sum.filtered += work.filtered;
        compared[i] = work.tests + work.filtered;
        most_tests = work.tests > most_tests ? work.tests : most_tests;
    }
    qsort(compared, UPDATES, sizeof *compared, compare_counts);
    print_message("%u boxes go on for %d updates: %llu rebuilds, %.1f tests a box and update (%.1f to begin with), "
                  "%.2f candidates a pair\n",
                  count, UPDATES, (unsigned long long)sum.rebuilds, (double)sum.tests / count / UPDATES,
                  (double)first.tests / count, (double)sum.filtered / UPDATES / (double)s.pairs);
    print_message("boxes compared by an update: median %llu, most %llu\n", (unsigned long long)compared[UPDATES / 2],
                  (unsigned long long)compared[UPDATES - 1]);
    expect_at_most("tests of the dearest update", most_tests, 2.2 * (double)first.tests);
    const size_t middle = UPDATES / 2;
    expect_at_most("the dearest update", compared[UPDATES - 1], 8.0 * (double)compared[middle]);
    expect_at_most("rebuilds", sum.rebuilds, UPDATES / 6.0);
    expect_at_most("tests", sum.tests, 0.35 * UPDATES * (double)first.tests);
    expect_at_most("candidates", sum.filtered, 3.0 * UPDATES * (double)s.pairs);
    for (int i = 0; i < 200; i++) {
        nudge(&s, BOXES_UNIFORM, 10);
        sum = update(&s);
    }
    assert_int_equal(sum.repairs, 1);
    assert_int_equal(sum.filtered, 0);
    expect_at_most("tests for 10 objects", sum.tests, 10 * 200.0);
    free(velocities);
    scene_finish(&s);
}

// Far objects, and one at the largest coordinate, must not make the division useless for the rest.
static void outliers_do_not_spoil_the_division(void **state)
{
    (void)state;
    const uint32_t count = 16000;
    scene s = scene_of(BOXES_UNIFORM, count, 10);
    for (uint32_t id = 0; id < 20; id++)
        for (int axis = 0; axis < 3; axis++) {
            s.boxes[id].min[axis] = ldexp(random_signed(&s.random), (int)(id * 15));
            s.boxes[id].max[axis] = s.boxes[id].min[axis] + 1.0;
        }
    s.boxes[20] = (grz_box){{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {-0x1p300, -0x1p300, -0x1p300}};
    set_all(&s);
    const grz_sweep_work first = update(&s);
    expect_at_most("tests of the first update", first.tests, 60.0 * count);
    scene_finish(&s);
}

// Processor time of this process, so that other processes do not count.
static double processor_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double seconds_of_update(scene *s)
{
    const double start = processor_seconds();
    (void)update(s);
    return processor_seconds() - start;
}

// The best and the mean of some updates in which a share of the objects moved, in milliseconds.
static void time_moves(scene *s, box_style style, double share, grz_sweep_way way)
{
    const uint32_t moved = share * s->count > 1.0 ? (uint32_t)(share * s->count) : 1;
    const int rounds = s->count > 20000 ? 20 : 100;
    double best = HUGE_VAL, sum = 0.0;
    grz_sweep_force(s->sweep, way);
    for (int round = 0; round < rounds; round++) {
        nudge(s, style, moved);
        const double seconds = seconds_of_update(s);
        best = seconds < best ? seconds : best;
        sum += seconds;
    }
    grz_sweep_force(s->sweep, GRZ_SWEEP_CHEAPEST);
    print_message(" %9.4f %9.4f", best * 1e3, sum / rounds * 1e3);
}

static void measure(void **state)
{
    (void)state;
    static const double shares[] = {0.0, 0.01, 0.1, 1.0};
    print_message("milliseconds of processor time, best and mean; moved by up to a tenth of a box\n"
                  "style       boxes    pairs     first          1 object          1 %% move           10 %% move      "
                  "    all move"
                  "            1 %%, rebuilt\n");
    for (int style = 0; style < BOXES_STYLE_COUNT; style++)
        for (uint32_t count = 1000; count <= 100000; count *= 10) {
            if (style == BOXES_NESTED || style == BOXES_EXTREME || style == BOXES_IDENTICAL ||
                (style == BOXES_TERRAIN && count > 10000))
                continue; // too many true pairs
            if (style != BOXES_UNIFORM && count == 1000)
                continue;
            double first = HUGE_VAL;
            scene s = {0};
            for (int i = 0; i < 3; i++) {
                if (i > 0)
                    scene_finish(&s);
                s = scene_of((box_style)style, count, 1);
                set_all(&s);
                const double seconds = seconds_of_update(&s);
                first = seconds < first ? seconds : first;
            }
            print_message("%-9s %7u %8zu %9.3f", box_style_name((box_style)style), count, s.pairs, first * 1e3);
            for (int i = 0; i < 4; i++)
                time_moves(&s, (box_style)style, shares[i], GRZ_SWEEP_CHEAPEST);
            time_moves(&s, (box_style)style, 0.01, GRZ_SWEEP_REBUILD);
            print_message("\n");
            scene_finish(&s);
        }
}

int main(void)
{
    const struct CMUnitTest measurement[] = {cmocka_unit_test(measure)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unchanged_boxes_cost_nothing),
        cmocka_unit_test(few_moves_cost_the_same_among_any_number_of_objects),
        cmocka_unit_test(rebuilding_is_far_from_quadratic),
        cmocka_unit_test(terrain_does_not_slow_the_others),
        cmocka_unit_test(identical_boxes_cost_their_pairs),
        cmocka_unit_test(removing_many_is_not_quadratic),
        cmocka_unit_test(uneven_lists_are_rebuilt),
        cmocka_unit_test(a_repair_that_becomes_too_expensive_is_abandoned),
        cmocka_unit_test(an_unlucky_sample_does_not_fill_memory),
        cmocka_unit_test(steady_motion_costs_less_than_searching_again),
        cmocka_unit_test(outliers_do_not_spoil_the_division),
    };
    if (getenv("GRZ_SWEEP_MEASURE") != NULL)
        return cmocka_run_group_tests(measurement, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
