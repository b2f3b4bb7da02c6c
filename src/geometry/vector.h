// SPDX-License-Identifier: MIT
// Products of vectors in doubles, rounded: predicates have their own (exact/).
#ifndef GRZ_GEOMETRY_VECTOR_H
#define GRZ_GEOMETRY_VECTOR_H

#include <math.h>
#include <stdbool.h>

static inline double grz_dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

// `out` is neither a nor b. Written out, because gcc -O2 does not unroll a loop over the axes.
static inline void grz_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// The length of a vector in a plane, whose squares are doubles.
static inline double grz_length2(double x, double y)
{
    return sqrt(x * x + y * y);
}

// The largest magnitude of a vector's coordinates.
static inline double grz_largest(const double v[3])
{
    const double x = fabs(v[0]), y = fabs(v[1]), z = fabs(v[2]), most = x > y ? x : y;
    return most > z ? most : z;
}

// Scale a vector to length 1, whatever its size. False if it is 0.
static inline bool grz_make_unit(double v[3])
{
    const double most = grz_largest(v);
    if (!(most > 0.0))
        return false;
    if (!(most > 0x1p-400 && most < 0x1p400)) // squares would vanish or overflow
        for (int i = 0; i < 3; i++)
            v[i] /= most;
    const double length = sqrt(grz_dot(v, v));
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return true;
}

#endif
