// SPDX-License-Identifier: MIT
// The predicates' determinants as numbers, within a relative 2^-50, for the places of contact points. See predicates.h for the signs.
#ifndef GRZ_GEOMETRY_DETERMINANT_H
#define GRZ_GEOMETRY_DETERMINANT_H

#include "geometry/exact_integer.h"

grz_scaled grz_orient2d_value(const double a[2], const double b[2], const double c[2]);
grz_scaled grz_orient3d_value(const double a[3], const double b[3], const double c[3], const double d[3]);

#endif
