// SPDX-License-Identifier: MIT
// A triangle and a region against rational arithmetic by another algorithm: the triangle is clipped by one plane after
// the other. Whether something is left, and its depths, which must be rounded to nearest.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

#include "geometry/region/region_triangle.h"
#include "pair_generator.h"

enum {
    CASES = 6000, // of each kind
    KINDS = 7,
    MOST = 16 // corners of what is left: each plane adds one at most
};

typedef struct point {
    mpq_t at[3];
} point;

static point polygons[2][MOST];
static mpq_t values[MOST], factor, product, share, depths[2], below, above;

static void for_all_numbers(void (*use)(mpq_ptr))
{
    for (int i = 0; i < MOST; i++) {
        use(values[i]);
        for (int k = 0; k < 6; k++)
            use(polygons[k / 3][i].at[k % 3]);
    }
    use(factor);
    use(product);
    use(share);
    use(depths[0]);
    use(depths[1]);
    use(below);
    use(above);
}

static void begin(mpq_ptr x)
{
    mpq_init(x);
}

static void end(mpq_ptr x)
{
    mpq_clear(x);
}

// p · (x, 1)
static void set_value(const double p[4], const point *x, mpq_t out)
{
    mpq_set_d(out, p[3]);
    for (int k = 0; k < 3; k++) {
        mpq_set_d(factor, p[k]);
        mpq_mul(product, factor, x->at[k]);
        mpq_add(out, out, product);
    }
}

// The point between two where the value is 0.
static void set_crossing(const point *x, const mpq_t value_x, const point *y, const mpq_t value_y, point *out)
{
    mpq_sub(share, value_x, value_y);
    mpq_div(share, value_x, share);
    for (int k = 0; k < 3; k++) {
        mpq_sub(product, y->at[k], x->at[k]);
        mpq_mul(product, product, share);
        mpq_add(out->at[k], x->at[k], product);
    }
}

static void copy(const point *x, point *out)
{
    for (int k = 0; k < 3; k++)
        mpq_set(out->at[k], x->at[k]);
}

// Clip a polygon. Returns how many corners are left.
static int clip(const double p[4], point *from, int count, point *to)
{
    int left = 0;
    for (int i = 0; i < count; i++)
        set_value(p, &from[i], values[i]);
    for (int i = 0; i < count; i++) {
        const int next = (i + 1) % count;
        if (mpq_sgn(values[i]) >= 0)
            copy(&from[i], &to[left++]);
        if (mpq_sgn(values[i]) * mpq_sgn(values[next]) < 0)
            set_crossing(&from[i], values[i], &from[next], values[next], &to[left++]);
        assert_true(left < MOST);
    }
    return left;
}

static bool is_nearest(const mpq_t exact, double x)
{
    mpq_set_d(factor, x);
    mpq_sub(product, exact, factor);
    mpq_abs(product, product);
    for (int up = 0; up < 2; up++) {
        mpq_set_d(factor, nextafter(x, up != 0 ? HUGE_VAL : -HUGE_VAL));
        mpq_sub(share, exact, factor);
        mpq_abs(share, share);
        if (mpq_cmp(product, share) > 0)
            return false;
    }
    return true;
}

static uint64_t counts[KINDS][4]; // outside, cut, inside, depths compared

static void check(const grz_region *region, const double c[3][3], int kind, int number)
{
    double least = 0.0, greatest = 0.0;
    point *now = polygons[0], *other = polygons[1];
    int left = 3;
    bool has_depth = true, cut = false;
    for (int i = 0; i < 9; i++)
        mpq_set_d(now[i / 3].at[i % 3], c[i / 3][i % 3]);
    for (int i = 0; i < GRZ_REGION_PLANES && left > 0; i++) {
        left = clip(region->planes[i], now, left, other);
        for (int k = 0; k < 3 && left > 0; k++)
            cut = cut || mpq_sgn(values[k]) < 0;
        point *const swap = now;
        now = other;
        other = swap;
    }
    const bool meets = grz_region_meets(region, c, &least, &greatest);
    if (meets != (left > 0))
        fail_msg("kind %d, case %d: %s, but %d corners are left", kind, number, meets ? "meets" : "misses", left);
    counts[kind][left == 0 ? 0 : cut ? 1 : 2]++;
    for (int i = 0; i < left; i++) {
        set_value(region->depth[1], &now[i], below);
        has_depth = has_depth && mpq_sgn(below) > 0;
        set_value(region->depth[0], &now[i], above);
        if (!has_depth)
            return;
        mpq_div(above, above, below);
        if (i == 0 || mpq_cmp(above, depths[0]) < 0)
            mpq_set(depths[0], above);
        if (i == 0 || mpq_cmp(above, depths[1]) > 0)
            mpq_set(depths[1], above);
    }
    if (left == 0)
        return;
    counts[kind][3]++;
    if (!is_nearest(depths[0], least) || !is_nearest(depths[1], greatest))
        fail_msg("kind %d, case %d: depths %.17g to %.17g, exactly nearer %.17g to %.17g", kind, number, least,
                 greatest, mpq_get_d(depths[0]), mpq_get_d(depths[1]));
}

static double coordinate(random_stream *random, int kind)
{
    switch (kind) {
    case 1: // a small grid: much that only touches
    case 4:
        return (double)random_below(random, 5) - 2.0;
    case 2: // far away
        return 1e6 + random_signed(random);
    case 3:
        return 0x1p-250 * random_signed(random);
    case 6:
        return ldexp(random_signed(random), (int)random_below(random, 580) - 290);
    default:
        return 2.0 * random_signed(random);
    }
}

static void make_triangle(random_stream *random, int kind, double c[3][3])
{
    for (int i = 0; i < 9; i++)
        c[i / 3][i % 3] = coordinate(random, kind);
    if (kind == 4) { // no area
        const uint32_t same = random_below(random, 2);
        for (int k = 0; k < 3; k++)
            c[2][k] = same == 0 ? c[1][k] : 2.0 * c[1][k] - c[0][k];
    }
}

static void make_region(random_stream *random, int kind, const double c[3][3], grz_region *region)
{
    const double scale = kind == 3 ? 0x1p-250 : 1.0, middle = kind == 2 ? 1e6 : 0.0;
    for (int i = 0; i < GRZ_REGION_PLANES; i++) {
        double *p = region->planes[i];
        for (int k = 0; k < 3; k++)
            p[k] = kind == 1 || kind == 4 || kind == 6 ? coordinate(random, kind) : random_signed(random);
        p[3] = kind == 1 || kind == 4 || kind == 6 ? coordinate(random, kind) + (kind == 6 ? 0.0 : 1.0)
                                                   : (0.6 + random_signed(random)) * scale;
        p[3] -= middle * ((p[0] + p[1]) + p[2]);
        if (kind == 5) { // through a corner, but for rounding, and maybe along an edge
            const double *x = c[random_below(random, 3)];
            if (random_below(random, 3) == 0)
                p[2] = x[2] != 0.0 ? -(p[0] * x[0] + p[1] * x[1]) / x[2] : 0.0;
            p[3] = -((p[0] * x[0] + p[1] * x[1]) + p[2] * x[2]);
        }
        if (random_below(random, 4) == 0) { // lets all points through
            p[0] = p[1] = p[2] = 0.0;
            p[3] = random_below(random, 2);
        }
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++)
            region->depth[i][k] = k < 3 ? 0.3 * random_signed(random) : i == 0 ? 0.0 : 3.0 * scale;
    for (int i = 0; i < 2; i++)
        region->depth[i][3] -= middle * ((region->depth[i][0] + region->depth[i][1]) + region->depth[i][2]);
    if (random_below(random, 2) == 0) {
        region->depth[1][0] = region->depth[1][1] = region->depth[1][2] = 0.0;
        region->depth[1][3] = 1.0;
    }
}

static void clipping_says_the_same(void **state)
{
    (void)state;
    static const char *const names[KINDS] = {"random",  "small grid",      "far away", "tiny",
                                             "no area", "through corners", "all sizes"};
    for_all_numbers(begin);
    for (int kind = 0; kind < KINDS; kind++) {
        random_stream random = random_stream_of_block(PAIR_RANDOM, 2560 + (uint64_t)kind);
        for (int i = 0; i < CASES; i++) {
            grz_region region = {.depth = {{0.0}}};
            double c[3][3];
            make_triangle(&random, kind, c);
            make_region(&random, kind, (const double(*)[3])c, &region);
            check(&region, (const double(*)[3])c, kind, i);
        }
        printf("%-16s %6llu outside %6llu cut %6llu inside %6llu depths\n", names[kind],
               (unsigned long long)counts[kind][0], (unsigned long long)counts[kind][1],
               (unsigned long long)counts[kind][2], (unsigned long long)counts[kind][3]);
        for (int k = 0; k < 4; k++)
            assert_true(counts[kind][k] > (k == 2 ? 5 : CASES / 100));
    }
    for_all_numbers(end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(clipping_says_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
