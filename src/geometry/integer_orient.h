// SPDX-License-Identifier: MIT
// The predicates' last resort: signs of determinants of points in integers of any length that doubles up to 2^301 can need. Slow
// (a microsecond or more), and right for every finite input, subnormals included.
#ifndef GRZ_GEOMETRY_INTEGER_ORIENT_H
#define GRZ_GEOMETRY_INTEGER_ORIENT_H

int grz_integer_orient2d(const double a[2], const double b[2], const double c[2]);
int grz_integer_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);

#endif
