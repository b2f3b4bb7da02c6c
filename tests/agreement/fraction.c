// SPDX-License-Identifier: MIT
// Fractions and doubles. Roots are compared by their squares, in GMP's rationals.
#include "fraction.h"

#include <gmp.h>
#include <math.h>
#include <string.h>

// x / 2^exponent, exactly.
static void set_double(mpq_t q, double x, int exponent)
{
    int e = 0;
    mpq_set_d(q, frexp(x, &e));
    e -= exponent;
    if (e > 0)
        mpq_mul_2exp(q, q, (mp_bitcnt_t)e);
    else
        mpq_div_2exp(q, q, (mp_bitcnt_t)-e);
}

// t² · square
static void set_root_squared(mpq_t q, agree_time t, int64_t square)
{
    mpq_t factor;
    mpq_init(factor);
    mpq_set_si(q, t.num, (unsigned long)t.den);
    mpq_canonicalize(q);
    mpq_mul(q, q, q);
    mpq_set_si(factor, square, 1);
    mpq_mul(q, q, factor);
    mpq_clear(factor);
}

// The middle of x and y, compared with the root.
static int compare_middle(double x, double y, agree_time t, int64_t square, int exponent)
{
    mpq_t sum, other;
    mpq_init(sum);
    mpq_init(other);
    set_double(sum, x, exponent + 1);
    set_double(other, y, exponent + 1);
    mpq_add(sum, sum, other);
    mpq_mul(sum, sum, sum);
    set_root_squared(other, t, square);
    const int order = mpq_cmp(sum, other);
    mpq_clear(sum);
    mpq_clear(other);
    return (order > 0) - (order < 0);
}

int agree_compare_root(double x, agree_time t, int64_t square, int exponent)
{
    return compare_middle(x, x, t, square, exponent);
}

static bool is_even(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 1) == 0;
}

bool agree_is_nearest_root(double x, agree_time t, int64_t square, int exponent)
{
    const double above = nextafter(x, HUGE_VAL);
    const int over = compare_middle(x, above, t, square, exponent);
    if (over < 0 || (over == 0 && !is_even(x)))
        return false;
    if (x == 0.0)
        return true;
    const int under = compare_middle(nextafter(x, 0.0), x, t, square, exponent);
    return under < 0 || (under == 0 && is_even(x));
}

bool agree_simplest(long double low, long double high, agree_time *t)
{
    // The first fraction of the Stern-Brocot tree between the two: continued fractions go down long branches at once.
    int64_t num[2] = {0, 1}, den[2] = {1, 0};
    for (int depth = 0; depth < 40; depth++) {
        const long double whole = ceill(low);
        const bool found = whole <= high;
        const long double part = found ? whole : floorl(low);
        if (part > 0x1p30L)
            return false;
        const int64_t n = (int64_t)part * num[1] + num[0], d = (int64_t)part * den[1] + den[0];
        if (d > INT64_C(1) << 20 || n > INT64_C(1) << 50)
            return false;
        num[0] = num[1];
        den[0] = den[1];
        num[1] = n;
        den[1] = d;
        if (found) {
            *t = (agree_time){n, d};
            return d > 0;
        }
        const long double rest_low = low - part, rest_high = high - part;
        low = 1.0L / rest_high;
        high = 1.0L / rest_low;
    }
    return false;
}
