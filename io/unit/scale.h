// SPDX-License-Identifier: MIT
// Lengths times an exact quotient of units.
#ifndef GRZ_IO_SCALE_H
#define GRZ_IO_SCALE_H

#include "ratio.h"

// Multiply each number in place, rounded once to the nearest double, ties to even. What is not finite stays. `stride`:
// numbers from one to the next. Returns the index of the first whose product is too large for a double; `count` where
// there is none, and only then the numbers are changed. Under the default floating-point environment.
uint64_t grz_io_scale_all(double *numbers, uint64_t count, uint64_t stride, const unit_ratio *ratio);

#endif
