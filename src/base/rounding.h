// SPDX-License-Identifier: MIT
// What covers roundings. Each one changes a double by at most 2^-53 of itself. So an expression of factors, and of sums
// of one sign, with n roundings is off by n · 2^-53 of itself, and a little more: give a number above n. Many places
// give far more than they need, such as 8192 (2^-40), where nothing is lost by it.
#ifndef GRZ_BASE_ROUNDING_H
#define GRZ_BASE_ROUNDING_H

// Factors that make a computed number certainly larger, or smaller, than the exact one.
#define GRZ_MORE(roundings) (1.0 + (roundings)*0x1p-53)
#define GRZ_LESS(roundings) (1.0 - (roundings)*0x1p-53)

// Added to a bound: more than what many underflows lose (2^-1075 each), and less than any error that matters.
#define GRZ_UNDERFLOWS 0x1p-1000

// Taken for a size of 0 where something is divided by the size: smaller than all that count, and its inverse is finite.
#define GRZ_NEVER_ZERO 0x1p-1000

// Between these a product is far from underflow and overflow, and so is its rounding error, which is at least 2^-106 of
// it or 0: a product and its error, as two doubles, are exact.
#define GRZ_PRODUCT_MIN 0x1p-900
#define GRZ_PRODUCT_MAX 0x1p900

#endif
