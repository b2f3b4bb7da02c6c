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

static inline void grz_cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// Scale a vector to length 1, whatever its size. False if it is 0.
static inline bool grz_make_unit(double v[3])
{
    const double most = fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
    if (!(most > 0.0))
        return false;
    for (int i = 0; i < 3; i++)
        v[i] /= most;
    const double length = sqrt(grz_dot(v, v));
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return true;
}

#endif
