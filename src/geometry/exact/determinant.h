// SPDX-License-Identifier: MIT
// The determinants of orient2d and orient3d as numbers, in double-double arithmetic with an error bound:
// |value - determinant| <= error. geometry/exact/point.c computes coordinates from them. For signs, use predicates.h.
// docs/reference/numbers.md ("orient2d and orient3d") derives the bounds.
#ifndef GRZ_GEOMETRY_EXACT_DETERMINANT_H
#define GRZ_GEOMETRY_EXACT_DETERMINANT_H

#include <stdbool.h>

#include "geometry/exact/expansion.h"

// The determinant of orient2d(a, b, c). False if an intermediate result could underflow.
bool grz_orient2d_approximate(const double a[2], const double b[2], const double c[2], dd *value, double *error);

// The determinants of orient3d(a, b, c, p) for each of `count` points p: their signed distances from the plane (a, b,
// c), all multiplied by the same number. False if an intermediate result could underflow.
bool grz_plane_distances_approximate(const double a[3], const double b[3], const double c[3],
                                     const double *const points[], int count, dd value[], double error[]);

#endif
