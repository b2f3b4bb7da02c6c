// SPDX-License-Identifier: MIT
// The one place that says whether bounds make a number exact. It compares the places of doubles in their order, by
// their bits: the caller's rounding and flushing of subnormal numbers do not matter.
#include "base/certainty.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// The place of a double in the order of all: neighbours differ by 1, and 0 and -0 have the same.
static int64_t place_of(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

grz_certainty grz_certainty_of_bounds(double lower, double upper)
{
    const int64_t low = place_of(lower), high = place_of(upper);
    if (isnan(lower) || isnan(upper) || low > high)
        return GRZ_UNDECIDED;
    return low >= high - 1 ? GRZ_EXACT : GRZ_ENCLOSED;
}

grz_certainty grz_certainty_of_estimate(double lower, double upper)
{
    const grz_certainty certainty = grz_certainty_of_bounds(lower, upper);
    return certainty == GRZ_EXACT && place_of(lower) != place_of(upper) ? GRZ_ENCLOSED : certainty;
}
