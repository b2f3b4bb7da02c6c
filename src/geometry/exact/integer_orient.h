// SPDX-License-Identifier: MIT
// The last stage of the predicates (predicates.h): signs of determinants in big integers. Slow (a microsecond or more),
// but exact for all finite coordinates up to 2^301 in magnitude, subnormal numbers included.
#ifndef GRZ_GEOMETRY_EXACT_INTEGER_ORIENT_H
#define GRZ_GEOMETRY_EXACT_INTEGER_ORIENT_H

int grz_integer_orient2d(const double a[2], const double b[2], const double c[2]);
int grz_integer_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);

#endif
