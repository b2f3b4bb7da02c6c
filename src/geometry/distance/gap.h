// SPDX-License-Identifier: MIT
// The distance of two triangles in doubles, enclosed from both sides.
#ifndef GRZ_GEOMETRY_DISTANCE_GAP_H
#define GRZ_GEOMETRY_DISTANCE_GAP_H

#include "base/simd.h"

// lower <= exact distance <= upper.
typedef struct grz_gap {
    double lower, upper;
} grz_gap;

// Enclose the distance of two triangles, which may be degenerate. `way` receives a vector that leads from the nearest
// point of A to that of B; it is rounded. If the lower bound is above `limit`, the search ends early: the upper bound
// is then larger than it need be. The two ends are usually some 2^-46 of the triangles' common size apart. Coordinates
// are at most 2^100 in magnitude. With coordinates below 2^-100 the ends may be far apart.
grz_gap grz_triangle_gap(const double a[3][3], const double b[3][3], double limit, double way[3]);

// The same, compiled for a width; all give the same bounds.
typedef grz_gap grz_triangle_gap_function(const double a[3][3], const double b[3][3], double limit, double way[3]);

grz_triangle_gap_function *grz_triangle_gap_for(grz_simd simd);

grz_triangle_gap_function grz_triangle_gap_of_scalar, grz_triangle_gap_of_base;
#ifdef GRZ_SIMD_X86
grz_triangle_gap_function grz_triangle_gap_of_avx2, grz_triangle_gap_of_avx512;
#endif

// Enclose the distance of a point and a triangle in the same way.
grz_gap grz_point_gap(const double point[3], const double triangle[3][3], double limit);

#endif
