// SPDX-License-Identifier: MIT
// Vectors, as the searches for separating directions need them: without calls.
#ifndef GRZ_LEVEL_MOVER_BODY_CORE_VECTORS_H
#define GRZ_LEVEL_MOVER_BODY_CORE_VECTORS_H

#include <math.h>
#include <stdbool.h>

#include "base/rounding.h"
#include "geometry/vector.h"

static inline double grz_smaller(double x, double y)
{
    return x < y ? x : y; // fmin() would be a call
}

static inline double grz_larger(double x, double y)
{
    return x > y ? x : y;
}

static inline void grz_subtract(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

// Make a vector's length 1 but for rounding. Lengths whose squares are far from the ends of the range of doubles, as
// almost all are, need no scaling. False: it is zero or not finite.
static inline bool grz_make_direction(double v[3])
{
    const double square = grz_dot(v, v);
    if (!(square > GRZ_PRODUCT_MIN && square < GRZ_PRODUCT_MAX))
        return grz_make_unit(v);
    const double scale = 1.0 / sqrt(square);
    for (int k = 0; k < 3; k++)
        v[k] *= scale;
    return true;
}

// The part of a vector across another one.
static inline void grz_across(const double v[3], const double other[3], double out[3])
{
    const double square = grz_dot(other, other), share = square > 0.0 ? grz_dot(v, other) / square : 0.0;
    for (int k = 0; k < 3; k++)
        out[k] = v[k] - share * other[k];
}

#endif
