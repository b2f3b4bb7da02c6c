// SPDX-License-Identifier: MIT
// With c, a multiple of 1/8 near y/x <= 1: atan(y/x) = atan(c) + atan((y - c x) / (x + c y)). The first is in a table,
// the second has a Taylor series. Other angles are a quarter or half a turn plus or minus one of these.
// docs/reference/numbers.md derives the bound.
#include "geometry/functions/functions.h"

#include <math.h>
#include <stdbool.h>

#include "geometry/exact/expansion.h"
#include "geometry/exact/powers.h"

// The arctangents of i/8, as sums of two doubles.
static const double EIGHTHS[9][2] = {
    {0.0, 0.0},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};
static const double QUARTER[2] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
                    HALF[2] = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

// What the arctangent of q, at most 1/8, is more than q.
static double beyond(double q)
{
    const double z = q * q;
    return q * z *
           (-1.0 / 3.0 +
            z * (1.0 / 5.0 +
                 z * (-1.0 / 7.0 +
                      z * (1.0 / 9.0 +
                           z * (-1.0 / 11.0 +
                                z * (1.0 / 13.0 + z * (-1.0 / 15.0 + z * (1.0 / 17.0 + z * (-1.0 / 19.0)))))))));
}

// The angle of (x, y), 0 <= y <= x, as *head + *tail.
static void angle_of(double y, double x, double *head, double *tail)
{
    const double ratio = y / x;
    double near, rounded;
    if (!(ratio >= 0.125)) {
        *head = ratio;
        *tail = beyond(ratio);
        return;
    }
    const int i = (int)(8.0 * ratio + 0.5);
    if (!(x > 0x1p-400 && x < 0x1p400)) { // products would leave the range
        const int exponent = grz_exponent_of(x);
        x = grz_times_power(x, -exponent);
        y = grz_times_power(y, -exponent);
    }
    two_product(0.125 * i, x, &near, &rounded);
    const double q = ((y - near) - rounded) / (x + 0.125 * i * y);
    *head = EIGHTHS[i][0];
    *tail = EIGHTHS[i][1] + (q + beyond(q));
}

double grz_arctangent(double y, double x)
{
    const double rise = fabs(y), run = fabs(x);
    const bool steep = rise > run;
    double head = 0.0, tail = 0.0, sum, rounded;
    if (rise > 0.0 || run > 0.0)
        angle_of(steep ? run : rise, steep ? rise : run, &head, &tail);
    if (steep || x < 0.0) {
        const double *from = steep ? QUARTER : HALF, sign = steep && x < 0.0 ? 1.0 : -1.0;
        two_sum(from[0], sign * head, &sum, &rounded);
        head = sum;
        tail = rounded + (from[1] + sign * tail);
    }
    return copysign(head + tail, y);
}
