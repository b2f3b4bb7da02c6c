// SPDX-License-Identifier: MIT
// Normals in doubles and double-doubles: the parts of normal.c that files compiled for wide processors need, too.
#ifndef GRZ_GEOMETRY_TRIANGLE_NORMAL_DOUBLES_H
#define GRZ_GEOMETRY_TRIANGLE_NORMAL_DOUBLES_H

#include <assert.h>

#include "geometry/exact/powers.h"
#include "geometry/triangle/normal.h"

// One component of a cross product, value · 2^exponent, with a relative error of at most 2^-60.
typedef struct grz_component {
    dd value;
    int exponent;
    double error; // absolute error of `value`
} grz_component;

// If a difference is below the first or the product of the extents below the second, an intermediate result could
// underflow, and big integers are used.
static const double GRZ_NORMAL_SMALL = 0x1p-450, GRZ_NORMAL_LEAST_PRODUCT = 0x1p-900;

static inline double grz_larger_high(dd a, dd b)
{
    return fabs(a.high) > fabs(b.high) ? fabs(a.high) : fabs(b.high);
}

// True if a part of x that is not zero is below GRZ_NORMAL_SMALL.
static inline bool grz_normal_is_small(dd x)
{
    return (x.high != 0.0 && fabs(x.high) < GRZ_NORMAL_SMALL) || (x.low != 0.0 && fabs(x.low) < GRZ_NORMAL_SMALL);
}

// The sum of an expansion of four components, smallest first; any of them may be zero.
static inline dd grz_sum_of_expansion(const double h[4])
{
    double sum, tail[3];
    dd r;
    two_sum(h[1], h[0], &sum, &tail[0]);
    two_sum(h[2], sum, &sum, &tail[1]);
    two_sum(h[3], sum, &sum, &tail[2]);
    fast_two_sum(sum, tail[2] + (tail[1] + tail[0]), &r.high, &r.low);
    return r;
}

// u0·v1 - u1·v0 as an expansion or in double-double. False if big integers are needed.
static inline bool grz_minor_in_doubles(const dd u[2], const dd v[2], grz_component *out)
{
    *out = (grz_component){{0.0, 0.0}, 0, 0.0};
    if ((u[0].high == 0.0 && (v[0].high == 0.0 || u[1].high == 0.0)) ||
        (v[1].high == 0.0 && (v[0].high == 0.0 || u[1].high == 0.0)))
        return true;
    if (grz_normal_is_small(u[0]) || grz_normal_is_small(u[1]) || grz_normal_is_small(v[0]) ||
        grz_normal_is_small(v[1]))
        return false;
    if (u[0].low == 0.0 && u[1].low == 0.0 && v[0].low == 0.0 && v[1].low == 0.0) {
        double h[4];
        two_by_two(u[0].high, u[1].high, v[0].high, v[1].high, h);
        out->value = grz_sum_of_expansion(h);
        out->error = fabs(out->value.high) * 0x1p-104; // 4u²; the sum of the tails has 2 roundings
        return true;
    }
    const double m = grz_larger_high(u[0], v[0]) * grz_larger_high(u[1], v[1]);
    out->value = dd_add(dd_multiply(u[0], v[1]), dd_negate(dd_multiply(u[1], v[0])));
    out->error = 64.0 * 0x1p-106 * m; // the bound of orient2d's adaptive stage
    // 2^60: the relative error that a component may have.
    return m > GRZ_NORMAL_LEAST_PRODUCT && fabs(out->value.high) > 0x1p60 * out->error;
}

// Scale three components by one power of two so that the largest is in [1, 2) in magnitude.
static inline void grz_direction_align(const grz_component c[3], double sign, grz_direction *out)
{
    int top = 0;
    out->zero = true;
    for (int k = 0; k < 3; k++) {
        if (c[k].value.high == 0.0)
            continue;
        const int own = grz_exponent_of(c[k].value.high) + c[k].exponent;
        top = out->zero || own > top ? own : top;
        out->zero = false;
    }
    out->error = 0x1p-1000; // the loss of components that underflow because they are so much smaller than the largest
    for (int k = 0; k < 3; k++) {
        if (c[k].value.high == 0.0) { // no -0
            out->at[k] = (dd){0.0, 0.0};
            continue;
        }
        const double scale = grz_times_power(sign, c[k].exponent - top);
        out->at[k].high = scale * c[k].value.high;
        out->at[k].low = scale * c[k].value.low;
        const double error = fabs(scale) * c[k].error;
        out->error = error > out->error ? error : out->error;
        assert(fabs(out->at[k].high) < 2.0);
    }
    assert(out->error <= 0x1p-59); // a component's 2^-60 of at most 2
}

// The length of a vector, relative error below 2^-100. The largest component is near 1: squares that underflow change
// nothing.
static inline dd grz_direction_length(const dd v[3])
{
    double square[3], tail[3], sum, rest[2];
    for (int k = 0; k < 3; k++) {
        two_product(v[k].high, v[k].high, &square[k], &tail[k]);
        tail[k] += 2.0 * v[k].high * v[k].low;
    }
    two_sum(square[0], square[1], &sum, &rest[0]);
    two_sum(sum, square[2], &sum, &rest[1]);
    const double low = (rest[0] + rest[1]) + ((tail[0] + tail[1]) + tail[2]);
    // One step of Newton's method from the rounded square root.
    const double root = sqrt(sum);
    double product, product_tail;
    two_product(root, root, &product, &product_tail);
    dd r;
    fast_two_sum(root, (((sum - product) - product_tail) + low) / (2.0 * root), &r.high, &r.low);
    return r;
}

// Scale a direction to length 1. Each component has the rounding errors of one quotient and one sum.
static inline void grz_direction_unit(const grz_direction *direction, double unit[3])
{
    const dd length = grz_direction_length(direction->at);
    assert(length.high >= 0.99);
    const double excess = length.low / length.high;
    for (int k = 0; k < 3; k++) {
        const double quotient = direction->at[k].high / length.high;
        unit[k] = quotient + (direction->at[k].low / length.high - quotient * excess);
    }
}

// Lexicographic order: -1, 0, 1. Without branches: which of two points comes first is as good as random.
static inline int grz_compare_points(const double *p, const double *q)
{
    const int x = (p[0] > q[0]) - (p[0] < q[0]), y = (p[1] > q[1]) - (p[1] < q[1]), z = (p[2] > q[2]) - (p[2] < q[2]),
              sum = 4 * x + 2 * y + z;
    return (sum > 0) - (sum < 0);
}

// Put two points in lexicographic order. True if they were swapped.
static inline bool grz_order_points(const double **p, const double **q)
{
    const double *const first = *p, *const second = *q;
    const bool swap = grz_compare_points(first, second) > 0;
    *p = swap ? second : first;
    *q = swap ? first : second;
    return swap;
}

// The normal of a triangle, as grz_triangle_normal() has it: the same bits. False if that takes integers.
static inline bool grz_normal_in_doubles(const double corners[3][3], double unit[3])
{
    const double *p = corners[0], *q = corners[1], *r = corners[2];
    grz_component component[3];
    grz_direction direction;
    dd u[3], v[3];
    bool odd = grz_order_points(&p, &q);
    odd = grz_order_points(&q, &r) != odd;
    odd = grz_order_points(&p, &q) != odd;
    for (int i = 0; i < 3; i++) {
        u[i] = dd_difference(q[i], p[i]);
        v[i] = dd_difference(r[i], p[i]);
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const dd left[2] = {u[i], u[j]}, right[2] = {v[i], v[j]};
        if (!grz_minor_in_doubles(left, right, &component[k]))
            return false;
    }
    grz_direction_align(component, odd ? -1.0 : 1.0, &direction);
    if (direction.zero)
        return false;
    grz_direction_unit(&direction, unit);
    return true;
}

#endif
