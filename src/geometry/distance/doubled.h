// SPDX-License-Identifier: MIT
// The distance of two triangles and their nearest points in double-doubles, with error bounds that tell whether the
// rounding to doubles is certain. Nearly always it is; otherwise integers are needed (square.c).
#ifndef GRZ_GEOMETRY_DISTANCE_DOUBLED_H
#define GRZ_GEOMETRY_DISTANCE_DOUBLED_H

#include <stdbool.h>

#include "geometry/distance/nearest.h"

// The root of the squared distance. False: it is not certain; that includes all roots that are doubles.
bool grz_doubled_root(const double a[3][3], const double b[3][3], grz_nearest nearest, grz_root *out);

// The nearest points, if one of them is a corner. False: they are not certain, or both are on edges.
bool grz_doubled_points(const double a[3][3], const double b[3][3], grz_nearest nearest, double on_a[3],
                        double on_b[3]);

#endif
