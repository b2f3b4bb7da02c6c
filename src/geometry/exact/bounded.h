// SPDX-License-Identifier: MIT
// Double-doubles with an error bound: numbers and vectors whose exact value is at most `error` away. Differences of
// coordinates are exact double-doubles; products are off by 7u² of themselves, sums by 3u² (expansion.h), u = 2^-53.
// The bounds here follow from these, each at least twice as large as needed. docs/use/distance.md ("Rounding in
// double-doubles") lists them.
#ifndef GRZ_GEOMETRY_EXACT_BOUNDED_H
#define GRZ_GEOMETRY_EXACT_BOUNDED_H

#include "base/rounding.h"
#include "geometry/exact/expansion.h"
#include "geometry/exact/powers.h"

// u²
static const double GRZ_UU = 0x1p-106;
// Coordinates' differences are between these, or 0: then nothing that counts over- or underflows.
static const double GRZ_SMALLEST_WAY = 0x1p-60, GRZ_LARGEST_WAY = 0x1p150;

// A relative error that is small enough to go on with: doubles, which have 53 digits, are then nearly always decided.
static const double GRZ_ERROR_ENOUGH = 0x1p-60;

// A number and how far off it is at most.
typedef struct grz_bounded {
    dd at;
    double error;
} grz_bounded;

// A vector; each coordinate is at most `most` in magnitude and at most `error` off.
typedef struct grz_bounded_vector {
    dd at[3];
    double most, error;
} grz_bounded_vector;

static inline double grz_dd_magnitude(dd x)
{
    return fabs(x.high) * GRZ_MORE(8);
}

static inline double grz_most_of(const dd v[3])
{
    const double x = grz_dd_magnitude(v[0]), y = grz_dd_magnitude(v[1]), z = grz_dd_magnitude(v[2]), xy = x > y ? x : y;
    return xy > z ? xy : z;
}

// The way from one point to another, exactly. False if it is 0, or out of range.
static inline bool grz_way_between(const double from[3], const double to[3], grz_bounded_vector *out)
{
    for (int k = 0; k < 3; k++)
        out->at[k] = dd_difference(to[k], from[k]);
    out->most = grz_most_of(out->at);
    out->error = 0.0;
    return out->most > GRZ_SMALLEST_WAY && out->most < GRZ_LARGEST_WAY;
}

// Each product has an error of 7u² and those of its factors; each sum 3u² of what is added up.
static inline grz_bounded grz_bounded_dot(const grz_bounded_vector *x, const grz_bounded_vector *y)
{
    dd sum = dd_multiply(x->at[0], y->at[0]);
    for (int k = 1; k < 3; k++)
        sum = dd_add(sum, dd_multiply(x->at[k], y->at[k]));
    const double product = 3.0 * x->most * y->most;
    return (grz_bounded){sum, 32.0 * GRZ_UU * product +
                                  4.0 * (x->most * y->error + x->error * y->most + x->error * y->error)};
}

// Of ways, which have no errors.
static inline grz_bounded_vector grz_bounded_cross(const grz_bounded_vector *x, const grz_bounded_vector *y)
{
    grz_bounded_vector out;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out.at[k] = dd_add(dd_multiply(x->at[i], y->at[j]), dd_negate(dd_multiply(x->at[j], y->at[i])));
    }
    out.most = grz_most_of(out.at);
    out.error = 48.0 * GRZ_UU * x->most * y->most;
    return out;
}

static inline double grz_bounded_relative(const grz_bounded *x)
{
    return x->error / fabs(x->at.high);
}

// The quotient of two numbers, the second above 0. False if too little is known of it.
static inline bool grz_bounded_divide(const grz_bounded *x, const grz_bounded *y, grz_bounded *out)
{
    const double of_y = grz_bounded_relative(y);
    if (!(y->at.high > 0.0 && of_y < GRZ_ERROR_ENOUGH))
        return false;
    out->at = dd_divide(x->at, y->at);
    out->error = 2.0 * (x->error / y->at.high + fabs(out->at.high) * (of_y + 32.0 * GRZ_UU));
    return true;
}

// The square root of a number above 0. One step of Newton's method from the root of the high part: the error of the
// step is the square of its size, 2u, and 6u of the step itself.
static inline grz_bounded grz_bounded_root(const grz_bounded *square)
{
    const double first = sqrt(square->at.high);
    grz_bounded root;
    dd back;
    two_product(first, first, &back.high, &back.low);
    const double rest = (square->at.high - back.high) + (square->at.low - back.low);
    fast_two_sum(first, rest / (2.0 * first), &root.at.high, &root.at.low);
    root.error = first * (grz_bounded_relative(square) + 32.0 * GRZ_UU);
    return root;
}

// True if `high` is certainly the nearest double. The next ones are half its unit in the last place away at least, of
// both sides; less 2^-30 of that for the roundings here.
static inline bool grz_bounded_is_nearest(const grz_bounded *x)
{
    const double high = fabs(x->at.high);
    if (!(high > 0.0))
        return false;
    const double inner = high - grz_next_below(high);
    return fabs(x->at.low) + x->error < 0.5 * inner * (1.0 - 0x1p-30); // chosen
}

#endif
