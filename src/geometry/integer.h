// SPDX-License-Identifier: MIT
// Integers of any length that exact determinants of doubles can need: sign and magnitude, 32-bit limbs, schoolbook products. Slow,
// and right for every finite input up to 2^301, subnormals included.
#ifndef GRZ_GEOMETRY_INTEGER_H
#define GRZ_GEOMETRY_INTEGER_H

#include <stdint.h>

// Coordinates span 2^-1074 to 2^301: 43 limbs, 44 for a difference. The longest numbers compare two points that planes cut out of
// lines: a coordinate (a 3×3 determinant times a coordinate, 5,507 bits) times the other's denominator (4,132 bits), 302 limbs.
enum {
    GRZ_MAX_LIMBS = 310
};

typedef struct grz_integer {
    int sign;  // -1, 0, 1
    int count; // limbs in use, the last one not zero
    uint32_t limb[GRZ_MAX_LIMBS];
} grz_integer;

// A number as mantissa · 2^exponent: the sign is exact, the mantissa (in [1, 2), or zero) within 2^-52 of the truth.
typedef struct grz_scaled {
    double mantissa;
    int exponent;
} grz_scaled;

// The power of two, as an exponent, that makes every coordinate an integer.
int grz_integer_common_shift(const double *const points[], int point_count, int dimension);

// x = value · 2^shift, which must be an integer.
void grz_integer_from_double(double value, int shift, grz_integer *x);

// In these, `out` may not be an operand.
void grz_integer_copy(const grz_integer *x, grz_integer *out);
void grz_integer_add(const grz_integer *a, const grz_integer *b, int b_sign, grz_integer *out); // a + b_sign · b
void grz_integer_multiply(const grz_integer *a, const grz_integer *b, grz_integer *out);
// out = (to - from) · 2^shift
void grz_integer_difference(double from, double to, int shift, grz_integer *out);
// out = a·d - b·c
void grz_integer_determinant2(const grz_integer *a, const grz_integer *b, const grz_integer *c, const grz_integer *d,
                              grz_integer *out);
// out = u · (v × w)
void grz_integer_determinant3(const grz_integer u[3], const grz_integer v[3], const grz_integer w[3], grz_integer *out);

// The order of a and b: -1, 0, 1.
int grz_integer_compare(const grz_integer *a, const grz_integer *b);

// x · 2^exponent.
grz_scaled grz_integer_to_scaled(const grz_integer *x, int exponent);

// a / b · 2^exponent rounded to the nearest double, ties to even; b is not zero. Never -0.
double grz_integer_quotient(const grz_integer *a, const grz_integer *b, int exponent);

#endif
