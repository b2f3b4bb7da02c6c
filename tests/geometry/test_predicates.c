// SPDX-License-Identifier: MIT
// grz_orient2d and grz_orient3d against integers of any length: on corners of the eight classes of triangle pairs and
// on extremes (subnormals, mixtures of 2^300 with 2^-1074, exact zeros, one ulp beside a plane). Also their laws under
// permutation, the double-double determinants from which contact points are computed, and that every stage of the
// predicates is used.
// ctest: timeout 900
// ctest: processors 2
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>
#include <math.h>

#include "block_runner.h"
#include "geometry/exact/determinant.h"
#include "geometry/exact/predicates.h"
#include "oracle.h"

enum {
    BLOCK_SIZE = 5000,
    PER_PAIR = 2 // evaluations of each predicate from one pair of triangles
};

typedef struct worker {
    oracle *oracle;
    uint64_t signs[PAIR_CLASS_COUNT][2][3]; // by class, by predicate (2D, 3D), by sign + 1
    grz_predicate_counts counts[2];         // this thread's, of all it did
} worker;

static void print_points(const char *what, const double *const *p, int count, int dimension, int got, int truth)
{
    printf("FAILED: %s: got %d, the truth is %d\n", what, got, truth);
    for (int i = 0; i < count; i++) {
        printf("  {");
        for (int k = 0; k < dimension; k++)
            printf("%s%a", k ? ", " : "", p[i][k]);
        printf("}\n");
    }
    fflush(stdout);
}

static bool orient2d_is_true(oracle *o, const double *const p[3], int *sign)
{
    int truth = oracle_orient2d(o, p[0], p[1], p[2]);
    int got = grz_orient2d(p[0], p[1], p[2]);
    *sign = truth;
    if (got != truth)
        print_points("orient2d", p, 3, 2, got, truth);
    return got == truth;
}

static bool orient3d_is_true(oracle *o, const double *const p[4], int *sign)
{
    int truth = oracle_orient3d(o, p[0], p[1], p[2], p[3]);
    int got = grz_orient3d(p[0], p[1], p[2], p[3]);
    *sign = truth;
    if (got != truth)
        print_points("orient3d", p, 4, 3, got, truth);
    return got == truth;
}

// Two evaluations of each predicate on the corners of a pair: with three corners of one triangle and one of the other,
// and with two of each.
static bool check_corners(worker *w, pair_class group, random_stream *random, const double a[3][3],
                          const double b[3][3])
{
    uint32_t i = random_below(random, 3), j = random_below(random, 3), axis = random_below(random, 3);
    const double *const space[PER_PAIR][4] = {{a[0], a[1], a[2], b[i]}, {a[j], a[(j + 1) % 3], b[i], b[(i + 1) % 3]}};
    for (int n = 0; n < PER_PAIR; n++) {
        int sign;
        if (!orient3d_is_true(w->oracle, space[n], &sign))
            return false;
        w->signs[group][1][sign + 1]++;
        double flat[3][2];
        const double *const plane[3] = {flat[0], flat[1], flat[2]};
        for (int m = 0; m < 3; m++) {
            flat[m][0] = space[n][m + 1][axis];
            flat[m][1] = space[n][m + 1][(axis + 1) % 3];
        }
        if (!orient2d_is_true(w->oracle, plane, &sign))
            return false;
        w->signs[group][0][sign + 1]++;
    }
    return true;
}

static bool check_block(void *data, pair_class group, uint64_t block, uint32_t count)
{
    worker *w = data;
    random_stream random = random_stream_of_block(group, block + (UINT64_C(1) << 40));
    for (uint32_t n = 0; n < count; n++) {
        double a[3][3], b[3][3];
        pair_generate(group, &random, a, b);
        if (!check_corners(w, group, &random, (const double(*)[3])a, (const double(*)[3])b)) {
            print_failing_pair("orientation", group, block, n, (const double(*)[3])a, (const double(*)[3])b);
            return false;
        }
    }
    w->counts[0] = grz_orient2d_counts();
    w->counts[1] = grz_orient3d_counts();
    return true;
}

static int make_workers(worker *workers, void **pointers)
{
    int count = block_worker_count();
    for (int i = 0; i < count; i++) {
        workers[i] = (worker){.oracle = oracle_create()};
        assert_non_null(workers[i].oracle);
        pointers[i] = &workers[i];
    }
    return count;
}

static void print_stages(const char *name, const worker *workers, int count, int predicate)
{
    grz_predicate_counts sum = {0, 0, 0, 0};
    for (int i = 0; i < count; i++) {
        sum.filter += workers[i].counts[predicate].filter;
        sum.adaptive += workers[i].counts[predicate].adaptive;
        sum.expansion += workers[i].counts[predicate].expansion;
        sum.integer += workers[i].counts[predicate].integer;
    }
    printf("%s: last word had by filter %llu, adaptive %llu, expansion %llu, integer %llu\n", name,
           (unsigned long long)sum.filter, (unsigned long long)sum.adaptive, (unsigned long long)sum.expansion,
           (unsigned long long)sum.integer);
    assert_true(sum.filter > 0 && sum.adaptive > 0 && sum.expansion > 0 && sum.integer > 0);
}

static void every_orientation_is_exact_and_every_stage_is_used(void **state)
{
    (void)state;
    static worker workers[BLOCK_MAX_WORKERS];
    void *pointers[BLOCK_MAX_WORKERS];
    int count = make_workers(workers, pointers);
    bool passed = run_blocks(oracle_pairs() / PAIR_CLASS_COUNT / PER_PAIR, BLOCK_SIZE, check_block, pointers, count);
    printf("%-14s %32s %32s\n%-14s %10s %10s %10s %10s %10s %10s\n", "", "orient2d", "orient3d", "class", "-", "0", "+",
           "-", "0", "+");
    bool empty = false;
    for (int group = 0; group < PAIR_CLASS_COUNT; group++) {
        printf("%-14s", pair_class_name((pair_class)group));
        for (int n = 0; n < 6; n++) {
            uint64_t sum = 0;
            for (int i = 0; i < count; i++)
                sum += workers[i].signs[group][n / 3][n % 3];
            empty = empty || sum == 0;
            printf(" %10llu", (unsigned long long)sum);
        }
        printf("\n");
    }
    for (int i = 0; i < count; i++)
        oracle_destroy(workers[i].oracle);
    assert_true(passed);
    assert_false(empty);
    print_stages("orient2d", workers, count, 0);
    print_stages("orient3d", workers, count, 1);
}

// Points whose coordinates have different exponents, at most `spread` apart.
static void extreme_points(random_stream *random, double p[4][3])
{
    int low = (int)random_below(random, 1375) - 1074;
    int high = random_below(random, 2) ? 299 : low + (int)random_below(random, 60);
    if (random_below(random, 4) == 0)
        low = high = -1074 + (int)random_below(random, 4);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            p[i][k] = random_extreme(random, low, high > 299 ? 299 : high);
}

// Four points exactly in one plane, then every axis scaled by another power of two; sometimes moved one ulp off the
// plane.
static void extreme_plane(random_stream *random, double p[4][3])
{
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = (double)random_below(random, 1u << 20) - 0x1p19;
        v[k] = (double)random_below(random, 1u << 20) - 0x1p19;
        p[0][k] = (double)random_below(random, 1u << 20) - 0x1p19;
    }
    for (int i = 1; i < 4; i++) {
        double s = (double)random_below(random, 1u << 20) - 0x1p19, t = (double)random_below(random, 1u << 20) - 0x1p19;
        for (int k = 0; k < 3; k++)
            p[i][k] = p[0][k] + s * u[k] + t * v[k];
    }
    for (int k = 0; k < 3; k++) {
        int exponent = (int)random_below(random, 1330) - 1074;
        for (int i = 0; i < 4; i++)
            p[i][k] = ldexp(p[i][k], exponent);
    }
    if (random_below(random, 2)) {
        uint32_t point = random_below(random, 4), axis = random_below(random, 3);
        double *x = &p[point][axis];
        *x = step_ulps(*x, random_below(random, 2) ? 1 : -1);
    }
}

// Two products that differ by a few ulp, if at all, on both sides of a point where subnormals round: a sign taken from
// the rounded products is wrong here, though all differences but for their last bits are right.
static void underflowing_products(random_stream *random, double p[4][3])
{
    int exponent = -60 - (int)random_below(random, 900);
    double product = 0.5 + (double)random_below(random, 3);
    for (int k = 0; k < 3; k++) {
        int own = k == 0 ? exponent : -1074 - exponent;
        p[0][k] = ldexp(random_signed(random), own - 52);
        p[3][k] = ldexp(random_signed(random), own);
    }
    for (int i = 0; i < 2; i++) { // u.x · v.y, then v.x · u.y
        double factor = 1.0 + fabs(random_signed(random));
        p[1 + i][0] = ldexp(step_ulps(factor, (int)random_below(random, 3) - 1), exponent);
        p[2 - i][1] = ldexp(product / factor, -1074 - exponent);
        p[1 + i][2] = ldexp(random_signed(random), -1074 - exponent);
    }
}

static void extremes_of_the_range_are_exact(void **state)
{
    (void)state;
    oracle *o = oracle_create();
    assert_non_null(o);
    random_stream random = random_stream_of_block(PAIR_TINY_SCALE, UINT64_C(1) << 41);
    uint64_t tries = oracle_pairs() / 25, signs[2][3] = {{0}};
    bool passed = true;
    for (uint64_t n = 0; n < tries && passed; n++) {
        double p[4][3];
        if (n % 3 == 0)
            extreme_points(&random, p);
        else if (n % 3 == 1)
            extreme_plane(&random, p);
        else
            underflowing_products(&random, p);
        const double *const q[4] = {p[0], p[1], p[2], p[3]};
        int sign2, sign3;
        passed = orient3d_is_true(o, q, &sign3) && orient2d_is_true(o, q, &sign2);
        if (!passed)
            break;
        signs[0][sign2 + 1]++;
        signs[1][sign3 + 1]++;
    }
    oracle_destroy(o);
    assert_true(passed);
    for (int n = 0; n < 6; n++)
        assert_true(signs[n / 3][n % 3] > 0);
}

// Even permutations of the points keep the sign; odd ones and mirrors reverse it.
static bool laws_hold(const double p[4][3])
{
    int sign = grz_orient3d(p[0], p[1], p[2], p[3]), flat = grz_orient2d(p[0], p[1], p[2]);
    for (int n = 0; n < 256; n++) {
        int order[4] = {n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6 & 3}, parity = 1;
        bool repeats = false;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < i; j++) {
                repeats = repeats || order[j] == order[i];
                parity = order[j] > order[i] ? -parity : parity;
            }
        int expected = repeats ? 0 : parity * sign;
        if (grz_orient3d(p[order[0]], p[order[1]], p[order[2]], p[order[3]]) != expected)
            return false;
        if (!repeats && order[3] == 3 && grz_orient2d(p[order[0]], p[order[1]], p[order[2]]) != parity * flat)
            return false;
    }
    double mirrored[4][3];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            mirrored[i][k] = k == 1 ? -p[i][k] : p[i][k];
    return grz_orient3d(mirrored[0], mirrored[1], mirrored[2], mirrored[3]) == -sign &&
           grz_orient2d(mirrored[0], mirrored[1], mirrored[2]) == -flat;
}

static void odd_permutations_and_mirrors_reverse_the_sign(void **state)
{
    (void)state;
    uint64_t tries = oracle_pairs() / 1000;
    for (int group = 0; group <= PAIR_CLASS_COUNT; group++) {
        random_stream random = random_stream_of_block((pair_class)group, UINT64_C(1) << 42);
        for (uint64_t n = 0; n < tries; n++) {
            double p[4][3], a[3][3], b[3][3];
            if (group < PAIR_CLASS_COUNT) {
                pair_generate((pair_class)group, &random, a, b);
                memcpy(p, a, sizeof a);
                memcpy(p[3], b[0], sizeof p[3]);
            } else if (n & 1) {
                extreme_points(&random, p);
            } else {
                extreme_plane(&random, p);
            }
            if (!laws_hold((const double(*)[3])p)) {
                const double *const q[4] = {p[0], p[1], p[2], p[3]};
                print_points("permutation law", q, 4, 3, 0, 0);
                fail();
            }
        }
    }
}

// Kettner, Mehlhorn, Pion, Schirra and Yap, "Classroom examples of robustness problems" (2008): a raster of
// neighbouring doubles beside the line through (12, 12) and (24, 24), where plain arithmetic draws patches.
static void a_raster_of_neighbouring_doubles_is_exact(void **state)
{
    (void)state;
    const double q[3] = {12, 12, 1}, r[3] = {24, 24, 1}, above[3] = {24, 24, 5};
    for (int i = 0; i < 256; i++)
        for (int j = 0; j < 256; j++) {
            const double p[3] = {0.5 + i * 0x1p-53, 0.5 + j * 0x1p-53, 1};
            int truth = (p[1] > p[0]) - (p[1] < p[0]);
            assert_int_equal(grz_orient2d(p, q, r), truth);
            // The vertical plane through that line; its normal points to the line's right.
            assert_int_equal(grz_orient3d(q, r, above, p), -truth);
        }
}

static void hand_made_signs(void **state)
{
    (void)state;
    const double o[3] = {0, 0, 0}, x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    assert_int_equal(grz_orient2d(o, x, y), 1);
    assert_int_equal(grz_orient2d(o, y, x), -1);
    assert_int_equal(grz_orient2d(o, x, x), 0);
    assert_int_equal(grz_orient3d(o, x, y, z), 1);
    assert_int_equal(grz_orient3d(o, y, x, z), -1);
    assert_int_equal(grz_orient3d(o, x, y, x), 0);
    const double least[3] = {0x1p-1074, 0, 0}, up[3] = {0, 0x1p-1074, 0}, out[3] = {0, 0, 0x1p-1074},
                 out_below[3] = {0, 0, -0x1p-1074};
    assert_int_equal(grz_orient2d(o, least, up), 1);
    assert_int_equal(grz_orient3d(o, least, up, out), 1);
    assert_int_equal(grz_orient3d(o, least, up, out_below), -1);
    const double far_x[3] = {0x1p300, 0, 0}, far_y[3] = {0, 0x1p300, 0};
    assert_int_equal(grz_orient3d(o, far_x, far_y, out), 1);
    assert_int_equal(grz_orient3d(o, far_x, far_y, out_below), -1);
    assert_int_equal(grz_orient3d(far_x, far_y, least, o), 0);
    const double all[3] = {0x1p300, 0x1p300, 0x1p300}, minus[3] = {-0x1p300, -0x1p300, -0x1p300};
    const double beside[3] = {0x1p-1074, 0, 0};
    assert_int_equal(grz_orient2d(minus, all, o), 0);
    assert_int_equal(grz_orient2d(minus, all, beside), -1);
}

// |value - truth| / bound, given truth times 2^scale as an integer. No bit of the doubles is below 2^-1074.
static double share_of_bound(dd value, double bound, const mpz_t truth, mp_bitcnt_t scale)
{
    mpq_t difference, part;
    mpq_inits(difference, part, NULL);
    mpq_set_z(difference, truth);
    mpq_div_2exp(difference, difference, scale);
    mpq_set_d(part, value.high);
    mpq_sub(difference, difference, part);
    mpq_set_d(part, value.low);
    mpq_sub(difference, difference, part);
    mpq_set_d(part, bound);
    mpq_div(difference, difference, part);
    const double share = fabs(mpq_get_d(difference));
    mpq_clears(difference, part, NULL);
    return share;
}

// The determinant of points of `dimension` coordinates, times 2^(1074·dimension), by Leibniz's sum over differences
// from the first.
static void true_determinant(mpz_t out, const double p[4][3], int dimension)
{
    mpz_t m[3][3], product;
    mpz_init(product);
    for (int i = 0; i < 9; i++)
        mpz_init(m[i / 3][i % 3]);
    for (int i = 0; i < dimension; i++)
        for (int k = 0; k < dimension; k++) {
            mpq_t x, y;
            mpq_inits(x, y, NULL);
            mpq_set_d(x, p[i + 1][k]);
            mpq_set_d(y, p[0][k]);
            mpq_sub(x, x, y);
            mpq_mul_2exp(x, x, 1074);
            mpz_set(m[i][k], mpq_numref(x));
            mpq_clears(x, y, NULL);
        }
    static const int orders[6][4] = {{0, 1, 2, 1},  {1, 2, 0, 1},  {2, 0, 1, 1},
                                     {0, 2, 1, -1}, {2, 1, 0, -1}, {1, 0, 2, -1}};
    mpz_set_ui(out, 0);
    for (int n = 0; n < 6; n++) {
        const int *order = orders[n];
        if (dimension == 2 && order[2] != 2)
            continue;
        mpz_set_si(product, order[3]);
        for (int i = 0; i < dimension; i++)
            mpz_mul(product, product, m[i][order[i]]);
        mpz_add(out, out, product);
    }
    mpz_clear(product);
    for (int i = 0; i < 9; i++)
        mpz_clear(m[i / 3][i % 3]);
}

static void values_are_within_their_bound(void **state)
{
    (void)state;
    mpz_t truth;
    mpz_init(truth);
    uint64_t tries = oracle_pairs() / 500, values = 0;
    double worst = 0;
    for (int group = 0; group <= PAIR_CLASS_COUNT; group++) {
        random_stream random = random_stream_of_block((pair_class)group, UINT64_C(1) << 43);
        for (uint64_t n = 0; n < tries; n++) {
            double p[4][3], a[3][3], b[3][3], error, flat_error, share = 0, flat_share = 0;
            dd value, flat_value;
            if (group == PAIR_CLASS_COUNT) {
                extreme_points(&random, p);
            } else {
                pair_generate((pair_class)group, &random, a, b);
                memcpy(p, a, sizeof a);
                memcpy(p[3], b[0], sizeof p[3]);
            }
            const double *const last[1] = {p[3]};
            if (grz_plane_distances_approximate(p[0], p[1], p[2], last, 1, &value, &error)) {
                true_determinant(truth, (const double(*)[3])p, 3);
                share = share_of_bound(value, error, truth, 3 * 1074);
                values++;
            }
            if (grz_orient2d_approximate(p[0], p[1], p[2], &flat_value, &flat_error)) {
                true_determinant(truth, (const double(*)[3])p, 2);
                flat_share = share_of_bound(flat_value, flat_error, truth, 2 * 1074);
                values++;
            }
            worst = fmax(worst, fmax(share, flat_share));
            if (share > 1.0 || flat_share > 1.0) {
                const double *const q[4] = {p[0], p[1], p[2], p[3]};
                print_points(share > 1.0 ? "distances_close" : "orient2d_close", q, 4, 3, 0, 0);
                mpz_clear(truth);
                fail();
            }
        }
    }
    mpz_clear(truth);
    printf("%llu determinants in double-double: the worst error is %.3f of its bound\n", (unsigned long long)values,
           worst);
    assert_true(values > tries);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hand_made_signs),
        cmocka_unit_test(a_raster_of_neighbouring_doubles_is_exact),
        cmocka_unit_test(extremes_of_the_range_are_exact),
        cmocka_unit_test(odd_permutations_and_mirrors_reverse_the_sign),
        cmocka_unit_test(values_are_within_their_bound),
        cmocka_unit_test(every_orientation_is_exact_and_every_stage_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
