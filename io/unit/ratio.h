// SPDX-License-Identifier: MIT
// The exact quotient of two units of length.
#ifndef GRZ_IO_RATIO_H
#define GRZ_IO_RATIO_H

#include <stdbool.h>
#include <stdint.h>

enum {
    GRZ_IO_NUMBER_SIZE = 48
};

// numerator / denominator × 2^two. Numerator and denominator are odd and have no common divisor.
typedef struct unit_ratio {
    uint64_t numerator, denominator;
    int two;
} unit_ratio;

// What lengths in the unit `from` are multiplied by to be in the unit `to`; both in metres, each taken for the shortest
// decimal number that reads as this double: 0.0254 is 254/10000. False where the two are not finite and above 0, or
// where the quotient does not fit.
bool grz_io_find_ratio(double from, double to, unit_ratio *ratio);

// Write the shortest decimal number that reads as this double, which is finite and above 0: "0.0035 m" without the
// unit, or "1e-200".
void grz_io_write_shortest(double number, char text[GRZ_IO_NUMBER_SIZE]);

// The same quotient without powers of 2: numerator / denominator. False where it does not fit.
bool grz_io_ratio_in_full(const unit_ratio *ratio, uint64_t *numerator, uint64_t *denominator);

#endif
