// SPDX-License-Identifier: MIT
// The enclosed time of first contact against exact times (tests/oracle/oracle_motion.h): no contact is missed, none is
// invented, and the enclosure holds the exact time. Classes of queries: random, on a grid, in one plane, degenerate,
// nearly parallel edges, corners that meet, far from the origin, very small, turning. A table says how many were
// decided. GRZ_MOTION_QUERIES says how many queries of each class, if not 150.
// ctest: timeout 900
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/distance/gap.h"
#include "geometry/inclusion/inclusion.h"
#include "geometry/triangle/pair.h"
#include "oracle_motion.h"
#include "pair_generator.h"

enum {
    QUERIES = 150,
    TINY = 10,     // one query of that many is tiny: rationals are long then
    TRIANGLES = 45 // pairs of each class
};

typedef enum motion_class {
    MOTION_RANDOM,
    MOTION_GRID,
    MOTION_PLANE,
    MOTION_DEGENERATE,
    MOTION_PARALLEL,
    MOTION_AIMED,
    MOTION_FAR,
    MOTION_TINY,
    MOTION_TURNING,
    MOTION_CLASSES
} motion_class;

static const char *const class_names[MOTION_CLASSES] = {"random", "grid", "in one plane", "degenerate", "parallel",
                                                        "aimed",  "far",  "tiny",         "turning"};

static uint64_t query_count(void)
{
    const char *const text = getenv("GRZ_MOTION_QUERIES");
    return text != NULL ? strtoull(text, NULL, 10) : QUERIES;
}

static uint64_t queries_of(motion_class group)
{
    return group == MOTION_TINY ? query_count() / TINY : query_count();
}

static void fill(random_stream *random, double x[2][4][3], uint32_t grid)
{
    for (int i = 0; i < 24; i++) {
        double *const c = &x[i / 12][i / 3 % 4][i % 3];
        *c = grid > 0 ? (double)random_below(random, 2 * grid + 1) - grid : random_signed(random);
    }
}

// Make x[·][a] and x[·][b] one point at time t, a fraction with few digits: a corner hits a corner.
static void aim(random_stream *random, double x[2][4][3], int edges)
{
    const double t = (1 + random_below(random, 7)) / 8.0;
    const double u = random_below(random, 5) / 4.0, v = random_below(random, 2) == 0 ? 0.0 : (1.0 - u);
    for (int axis = 0; axis < 3; axis++) {
        double at[4];
        for (int i = 0; i < 4; i++)
            at[i] = (1.0 - t) * x[0][i][axis] + t * x[1][i][axis];
        const double goal = edges ? at[2] + v * (at[3] - at[2]) + u * (at[0] - at[1])
                                  : at[1] + u * (at[2] - at[1]) + v * (at[3] - at[1]);
        // The last position of point 0 such that it is there at t.
        x[1][0][axis] = (goal - (1.0 - t) * x[0][0][axis]) / t;
    }
}

static void make_query(motion_class group, random_stream *random, int edges, double x[2][4][3])
{
    const double tilt =
        random_below(random, 2) == 0 ? 0.0 : ldexp(random_signed(random), -20 - (int)random_below(random, 40));
    switch (group) {
    case MOTION_GRID:
        fill(random, x, 1 + random_below(random, 4));
        break;
    case MOTION_PLANE:
        fill(random, x, random_below(random, 2) * 3);
        for (int i = 0; i < 8; i++)
            x[i / 4][i % 4][2] = random_below(random, 4) == 0 ? tilt : x[i / 4][i % 4][0];
        break;
    case MOTION_DEGENERATE:
        fill(random, x, random_below(random, 2) * 2);
        for (int time = 0; time < 2; time++) {
            memcpy(x[time][3], x[time][2], sizeof x[time][3]);
            if (random_below(random, 3) == 0)
                memcpy(x[time][1], x[time][edges ? 0 : 2], sizeof x[time][1]);
        }
        if (random_below(random, 2) == 0)
            aim(random, x, edges);
        break;
    case MOTION_PARALLEL:
        fill(random, x, random_below(random, 2) * 3);
        for (int time = 0; time < 2; time++)
            for (int axis = 0; axis < 3; axis++)
                x[time][3][axis] = x[time][2][axis] + (x[time][1][axis] - x[time][0][axis]) * (1.0 + tilt);
        break;
    case MOTION_AIMED:
        fill(random, x, random_below(random, 2) * 8);
        aim(random, x, edges);
        break;
    case MOTION_FAR:
        fill(random, x, 0);
        for (int i = 0; i < 24; i++)
            x[i / 12][i / 3 % 4][i % 3] += 1e7 * (1 + i % 3);
        break;
    case MOTION_TINY:
        fill(random, x, random_below(random, 2) * 9);
        for (int i = 0; i < 24; i++)
            x[i / 12][i / 3 % 4][i % 3] *= random_below(random, 2) == 0 ? 0x1p-1060 : 0x1p-600;
        break;
    case MOTION_TURNING: // nearly one motion for all, with a turn, and slow towards each other
        fill(random, x, 0);
        for (int i = 0; i < 4; i++)
            for (int axis = 0; axis < 3; axis++)
                x[1][i][axis] = x[0][i][axis] + (i % 2 == 0 ? 1.0 : 0.25) * x[0][i][(axis + 1) % 3] +
                                ldexp(random_signed(random), -(int)random_below(random, 30));
        if (random_below(random, 2) == 0)
            aim(random, x, edges);
        break;
    default:
        fill(random, x, 0);
        break;
    }
}

static void print_query(const double x[2][4][3], const grz_inclusion *answer)
{
    print_error("answer %d [%.17g, %.17g] after %u steps\n", (int)answer->meeting, answer->lower, answer->upper,
                answer->steps);
    for (int i = 0; i < 8; i++)
        print_error("  {%a, %a, %a},\n", x[i / 4][i % 4][0], x[i / 4][i % 4][1], x[i / 4][i % 4][2]);
}

// Compare one answer with the exact truth. Returns whether they agree.
static bool agrees(oracle_motion *o, bool meet, const grz_inclusion *answer)
{
    switch (answer->meeting) {
    case GRZ_MEET_NEVER:
        return !meet;
    case GRZ_MEET_PROVED:
        return meet && oracle_motion_compare(o, answer->lower) >= 0 && oracle_motion_compare(o, answer->upper) <= 0;
    default:
        return !meet || oracle_motion_compare(o, answer->lower) >= 0;
    }
}

typedef struct tally {
    unsigned never, proved, open_meet, open_free, wide, max_steps;
} tally;

static void count_answer(tally *t, bool meet, const grz_inclusion *answer)
{
    t->never += answer->meeting == GRZ_MEET_NEVER;
    t->proved += answer->meeting == GRZ_MEET_PROVED;
    t->open_meet += answer->meeting == GRZ_MEET_UNDECIDED && meet;
    t->open_free += answer->meeting == GRZ_MEET_UNDECIDED && !meet;
    t->wide += answer->meeting == GRZ_MEET_PROVED && answer->upper - answer->lower > 0x1p-39;
    t->max_steps = answer->steps > t->max_steps ? answer->steps : t->max_steps;
}

static void print_tally(const char *name, const char *what, const tally *t)
{
    print_message(
        "%-13s %-11s never %6u  met %6u (wider than the tolerance %u)  undecided: met %u, free %u  most steps %u\n",
        name, what, t->never, t->proved, t->wide, t->open_meet, t->open_free, t->max_steps);
}

static void features_against_exact_times(void **state)
{
    (void)state;
    oracle_motion *const o = oracle_motion_create();
    assert_non_null(o);
    for (motion_class group = 0; group < MOTION_CLASSES; group++) {
        for (int edges = 0; edges < 2; edges++) {
            random_stream random = {1000u * group + (unsigned)edges};
            tally t = {0};
            const uint64_t queries = queries_of(group);
            for (uint64_t i = 0; i < queries; i++) {
                double x[2][4][3];
                make_query(group, &random, edges, x);
                const double t_max = random_below(&random, 4) == 0 ? 0.625 : 1.0;
                const grz_inclusion_limits limits = grz_inclusion_limits_until(t_max);
                const grz_inclusion answer =
                    edges ? grz_include_edges(x, &limits) : grz_include_vertex_face(x, &limits);
                const bool meet = edges ? oracle_motion_edges(o, x, t_max) : oracle_motion_vertex_face(o, x, t_max);
                if (!agrees(o, meet, &answer)) {
                    print_query(x, &answer);
                    fail_msg("class %s, query %u: the exact answer is %s", class_names[group], (unsigned)i,
                             meet ? "contact" : "none");
                }
                count_answer(&t, meet, &answer);
            }
            print_tally(class_names[group], edges ? "edges" : "vertex-face", &t);
            // Of 51,000 questions 34 stayed undecided, none of them in these classes.
            const unsigned open = t.open_free + t.open_meet;
            assert_true(group == MOTION_TINY || open <= queries / 100);
            if (group == MOTION_DEGENERATE || group == MOTION_TURNING)
                assert_int_equal(open, 0);
            if (group == MOTION_RANDOM || group == MOTION_FAR) {
                assert_int_equal(open, 0);
                assert_true(t.never > queries / 4);
                assert_true(t.proved > queries / 100);
            }
        }
    }
    oracle_motion_destroy(o);
}

// The first contact of two triangles: the first of the 15 pairs of features. Keeps nothing; compares with the answer.
static bool triangles_agree(oracle_motion *o, const double a[2][3][3], const double b[2][3][3],
                            const grz_inclusion *answer, bool *meet)
{
    bool holds_lower = true, holds_upper = false;
    *meet = false;
    for (int i = 0; i < 15; i++) {
        double x[2][4][3];
        const int edges = i >= 6, k = i % 3, l = (i - 6) / 3;
        for (int time = 0; time < 2; time++) {
            for (int j = 0; j < 4; j++) {
                const double *from;
                if (edges)
                    from = j < 2 ? a[time][(k + j) % 3] : b[time][(l + j - 2) % 3];
                else if (i < 3)
                    from = j == 0 ? a[time][k] : b[time][j - 1];
                else
                    from = j == 0 ? b[time][k] : a[time][j - 1];
                memcpy(x[time][j], from, sizeof x[time][j]);
            }
        }
        if (!(edges ? oracle_motion_edges(o, x, 1.0) : oracle_motion_vertex_face(o, x, 1.0)))
            continue;
        *meet = true;
        holds_lower = holds_lower && oracle_motion_compare(o, answer->lower) >= 0;
        holds_upper = holds_upper || oracle_motion_compare(o, answer->upper) <= 0;
    }
    switch (answer->meeting) {
    case GRZ_MEET_NEVER:
        return !*meet;
    case GRZ_MEET_PROVED:
        return *meet && holds_lower && holds_upper;
    default:
        return holds_lower;
    }
}

// Take the area from A, and of one pair in four from B: corners that are one point at all times, or one that is between
// the others at one ratio at all times.
static void flatten(random_stream *random, int group, double c[2][2][3][3])
{
    const int kept = (int)random_below(random, 3), gone = (kept + 1 + (int)random_below(random, 2)) % 3;
    const int third = 3 - kept - gone, sides = random_below(random, 4) == 0 ? 2 : 1;
    const bool rests = random_below(random, 3) == 0;
    for (int side = 0; side < sides; side++) {
        for (int time = 1; time >= 0; time--) {
            double(*const x)[3] = c[side][time];
            for (int axis = 0; axis < 3; axis++) {
                if (rests)
                    c[side][0][kept][axis] = c[side][1][kept][axis];
                if (rests && group != 4)
                    c[side][0][third][axis] = c[side][1][third][axis];
                x[gone][axis] = group == 5 ? 0.5 * (x[kept][axis] + x[third][axis]) : x[kept][axis];
                if (group == 4)
                    x[third][axis] = x[kept][axis];
            }
        }
    }
}

static void triangles_against_exact_times(void **state)
{
    (void)state;
    oracle_motion *const o = oracle_motion_create();
    assert_non_null(o);
    // Random, on a grid, in one plane; A a segment with a corner twice, a point, a segment with a corner between.
    for (int group = 0; group < 6; group++) {
        random_stream random = {77u + (unsigned)group};
        tally t = {0};
        unsigned starts = 0;
        for (uint64_t i = 0; i < query_count() * TRIANGLES / QUERIES; i++) {
            double c[2][2][3][3];
            for (int k = 0; k < 36; k++) {
                double *const p = &c[k / 18][k / 9 % 2][k / 3 % 3][k % 3];
                *p = group == 0 ? random_signed(&random) : (double)random_below(&random, 7) - 3.0;
                if (k / 18 == 1)
                    *p += k % 3 == 0 ? (group == 0 ? 1.0 : 1.5) : 0.0;
                if (group == 2 && k % 3 == 2)
                    *p = 1.0;
            }
            if (group >= 3)
                flatten(&random, group, c);
            const grz_inclusion_limits limits = grz_inclusion_limits_until(1.0);
            const grz_inclusion answer = grz_include_triangles(c[0], c[1], &limits);
            bool meet = grz_triangles_touch(c[0][0], c[1][0]);
            starts += meet;
            const bool right = meet ? answer.meeting == GRZ_MEET_PROVED && answer.lower == 0.0 && answer.upper == 0.0
                                    : triangles_agree(o, c[0], c[1], &answer, &meet);
            if (!right)
                fail_msg("class %d, pair %u: answer %d [%.17g, %.17g], the exact answer is %s", group, (unsigned)i,
                         (int)answer.meeting, answer.lower, answer.upper, meet ? "contact" : "none");
            count_answer(&t, meet, &answer);
            const grz_inclusion swapped = grz_include_triangles(c[1], c[0], &limits);
            assert_true(swapped.meeting == answer.meeting && swapped.lower <= answer.upper &&
                        answer.lower <= swapped.upper);
            // A face without area has no inside to meet.
            assert_true(group < 3 || answer.meeting == GRZ_MEET_NEVER || answer.feature_a != GRZ_FACE);
            assert_true(group != 4 || answer.meeting == GRZ_MEET_NEVER || answer.feature_a <= GRZ_CORNER_2);
        }
        const char *const names[6] = {"random", "grid", "in one plane", "segment", "point", "between"};
        print_message("touch at the start %3u  ", starts);
        print_tally(names[group], "triangles", &t);
        assert_true(t.proved > starts || group == 4);
        assert_int_equal(t.open_free, 0);
        assert_true(t.open_meet <= (group == 2));
    }
    oracle_motion_destroy(o);
}

// The distance of two features at a time, from rounded positions: both ends of it.
static grz_gap gap_at(const double x[2][4][3], int edges, double t)
{
    double a[3][3], b[3][3], way[3];
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            const int of_a = edges ? (i == 2 ? 1 : i) : 0, of_b = edges ? (i == 2 ? 3 : 2 + i) : 1 + i;
            a[i][axis] = (1.0 - t) * x[0][of_a][axis] + t * x[1][of_a][axis];
            b[i][axis] = (1.0 - t) * x[0][of_b][axis] + t * x[1][of_b][axis];
        }
    }
    return grz_triangle_gap((const double(*)[3])a, (const double(*)[3])b, (double)INFINITY, way);
}

// With a separation: never nearer than it before `lower`, and that near at `upper`, in distances of rounded positions.
static void a_separation_is_kept(void **state)
{
    (void)state;
    unsigned never = 0, proved = 0, open = 0;
    for (unsigned k = 0; k < 20 * query_count(); k++) {
        random_stream random = {31337u + k};
        const int edges = k % 2;
        const double margin = 1e-9;
        double x[2][4][3];
        fill(&random, x, 0);
        grz_inclusion_limits limits = grz_inclusion_limits_until(1.0);
        limits.separation = 0.5 * fabs(random_signed(&random));
        const grz_inclusion answer = edges ? grz_include_edges((const double(*)[4][3])x, &limits)
                                           : grz_include_vertex_face((const double(*)[4][3])x, &limits);
        for (int i = 0; i < 32 && answer.lower > 0.0; i++) {
            const double t = answer.lower * i / 32.0;
            if (gap_at((const double(*)[4][3])x, edges, t).upper < limits.separation - margin)
                fail_msg("query %u: nearer than %g at %g, before lower = %.17g", k, limits.separation, t, answer.lower);
        }
        if (answer.meeting == GRZ_MEET_PROVED)
            assert_true(gap_at((const double(*)[4][3])x, edges, answer.upper).lower <= limits.separation + margin);
        never += answer.meeting == GRZ_MEET_NEVER;
        proved += answer.meeting == GRZ_MEET_PROVED;
        open += answer.meeting == GRZ_MEET_UNDECIDED;
    }
    print_message("with a separation: never %u, met %u, undecided %u\n", never, proved, open);
    assert_true(never > 100 && proved > 100 && open < proved / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_against_exact_times),
        cmocka_unit_test(triangles_against_exact_times),
        cmocka_unit_test(a_separation_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
