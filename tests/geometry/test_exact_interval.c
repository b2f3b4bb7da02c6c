// SPDX-License-Identifier: MIT
// What is decided in big integers about moving features: whether they meet in an interval of time, against exact times
// (tests/oracle/oracle_motion.h); whether a point meets a segment; roots in common, against all fractions that can be.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/inclusion/exact_interval.h"
#include "geometry/inclusion/point_segment.h"
#include "geometry/inclusion/polynomials.h"
#include "oracle_motion.h"
#include "pair_generator.h"

enum {
    INTERVALS = 1500,
    LARGEST = 12 // coefficients below are at most 10: a fraction that is a root has no larger numbers
};

static double on_grid(random_stream *random, uint32_t size)
{
    return (double)random_below(random, 2 * size + 1) - size;
}

// Point 0 is at a place of the other feature, or of its plane, at time t: with u, v beyond 0 and 1 it is beside it.
static void aim(random_stream *random, double x[2][4][3], bool edges)
{
    static const double times[] = {0.25, 0.5, 1.0, 0.75};
    const double t = times[random_below(random, 4)];
    const double u = random_below(random, 7) / 2.0 - 1.0, v = random_below(random, 7) / 2.0 - 1.0;
    for (int axis = 0; axis < 3; axis++) {
        double at[4];
        for (int i = 0; i < 4; i++)
            at[i] = (1.0 - t) * x[0][i][axis] + t * x[1][i][axis];
        const double goal = edges ? at[2] + v * (at[3] - at[2]) + u * (at[0] - at[1])
                                  : at[1] + u * (at[2] - at[1]) + v * (at[3] - at[1]);
        x[1][0][axis] = (goal - (1.0 - t) * x[0][0][axis]) / t;
    }
}

// On a small grid; some in one plane, some with a point or an edge of no length, some that meet at a rim.
static void make_query(random_stream *random, bool edges, double x[2][4][3])
{
    const uint32_t kind = random_below(random, 6), size = 1 + random_below(random, 3);
    for (int i = 0; i < 24; i++)
        x[i / 12][i / 3 % 4][i % 3] = on_grid(random, size);
    for (int i = 0; i < 8 && kind == 1; i++)
        x[i / 4][i % 4][2] = x[i / 4][i % 4][0];
    for (int time = 0; time < 2 && kind == 2; time++)
        memcpy(x[time][3], x[time][2], sizeof x[time][3]);
    for (int time = 0; time < 2 && kind == 3; time++)
        for (int axis = 0; axis < 3; axis++)
            x[time][3][axis] = x[time][2][axis] + 2.0 * (x[time][1][axis] - x[time][edges ? 0 : 2][axis]);
    if (kind > 3)
        aim(random, x, edges);
}

static void intervals_against_exact_times(void **state)
{
    (void)state;
    oracle_motion *const o = oracle_motion_create();
    assert_non_null(o);
    for (int edges = 0; edges < 2; edges++) {
        random_stream random = {31u + (unsigned)edges};
        unsigned counts[3] = {0};
        for (int i = 0; i < INTERVALS; i++) {
            double x[2][4][3];
            make_query(&random, edges != 0, x);
            const double to = 0.25 * (1 + random_below(&random, 4));
            const double(*const a[2])[3] = {x[0], x[1]},
                                (*const b[2])[3] = {x[0] + (edges ? 2 : 1), x[1] + (edges ? 2 : 1)};
            const grz_patch *patch;
            grz_feature_pair m;
            grz_feature_pair_init(&m, a, edges ? 2 : 1, b, edges ? 2 : 3, 0.0);
            assert_int_equal(grz_patches_of(&m, &patch), 1);
            const grz_interval_answer answer = grz_decide_interval(&m, patch, 0.0, to);
            const bool meet = edges ? oracle_motion_edges(o, (const double(*)[4][3])x, to)
                                    : oracle_motion_vertex_face(o, (const double(*)[4][3])x, to);
            if (answer != GRZ_INTERVAL_OPEN && meet != (answer == GRZ_INTERVAL_CONTACT)) {
                for (int k = 0; k < 8; k++)
                    print_error("  {%g, %g, %g},\n", x[k / 4][k % 4][0], x[k / 4][k % 4][1], x[k / 4][k % 4][2]);
                fail_msg("%s %d up to %g: answer %d, the exact answer is %s", edges ? "edges" : "corner and face", i,
                         to, (int)answer, meet ? "contact" : "none");
            }
            counts[answer]++;
        }
        print_message("%s: free %u, contact %u, open (too long an interval) %u\n", edges ? "edges" : "corner and face",
                      counts[GRZ_INTERVAL_FREE], counts[GRZ_INTERVAL_CONTACT], counts[GRZ_INTERVAL_OPEN]);
        assert_true(counts[GRZ_INTERVAL_FREE] > INTERVALS / 4 && counts[GRZ_INTERVAL_CONTACT] > INTERVALS / 20);
    }
    oracle_motion_destroy(o);
}

// Contacts that last for an instant, at 1/3 of the way: a corner that comes through the plane of a face just where it
// crosses the rim, the end of an edge that does so with another edge, a corner that passes by another in one plane.
static void contacts_for_an_instant(void **state)
{
    // The face deforms in its plane, so that its volume with the corner is no multiple of the condition.
    static const double corner[2][4][3] = {{{-1, 0, -1}, {1, -1, 0}, {0, 1, 0}, {2, 0, 0}},
                                           {{2, 0, 2}, {-2, -2, 0}, {0, 1, 0}, {2, 0, 0}}};
    static const double edge[2][4][3] = {{{-2, 0, -1}, {-1, 0, -1}, {0, -1, 0}, {0, 1, 0}},
                                         {{-2, 0, 2}, {2, 0, 2}, {0, -1, 0}, {0, 1, 0}}};
    static const double in_plane[2][4][3] = {{{0, -1, 0}, {0, 0, 0}, {1, -1, 0}, {1, 1, 0}},
                                             {{0, 2, 0}, {0, 0, 0}, {1, -1, 0}, {1, 1, 0}}};
    // The rim's line has the corner at the begin, too: the condition is 0 there.
    static const double twice[2][4][3] = {{{-1, 0, -1}, {-2, -1, 0}, {0, 1, 0}, {2, 0, 0}},
                                          {{2, 0, 2}, {4, -2, 0}, {0, 1, 0}, {2, 0, 0}}};
    // In one plane: A's other end rests on the line of B all the time.
    static const double on_line[2][4][3] = {{{0, -1, 0}, {-3, 0, 0}, {0, 0, 0}, {1, 0, 0}},
                                            {{0, 2, 0}, {-3, 0, 0}, {0, 0, 0}, {1, 0, 0}}};
    static const double(*const queries[])[4][3] = {corner, edge, in_plane, twice, on_line};
    (void)state;
    for (int i = 0; i < 5; i++) {
        const bool edges = i == 1 || i == 4;
        for (int beside = 0; beside < 2; beside++) { // by 2^-40
            double x[2][4][3];
            memcpy(x, queries[i], sizeof x);
            for (int time = 0; time < 2 && beside; time++)
                for (int end = 0; end < (edges ? 2 : 1); end++)
                    x[time][end][0] -= 0x1p-40;
            const double(*const a[2])[3] = {x[0], x[1]},
                                (*const b[2])[3] = {x[0] + (edges ? 2 : 1), x[1] + (edges ? 2 : 1)};
            const grz_patch *patch;
            grz_feature_pair m;
            grz_feature_pair_init(&m, a, edges ? 2 : 1, b, edges ? 2 : 3, 0.0);
            grz_patches_of(&m, &patch);
            assert_int_equal(grz_decide_interval(&m, patch, 0.0, 1.0),
                             beside ? GRZ_INTERVAL_FREE : GRZ_INTERVAL_CONTACT);
        }
    }
}

static void set_integer(int value, grz_integer *x)
{
    x->sign = (value > 0) - (value < 0);
    x->limb[0] = (uint32_t)abs(value);
    x->count = value != 0;
}

// A point and a segment whose ends are in whole numbers at both times. In a third of them the point is on the segment's
// line at the time 1/3, at a place between the ends or beyond them.
static void points_and_segments(void **state)
{
    (void)state;
    oracle_motion *const o = oracle_motion_create();
    assert_non_null(o);
    random_stream random = {9};
    unsigned counts[3] = {0}, thirds = 0;
    for (int i = 0; i < INTERVALS; i++) {
        int d[2][2][3]; // [time][end]: from the point to an end
        for (int k = 0; k < 12; k++)
            d[k / 6][k / 3 % 2][k % 3] = (int)random_below(&random, 9) - 4;
        if (i % 3 == 0) { // at 1/3: (2·d[0] + d[1]) / 3; share·x + (4 - share)·y is 0 there
            const int share = (int)random_below(&random, 7) - 1;
            for (int axis = 0; axis < 3; axis++) {
                const int x = 4 - share, y = -share; // multiples of these
                const int at = (int)random_below(&random, 3) - 1;
                d[1][0][axis] = x * at - 2 * d[0][0][axis];
                d[1][1][axis] = y * at - 2 * d[0][1][axis];
            }
            thirds++;
        }
        double x[2][4][3] = {{{0}}};
        grz_linear_vector to[2];
        for (int k = 0; k < 12; k++) {
            const int time = k / 6, end = k / 3 % 2, axis = k % 3;
            x[time][2 + end][axis] = d[time][end][axis];
            set_integer(d[time][end][axis], &to[end].at[time][axis]);
        }
        const grz_interval_answer answer = grz_decide_point_segment(&to[0], &to[1]);
        const bool meet = oracle_motion_edges(o, (const double(*)[4][3])x, 1.0);
        if (answer != GRZ_INTERVAL_OPEN && meet != (answer == GRZ_INTERVAL_CONTACT))
            fail_msg("point and segment %d: answer %d, the exact answer is %s", i, (int)answer,
                     meet ? "contact" : "none");
        counts[answer]++;
    }
    print_message("%u aimed; free %u, contact %u, open %u\n", thirds, counts[GRZ_INTERVAL_FREE],
                  counts[GRZ_INTERVAL_CONTACT], counts[GRZ_INTERVAL_OPEN]);
    assert_true(counts[GRZ_INTERVAL_CONTACT] > thirds / 3 && counts[GRZ_INTERVAL_OPEN] < INTERVALS / 100);
    oracle_motion_destroy(o);
}

// The value of a polynomial at s, t.
static long long value_of(const int c[], int degree, long long s, long long t)
{
    long long sum = 0;
    for (int i = 0; i <= degree; i++) {
        long long term = c[i];
        for (int k = 0; k < degree; k++)
            term *= k < i ? t : s;
        sum += term;
    }
    return sum;
}

// The number of fractions s : t, both of at least 0, at which both polynomials are 0; the last of them.
static int common_fractions(const int p[], int degree_p, const int q[3], int *at_s, int *at_t)
{
    int found = 0;
    for (int s = 0; s <= LARGEST; s++) {
        for (int t = 0; t <= LARGEST; t++) {
            int a = s, b = t;
            while (b != 0) {
                const int rest = a % b;
                a = b;
                b = rest;
            }
            if (a != 1 || value_of(p, degree_p, s, t) != 0 || value_of(q, 2, s, t) != 0)
                continue;
            found++;
            *at_s = s;
            *at_t = t;
        }
    }
    return found;
}

static void expect_time(const grz_integer v[3], int s, int t)
{
    grz_integer at[3], product[2];
    set_integer(s * s, &at[0]);
    set_integer(s * t, &at[1]);
    set_integer(t * t, &at[2]);
    for (int i = 0; i < 3; i++) {
        grz_integer_multiply(&v[i], &at[(i + 1) % 3], &product[0]);
        grz_integer_multiply(&v[(i + 1) % 3], &at[i], &product[1]);
        assert_int_equal(grz_integer_compare(&product[0], &product[1]), 0);
        assert_true(v[i].sign >= 0);
    }
}

// Quadratics, and a cubic, as products of factors p·s + q·t, so that some have factors in common.
static void roots_in_common(void **state)
{
    (void)state;
    random_stream random = {4};
    unsigned found = 0, multiples = 0, none = 0;
    for (int i = 0; i < INTERVALS; i++) {
        int factor[5][2], p[3], q[3], cubic[4];
        for (int k = 0; k < 10; k++)
            factor[k / 2][k % 2] = (int)random_below(&random, 7) - 3;
        const int shared = random_below(&random, 2) == 0 ? 0 : 2;
        const int *const f = factor[0], *const g = factor[1], *const h = factor[shared], *const j = factor[3],
                         *const l = factor[4];
        for (int k = 0; k < 3; k++) { // p = f·g, q = h·j
            p[k] = k == 0 ? f[0] * g[0] : k == 2 ? f[1] * g[1] : f[0] * g[1] + f[1] * g[0];
            q[k] = k == 0 ? h[0] * j[0] : k == 2 ? h[1] * j[1] : h[0] * j[1] + h[1] * j[0];
        }
        for (int k = 0; k < 4; k++) // p·l
            cubic[k] = (k < 3 ? p[k] * l[0] : 0) + (k > 0 ? p[k - 1] * l[1] : 0);
        if (random_below(&random, 3) == 0)
            q[1]++; // most have no fraction as a root then
        grz_quadratic of_p, of_q;
        grz_cubic of_cubic;
        for (int k = 0; k < 4; k++) {
            set_integer(cubic[k], &of_cubic.c[k]);
            if (k < 3) {
                set_integer(p[k], &of_p.c[k]);
                set_integer(q[k], &of_q.c[k]);
            }
        }
        int s = 0, t = 0;
        bool same, divides;
        grz_integer v[3];
        const int fractions = common_fractions(p, 2, q, &s, &t);
        const bool is_shared = grz_shared_root(&of_p, &of_q, v, &same);
        if (!same) {
            assert_int_equal(is_shared, fractions > 0);
            if (is_shared)
                expect_time(v, s, t);
        }
        found += is_shared;
        multiples += same;
        const int of_both = common_fractions(cubic, 3, q, &s, &t);
        const bool is_common = grz_common_root(&of_cubic, &of_q, v, &divides);
        if (is_common) {
            assert_true(of_both > 0 && !divides);
            expect_time(v, s, t);
        } else if (!divides && (of_q.c[0].sign != 0 || of_q.c[2].sign != 0)) {
            assert_int_equal(of_both, 0);
        }
        none += !is_common && !divides;
    }
    print_message("%u quadratics with a root in common, %u multiples; %u cubics without\n", found, multiples, none);
    assert_true(found > INTERVALS / 20 && none > INTERVALS / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_against_exact_times),
        cmocka_unit_test(contacts_for_an_instant),
        cmocka_unit_test(points_and_segments),
        cmocka_unit_test(roots_in_common),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
