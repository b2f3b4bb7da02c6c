// SPDX-License-Identifier: MIT
// Sine, cosine, arctangent, cube root and hypotenuse against numbers of 192 bits and more (GMP), by other means: right
// angles, whose digits come from Machin's formula, are taken off, and the sine of a quarter of the rest is summed; the
// arctangent by the sine and cosine of what it says; roots by their powers. The errors that functions.h promises hold,
// and what is odd or even is so bit for bit.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

#include "geometry/functions/functions.h"
#include "pair_generator.h"
#include "support_sanitizer.h"

enum {
    BITS = 192,       // of what is compared
    MANY_BITS = 1408, // of 2/pi, for the largest angles
    ANGLES = TEST_SANITIZED ? 20000 : 1000000,
    VECTORS = TEST_SANITIZED ? 10000 : 400000,
    ROOTS = TEST_SANITIZED ? 20000 : 1000000
};

static mpf_t right_angle, per_right_angle; // pi/2, 2/pi

// From 0 to 1.
static double random_unit(random_stream *random)
{
    return fabs(random_signed(random));
}

// ---- Truth --------------------------------------------------------------------------------------------------------

// `sum` += factor · atan(1/n).
static void add_arctangent(mpf_t sum, long factor, unsigned long n)
{
    mpf_t power, term;
    mpf_init2(power, MANY_BITS + 64);
    mpf_init2(term, MANY_BITS + 64);
    mpf_set_si(power, factor);
    mpf_div_ui(power, power, n);
    for (unsigned long i = 1; mpf_sgn(power) != 0; i += 2) {
        long exponent;
        (void)mpf_get_d_2exp(&exponent, power);
        if (exponent < -MANY_BITS)
            break;
        mpf_div_ui(term, power, i);
        if (i % 4 == 1)
            mpf_add(sum, sum, term);
        else
            mpf_sub(sum, sum, term);
        mpf_div_ui(power, power, n * n);
    }
    mpf_clear(power);
    mpf_clear(term);
}

static void set_right_angle(void)
{
    mpf_init2(right_angle, MANY_BITS);
    mpf_init2(per_right_angle, MANY_BITS);
    mpf_set_ui(right_angle, 0); // pi/4 = 4 atan(1/5) - atan(1/239)
    add_arctangent(right_angle, 8, 5);
    add_arctangent(right_angle, -2, 239);
    mpf_ui_div(per_right_angle, 1, right_angle);
}

typedef struct work {
    mpf_t many, whole, x, square, term, sine, cosine, a, b, c;
} work;

static work w;

static void set_work(void)
{
    mpf_init2(w.many, MANY_BITS);
    mpf_init2(w.whole, MANY_BITS);
    mpf_ptr rest[8] = {w.x, w.square, w.term, w.sine, w.cosine, w.a, w.b, w.c};
    for (size_t i = 0; i < 8; i++)
        mpf_init2(rest[i], BITS);
}

// w.sine and w.cosine of an angle.
static void true_sines(double angle)
{
    // What is left of right angles; then its quarter, from -pi/16 to pi/16.
    mpf_set_d(w.many, angle);
    mpf_mul(w.many, w.many, per_right_angle);
    mpf_set_d(w.whole, 0.5);
    mpf_add(w.whole, w.whole, w.many);
    mpf_floor(w.whole, w.whole);
    mpz_t turns;
    mpz_init(turns);
    mpz_set_f(turns, w.whole);
    const unsigned long quadrant = mpz_fdiv_ui(turns, 4);
    mpz_clear(turns);
    if (mpf_sgn(w.whole) == 0) {
        mpf_set_d(w.x, angle);
    } else {
        mpf_sub(w.many, w.many, w.whole);
        mpf_mul(w.many, w.many, right_angle);
        mpf_set(w.x, w.many);
    }
    mpf_div_2exp(w.x, w.x, 2);
    mpf_mul(w.square, w.x, w.x);
    mpf_set(w.sine, w.x);
    mpf_set(w.term, w.x);
    for (unsigned long i = 1; i < 12; i++) { // (pi/16)^25 / 25! is below 2^-140
        mpf_mul(w.term, w.term, w.square);
        mpf_div_ui(w.term, w.term, (2 * i) * (2 * i + 1));
        if (i % 2 == 1)
            mpf_sub(w.sine, w.sine, w.term);
        else
            mpf_add(w.sine, w.sine, w.term);
    }
    // cos(x) = sqrt(1 - sin²x) > 0; twice: sin 2x = 2 sin x cos x, cos 2x = 1 - 2 sin²x.
    mpf_mul(w.a, w.sine, w.sine);
    mpf_ui_sub(w.a, 1, w.a);
    mpf_sqrt(w.cosine, w.a);
    for (int i = 0; i < 2; i++) {
        mpf_mul(w.a, w.sine, w.sine);
        mpf_mul(w.sine, w.sine, w.cosine);
        mpf_mul_2exp(w.sine, w.sine, 1);
        mpf_mul_2exp(w.a, w.a, 1);
        mpf_ui_sub(w.cosine, 1, w.a);
    }
    if (quadrant % 2 == 1)
        mpf_swap(w.sine, w.cosine);
    if (quadrant >= 2)
        mpf_neg(w.sine, w.sine);
    if (quadrant == 1 || quadrant == 2)
        mpf_neg(w.cosine, w.cosine);
}

// |x - truth| / |truth|, truth != 0; what one may be off by where it is subnormal is taken off first.
static double error_of(double x, mpf_t truth)
{
    mpf_set_d(w.a, x);
    mpf_sub(w.a, w.a, truth);
    mpf_abs(w.a, w.a);
    mpf_set_d(w.b, 1.0);
    mpf_div_2exp(w.b, w.b, 1073);
    mpf_sub(w.a, w.a, w.b);
    if (mpf_sgn(w.a) < 0)
        return 0.0;
    mpf_div(w.a, w.a, truth);
    return fabs(mpf_get_d(w.a));
}

// The bounds are proved, and not reached. So that a mistake that stays within a bound is seen as well, the largest
// error, as a share of its bound, must be about what it was when this was written.
static void expect_worst(double share, double known)
{
    assert_true(share <= 1.02 * known && share >= 0.7 * known);
}

// ---- Angles -------------------------------------------------------------------------------------------------------

static double worst_sine, worst_cosine;

static bool is_same(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

static void check_angle(double angle)
{
    double sine, cosine, back, forth;
    grz_sines(angle, &sine, &cosine);
    grz_sines(-angle, &back, &forth);
    true_sines(angle);
    const double of_sine = angle == 0.0 ? fabs(sine) : error_of(sine, w.sine), of_cosine = error_of(cosine, w.cosine);
    worst_sine = fmax(worst_sine, of_sine);
    worst_cosine = fmax(worst_cosine, of_cosine);
    if (!(of_sine <= GRZ_SINE_ERROR && of_cosine <= GRZ_SINE_ERROR && is_same(back, -sine) && is_same(forth, cosine))) {
        print_message("%a: sine %a, off by %g; cosine %a, off by %g; of minus that %a, %a\n", angle, sine, of_sine,
                      cosine, of_cosine, back, forth);
        fail();
    }
    assert_true(is_same(grz_sine(angle), sine) && is_same(grz_cosine(angle), cosine));
}

static double random_power(random_stream *random, int from, int to)
{
    return ldexp(1.0 + random_unit(random), from + (int)random_below(random, (uint32_t)(to - from + 1)));
}

// Of every size; many near to whole right angles, where the sine or the cosine is small.
static double random_angle(random_stream *random)
{
    switch (random_below(random, 6)) {
    case 0:
        return random_power(random, -1074, 1023);
    case 1:
        return random_power(random, -60, 60);
    case 2:
        return 1.6 * random_unit(random);
    case 3:
        return 10.0 * random_unit(random);
    case 4: {
        double angle = (double)random_below(random, 1000) * 0x1.921fb54442d18p+0;
        for (uint32_t steps = random_below(random, 4); steps > 0; steps--)
            angle = nextafter(angle, random_below(random, 2) == 0 ? 0.0 : HUGE_VAL);
        return angle;
    }
    default:
        return 0x1.921fb54442d18p-1 * (double)random_below(random, 100000) + 1e-6 * random_unit(random);
    }
}

static void sines_keep_their_bound(void **state)
{
    random_stream random = {.state = 7};
    (void)state;
    // The double that is nearest to a multiple of pi/2, of all there are; and others at ends of ranges.
    static const double special[] = {0.0,
                                     0x1p-1074,
                                     0x1p-1022,
                                     0x1p-511,
                                     0x1p-28,
                                     0x1p-27,
                                     0x1.921fb54442d18p-1,
                                     0x1.921fb54442d19p-1,
                                     0x1.921fb54442d18p+0,
                                     0x1.921fb54442d19p+0,
                                     0x1.921fb54442d18p+1,
                                     0x1.2d97c7f3321d1p+1,
                                     0x1.2d97c7f3321d2p+1,
                                     0x1.2d97c7f3321d2p+2,
                                     0x1p31,
                                     0x1p32,
                                     0x1p33,
                                     0x1p53,
                                     0x1p54,
                                     0x1p1023,
                                     DBL_MAX};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        check_angle(special[i]);
    check_angle(ldexp(6381956970095103.0, 797));
    for (int i = 0; i < 2098; i++) // every exponent
        check_angle(ldexp(1.0 + random_unit(&random), i - 1074));
    for (int i = 0; i < ANGLES; i++)
        check_angle(random_angle(&random));
    print_message("sine: error up to %.3f of the bound; cosine: %.3f\n", worst_sine / GRZ_SINE_ERROR,
                  worst_cosine / GRZ_SINE_ERROR);
    expect_worst(worst_sine / GRZ_SINE_ERROR, 0.58);
    expect_worst(worst_cosine / GRZ_SINE_ERROR, 0.58);
}

static void what_is_no_angle_has_no_sine(void **state)
{
    static const double wrong[] = {HUGE_VAL, -HUGE_VAL, (double)NAN};
    double sine, cosine;
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        grz_sines(wrong[i], &sine, &cosine);
        assert_true(isnan(sine) && isnan(cosine));
    }
}

// ---- Arctangents --------------------------------------------------------------------------------------------------

static double worst_arctangent, worst_beyond; // of all; of angles beyond pi/4

// With a = what is said, the true angle is a + e with tan e = (y cos a - x sin a) / (x cos a + y sin a).
static void check_vector(double y, double x)
{
    const double a = grz_arctangent(y, x);
    double error = 0.0;
    if (x == 0.0 && y == 0.0) {
        assert_true(a == 0.0);
    } else if (y == 0.0 && x > 0.0) {
        assert_true(a == 0.0);
    } else if (fabs(a) >= 0x1p-1000) {
        true_sines(a);
        mpf_set_d(w.a, y);
        mpf_mul(w.b, w.a, w.cosine);
        mpf_mul(w.a, w.a, w.sine);
        mpf_set_d(w.c, x);
        mpf_mul(w.term, w.c, w.sine);
        mpf_mul(w.c, w.c, w.cosine);
        mpf_sub(w.b, w.b, w.term);
        mpf_add(w.c, w.c, w.a);
        assert_true(mpf_sgn(w.c) > 0);
        mpf_div(w.b, w.b, w.c);
        error = fabs(mpf_get_d(w.b) / a);
    } else { // it is y / x
        mpf_set_d(w.c, y);
        mpf_set_d(w.term, x);
        mpf_div(w.c, w.c, w.term);
        error = error_of(a, w.c);
    }
    worst_arctangent = fmax(worst_arctangent, error);
    if (fabs(a) > 0.8)
        worst_beyond = fmax(worst_beyond, error);
    if (!(error <= GRZ_ARCTANGENT_ERROR && is_same(grz_arctangent(-y, x), -a) && fabs(a) <= GRZ_PI)) {
        print_message("y = %a, x = %a: %a, off by %g\n", y, x, a, error);
        fail();
    }
}

static void arctangents_keep_their_bound(void **state)
{
    static const double numbers[] = {0.0, 0x1p-1074, 0x1p-1030, 0x1p-500, 0.125, 1.0, 8.0, 0x1p500, 0x1p1000, DBL_MAX};
    random_stream random = {.state = 8};
    (void)state;
    for (size_t i = 0; i < 100; i++) {
        check_vector(numbers[i / 10], numbers[i % 10]);
        check_vector(numbers[i / 10], -numbers[i % 10]);
    }
    for (int i = 0; i < VECTORS; i++) {
        double y, x;
        switch (random_below(&random, 4)) {
        case 0:
            y = random_power(&random, -1074, 1000);
            x = random_power(&random, -1074, 1000);
            break;
        case 1: // near where the table's entries change
            x = 1.0 + random_unit(&random);
            y = x * (0.0625 * (double)random_below(&random, 17) + 1e-9 * random_signed(&random));
            break;
        default:
            y = random_signed(&random);
            x = random_signed(&random);
        }
        if (random_below(&random, 8) == 0)
            y = ldexp(y, -530), x = ldexp(x, -530); // products of them underflow
        check_vector(random_below(&random, 2) == 0 ? y : x, random_below(&random, 2) == 0 ? x : -x);
    }
    print_message("arctangent: error up to %.3f of the bound, beyond pi/4 %.3f\n",
                  worst_arctangent / GRZ_ARCTANGENT_ERROR, worst_beyond / GRZ_ARCTANGENT_ERROR);
    expect_worst(worst_arctangent / GRZ_ARCTANGENT_ERROR, 0.44);
    expect_worst(worst_beyond / GRZ_ARCTANGENT_ERROR, 0.26);
    assert_true(is_same(grz_arctangent(-0.0, 1.0), -0.0) && is_same(grz_arctangent(-0.0, 0.0), -0.0));
}

// ---- Roots --------------------------------------------------------------------------------------------------------

// (r³ - x) / 3x: off from the relative error by no more than its square.
static double check_cube_root(double x)
{
    const double r = grz_cube_root(x);
    mpf_set_d(w.a, r);
    mpf_mul(w.b, w.a, w.a);
    mpf_mul(w.b, w.b, w.a);
    mpf_set_d(w.c, x);
    mpf_sub(w.b, w.b, w.c);
    mpf_div(w.b, w.b, w.c);
    const double error = fabs(mpf_get_d(w.b)) / 3.0;
    if (!(error <= GRZ_ROOT_ERROR && is_same(grz_cube_root(-x), -r))) {
        print_message("cube root of %a: %a, off by %g\n", x, r, error);
        fail();
    }
    return error;
}

// (r² - s) / 2s with s = x² + y².
static double check_hypotenuse(double x, double y)
{
    const double r = grz_hypotenuse(x, y);
    mpf_set_d(w.a, x);
    mpf_mul(w.c, w.a, w.a);
    mpf_set_d(w.a, y);
    mpf_mul(w.b, w.a, w.a);
    mpf_add(w.c, w.c, w.b);
    mpf_sqrt(w.c, w.c);
    const double error = r == HUGE_VAL && mpf_cmp_d(w.c, DBL_MAX) > 0 ? 0.0 : error_of(r, w.c);
    if (!(error <= GRZ_ROOT_ERROR && is_same(grz_hypotenuse(y, x), r) && is_same(grz_hypotenuse(-x, y), r))) {
        print_message("hypotenuse of %a and %a: %a, off by %g\n", x, y, r, error);
        fail();
    }
    return error;
}

static void roots_keep_their_bound(void **state)
{
    random_stream random = {.state = 9};
    double worst_cube = 0.0, worst_square = 0.0;
    (void)state;
    for (int i = 0; i < ROOTS; i++) {
        const double x = i % 2 == 0 ? random_power(&random, -1074, 1023) : random_power(&random, -3, 3);
        worst_cube = fmax(worst_cube, check_cube_root(x));
        const double y = i % 4 == 0 ? random_power(&random, -1074, 1023) : x * random_unit(&random);
        worst_square = fmax(worst_square, check_hypotenuse(x, y));
    }
    for (int i = 1; i < 1000; i++)
        assert_true(grz_cube_root((double)i * i * i) == (double)i);
    assert_true(is_same(grz_cube_root(-0.0), -0.0) && is_same(grz_hypotenuse(-0.0, 0.0), 0.0));
    print_message("cube root: error up to %.3f of the bound; hypotenuse: %.3f\n", worst_cube / GRZ_ROOT_ERROR,
                  worst_square / GRZ_ROOT_ERROR);
    expect_worst(worst_cube / GRZ_ROOT_ERROR, 0.68);
    expect_worst(worst_square / GRZ_ROOT_ERROR, 0.95);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sines_keep_their_bound),
        cmocka_unit_test(what_is_no_angle_has_no_sine),
        cmocka_unit_test(arctangents_keep_their_bound),
        cmocka_unit_test(roots_keep_their_bound),
    };
    set_right_angle();
    set_work();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
