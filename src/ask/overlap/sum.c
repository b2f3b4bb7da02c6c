// SPDX-License-Identifier: MIT
// Sums in fixed point, 128 bits. Integers add up to the same in any order.
#include "ask/overlap/sum.h"

#include <assert.h>
#include <math.h>

enum {
    UNIT = 80 // a number is a multiple of 2^-UNIT
};

static grz_fixed add(grz_fixed a, grz_fixed b)
{
    const uint64_t low = a.low + b.low;
    return (grz_fixed){a.high + b.high + (low < a.low), low};
}

static grz_fixed negate(grz_fixed a)
{
    return add((grz_fixed){~a.high, ~a.low}, (grz_fixed){0, 1});
}

static bool is_negative(grz_fixed a)
{
    return a.high >> 63 != 0;
}

// A number from 0 to 4, rounded down, or up. Both differences and both products below are exact, but for what is
// rounded.
static grz_fixed fixed_of(double number, bool up)
{
    const uint64_t high = (uint64_t)(number * 0x1p16);                                   // in 2^-16; the rest in 2^-80
    const double rest = (number - (double)high * 0x1p-16) * 0x1p80, whole = floor(rest); // below 2^64
    const grz_fixed fixed = {high, (uint64_t)whole};
    return up && rest > whole ? add(fixed, (grz_fixed){0, 1}) : fixed;
}

void grz_enclosed_sum_add(grz_enclosed_sum *sum, const grz_enclosure *number, bool negative)
{
    assert(0.0 <= number->lower && number->lower <= number->upper && number->upper <= 4.0);
    const grz_fixed lower = fixed_of(number->lower, false), upper = fixed_of(number->upper, true);
    sum->lower = add(sum->lower, negative ? negate(upper) : lower);
    sum->upper = add(sum->upper, negative ? negate(lower) : upper);
}

void grz_enclosed_sum_join(grz_enclosed_sum *sum, const grz_enclosed_sum *other)
{
    sum->lower = add(sum->lower, other->lower);
    sum->upper = add(sum->upper, other->upper);
}

// The double next to fixed · 2^exponent, not above it, or not below. The number is not negative.
static double round_fixed(grz_fixed fixed, int exponent, bool up)
{
    int shift = 0;
    bool lost = false;
    for (; fixed.high != 0 || fixed.low >> 53 != 0; shift++) { // drop bits until the rest is a double
        lost = lost || (fixed.low & 1) != 0;
        fixed.low = fixed.low >> 1 | fixed.high << 63;
        fixed.high >>= 1;
    }
    fixed.low += lost && up; // 2^53 at most, which is a double too
    const double number = (double)fixed.low, value = ldexp(number, shift + exponent - UNIT);
    const bool exact = ldexp(value, UNIT - exponent - shift) == number; // false where it is subnormal, or has no room
    return exact ? value : nextafter(value, up ? HUGE_VAL : -HUGE_VAL);
}

grz_enclosure grz_enclosed_sum_value(const grz_enclosed_sum *sum, int exponent)
{
    const double lower = is_negative(sum->lower) ? 0.0 : round_fixed(sum->lower, exponent, false),
                 upper = is_negative(sum->upper) ? 0.0 : round_fixed(sum->upper, exponent, true);
    return (grz_enclosure){fmax(lower, 0.0), upper};
}
