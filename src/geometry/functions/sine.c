// SPDX-License-Identifier: MIT
// Quarter turns are taken off; from -pi/4 to pi/4 Taylor series are summed, so many terms that the rest is far below
// the rounding. docs/reference/numbers.md derives the bounds.
#include "geometry/functions/functions.h"

#include <math.h>

#include "geometry/functions/quarter_turns.h"

// c[0] + c[1] z + … + c[7] z^7, in an order in which processors can do several operations at once.
static inline double sum_of_powers(const double c[8], double z)
{
    const double w = z * z;
    return (c[0] + z * c[1]) + w * ((c[2] + z * c[3]) + w * ((c[4] + z * c[5]) + w * (c[6] + z * c[7])));
}

// Of high + low.
static inline double sine_near_0(double high, double low)
{
    static const double series[8] = {
        -1.0 / 6.0,        1.0 / 120.0,        -1.0 / 5040.0,          1.0 / 362880.0,
        -1.0 / 39916800.0, 1.0 / 6227020800.0, -1.0 / 1307674368000.0, 1.0 / 355687428096000.0};
    const double z = high * high;
    return high + (low * (1.0 - 0.5 * z) + high * z * sum_of_powers(series, z));
}

static inline double cosine_near_0(double high, double low)
{
    static const double series[8] = {
        1.0 / 24.0,        -1.0 / 720.0,         1.0 / 40320.0,          -1.0 / 3628800.0,
        1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0, -1.0 / 6402373705728000.0};
    const double z = high * high, half = 0.5 * z, rest = 1.0 - half;
    return rest + (((1.0 - rest) - half) + (z * z * sum_of_powers(series, z) - high * low));
}

void grz_sines(double angle, double *sine, double *cosine)
{
    double high, low;
    if (fabs(angle) < 0x1p-27) { // often 0
        *sine = angle;
        *cosine = 1.0;
        return;
    }
    if (!isfinite(angle)) {
        *sine = *cosine = angle - angle;
        return;
    }
    const int turns = grz_quarter_turns(fabs(angle), &high, &low);
    const double s = sine_near_0(high, low), c = cosine_near_0(high, low);
    *sine = (turns & 1) != 0 ? c : s;
    *cosine = (turns & 1) != 0 ? s : c;
    if ((turns & 2) != 0)
        *sine = -*sine;
    if (turns == 1 || turns == 2)
        *cosine = -*cosine;
    if (signbit(angle))
        *sine = -*sine;
}

double grz_sine(double angle)
{
    double sine, cosine;
    grz_sines(angle, &sine, &cosine);
    return sine;
}

double grz_cosine(double angle)
{
    double sine, cosine;
    grz_sines(angle, &sine, &cosine);
    return cosine;
}
