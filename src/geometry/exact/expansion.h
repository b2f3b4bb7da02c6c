// SPDX-License-Identifier: MIT
// Error-free transformations, expansions and double-double arithmetic: the tools of the predicates' adaptive stage. An
// expansion is an exact number, stored as an array of doubles whose sum it is, the smallest first. The sign of its last
// (largest) component is the sign of the number. A double-double (dd) is the sum of two doubles, some 106 bits.
// Sources: J. R. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates" (1997),
// for two_sum to scale_expansion. M. Joldes, J.-M. Muller, V. Popescu, "Tight and rigorous error bounds for basic
// building blocks of double-word arithmetic" (2017), for the dd_ functions and their bounds. Everything here needs
// round-to-nearest, no contraction of a · b + c, and no underflow of error terms; callers check the range.
#ifndef GRZ_GEOMETRY_EXACT_EXPANSION_H
#define GRZ_GEOMETRY_EXACT_EXPANSION_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>

// x + y = a + b exactly; x is the rounded sum, y the rounding error.
static inline void two_sum(double a, double b, double *x, double *y)
{
    double sum = a + b;
    double b_virtual = sum - a;
    double a_virtual = sum - b_virtual;
    *y = (a - a_virtual) + (b - b_virtual);
    *x = sum;
}

#ifndef NDEBUG
// True if x + y = a + b exactly, x the rounded sum.
static inline bool is_exact_sum(double a, double b, double x, double y)
{
    double sum, error;
    two_sum(a, b, &sum, &error);
    return x == sum && y == error;
}
#endif

// As two_sum(), faster, for |a| >= |b| or a = 0. It is also exact for some other numbers, for example those that
// dd_add() gives it (proof: Joldes, Muller, Popescu, Algorithm 6).
static inline void fast_two_sum(double a, double b, double *x, double *y)
{
    double sum = a + b;
    *y = b - (sum - a);
    *x = sum;
    assert(is_exact_sum(a, b, *x, *y));
}

// x + y = a - b exactly; x is the rounded difference.
static inline void two_diff(double a, double b, double *x, double *y)
{
    two_sum(a, -b, x, y);
}

// Split a into two numbers of at most 26 bits each: a = high + low.
static inline void split(double a, double *high, double *low)
{
    double scaled = 134217729.0 * a; // 2^27 + 1
    *high = scaled - (scaled - a);
    *low = a - *high;
}

// x + y = a · b exactly; x is the rounded product. In lanes for processors with a fused multiply-add, that gives y;
// elsewhere Dekker's algorithm does, the same bits.
static inline void two_product(double a, double b, double *x, double *y)
{
#ifdef GRZ_FUSED_PRODUCTS
    const double fused = a * b;
    *y = __builtin_fma(a, b, -fused);
    *x = fused;
#else
    double a_high, a_low, b_high, b_low;
    double product = a * b;
    split(a, &a_high, &a_low);
    split(b, &b_high, &b_low);
    *y = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    *x = product;
#endif
}

// h = a·d - b·c exactly: an expansion of four components, smallest first; some may be zero.
static inline void two_by_two(double a, double b, double c, double d, double h[4])
{
    double plus, plus_tail, minus, minus_tail, i, j, carry;
    two_product(a, d, &plus, &plus_tail);
    two_product(b, c, &minus, &minus_tail);
    two_diff(plus_tail, minus_tail, &i, &h[0]);
    two_sum(plus, i, &j, &carry);
    two_diff(carry, minus, &i, &h[1]);
    two_sum(j, i, &h[3], &h[2]);
}

// h = e + f exactly, without zero components; a sum of zero is one zero component. Returns the length of h, at most
// e_count + f_count. h must not be e or f.
static inline int expansion_sum(int e_count, const double *e, int f_count, const double *f, double *h)
{
    int i = 0, j = 0, count = 0;
    double total = 0.0;
    assert(h != e && h != f);
    while (i < e_count || j < f_count) {
        double next;
        if (j >= f_count || (i < e_count && fabs(e[i]) < fabs(f[j])))
            next = e[i++];
        else
            next = f[j++];
        double tail;
        two_sum(total, next, &total, &tail);
        if (tail != 0.0)
            h[count++] = tail;
    }
    if (total != 0.0 || count == 0)
        h[count++] = total;
    return count;
}

// h = e · b exactly, without zero components; a product of zero is one zero component. Returns the length of h, at most
// 2 · e_count. e has at least one component.
static inline int scale_expansion(int e_count, const double *e, double b, double *h)
{
    int count = 0;
    double total, tail;
    assert(e_count >= 1 && h != e);
    two_product(e[0], b, &total, &tail);
    if (tail != 0.0)
        h[count++] = tail;
    for (int i = 1; i < e_count; i++) {
        double product, product_tail, sum;
        two_product(e[i], b, &product, &product_tail);
        two_sum(total, product_tail, &sum, &tail);
        if (tail != 0.0)
            h[count++] = tail;
        fast_two_sum(product, sum, &total, &tail);
        if (tail != 0.0)
            h[count++] = tail;
    }
    if (total != 0.0 || count == 0)
        h[count++] = total;
    return count;
}

// A double-double: the number high + low, where |low| is at most half an ulp of high.
typedef struct dd {
    double high, low;
} dd;

// a - b exactly.
static inline dd dd_difference(double a, double b)
{
    dd r;
    two_diff(a, b, &r.high, &r.low);
    return r;
}

// a + b, relative error at most 3u² + 13u³, u = 2^-53.
static inline dd dd_add(dd a, dd b)
{
    double sum, sum_tail, low, low_tail;
    dd r;
    two_sum(a.high, b.high, &sum, &sum_tail);
    two_sum(a.low, b.low, &low, &low_tail);
    fast_two_sum(sum, sum_tail + low, &sum, &sum_tail);
    fast_two_sum(sum, low_tail + sum_tail, &r.high, &r.low);
    return r;
}

static inline dd dd_negate(dd a)
{
    return (dd){-a.high, -a.low};
}

// a · b, relative error at most 7u².
static inline dd dd_multiply(dd a, dd b)
{
    double product, tail;
    dd r;
    two_product(a.high, b.high, &product, &tail);
    fast_two_sum(product, tail + (a.high * b.low + a.low * b.high), &r.high, &r.low);
    return r;
}

// x · y, relative error at most 2u².
static inline dd dd_scale(dd x, double y)
{
    double product, tail, sum, sum_tail;
    dd r;
    two_product(x.high, y, &product, &tail);
    fast_two_sum(product, x.low * y, &sum, &sum_tail);
    fast_two_sum(sum, sum_tail + tail, &r.high, &r.low);
    return r;
}

// x / y, relative error at most 15u² + 56u³.
static inline dd dd_divide(dd x, dd y)
{
    const double quotient = x.high / y.high;
    const dd back = dd_scale(y, quotient); // nearly x
    const double remainder = (x.high - back.high) + (x.low - back.low);
    dd r;
    fast_two_sum(quotient, remainder / y.high, &r.high, &r.low);
    return r;
}

// x + y, relative error at most 2u².
static inline dd dd_add_double(dd x, double y)
{
    double sum, tail;
    dd r;
    two_sum(x.high, y, &sum, &tail);
    fast_two_sum(sum, x.low + tail, &r.high, &r.low);
    return r;
}

#endif
