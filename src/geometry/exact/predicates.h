// SPDX-License-Identifier: MIT
// The exact predicates orient2d and orient3d: signs of determinants of points. Each has three stages: a fast filter in
// doubles, an adaptive stage in expansions, and big integers. Nearly all calls end in the filter.
// The signs are exact for all finite coordinates up to 2^300 in magnitude, however small they are.
// Needs round-to-nearest with subnormal numbers kept (base/fp_guard.h). docs/reference/numbers.md derives the error
// bounds.
#ifndef GRZ_GEOMETRY_EXACT_PREDICATES_H
#define GRZ_GEOMETRY_EXACT_PREDICATES_H

#include <stdint.h>

// The orientation of the triangle (a, b, c) in the plane: 1 counter-clockwise, -1 clockwise, 0 collinear.
// Example: a = (0, 0), b = (1, 0), c = (0, 1) gives 1.
int grz_orient2d(const double a[2], const double b[2], const double c[2]);

// The sign of the determinant |b-a, c-a, d-a|: 1 if d lies on the side of the plane (a, b, c) to which the normal
// (b-a)×(c-a) points, -1 on the other side, 0 in the plane.
// Example: a = (0, 0, 0), b = (1, 0, 0), c = (0, 1, 0), d = (0, 0, 1) gives 1.
int grz_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);

// How often each stage decided, for the tests. Counted only if GRZ_COUNT_PREDICATES is defined, otherwise zero.
typedef struct grz_predicate_counts {
    uint64_t filter, adaptive, expansion, integer;
} grz_predicate_counts;

grz_predicate_counts grz_orient2d_counts(void);
grz_predicate_counts grz_orient3d_counts(void);

#endif
