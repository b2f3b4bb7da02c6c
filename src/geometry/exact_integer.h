// SPDX-License-Identifier: MIT
// The predicates' last resort: determinants of points in integer arithmetic of any length that doubles up to 2^301 can need. Slow
// (a microsecond or more), and right for every finite input, subnormals included.
#ifndef GRZ_GEOMETRY_EXACT_INTEGER_H
#define GRZ_GEOMETRY_EXACT_INTEGER_H

// A determinant as mantissa · 2^exponent: the sign is exact, the mantissa (in [1, 2), or zero) within 2^-52 of the truth.
typedef struct grz_scaled {
    double mantissa;
    int exponent;
} grz_scaled;

grz_scaled grz_integer_orient2d(const double a[2], const double b[2], const double c[2]);
grz_scaled grz_integer_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);

#endif
