// SPDX-License-Identifier: MIT
// Roots. The cube root is found by Newton's method. docs/reference/numbers.md derives the bounds.
#include "geometry/functions/functions.h"

#include <math.h>

#include "geometry/exact/powers.h"

double grz_cube_root(double x)
{
    enum {
        STEPS = 5
    };
    int exponent;
    const double mantissa = frexp(fabs(x), &exponent);
    if (!(mantissa > 0.0))
        return x;
    int third = exponent / 3;
    if (exponent - 3 * third > 0)
        third++;
    // From 1/8 to 1; the first guess is off by less than 13 percent.
    const double m = ldexp(mantissa, exponent - 3 * third);
    double y = 0.4 + 0.62 * m;
    for (int i = 0; i < STEPS; i++)
        y -= (y * y * y - m) / (3.0 * (y * y));
    return copysign(ldexp(y, third), x);
}

double grz_hypotenuse(double x, double y)
{
    const double a = fabs(x), b = fabs(y), most = a > b ? a : b;
    // Squares are then in range, and what underflows of the smaller one is below 2^-270 of the other.
    if ((most > 0x1p-400 && most < 0x1p500) || !(most > 0.0 && most < HUGE_VAL))
        return sqrt(a * a + b * b);
    const int exponent = grz_exponent_of(most);
    const double c = grz_times_power(a, -exponent), d = grz_times_power(b, -exponent);
    return grz_times_power(sqrt(c * c + d * d), exponent);
}
