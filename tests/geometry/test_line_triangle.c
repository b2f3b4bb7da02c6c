// SPDX-License-Identifier: MIT
// Where a line meets a triangle, against GMP's rationals, which solve for barycentric coordinates and clip the line by
// them: whether, from which parameter to which, at which corner, edge or inside, from which side; that doubles and
// double-doubles never claim what is not so; and that parameters and points are rounded to nearest.
// GRZ_ORACLE_PAIRS: how many lines in all.
// ctest: timeout 900
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

#include "geometry/ray/line_triangle.h"
#include "pair_generator.h"
#include "support_sanitizer.h"

enum {
    LINES = TEST_SANITIZED ? 12000 : 40000, // in all, unless GRZ_ORACLE_PAIRS says more; with a sanitizer never more
    KINDS = 6,                              // of lines for each pair of triangles
    POOL = 4000
};

typedef double triangle[3][3];
typedef const double (*rows)[3];

// ---- Rationals ------------------------------------------------------------------------------------------------------

// Numbers of one case: taken from a pool, which the next case begins anew.
typedef mpq_ptr number;
static mpq_t pool[POOL];
static size_t pool_used;

static number take(void)
{
    assert_true(pool_used < POOL);
    return pool[pool_used++];
}

static number of_double(double x)
{
    number r = take();
    mpq_set_d(r, x);
    return r;
}

static number plus(number x, number y)
{
    number r = take();
    mpq_add(r, x, y);
    return r;
}

static number minus(number x, number y)
{
    number r = take();
    mpq_sub(r, x, y);
    return r;
}

static number times(number x, number y)
{
    number r = take();
    mpq_mul(r, x, y);
    return r;
}

static number over(number x, number y)
{
    number r = take();
    mpq_div(r, x, y);
    return r;
}

// ---- The oracle -----------------------------------------------------------------------------------------------------

typedef struct truth {
    bool meets, proper;   // proper: the triangle has area
    number ends[2];       // t
    number weights[3][3]; // of the corners: at the two ends, and half-way; only if proper
    int side;
} truth;

// Solve rows of `unknowns` coefficients and a right side, three of them, by elimination. Returns the rank, and -1 if
// there is no solution. The pivots of columns are pivot[column], or -1; rows are reduced.
static int eliminate(number m[3][4], int unknowns, int pivot[3])
{
    int rank = 0;
    for (int column = 0; column < unknowns; column++) {
        int found = -1;
        for (int i = rank; i < 3 && found < 0; i++)
            found = mpq_sgn(m[i][column]) != 0 ? i : -1;
        pivot[column] = found < 0 ? -1 : rank;
        if (found < 0)
            continue;
        for (int j = 0; j <= unknowns; j++) {
            number x = m[rank][j];
            m[rank][j] = m[found][j];
            m[found][j] = x;
        }
        number first = m[rank][column];
        for (int j = 0; j <= unknowns; j++)
            m[rank][j] = over(m[rank][j], first);
        for (int i = 0; i < 3; i++) {
            number share = m[i][column];
            for (int j = 0; j <= unknowns && i != rank; j++)
                m[i][j] = minus(m[i][j], times(share, m[rank][j]));
        }
        rank++;
    }
    for (int i = rank; i < 3; i++)
        if (mpq_sgn(m[i][unknowns]) != 0)
            return -1;
    return rank;
}

// Keep the part of [ends[0], ends[1]] (NULL: infinite) where at + way · t >= 0. False: none is left.
static bool keep_above(number at, number way, number ends[2])
{
    if (mpq_sgn(way) == 0)
        return mpq_sgn(at) >= 0;
    number zero = of_double(0.0), t = over(minus(zero, at), way);
    const int end = mpq_sgn(way) > 0 ? 0 : 1;
    if (ends[end] == NULL || (end == 0 ? mpq_cmp(t, ends[0]) > 0 : mpq_cmp(t, ends[1]) < 0))
        ends[end] = t;
    return ends[0] == NULL || ends[1] == NULL || mpq_cmp(ends[0], ends[1]) <= 0;
}

// corner[0] + a · (corner[1] - corner[0]) + b · (corner[2] - corner[0]) = origin + t · way, with a = m[0] + t · n[0].
typedef struct plane_line {
    number at[2], way[2];
} plane_line;

static void set_weights(const plane_line *l, number t, number weights[3])
{
    number one = of_double(1.0);
    weights[1] = plus(l->at[0], times(l->way[0], t));
    weights[2] = plus(l->at[1], times(l->way[1], t));
    weights[0] = minus(minus(one, weights[1]), weights[2]);
}

static void meet_proper(number c[3][3], number o[3], number d[3], truth *out)
{
    number m[3][4], zero = of_double(0.0), one = of_double(1.0);
    int pivot[3];
    for (int k = 0; k < 3; k++) {
        m[k][0] = minus(c[1][k], c[0][k]);
        m[k][1] = minus(c[2][k], c[0][k]);
        m[k][2] = minus(zero, d[k]);
        m[k][3] = minus(o[k], c[0][k]);
    }
    const int rank = eliminate(m, 3, pivot);
    out->meets = rank > 0;
    if (rank < 0)
        return;
    plane_line l;
    if (rank == 3) {
        out->ends[0] = out->ends[1] = m[2][3];
        l = (plane_line){{m[0][3], m[1][3]}, {zero, zero}};
    } else { // a - t · m[0][2]… : the third column is what is left of -d
        assert_int_equal(rank, 2);
        l = (plane_line){{m[0][3], m[1][3]}, {minus(zero, m[0][2]), minus(zero, m[1][2])}};
        out->ends[0] = out->ends[1] = NULL;
    }
    number sum = minus(minus(one, l.at[0]), l.at[1]), sum_way = minus(minus(zero, l.way[0]), l.way[1]);
    out->meets = keep_above(l.at[0], l.way[0], out->ends) && keep_above(l.at[1], l.way[1], out->ends) &&
                 keep_above(sum, sum_way, out->ends);
    if (!out->meets)
        return;
    number half = over(plus(out->ends[0], out->ends[1]), of_double(2.0));
    set_weights(&l, out->ends[0], out->weights[0]);
    set_weights(&l, out->ends[1], out->weights[1]);
    set_weights(&l, half, out->weights[2]);
}

// A segment or a point.
static void meet_degenerate(number c[3][3], number o[3], number d[3], truth *out)
{
    number p[3], q[3], m[3][4];
    int pivot[3], low = 0, high = 0;
    for (int i = 1; i < 3; i++) { // by their order in space, so that all three lie between
        int order = 0, other = 0;
        for (int k = 2; k >= 0; k--) {
            const int x = mpq_cmp(c[i][k], c[low][k]), y = mpq_cmp(c[i][k], c[high][k]);
            order = x != 0 ? x : order;
            other = y != 0 ? y : other;
        }
        low = order < 0 ? i : low;
        high = other > 0 ? i : high;
    }
    for (int k = 0; k < 3; k++) {
        p[k] = c[low][k];
        q[k] = c[high][k];
        m[k][0] = d[k];
        m[k][1] = minus(p[k], q[k]);
        m[k][2] = minus(p[k], o[k]);
    }
    const int rank = eliminate(m, 2, pivot);
    out->meets = rank > 0;
    if (rank < 0)
        return;
    if (rank == 2) {
        out->ends[0] = out->ends[1] = m[0][2];
        out->meets = mpq_sgn(m[1][2]) >= 0 && mpq_cmp_ui(m[1][2], 1, 1) <= 0;
        return;
    }
    // t + s · m[0][1] = m[0][2], s from 0 to 1.
    out->ends[0] = m[0][2];
    out->ends[1] = minus(m[0][2], m[0][1]);
    if (mpq_cmp(out->ends[0], out->ends[1]) > 0) {
        number end = out->ends[0];
        out->ends[0] = out->ends[1];
        out->ends[1] = end;
    }
}

static truth meet_truly(const grz_line *line, rows corners)
{
    truth out = {.meets = false};
    number c[3][3], o[3], d[3], u[3], v[3], n[3], speed = of_double(0.0);
    pool_used = 1;
    for (int k = 0; k < 3; k++) {
        o[k] = of_double(line->origin[k]);
        d[k] = plus(of_double(line->direction[k]), of_double(line->tail[k]));
        for (int i = 0; i < 3; i++)
            c[i][k] = of_double(corners[i][k]);
        u[k] = minus(c[1][k], c[0][k]);
        v[k] = minus(c[2][k], c[0][k]);
    }
    for (int k = 0; k < 3; k++) {
        n[k] = minus(times(u[(k + 1) % 3], v[(k + 2) % 3]), times(u[(k + 2) % 3], v[(k + 1) % 3]));
        out.proper = out.proper || mpq_sgn(n[k]) != 0;
        speed = plus(speed, times(n[k], d[k]));
    }
    out.side = -mpq_sgn(speed);
    if (out.proper)
        meet_proper(c, o, d, &out);
    else
        meet_degenerate(c, o, d, &out);
    return out;
}

// The smallest feature with these weights.
static int feature_of(number weights[3])
{
    int zeros = 0, last = 0, positive = 0;
    for (int i = 0; i < 3; i++) {
        if (mpq_sgn(weights[i]) == 0) {
            zeros++;
            last = i;
        } else {
            positive = i;
        }
    }
    return zeros == 2 ? GRZ_CORNER_0 + positive : zeros == 1 ? GRZ_EDGE_0 + (last + 1) % 3 : GRZ_FACE;
}

// ---- Comparison -----------------------------------------------------------------------------------------------------

static void set_integer(mpz_t out, const grz_integer *x)
{
    mpz_import(out, (size_t)x->count, -1, sizeof x->limb[0], 0, 0, x->limb);
    if (x->sign < 0)
        mpz_neg(out, out);
    if (x->sign == 0)
        mpz_set_ui(out, 0);
}

static number of_time(const grz_time *t)
{
    number r = take();
    set_integer(mpq_numref(r), &t->numerator);
    set_integer(mpq_denref(r), &t->denominator);
    mpq_canonicalize(r);
    if (t->exponent >= 0)
        mpq_mul_2exp(r, r, (mp_bitcnt_t)t->exponent);
    else
        mpq_div_2exp(r, r, (mp_bitcnt_t)-t->exponent);
    return r;
}

static bool is_between(number x, double low, double high)
{
    return mpq_cmp(x, of_double(low)) >= 0 && mpq_cmp(x, of_double(high)) <= 0;
}

// True if x is a double nearest to the exact number.
static bool is_nearest(number exact, double x)
{
    number here = minus(exact, of_double(x)), below = minus(exact, of_double(nextafter(x, -HUGE_VAL))),
           above = minus(of_double(nextafter(x, HUGE_VAL)), exact);
    mpq_abs(here, here);
    return mpq_cmp(here, below) <= 0 && mpq_cmp(here, above) <= 0;
}

static uint64_t counts[4]; // of lines: no contact, through the inside, edge or corner, along
static uint64_t told[4];   // what doubles said, by grz_crossing
static uint64_t doubles;   // points at parameters that are doubles whose coordinates are, too
static uint64_t lengths;   // how many were compared

static void check_point(const grz_line *line, number t, const double point[3])
{
    for (int k = 0; k < 3; k++) {
        number d = plus(of_double(line->direction[k]), of_double(line->tail[k])),
               x = plus(of_double(line->origin[k]), times(t, d));
        assert_true(fabs(point[k]) >= 0x1p1000 || is_nearest(x, point[k]));
    }
}

// The squared length lies between those of the ends of the interval that is rounded to this double, a little wider.
static void check_length(const grz_line *line, number t, double length)
{
    const double below = nextafter(length, 0.0), above = nextafter(length, HUGE_VAL);
    number square = of_double(0.0), slack = of_double(0.5 + 0x1p-40);
    if (length < 0x1p-900 || length > 0x1p900) // its neighbours need not be double's usual distance away
        return;
    for (int k = 0; k < 3; k++) {
        number step = times(t, plus(of_double(line->direction[k]), of_double(line->tail[k])));
        square = plus(square, times(step, step));
    }
    number here = of_double(length), low = minus(here, times(slack, minus(here, of_double(below)))),
           high = plus(here, times(slack, minus(of_double(above), here)));
    assert_true(mpq_cmp(times(low, low), square) <= 0 && mpq_cmp(square, times(high, high)) <= 0);
    lengths++;
}

// The point at parameter t is exactly this one.
static void check_place(const grz_line *line, double t, const double point[3])
{
    for (int k = 0; k < 3; k++) {
        number d = plus(of_double(line->direction[k]), of_double(line->tail[k])),
               x = plus(of_double(line->origin[k]), times(of_double(t), d));
        assert_true(mpq_equal(x, of_double(point[k])));
    }
}

// What is said of points whose parameters are doubles.
static void check_doubles(const grz_line *line, rows c, const grz_line_meeting *meeting)
{
    double t = grz_time_round(&meeting->enter).nearest, point[3];
    if (fabs(t) < 0x1p1000 && grz_line_has_doubles_at(line, t, point)) {
        check_place(line, t, point);
        doubles++;
    }
    for (int i = 0; i < 3; i++)
        if (grz_line_passes(line, c[i], &t))
            check_place(line, t, c[i]);
}

static void check_quick(const grz_line *line, rows c, const truth *true_answer)
{
    double point[3];
    grz_line_crossing found;
    grz_bounded t;
    const grz_crossing crossing = grz_line_crosses(line, c, &found);
    told[crossing]++;
    if (crossing == GRZ_CROSSING_NONE)
        assert_false(true_answer->meets);
    if (crossing != GRZ_CROSSING_FACE && crossing != GRZ_CROSSING_CORNER)
        return;
    number *weights = (number *)true_answer->weights[0];
    assert_true(true_answer->meets && true_answer->proper && mpq_equal(true_answer->ends[0], true_answer->ends[1]));
    assert_int_equal(feature_of(weights), found.feature);
    assert_int_equal(found.feature == GRZ_FACE, crossing == GRZ_CROSSING_FACE);
    assert_int_equal(true_answer->side, found.front ? 1 : -1);
    assert_true(is_between(true_answer->ends[0], found.low, found.high));
    if (crossing == GRZ_CROSSING_CORNER) {
        const double length = grz_line_length(line, (dd){found.low, 0.0});
        grz_line_meeting meeting;
        assert_true(found.low == found.high && grz_line_meets(line, c, &meeting));
        assert_true(length == grz_line_length_at(line, &meeting.enter));
        return;
    }
    if (!grz_line_crossing_at(line, c, &t))
        return;
    number off = minus(minus(true_answer->ends[0], of_double(t.at.high)), of_double(t.at.low));
    mpq_abs(off, off);
    assert_true(mpq_cmp(off, of_double(t.error)) <= 0);
    if (fabs(t.at.high) > 0x1p-900 && grz_bounded_relative(&t) < 0x1p-80)
        check_length(line, true_answer->ends[0], grz_line_length(line, t.at));
    if (grz_line_point_at(line, &t, c, point))
        check_point(line, true_answer->ends[0], point);
}

static void check_line(const grz_line *line, rows c)
{
    const truth true_answer = meet_truly(line, c);
    grz_line_meeting meeting;
    const bool meets = grz_line_meets(line, c, &meeting);
    assert_int_equal(meets, true_answer.meets);
    check_quick(line, c, &true_answer);
    if (!meets) {
        counts[0]++;
        return;
    }
    number enter = of_time(&meeting.enter), leave = of_time(&meeting.leave);
    assert_true(mpq_equal(enter, true_answer.ends[0]) && mpq_equal(leave, true_answer.ends[1]));
    assert_int_equal(meeting.is_point, mpq_equal(enter, leave) != 0);
    assert_int_equal(meeting.side, true_answer.side);
    const grz_time_rounded rounded = grz_time_round(&meeting.enter);
    if (fabs(rounded.nearest) < 0x1p1000)
        assert_true(is_nearest(enter, rounded.nearest) && is_between(enter, rounded.lower, rounded.upper));
    double point[3];
    grz_line_point(line, &meeting.enter, c, point);
    check_point(line, enter, point);
    check_doubles(line, c, &meeting);
    check_length(line, enter, grz_line_length_at(line, &meeting.enter));
    counts[!meeting.is_point ? 3 : meeting.at_enter == GRZ_FACE ? 1 : 2]++;
    if (!true_answer.proper)
        return;
    assert_int_equal(meeting.at_enter, feature_of((number *)true_answer.weights[0]));
    assert_int_equal(meeting.at_leave, feature_of((number *)true_answer.weights[1]));
    assert_int_equal(meeting.between, feature_of((number *)true_answer.weights[2]));
}

// ---- Lines ----------------------------------------------------------------------------------------------------------

static void between(const double p[3], const double q[3], grz_line *line)
{
    double direction[3], tail[3];
    for (int k = 0; k < 3; k++)
        two_diff(q[k], p[k], &direction[k], &tail[k]);
    if (!grz_line_set(line, p, direction, tail)) {
        direction[0] = 1.0;
        grz_line_set(line, p, direction, tail);
    }
}

// A line of some kind for a pair of triangles; it is meant for the first.
static void make_line(random_stream *random, int kind, rows a, rows b, grz_line *line)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    double aim[3];
    const uint32_t i = random_below(random, 3), j = (i + 1) % 3;
    for (int k = 0; k < 3; k++)
        aim[k] = kind == 2 ? 0.5 * a[i][k] + 0.5 * a[j][k] : (0.25 * a[0][k] + 0.25 * a[1][k]) + 0.5 * a[2][k];
    switch (kind) {
    case 0:
        between(b[0], b[1], line);
        return;
    case 1:
        between(b[0], a[i], line);
        return; // through a corner
    case 2:
    case 3:
        between(b[0], aim, line);
        return; // near an edge, through the inside
    case 4:
        between(a[i], a[j], line);
        return; // along an edge
    default:
        if (!grz_line_set(line, b[0], b[1], none))
            between(b[0], b[2], line);
    }
}

static void lines_agree_with_rationals(void **state)
{
    (void)state;
    const char *given = getenv("GRZ_ORACLE_PAIRS");
    const uint64_t wanted = given != NULL && !TEST_SANITIZED ? strtoull(given, NULL, 10) : 0,
                   lines = wanted > LINES ? wanted : LINES, pairs = lines / (KINDS * (PAIR_CLASS_COUNT + 1)) + 1;
    uint64_t corners = 0;
    for (size_t i = 0; i < POOL; i++)
        mpq_init(pool[i]);
    for (int group = 0; group <= PAIR_CLASS_COUNT; group++) {
        const bool flat = group == PAIR_CLASS_COUNT; // degenerate triangles
        memset(counts, 0, sizeof counts);
        memset(told, 0, sizeof told);
        random_stream random = random_stream_of_block(flat ? PAIR_GRID : (pair_class)group, 77);
        for (uint64_t pair = 0; pair < pairs; pair++) {
            triangle a, b;
            pair_generate(flat ? PAIR_GRID : (pair_class)group, &random, a, b);
            if (flat)
                for (int k = 0; k < 3; k++)
                    a[2][k] = pair % 3 == 0   ? a[0][k]
                              : pair % 3 == 1 ? 0.5 * (a[0][k] + a[1][k])
                                              : 2 * a[1][k] - a[0][k];
            for (int kind = 0; kind < KINDS; kind++) {
                grz_line line;
                make_line(&random, kind, (rows)a, (rows)b, &line);
                check_line(&line, (rows)a);
            }
        }
        const uint64_t decided = told[GRZ_CROSSING_NONE] + told[GRZ_CROSSING_FACE] + told[GRZ_CROSSING_CORNER],
                       all = decided + told[GRZ_CROSSING_OPEN];
        printf("  %-14s none %6llu, inside %6llu, edge or corner %6llu, along %6llu; told by doubles: %llu of %llu\n",
               flat ? "degenerate" : pair_class_name((pair_class)group), (unsigned long long)counts[0],
               (unsigned long long)counts[1], (unsigned long long)counts[2], (unsigned long long)counts[3],
               (unsigned long long)decided, (unsigned long long)all);
        assert_true(counts[0] > 0 && (counts[1] > 0 || flat) && counts[2] > 0 && counts[3] > 0);
        corners += told[GRZ_CROSSING_CORNER];
    }
    assert_true(lengths > LINES / 4 && corners > LINES / 20 && doubles > LINES / 80);
    printf("  through corners, told by doubles: %llu; points with coordinates that are doubles: %llu\n",
           (unsigned long long)corners, (unsigned long long)doubles);
    for (size_t i = 0; i < POOL; i++)
        mpq_clear(pool[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_agree_with_rationals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
