// SPDX-License-Identifier: MIT
// Vectors between moving corners over an interval of time, in big integers, and the polynomials in t that they make, in
// Bernstein form over the interval: if all coefficients are above 0, so is the polynomial all through the interval.
#ifndef GRZ_GEOMETRY_INCLUSION_POLYNOMIALS_H
#define GRZ_GEOMETRY_INCLUSION_POLYNOMIALS_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/exact/integer.h"

// A vector that changes linearly with time.
typedef struct grz_linear_vector {
    grz_integer at[2][3]; // at the begin and at the end of the interval
} grz_linear_vector;

// c[0]·s² + c[1]·s·t + c[2]·t², where (s, t) runs from (1, 0), the begin of the interval, to (0, 1), its end.
typedef struct grz_quadratic {
    grz_integer c[3];
} grz_quadratic;

// c[0]·s³ + c[1]·s²·t + c[2]·s·t² + c[3]·t³, likewise.
typedef struct grz_cubic {
    grz_integer c[4];
} grz_cubic;

// What a polynomial does all through the interval.
typedef enum grz_course {
    GRZ_COURSE_ABOVE,     // above 0
    GRZ_COURSE_BELOW,     // below 0
    GRZ_COURSE_NOT_BELOW, // 0 or above
    GRZ_COURSE_NOT_ABOVE, // 0 or below
    GRZ_COURSE_ZERO,      // 0
    GRZ_COURSE_MIXED      // not known
} grz_course;

// By the signs of its coefficients.
grz_course grz_quadratic_course(const grz_quadratic *q);
grz_course grz_cubic_course(const grz_cubic *q);

// Component `axis` of x × y.
void grz_quadratic_cross(const grz_linear_vector *x, const grz_linear_vector *y, int axis, grz_quadratic *out);

// x · y.
void grz_quadratic_dot(const grz_linear_vector *x, const grz_linear_vector *y, grz_quadratic *out);

// x · (y × z).
void grz_cubic_volume(const grz_linear_vector *x, const grz_linear_vector *y, const grz_linear_vector *z,
                      grz_cubic *out);

// The same polynomial, times a power of two, over part k of the 2^depth equal parts of the interval. depth: 0 to 62;
// k is below 2^depth.
void grz_quadratic_part(const grz_quadratic *q, uint64_t k, int depth, grz_quadratic *out);
void grz_cubic_part(const grz_cubic *q, uint64_t k, int depth, grz_cubic *out);

// Below a time in the interval is v = (s², s·t, t²), times a factor above 0.

// The sign of a quadratic at a time.
int grz_quadratic_sign(const grz_quadratic *q, const grz_integer v[3]);

// The common root of two quadratics in the interval. False if there is none. *multiples: each is a multiple of the
// other, so that they have the same roots; then the answer is false.
bool grz_shared_root(const grz_quadratic *p, const grz_quadratic *q, grz_integer v[3], bool *multiples);

// The root in the interval that a cubic and a quadratic have in common, if it is rational. False if there is none, or
// if its numbers are too long. *divides: the cubic is a multiple of the quadratic, so that each root of the quadratic
// is one of the cubic; then the answer is false.
bool grz_common_root(const grz_cubic *cubic, const grz_quadratic *quadratic, grz_integer v[3], bool *divides);

#endif
