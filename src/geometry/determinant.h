// SPDX-License-Identifier: MIT
// The predicates' determinants in double-double, |value - determinant| <= error, for places. See predicates.h for the signs,
// docs/numbers.md for the bounds.
#ifndef GRZ_GEOMETRY_DETERMINANT_H
#define GRZ_GEOMETRY_DETERMINANT_H

#include <stdbool.h>

#include "geometry/expansion.h"

// orient2d. False where something could underflow on the way.
bool grz_orient2d_close(const double a[2], const double b[2], const double c[2], dd *value, double *error);

// orient3d of a, b, c with each of `count` points. False where something could underflow on the way.
bool grz_distances_close(const double a[3], const double b[3], const double c[3], const double *const points[], int count,
                         dd value[], double error[]);

#endif
