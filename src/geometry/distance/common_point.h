// SPDX-License-Identifier: MIT
// A point of two triangles that touch.
#ifndef GRZ_GEOMETRY_DISTANCE_COMMON_POINT_H
#define GRZ_GEOMETRY_DISTANCE_COMMON_POINT_H

#include "geometry/distance/nearest.h"

// Of the points at the ends of their intersection the first one by x, then y, then z, rounded; and in which features it
// is.
grz_nearest grz_common_point(const double a[3][3], const double b[3][3], double point[3]);

#endif
