// SPDX-License-Identifier: MIT
// Convex sets: apart, touching or penetrating, and how far or how deep, against integers. The corners are small
// integers, so that degenerate cases abound, moved by poses of small integers, scaled by powers of two and moved far
// away. The oracle looks at all planes through three differences b - a, and at all points, edges and triangles that
// differences span: another algorithm, which shares no code with the library's.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

#include "geometry/convex/depth/convex_depth.h"
#include "geometry/convex/exact_convex.h"
#include "geometry/pose.h"
#include "pair_generator.h"
#include "support_sanitizer.h"

enum {
    CASES = TEST_SANITIZED ? 8000 : 40000,
    MOST_CORNERS = 6,
    MOST_DIFFERENCES = MOST_CORNERS * MOST_CORNERS
};

// ---- The oracle ---------------------------------------------------------------------------------------------------

typedef struct oracle {
    int64_t w[MOST_DIFFERENCES][3];
    int count;
    grz_convex_relation relation;   // of the sets, not grown
    int64_t numerator, denominator; // of the squared distance
    double depth;                   // rounded, to 1e-12 of itself
} oracle;

static int64_t dot(const int64_t x[3], const int64_t y[3])
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static void cross(const int64_t x[3], const int64_t y[3], int64_t out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3];
}

static void subtract(const int64_t x[3], const int64_t y[3], int64_t out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = x[k] - y[k];
}

static void take_square(oracle *o, int64_t numerator, int64_t denominator)
{
    if (o->denominator == 0 || (__int128)numerator * o->denominator < (__int128)o->numerator * denominator) {
        o->numerator = numerator;
        o->denominator = denominator;
    }
}

// The nearest point of an edge or a triangle, where it is inside.
static void look_at_edge(oracle *o, const int64_t *p, const int64_t *q)
{
    int64_t e[3], n[3];
    subtract(q, p, e);
    cross(p, q, n);
    if (dot(p, e) < 0 && dot(q, e) > 0)
        take_square(o, dot(n, n), dot(e, e));
}

static void look_at_triangle(oracle *o, const int64_t *p, const int64_t *q, const int64_t *r)
{
    int64_t u[3], v[3], n[3], m[3];
    subtract(q, p, u);
    subtract(r, p, v);
    cross(u, v, n);
    const int64_t whole = dot(n, n), height = dot(n, p);
    if (whole == 0)
        return;
    const int64_t *const turn[5] = {p, q, r, p, q};
    bool inside = true;
    for (int i = 0; i < 3; i++) {
        cross(turn[i], turn[i + 1], m);
        inside = inside && dot(n, m) >= 0;
    }
    if (inside)
        take_square(o, height * height, whole);
    int64_t least = 0, most = 0;
    for (int i = 0; i < o->count; i++) {
        const int64_t along = dot(n, o->w[i]);
        least = along < least ? along : least;
        most = along > most ? along : most;
    }
    // The plane through 0 with this normal has everything on one side, or the plane through the triangle has.
    if (least >= 0 || most <= 0)
        o->relation = GRZ_CONVEX_TOUCHING;
    const double length = sqrt((double)whole);
    o->depth = fmin(o->depth, fmin((double)most, (double)-least) / length);
}

static void ask(oracle *o)
{
    bool solid = false;
    o->relation = GRZ_CONVEX_PENETRATING;
    o->denominator = 0;
    o->depth = HUGE_VAL;
    for (int i = 0; i < o->count; i++) {
        take_square(o, dot(o->w[i], o->w[i]), 1);
        for (int j = 0; j < i; j++) {
            look_at_edge(o, o->w[i], o->w[j]);
            for (int k = 0; k < j; k++) {
                int64_t u[3], v[3], n[3], m[3];
                look_at_triangle(o, o->w[i], o->w[j], o->w[k]);
                subtract(o->w[j], o->w[i], u);
                subtract(o->w[k], o->w[i], v);
                cross(u, v, n);
                for (int l = 0; l < k && !solid; l++) {
                    subtract(o->w[l], o->w[i], m);
                    solid = dot(n, m) != 0;
                }
            }
        }
    }
    if (!solid)
        o->relation = GRZ_CONVEX_TOUCHING;
    if (o->relation != GRZ_CONVEX_PENETRATING && o->numerator > 0)
        o->relation = GRZ_CONVEX_APART;
    if (o->relation != GRZ_CONVEX_PENETRATING)
        o->depth = 0.0;
    else
        take_square(o, 0, 1); // what was found is the distance of 0 from the surface
}

// ---- Cases --------------------------------------------------------------------------------------------------------

typedef struct set {
    grz_convex convex;
    double local[MOST_CORNERS][3], placed[MOST_CORNERS][3];
    int64_t world[MOST_CORNERS][3];
} set;

// Corners of a kind: anything, a few points, a box.
static void make_set(random_stream *random, int span, set *s)
{
    const int kind = (int)random_below(random, 4), middle = span / 2;
    s->convex = (grz_convex){.form = GRZ_CONVEX_CORNERS, .local = s->local, .corners = s->placed};
    s->convex.count = kind == 0 ? 1 + random_below(random, 3) : 3 + random_below(random, MOST_CORNERS - 2);
    for (uint32_t i = 0; i < s->convex.count; i++)
        for (int k = 0; k < 3; k++)
            s->local[i][k] =
                kind == 1 && k == 2 ? 0.0 : (double)((int)random_below(random, (uint32_t)span + 1) - middle);
    // A turn by a quarter, a mirror, a shear, or nothing.
    const int turn = (int)random_below(random, 3), sign = random_below(random, 2) ? 1 : -1,
              shear = random_below(random, 3) == 0 ? 1 : 0;
    s->convex.pose = (grz_pose){{{0.0}}};
    for (int k = 0; k < 3; k++) {
        s->convex.pose.m[k][(k + turn) % 3] = k == 0 ? sign : 1.0;
        s->convex.pose.m[k][3] = random_below(random, 2) ? (double)random_below(random, 5) - 2.0 : 0.0;
    }
    s->convex.pose.m[0][(1 + turn) % 3] = shear;
    for (uint32_t i = 0; i < s->convex.count; i++)
        for (int k = 0; k < 3; k++) {
            s->world[i][k] = (int64_t)s->convex.pose.m[k][3];
            for (int j = 0; j < 3; j++)
                s->world[i][k] += (int64_t)(s->convex.pose.m[k][j] * s->local[i][j]);
        }
}

// Scale a set and move it far away, without rounding.
static void move_set(set *s, int exponent, const double offset[3])
{
    for (uint32_t i = 0; i < s->convex.count; i++)
        for (int k = 0; k < 3; k++)
            s->local[i][k] = ldexp(s->local[i][k], exponent);
    for (int k = 0; k < 3; k++)
        s->convex.pose.m[k][3] = ldexp(s->convex.pose.m[k][3] + offset[k], exponent);
}

// -1, 0 or 1: x² compared with numerator / denominator · 4^exponent.
static int compare_square(double x, int64_t numerator, int64_t denominator, int exponent)
{
    mpq_t number, square;
    mpq_init(number);
    mpq_init(square);
    mpq_set_d(number, x);
    if (exponent >= 0)
        mpq_div_2exp(number, number, (mp_bitcnt_t)exponent);
    else
        mpq_mul_2exp(number, number, (mp_bitcnt_t)-exponent);
    mpq_mul(number, number, number);
    mpq_set_si(square, (long)numerator, (unsigned long)denominator);
    mpq_canonicalize(square);
    const int order = mpq_cmp(number, square);
    mpq_clear(number);
    mpq_clear(square);
    return (order > 0) - (order < 0);
}

static int seen[4]; // cases of each relation
static int proved_inside;

static void check_case(set *a, set *b, const oracle *o, int exponent, int radius_a, int radius_b)
{
    const double scale = ldexp(1.0, -exponent);
    double origin[3];
    grz_convex_gap gap;
    grz_convex_depth depth;
    grz_convex_exact exact;
    for (int k = 0; k < 3; k++)
        origin[k] = a->convex.pose.m[k][3];
    grz_convex_place(&a->convex, origin, scale);
    grz_convex_place(&b->convex, origin, scale);
    grz_convex_measure_gap(&a->convex, &b->convex, 0.0, HUGE_VAL, &gap);
    assert_true(compare_square(gap.lower, o->numerator, o->denominator, 0) <= 0);
    if (compare_square(gap.upper, o->numerator, o->denominator, 0) < 0)
        fail_msg("gap up to %.17g, exact %.17g", gap.upper, sqrt((double)o->numerator / (double)o->denominator));
    assert_true(gap.upper - gap.lower < 1e-12 * (1.0 + gap.upper));
    assert_true(!gap.inside || o->relation == GRZ_CONVEX_PENETRATING);
    proved_inside += gap.inside;
    grz_convex_measure_depth(&a->convex, &b->convex, HUGE_VAL, &depth);
    assert_true(depth.lower <= o->depth * (1.0 + 1e-12));
    assert_true(depth.upper >= o->depth * (1.0 - 1e-12));
    if (!(depth.upper - depth.lower < 1e-11 * (1.0 + depth.upper)))
        fail_msg("depth between %.17g and %.17g, exact %.17g", depth.lower, depth.upper, o->depth);

    grz_convex_decide(&a->convex, &b->convex, 0.0, 0.0, &gap.simplex, true, &exact);
    seen[exact.relation]++;
    if (exact.relation != o->relation)
        fail_msg("relation %d, expected %d", exact.relation, o->relation);
    assert_true(exact.measured == (o->relation == GRZ_CONVEX_APART));
    if (exact.measured) {
        const int low = compare_square(exact.root.lower, o->numerator, o->denominator, exponent),
                  high = compare_square(exact.root.upper, o->numerator, o->denominator, exponent);
        assert_true(low <= 0 && high >= 0);
        assert_true(low == 0 ? high == 0 : nextafter(exact.root.lower, HUGE_VAL) == exact.root.upper);
        double square = 0.0, size = 1.0; // the points are rounded where they are
        for (int k = 0; k < 3; k++) {
            const double way = ldexp(exact.on_b[k] - exact.on_a[k], -exponent);
            square += way * way;
            size += ldexp(fabs(exact.on_b[k]), -exponent);
        }
        assert_true(fabs(sqrt(square) - ldexp(exact.root.nearest, -exponent)) < 1e-9 + 0x1p-50 * size);
    }
    const int64_t sum = radius_a + radius_b;
    const __int128 reach = (__int128)sum * sum * o->denominator;
    grz_convex_relation expected = o->relation;
    if (sum > 0)
        expected = reach < o->numerator    ? GRZ_CONVEX_APART
                   : reach == o->numerator ? GRZ_CONVEX_TOUCHING
                                           : GRZ_CONVEX_PENETRATING;
    const grz_simplex none = {.count = 0};
    grz_convex_decide(&a->convex, &b->convex, ldexp(radius_a, exponent), ldexp(radius_b, exponent), &none, false,
                      &exact);
    assert_int_equal(exact.relation, expected);
    assert_false(exact.measured);
}

static void test_corners(void **state)
{
    static const int exponents[4] = {0, -300, 250, 7};
    static const double offsets[3][3] = {{0.0, 0.0, 0.0}, {1e6, -3e5, 2e6}, {0x1p40, 0.0, -0x1p39}};
    random_stream random = {.state = 7};
    (void)state;
    for (int i = 0; i < CASES; i++) {
        set a, b;
        oracle o = {.count = 0};
        const int span = 2 + (int)random_below(&random, 9);
        make_set(&random, span, &a);
        make_set(&random, span, &b);
        for (uint32_t j = 0; j < a.convex.count; j++)
            for (uint32_t k = 0; k < b.convex.count; k++)
                subtract(b.world[k], a.world[j], o.w[o.count++]);
        ask(&o);
        const int exponent = exponents[i % 4];
        move_set(&a, exponent, offsets[i % 3]);
        move_set(&b, exponent, offsets[i % 3]);
        const int radius = (int)random_below(&random, 3), other = (int)random_below(&random, 2);
        check_case(&a, &b, &o, exponent, radius, other);
    }
    printf("apart %d, touching %d, penetrating %d\n", seen[GRZ_CONVEX_APART], seen[GRZ_CONVEX_TOUCHING],
           seen[GRZ_CONVEX_PENETRATING]);
    assert_true(seen[GRZ_CONVEX_APART] > CASES / 10 && seen[GRZ_CONVEX_TOUCHING] > CASES / 20 &&
                seen[GRZ_CONVEX_PENETRATING] > CASES / 10 && proved_inside > CASES / 20);
}

// ---- Round sets against points and balls --------------------------------------------------------------------------

typedef struct round_case {
    grz_convex round, point;
    double local[1][3], placed[1][3];
    double p[3]; // the point in the round set's own coordinates, nearly
    double turn[3][3];
} round_case;

// A round set at a random turn and place, and a point.
static void make_round(random_stream *random, grz_convex_form form, round_case *c)
{
    double q[4], length = 0.0;
    for (int i = 0; i < 4; i++) {
        q[i] = random_signed(random);
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        q[i] /= sqrt(length);
    *c = (round_case){.round = {.form = form}, .point = {.form = GRZ_CONVEX_CORNERS, .count = 1}};
    c->point.local = c->local;
    c->point.corners = c->placed;
    c->point.pose = (grz_pose){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    grz_pose_set_turn(q, &c->round.pose);
    for (int k = 0; k < 3; k++) {
        const double stretch = form == GRZ_CONVEX_ELLIPSOID ? exp(2.0 * random_signed(random)) : 1.0;
        c->round.half[k] = (k == 1 ? c->round.half[0] : 0.5 + fabs(random_signed(random)));
        if (form == GRZ_CONVEX_ELLIPSOID)
            c->round.half[k] *= stretch;
        c->round.pose.m[k][3] = 3.0 * random_signed(random);
        c->local[0][k] = (random_below(random, 3) == 0 ? 3.0 : 0.5) * random_signed(random) + c->round.pose.m[k][3];
    }
    for (int j = 0; j < 3; j++) {
        c->p[j] = 0.0;
        for (int k = 0; k < 3; k++)
            c->p[j] += c->round.pose.m[k][j] * (c->local[0][k] - c->round.pose.m[k][3]);
    }
}

// The distance of a point in the plane from the convex polygon between (0, low), (radius at low, low), (radius at high,
// high) and (0, high); negative: how deep inside. `across` is 0 or above.
static double from_profile(double across, double along, double r_low, double r_high, double half)
{
    const double corners[4][2] = {{0.0, -half}, {r_low, -half}, {r_high, half}, {0.0, half}};
    double nearest = HUGE_VAL, inside = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        const double *p = corners[i], *q = corners[i + 1];
        const double u = q[0] - p[0], v = q[1] - p[1], square = u * u + v * v;
        if (square == 0.0)
            continue;
        const double t = fmin(1.0, fmax(0.0, ((across - p[0]) * u + (along - p[1]) * v) / square));
        nearest = fmin(nearest, hypot(across - p[0] - t * u, along - p[1] - t * v));
        inside = fmin(inside, (u * (along - p[1]) - v * (across - p[0])) / sqrt(square));
    }
    return inside >= 0.0 ? -inside : nearest;
}

// The distance of a point outside from an ellipsoid: the root of the classical equation, by halving.
static double from_ellipsoid(const double half[3], const double p[3])
{
    double inside = 0.0, high = 0.0;
    for (int k = 0; k < 3; k++) {
        inside += p[k] * p[k] / (half[k] * half[k]);
        high += fabs(p[k]) * half[k];
    }
    if (inside <= 1.0)
        return 0.0;
    long double low = 0.0L, up = 4.0L * (long double)high;
    for (int i = 0; i < 200; i++) {
        const long double t = (low + up) / 2;
        long double sum = 0.0L;
        for (int k = 0; k < 3; k++) {
            const long double square = (long double)half[k] * (long double)half[k];
            const long double x = (long double)(half[k] * p[k]) / (t + square);
            sum += x * x;
        }
        *(sum > 1.0L ? &low : &up) = t;
    }
    long double square = 0.0L;
    for (int k = 0; k < 3; k++) {
        const long double way = (long double)p[k] * low / (low + (long double)half[k] * (long double)half[k]);
        square += way * way;
    }
    return (double)sqrtl(square);
}

static void test_round(void **state)
{
    random_stream random = {.state = 11};
    double widest_gap = 0.0, widest_depth = 0.0;
    int out = 0, in = 0;
    (void)state;
    for (int i = 0; i < (TEST_SANITIZED ? 1500 : 6000); i++) {
        const grz_convex_form form = (grz_convex_form)(GRZ_CONVEX_ELLIPSOID + i % 3);
        round_case c;
        grz_convex_gap gap;
        grz_convex_depth depth;
        make_round(&random, form, &c);
        const double *half = c.round.half, across = hypot(c.p[0], c.p[1]);
        const double expected = form == GRZ_CONVEX_ELLIPSOID ? from_ellipsoid(half, c.p)
                                : form == GRZ_CONVEX_CONE    ? from_profile(across, c.p[2], half[0], 0.0, half[2])
                                                             : from_profile(across, c.p[2], half[0], half[0], half[2]);
        grz_convex_place(&c.round, c.local[0], 1.0);
        grz_convex_place(&c.point, c.local[0], 1.0);
        grz_convex_measure_gap(&c.round, &c.point, 0.0, HUGE_VAL, &gap);
        assert_true(gap.lower <= fmax(expected, 0.0) + 1e-13 && gap.upper >= fmax(expected, 0.0) - 1e-13);
        widest_gap = fmax(widest_gap, gap.upper - gap.lower);
        out += expected > 0.0;
        grz_convex_measure_depth(&c.round, &c.point, HUGE_VAL, &depth);
        if (expected > 0.0) {
            assert_true(depth.lower == 0.0);
            continue;
        }
        in += form != GRZ_CONVEX_ELLIPSOID;
        if (form != GRZ_CONVEX_ELLIPSOID) {
            assert_true(depth.lower <= -expected + 1e-13 && depth.upper >= -expected - 1e-13);
            widest_depth = fmax(widest_depth, depth.upper - depth.lower);
        }
        // Moved by the answer, the set is free of the point.
        for (int k = 0; k < 3; k++)
            c.round.pose.m[k][3] += depth.upper * depth.along[k];
        grz_convex_place(&c.round, c.local[0], 1.0);
        grz_convex_measure_depth(&c.round, &c.point, HUGE_VAL, &depth);
        assert_true(depth.lower < 1e-13);
    }
    printf("%d outside, at most %.2g wide; %d inside, at most %.2g wide\n", out, widest_gap, in, widest_depth);
    assert_true(out > (TEST_SANITIZED ? 250 : 1000) && in > (TEST_SANITIZED ? 50 : 300) && widest_gap < 1e-10);
}

// Balls whose distance and depth follow from their middles.
static void test_balls(void **state)
{
    random_stream random = {.state = 12};
    double widest_gap = 0.0, widest_depth = 0.0;
    (void)state;
    for (int i = 0; i < (TEST_SANITIZED ? 500 : 2000); i++) {
        round_case a, b;
        grz_convex_gap gap;
        grz_convex_depth depth;
        make_round(&random, GRZ_CONVEX_ELLIPSOID, &a);
        make_round(&random, GRZ_CONVEX_ELLIPSOID, &b);
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            a.round.half[k] = a.round.half[0];
            b.round.half[k] = b.round.half[0];
            const double way = a.round.pose.m[k][3] - b.round.pose.m[k][3];
            square += way * way;
        }
        const double apart = sqrt(square) - a.round.half[0] - b.round.half[0];
        grz_convex_place(&a.round, b.local[0], 1.0);
        grz_convex_place(&b.round, b.local[0], 1.0);
        grz_convex_measure_gap(&a.round, &b.round, 0.0, HUGE_VAL, &gap);
        grz_convex_measure_depth(&a.round, &b.round, HUGE_VAL, &depth);
        assert_true(gap.lower <= fmax(apart, 0.0) + 1e-12 && gap.upper >= fmax(apart, 0.0) - 1e-12);
        assert_true(depth.lower <= fmax(-apart, 0.0) + 1e-12 && depth.upper >= fmax(-apart, 0.0) - 1e-12);
        widest_gap = fmax(widest_gap, gap.upper - gap.lower);
        if (apart < 0.0)
            widest_depth = fmax(widest_depth, (depth.upper - depth.lower) / depth.upper);
    }
    printf("balls: gaps at most %.2g wide, depths %.2g of themselves\n", widest_gap, widest_depth);
    assert_true(widest_gap < 1e-11 && widest_depth < 0.02);
}

// Two balls that overlap by a power of two, to the last digits.
static void test_shallow_balls(void **state)
{
    (void)state;
    for (int i = 3; i < 42; i++)
        for (int j = 1; j < 6; j++) {
            const double t = 0.375 * j, overlap = ldexp(1.0, -i); // 3 t between the middles
            round_case a, b;
            random_stream random = {.state = 3};
            grz_convex_depth depth;
            make_round(&random, GRZ_CONVEX_ELLIPSOID, &a);
            make_round(&random, GRZ_CONVEX_ELLIPSOID, &b);
            a.round.pose = grz_pose_identity();
            b.round.pose = grz_pose_from_translation(2.0 * t, t, -2.0 * t);
            for (int k = 0; k < 3; k++) {
                a.round.half[k] = 0.75;
                b.round.half[k] = 3.0 * t - 0.75 + overlap;
            }
            grz_convex_place(&a.round, b.local[0], 1.0);
            grz_convex_place(&b.round, b.local[0], 1.0);
            grz_convex_measure_depth(&a.round, &b.round, HUGE_VAL, &depth);
            assert_true(depth.lower <= overlap && overlap <= depth.upper);
            assert_true(depth.lower >= overlap * (1.0 - 1e-6) - 1e-12 && depth.upper <= overlap * (1.0 + 1e-6) + 1e-12);
            assert_true(depth.lower > 0.0);
        }
}

// ---- Corners that wait ----------------------------------------------------------------------------------------------

enum {
    CROWDS = TEST_SANITIZED ? 80 : 400,
    MOST_IN_A_CROWD = 300
};

// Points on a ball, on a box's raster, or all in one plane; far from their own origin, or in a pose that is far away.
// A ball may be turned only; as the place's origin is in its middle, many points are as far out then.
static void make_crowd(random_stream *random, int kind, grz_convex *c, double local[][3], double origin[3])
{
    static const double TURN[3][3] = {{0.6, -0.8, 0.0}, {0.8, 0.6, 0.0}, {0.0, 0.0, 1.0}};
    const double off = random_below(random, 2) == 0 ? 0.0 : ldexp(random_signed(random), (int)random_below(random, 44));
    c->form = GRZ_CONVEX_CORNERS;
    c->count = 1 + random_below(random, MOST_IN_A_CROWD);
    c->local = (const double(*)[3])local;
    for (int i = 0; i < 12; i++)
        c->pose.m[i / 4][i % 4] = kind == 1 ? (double)random_below(random, 5) - 2.0 : random_signed(random);
    for (int k = 0; k < 3; k++)
        c->pose.m[k][3] =
            random_below(random, 2) == 0 ? 0.0 : ldexp(random_signed(random), (int)random_below(random, 40));
    for (uint32_t i = 0; i < c->count; i++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            local[i][k] = kind == 1 ? (double)random_below(random, 5) : random_signed(random);
            square += local[i][k] * local[i][k];
        }
        for (int k = 0; k < 3; k++)
            local[i][k] = (kind == 0 ? local[i][k] / sqrt(square) : kind == 2 && k == 2 ? 0.0 : local[i][k]) + off;
    }
    const double middle[3] = {off, off, off};
    if (kind == 0 && random_below(random, 2) == 0)
        for (int i = 0; i < 9; i++)
            c->pose.m[i / 3][i % 3] = TURN[i / 3][i % 3];
    grz_world_position(&c->pose, kind == 0 ? middle : local[0], origin);
}

// They give the same bits as corners that are placed at once: the extents, and the farthest along any direction.
static void test_waiting(void **state)
{
    (void)state;
    static double local[MOST_IN_A_CROWD][3], corners[2][MOST_IN_A_CROWD][3], heights[MOST_IN_A_CROWD];
    random_stream random = random_stream_of_block(0, 2610);
    unsigned long placed = 0, all = 0;
    for (int i = 0; i < CROWDS; i++) {
        grz_convex at_once = {.count = 0}, waiting;
        double origin[3];
        const int size = i % 5 == 0 ? 400 - (int)random_below(&random, 800) : 0;
        make_crowd(&random, i % 3, &at_once, local, origin);
        for (int m = 0; m < 12; m++)
            at_once.pose.m[m / 4][m % 4] = ldexp(at_once.pose.m[m / 4][m % 4], size > 290 ? 290 : size);
        for (int k = 0; k < 3; k++)
            origin[k] = ldexp(origin[k], size > 290 ? 290 : size);
        waiting = at_once;
        at_once.corners = corners[0];
        waiting.corners = corners[1];
        waiting.heights = heights;
        grz_convex_place(&at_once, origin, ldexp(1.0, -(size > 290 ? 290 : size) - 3));
        grz_convex_place(&waiting, origin, ldexp(1.0, -(size > 290 ? 290 : size) - 3));
        if (at_once.extent != waiting.extent || at_once.error != waiting.error) // NOLINT: to the bit
            fail_msg("crowd %d: extent %a and %a, error %a and %a", i, at_once.extent, waiting.extent, at_once.error,
                     waiting.error);
        for (int d = 0; d < 12; d++) {
            double n[3], p[3], q[3];
            for (int k = 0; k < 3; k++)
                n[k] = d < 6 ? (double)(d % 3 == k) * (d < 3 ? 1.0 : -1.0) : random_signed(&random);
            const uint32_t one = grz_convex_farthest(&at_once, n, p), other = grz_convex_farthest(&waiting, n, q);
            if (one != other || memcmp(p, q, sizeof p) != 0)
                fail_msg("crowd %d, direction %d: corner %u and corner %u", i, d, one, other);
        }
        all += at_once.count;
        for (uint32_t k = 0; k < at_once.count; k++)
            placed += waiting.heights == NULL || !isnan(waiting.corners[k][0]);
        for (uint32_t k = 0; k < at_once.count; k++)
            assert_memory_equal(grz_convex_corner(&waiting, k), at_once.corners[k], 3 * sizeof(double));
    }
    print_message("  %lu of %lu corners placed\n", placed, all);
    assert_true(placed < all / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_corners), cmocka_unit_test(test_round),
                                       cmocka_unit_test(test_balls), cmocka_unit_test(test_shallow_balls),
                                       cmocka_unit_test(test_waiting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
