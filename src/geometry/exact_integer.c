// SPDX-License-Identifier: MIT
// Determinants in integers. All coordinates are scaled by one power of two that makes them integers, so the lengths follow the
// spread of the input: 32-bit limbs, sign and magnitude, schoolbook products. Coordinates span at most 2^-1074 to 2^301, hence 1,376
// bits a difference and 4,132 bits a 3×3 determinant.
#include "geometry/exact_integer.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    DIFFERENCE_LIMBS = 44,
    MAX_LIMBS = 3 * DIFFERENCE_LIMBS + 2
};

typedef struct integer {
    int sign;  // -1, 0, 1
    int count; // limbs in use, the last one not zero
    uint32_t limb[MAX_LIMBS];
} integer;

static void trim(integer *x)
{
    while (x->count > 0 && x->limb[x->count - 1] == 0)
        x->count--;
    if (x->count == 0)
        x->sign = 0;
}

// x = value · 2^shift, which must be an integer.
static void from_double(double value, int shift, integer *x)
{
    x->sign = (value > 0.0) - (value < 0.0);
    x->count = 0;
    if (x->sign == 0)
        return;
    int exponent;
    uint64_t mantissa = (uint64_t)ldexp(frexp(fabs(value), &exponent), 53);
    int bits = exponent - 53 + shift; // the value is mantissa · 2^bits after scaling
    if (bits < 0) {                   // only zeros are shifted out
        mantissa >>= -bits;
        bits = 0;
    }
    int word = bits / 32, offset = bits % 32;
    memset(x->limb, 0, (size_t)(word + 3) * sizeof x->limb[0]);
    x->limb[word] = (uint32_t)(mantissa << offset);
    x->limb[word + 1] = (uint32_t)((mantissa >> (32 - offset)) & UINT32_MAX);
    x->limb[word + 2] = offset > 0 ? (uint32_t)(mantissa >> 32 >> (32 - offset)) : 0;
    x->count = word + 3;
    trim(x);
}

static int compare_magnitude(const integer *a, const integer *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static void add_magnitude(const integer *a, const integer *b, integer *out)
{
    const integer *longer = a->count >= b->count ? a : b, *shorter = longer == a ? b : a;
    uint64_t carry = 0;
    for (int i = 0; i < longer->count; i++) {
        carry += longer->limb[i];
        if (i < shorter->count)
            carry += shorter->limb[i];
        out->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    out->count = longer->count;
    if (carry != 0)
        out->limb[out->count++] = (uint32_t)carry;
}

// out = larger - smaller, both taken without sign.
static void subtract_magnitude(const integer *larger, const integer *smaller, integer *out)
{
    int64_t borrow = 0;
    for (int i = 0; i < larger->count; i++) {
        int64_t difference = (int64_t)larger->limb[i] - borrow - (i < smaller->count ? (int64_t)smaller->limb[i] : 0);
        borrow = difference < 0;
        out->limb[i] = (uint32_t)(difference + (borrow << 32));
    }
    out->count = larger->count;
}

// out = a + b_sign·b. out may be neither.
static void add_signed(const integer *a, const integer *b, int b_sign, integer *out)
{
    int sign = b->sign * b_sign;
    if (a->sign == 0 || sign == 0) {
        *out = a->sign == 0 ? *b : *a;
        out->sign = a->sign == 0 ? sign : a->sign;
        return;
    }
    if (a->sign == sign) {
        add_magnitude(a, b, out);
        out->sign = sign;
        return;
    }
    bool a_larger = compare_magnitude(a, b) >= 0;
    if (a_larger)
        subtract_magnitude(a, b, out);
    else
        subtract_magnitude(b, a, out);
    out->sign = a_larger ? a->sign : sign;
    trim(out);
}

static void multiply(const integer *a, const integer *b, integer *out)
{
    out->sign = a->sign * b->sign;
    out->count = 0;
    if (out->sign == 0)
        return;
    memset(out->limb, 0, (size_t)(a->count + b->count) * sizeof out->limb[0]);
    for (int i = 0; i < a->count; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b->count; j++) {
            carry += (uint64_t)a->limb[i] * b->limb[j] + out->limb[i + j];
            out->limb[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        out->limb[i + b->count] = (uint32_t)carry;
    }
    out->count = a->count + b->count;
    trim(out);
}

// out = a·d - b·c
static void determinant2(const integer *a, const integer *b, const integer *c, const integer *d, integer *out)
{
    integer plus, minus;
    multiply(a, d, &plus);
    multiply(b, c, &minus);
    add_signed(&plus, &minus, -1, out);
}

// The power of two that makes every number an integer: minus the exponent of the lowest bit set among them.
static int common_shift(const double *const points[], int point_count, int dimension)
{
    int lowest = 1024;
    for (int p = 0; p < point_count; p++) {
        for (int i = 0; i < dimension; i++) {
            int exponent;
            double value = points[p][i];
            if (value == 0.0)
                continue;
            frexp(value, &exponent);
            exponent = exponent - 53 < -1074 ? -1074 : exponent - 53;
            lowest = exponent < lowest ? exponent : lowest;
        }
    }
    return lowest == 1024 ? 0 : -lowest;
}

static void difference(double from, double to, int shift, integer *out)
{
    integer head, tail;
    from_double(from, shift, &tail);
    from_double(to, shift, &head);
    add_signed(&head, &tail, -1, out);
}

// Value of x · 2^exponent.
static grz_scaled to_scaled(const integer *x, int exponent)
{
    if (x->sign == 0)
        return (grz_scaled){0.0, 0};
    double top = 0.0;
    int limbs = x->count < 3 ? x->count : 3; // 3 limbs hold at least 65 significant bits
    for (int i = 0; i < limbs; i++)
        top = top * 0x1p32 + (double)x->limb[x->count - 1 - i];
    int own;
    double mantissa = frexp(top, &own);
    return (grz_scaled){(double)x->sign * 2.0 * mantissa, own - 1 + 32 * (x->count - limbs) + exponent};
}

grz_scaled grz_integer_orient2d(const double a[2], const double b[2], const double c[2])
{
    const double *const points[3] = {a, b, c};
    int shift = common_shift(points, 3, 2);
    integer u[2], v[2], result;
    for (int i = 0; i < 2; i++) {
        difference(a[i], b[i], shift, &u[i]);
        difference(a[i], c[i], shift, &v[i]);
    }
    determinant2(&u[0], &u[1], &v[0], &v[1], &result);
    return to_scaled(&result, -2 * shift);
}

grz_scaled grz_integer_orient3d(const double a[3], const double b[3], const double c[3], const double d[3])
{
    const double *const points[4] = {a, b, c, d};
    int shift = common_shift(points, 4, 3);
    integer u[3], v[3], w[3], total = {.sign = 0, .count = 0};
    for (int i = 0; i < 3; i++) {
        difference(a[i], b[i], shift, &u[i]);
        difference(a[i], c[i], shift, &v[i]);
        difference(a[i], d[i], shift, &w[i]);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        integer minor, term, sum;
        determinant2(&v[j], &v[k], &w[j], &w[k], &minor);
        multiply(&u[i], &minor, &term);
        add_signed(&total, &term, 1, &sum);
        total = sum;
    }
    return to_scaled(&total, -3 * shift);
}
