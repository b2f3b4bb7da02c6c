// SPDX-License-Identifier: MIT
// grz_overlap_depth() on made pairs, whose depth is known: walls, slabs, pipes, shafts, windows, columns, with noise of
// 10⁻¹⁶ to 10⁻⁹ of the size. At depths of 10⁻⁹ of the size and more no decision is wrong, and none is missing. Bounds
// hold the depth; points between are measured by brute force.
// ctest: timeout 1200
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_own_device.h"
#include "support_sanitizer.h"
#include "tests/overlap/brute_depth.h"
#include "tests/overlap/made_pairs.h"

// What is deeper by less than this, relatively, is not deeper: include/graze/overlap.h.
static const double BAND = 1e-6;
// Relative to the size: closer to the depth than this it may be undecided whether it is deeper. It never is wrong.
static const double CLOSE = 2e-11;

enum {
    CELLS = 20000,
    CLOSE_CELLS = 500 // where it may be undecided
};

typedef struct tally {
    uint64_t pairs, asked, close, wrong, undecided, close_undecided, cells, most_cells;
} tally;

static grz_overlap_depth_answer ask(const grz_object objects[2], const grz_overlap_depth_options *options)
{
    grz_overlap_depth_answer answer;
    grz_error error;
    memset(&answer, 0xa5, sizeof answer);
    if (grz_overlap_depth(device, &objects[0], &objects[1], options, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return answer;
}

// What is known of a decision. Unknown: the depth is so near that `error` decides.
static grz_deeper expected(const made_pair *pair, double asked, double error)
{
    const double least = pair->depth - error, most = pair->depth + error;
    if (asked == 0.0)
        return pair->gap > error ? GRZ_DEEPER_NO : least > 0.0 ? GRZ_DEEPER_YES : GRZ_DEEPER_UNKNOWN;
    return most <= asked * (1.0 + 0.99 * BAND)   ? GRZ_DEEPER_NO
           : least > asked * (1.0 + 1.01 * BAND) ? GRZ_DEEPER_YES
                                                 : GRZ_DEEPER_UNKNOWN;
}

// The depth asked for: below, at and above the nominal one, and where rounding ends.
static double depth_to_ask(const made_pair *pair, random_stream *random)
{
    static const double near[] = {1e-3, 0.5, 2.0, 1000.0, 0.99, 1.01, 0.999, 1.001, 1.0 - 1e-5, 1.0, 1.0 + 1e-5},
                        sizes[] = {1e-9, 3e-9, 1e-7, 1e-6, 1e-4, 1e-2};
    const uint32_t choice = random_below(random, 20);
    if (choice == 0)
        return 0.0;
    if (pair->depth > 0.0 && choice > 5)
        return fmax(1e-9 * pair->size, pair->depth * near[random_below(random, pair->fitted ? 11 : 6)]);
    return fmax(1.001 * pair->error, pair->size * sizes[random_below(random, 6)]);
}

static bool holds_depth(const made_pair *pair, const grz_overlap_depth_answer *answer)
{
    return answer->lower <= pair->depth + pair->error && answer->upper >= pair->depth - pair->error &&
           answer->lower <= answer->upper;
}

static void tell(const made_pair *pair, uint64_t number, double asked, const grz_overlap_depth_answer *answer)
{
    print_message("%s %llu: depth %.17g, within %.3g, size %g, noise %.3g; deeper than %.17g: %d; %.17g to %.17g, "
                  "%llu cells, %llu compared; %s\n",
                  made_kind_name(pair->kind), (unsigned long long)number, pair->depth, pair->error, pair->size,
                  pair->noise, asked, (int)answer->deeper, answer->lower, answer->upper,
                  (unsigned long long)answer->cells, (unsigned long long)answer->compared,
                  answer->reason == NULL ? "" : answer->reason);
}

static void decide(const made_pair *pair, uint64_t number, const grz_object objects[2], double asked, tally *count)
{
    grz_overlap_depth_options options = grz_default_overlap_depth_options();
    options.decide = true;
    options.measure = false;
    options.deeper_than = asked;
    const grz_deeper known = expected(pair, asked, pair->error);
    const bool close = expected(pair, asked, pair->error + CLOSE * pair->size) == GRZ_DEEPER_UNKNOWN;
    options.max_cells = close ? CLOSE_CELLS : CELLS;
    const grz_overlap_depth_answer answer = ask(objects, &options);
    const bool wrong = (known != GRZ_DEEPER_UNKNOWN && answer.deeper != GRZ_DEEPER_UNKNOWN && answer.deeper != known) ||
                       !holds_depth(pair, &answer);
    count->asked++;
    count->close += close;
    count->wrong += wrong;
    count->undecided += answer.deeper == GRZ_DEEPER_UNKNOWN && !close;
    count->close_undecided += answer.deeper == GRZ_DEEPER_UNKNOWN && close;
    count->cells += answer.cells;
    if (answer.deeper != GRZ_DEEPER_UNKNOWN)
        count->most_cells = answer.cells > count->most_cells ? answer.cells : count->most_cells;
    if (wrong || (answer.deeper == GRZ_DEEPER_UNKNOWN && !close))
        tell(pair, number, asked, &answer);
}

// Each pair has a stream of its own: kind and number repeat it.
static random_stream stream_of(made_kind kind, uint64_t number)
{
    random_stream random = {0x6d61646570616972u + (uint64_t)kind * 0x9e3779b97f4a7c15u + number * 0xd1b54a32d192ed03u};
    (void)random_bits(&random);
    return random;
}

static void upload(const made_pair *pair, grz_object objects[2])
{
    for (int i = 0; i < 2; i++)
        objects[i] = grz_object_at_origin(test_mesh_upload(device, &pair->meshes[i]));
}

static void drop(made_pair *pair, grz_object objects[2])
{
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy((grz_mesh *)objects[i].mesh);
    made_pair_finish(pair);
}

static uint64_t pairs_of_a_kind(void)
{
    const char *text = getenv("GRZ_MADE_PAIRS");
    const uint64_t all = text != NULL ? strtoull(text, NULL, 10) : TEST_SANITIZED ? 48 : TEST_SHORT ? 480 : 10000;
    return (all + MADE_KIND_COUNT - 1) / MADE_KIND_COUNT;
}

static void decide_pair(made_kind kind, uint64_t number, tally *count)
{
    random_stream random = stream_of(kind, number);
    made_pair pair;
    grz_object objects[2];
    made_pair_make(&pair, kind, &random);
    upload(&pair, objects);
    for (int question = 0; question < 3; question++)
        decide(&pair, number, objects, depth_to_ask(&pair, &random), count);
    count->pairs++;
    drop(&pair, objects);
}

static void made_pairs_are_decided(void **state)
{
    const uint64_t each = pairs_of_a_kind();
    tally all = {0};
    (void)state;
    for (int kind = 0; kind < MADE_KIND_COUNT; kind++) {
        tally count = {0};
        for (uint64_t i = 0; i < each; i++)
            decide_pair((made_kind)kind, i, &count);
        print_message("%-8s %6llu pairs, %6llu decisions: %llu wrong, %llu undecided; of %llu close to rounding, %llu; "
                      "%.0f cells, %llu at most\n",
                      made_kind_name((made_kind)kind), (unsigned long long)count.pairs, (unsigned long long)count.asked,
                      (unsigned long long)count.wrong, (unsigned long long)count.undecided,
                      (unsigned long long)count.close, (unsigned long long)count.close_undecided,
                      (double)count.cells / (double)count.asked, (unsigned long long)count.most_cells);
        all.asked += count.asked;
        all.close += count.close;
        all.wrong += count.wrong;
        all.undecided += count.undecided;
    }
    assert_true(all.close * 4 < all.asked);
    assert_int_equal(all.wrong, 0);
    assert_int_equal(all.undecided, 0);
}

// ---- Points -------------------------------------------------------------------------------------------------------

// A point of the box that both have in common.
static void random_point(const made_pair *pair, random_stream *random, double point[3])
{
    for (int k = 0; k < 3; k++) {
        double low = -HUGE_VAL, high = HUGE_VAL;
        for (int i = 0; i < 2; i++) {
            double min = HUGE_VAL, max = -HUGE_VAL;
            for (uint64_t v = 0; v < pair->meshes[i].vertex_count; v++) {
                min = fmin(min, pair->meshes[i].positions[3 * v + (uint64_t)k]);
                max = fmax(max, pair->meshes[i].positions[3 * v + (uint64_t)k]);
            }
            low = fmax(low, min);
            high = fmin(high, max);
        }
        point[k] = low + (high - low) * 0.5 * (1.0 + random_signed(random));
    }
}

// What a point proves: r + s, if it is in both.
static double depth_at(const made_pair *pair, const double point[3])
{
    const long double r = brute_depth(&pair->meshes[0], point), s = brute_depth(&pair->meshes[1], point);
    return r > 0.0L && s > 0.0L ? (double)(r + s) : 0.0;
}

static void bounds_hold_points(made_kind kind, uint64_t number, double tolerance, uint64_t *inside)
{
    random_stream random = stream_of(kind, number);
    grz_overlap_depth_options options = grz_default_overlap_depth_options();
    made_pair pair;
    grz_object objects[2];
    made_pair_make(&pair, kind, &random);
    upload(&pair, objects);
    options.tolerance = tolerance;
    options.max_cells = 5000;
    const grz_overlap_depth_answer answer = ask(objects, &options);
    const double rounding = 1e-14 * pair.size;
    bool holds = holds_depth(&pair, &answer) &&
                 (answer.reason != NULL || answer.lower > 0.0 || answer.upper <= pair.error + CLOSE * pair.size);
    holds = holds && (answer.lower == 0.0 || depth_at(&pair, answer.centre) >= answer.lower - rounding);
    for (int i = 0; i < 200; i++) {
        double point[3];
        random_point(&pair, &random, point);
        const double depth = depth_at(&pair, point);
        *inside += depth > 0.0;
        holds = holds && depth <= answer.upper + rounding;
    }
    if (!holds) {
        tell(&pair, number, 0.0, &answer);
        fail();
    }
    drop(&pair, objects);
}

static void no_point_is_deeper(void **state)
{
    uint64_t inside = 0;
    (void)state;
    for (int kind = 0; kind < MADE_KIND_COUNT; kind++)
        for (uint64_t i = 0; i < (TEST_SANITIZED ? 1 : TEST_SHORT ? 6 : 60); i++)
            bounds_hold_points((made_kind)kind, 1000000 + i, i % 2 == 0 ? 0.001 : 0.05, &inside);
    print_message("%llu points in both\n", (unsigned long long)inside);
    assert_true(inside > 100);
}

// With arguments KIND NUMBER: that pair alone.
int main(int argc, char **argv)
{
    if (argc == 3) {
        tally count = {0};
        open_device(NULL);
        decide_pair((made_kind)strtoul(argv[1], NULL, 10), strtoull(argv[2], NULL, 10), &count);
        close_device(NULL);
        return count.wrong + count.undecided > 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_pairs_are_decided),
        cmocka_unit_test(no_point_is_deeper),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
