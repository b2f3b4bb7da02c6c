// SPDX-License-Identifier: MIT
// A whole number compared with a sum of square roots of whole numbers, exactly.
#ifndef GRZ_GEOMETRY_CONVEX_ROOT_SUM_H
#define GRZ_GEOMETRY_CONVEX_ROOT_SUM_H

#include <stdbool.h>

#include "geometry/exact/integer.h"

// *order becomes -1, 0 or 1: whole < √a + √b + √c, equal, or above. a, b and c are 0 or above. False: the numbers are
// too long.
bool grz_compare_root_sum(const grz_integer *whole, const grz_integer *a, const grz_integer *b, const grz_integer *c,
                          int *order);

#endif
