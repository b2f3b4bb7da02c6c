// SPDX-License-Identifier: MIT
// Powers of two without calls of the C library, which take some nanoseconds each.
#ifndef GRZ_GEOMETRY_EXACT_POWERS_H
#define GRZ_GEOMETRY_EXACT_POWERS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    GRZ_EXPONENT_BIAS = 1023,
    GRZ_EXPONENT_SHIFT = 52
};

static inline uint64_t grz_bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double grz_double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// As ilogb(), of a finite number that is not 0.
static inline int grz_exponent_of(double x)
{
    const int stored = (int)(grz_bits_of(x) >> GRZ_EXPONENT_SHIFT & 0x7ff);
    return stored > 0 ? stored - GRZ_EXPONENT_BIAS : ilogb(x);
}

// The exponent of the power of two that brings a size to [1, 2). 0 for a size of 0.
static inline int grz_shift_to_one(double size)
{
    return size > 0.0 ? -grz_exponent_of(size) : 0;
}

// As ldexp(): x · 2^exponent, rounded once where it has to be.
static inline double grz_times_power(double x, int exponent)
{
    if (exponent < 1 - GRZ_EXPONENT_BIAS || exponent > GRZ_EXPONENT_BIAS)
        return ldexp(x, exponent);
    return x * grz_double_of((uint64_t)(exponent + GRZ_EXPONENT_BIAS) << GRZ_EXPONENT_SHIFT);
}

// The double below one that is positive.
static inline double grz_next_below(double x)
{
    return grz_double_of(grz_bits_of(x) - 1);
}

// The double above one that is not 0, or below it; x is finite.
static inline double grz_double_toward(double x, bool above)
{
    return grz_double_of((x > 0.0) == above ? grz_bits_of(x) + 1 : grz_bits_of(x) - 1);
}

#endif
