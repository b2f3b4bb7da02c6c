// SPDX-License-Identifier: MIT
// Fractions and doubles: exact comparisons, and the simplest fraction between two doubles.
#ifndef GRZ_TESTS_AGREEMENT_FRACTION_H
#define GRZ_TESTS_AGREEMENT_FRACTION_H

#include "pieces.h"

// -1, 0, 1: `x`, compared with t · sqrt(square) · 2^exponent; t and x are 0 or above, x is finite.
int agree_compare_root(double x, agree_time t, int64_t square, int exponent);

// Whether `x` is the double nearest to that, ties to even.
bool agree_is_nearest_root(double x, agree_time t, int64_t square, int exponent);

// The fraction of the smallest denominator with low <= t <= high, for 0 <= low <= high. False if its denominator is
// above 2^20 or it is above 2^30.
bool agree_simplest(long double low, long double high, agree_time *t);

#endif
