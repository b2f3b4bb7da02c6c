// SPDX-License-Identifier: MIT
// What the kinds of cores share: directions that separate a core from a triangle.
#ifndef GRZ_LEVEL_MOVER_SEPARATING_H
#define GRZ_LEVEL_MOVER_SEPARATING_H

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "level/mover/separation.h"

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

static inline bool grz_make_direction(double v[3])
{
    const double square = grz_dot(v, v);
    if (!(square > 0x1p-900 && square < 0x1p900))
        return grz_make_unit(v);
    const double scale = 1.0 / sqrt(square);
    for (int k = 0; k < 3; k++)
        v[k] *= scale;
    return true;
}

// Take a direction, or its opposite, if its gap to a box or an ellipsoid is larger by more than `margin`. False: not.
bool grz_separation_offer(const grz_core *core, const double c[3][3], const double direction[3], double margin,
                          grz_separation *out);

// The part of a vector across another one.
static inline void grz_across(const double v[3], const double other[3], double out[3])
{
    const double square = grz_dot(other, other), share = square > 0.0 ? grz_dot(v, other) / square : 0.0;
    for (int k = 0; k < 3; k++)
        out[k] = v[k] - share * other[k];
}

// `error`: what is rounded in a gap.
void grz_separation_of_box(const grz_core *core, const double c[3][3], double error, grz_separation *out);
void grz_separation_of_ellipsoid(const grz_core *core, const double c[3][3], double error, grz_separation *out);

#endif
