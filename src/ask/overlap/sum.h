// SPDX-License-Identifier: MIT
// Sums of enclosed numbers that do not depend on the order of the terms: each end is rounded outwards to a multiple of
// 2^-80, and integers are added.
#ifndef GRZ_ASK_OVERLAP_SUM_H
#define GRZ_ASK_OVERLAP_SUM_H

#include <stdbool.h>
#include <stdint.h>

// lower <= number <= upper
typedef struct grz_enclosure {
    double lower, upper;
} grz_enclosure;

// A whole multiple of 2^-80, in two's complement: high · 2^-16 + low · 2^-80.
typedef struct grz_fixed {
    uint64_t high, low;
} grz_fixed;

// Zeroed memory is the sum of nothing. For up to 2^40 terms.
typedef struct grz_enclosed_sum {
    grz_fixed lower, upper;
} grz_enclosed_sum;

// Add a number that lies between 0 and 4, or subtract it. Both ends are finite and in that range.
void grz_enclosed_sum_add(grz_enclosed_sum *sum, const grz_enclosure *number, bool negative);

// Add another sum.
void grz_enclosed_sum_join(grz_enclosed_sum *sum, const grz_enclosed_sum *other);

// The sum times 2^exponent, as far as it is not negative; rounded outwards.
grz_enclosure grz_enclosed_sum_value(const grz_enclosed_sum *sum, int exponent);

#endif
