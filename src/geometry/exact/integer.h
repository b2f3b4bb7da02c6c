// SPDX-License-Identifier: MIT
// Big integers for exact determinants: a sign and a magnitude in 32-bit limbs (digits in base 2^32), with room for the
// longest number that the library needs. Coordinates become integers by multiplying all of them with one power of two.
// Slow, but exact for all finite coordinates up to 2^301 in magnitude, subnormal numbers included.
#ifndef GRZ_GEOMETRY_EXACT_INTEGER_H
#define GRZ_GEOMETRY_EXACT_INTEGER_H

#include <stdint.h>

// Coordinates span 2^-1074 to 2^301: that is 43 limbs, and 44 for a difference. The longest numbers occur when two
// squared distances are compared: the numerator of one (the square of a 3×3 determinant, 8,262 bits) is multiplied by
// the denominator of the other (the square of a normal, 5,508 bits); the product needs 431 limbs. Comparing two points
// that are each the intersection of a line and a plane needs 302.
enum {
    GRZ_MAX_LIMBS = 440
};

typedef struct grz_integer {
    int sign;  // -1, 0, 1
    int count; // limbs in use, lowest first; the last one is not zero
    uint32_t limb[GRZ_MAX_LIMBS];
} grz_integer;

// A number as mantissa · 2^exponent. |mantissa| is in [1, 2), or 0. The sign is exact, and the mantissa within 2^-52 of
// the exact value. The exponent may be outside the range of doubles.
typedef struct grz_scaled {
    double mantissa;
    int exponent;
} grz_scaled;

// The exponent of the smallest power of two that turns all coordinates of the points into integers.
int grz_integer_common_shift(const double *const points[], int point_count, int dimension);

// x = value · 2^shift; the product must be an integer.
void grz_integer_from_double(double value, int shift, grz_integer *x);

// In the functions below, `out` must not be one of the operands.
void grz_integer_copy(const grz_integer *x, grz_integer *out);
void grz_integer_add(const grz_integer *a, const grz_integer *b, int b_sign, grz_integer *out); // a + b_sign · b
void grz_integer_multiply(const grz_integer *a, const grz_integer *b, grz_integer *out);
// out = (to - from) · 2^shift
void grz_integer_difference(double from, double to, int shift, grz_integer *out);
// out = a·d - b·c
void grz_integer_determinant2(const grz_integer *a, const grz_integer *b, const grz_integer *c, const grz_integer *d,
                              grz_integer *out);
// out = u · v
void grz_integer_dot(const grz_integer u[3], const grz_integer v[3], grz_integer *out);
// out = u × v
void grz_integer_cross(const grz_integer u[3], const grz_integer v[3], grz_integer out[3]);
// out = u · (v × w)
void grz_integer_determinant3(const grz_integer u[3], const grz_integer v[3], const grz_integer w[3], grz_integer *out);

// How many bits |x| has: 2^(bits - 1) <= |x| < 2^bits. 0 for 0.
int grz_integer_bits(const grz_integer *x);

// out = x · 2^bits, for bits >= 0.
void grz_integer_shift_left(const grz_integer *x, int bits, grz_integer *out);

// -1 if a < b, 0 if a = b, 1 if a > b.
int grz_integer_compare(const grz_integer *a, const grz_integer *b);

// x · 2^exponent as a scaled number.
grz_scaled grz_integer_to_scaled(const grz_integer *x, int exponent);

// a / b · 2^exponent, rounded to the nearest double, ties to even. b is not zero. Never returns -0.
double grz_integer_quotient(const grz_integer *a, const grz_integer *b, int exponent);

#endif
