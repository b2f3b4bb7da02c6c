// SPDX-License-Identifier: MIT
// Exact signs of determinants of points. Three stages each: a static filter from the extents, an adaptive stage in expansions, and
// integers of any length (docs/numbers.md has the bounds). Right for all finite coordinates up to 2^300 in magnitude, however
// small. Needs round-to-nearest with subnormals on (base/fp_guard.h).
#ifndef GRZ_GEOMETRY_PREDICATES_H
#define GRZ_GEOMETRY_PREDICATES_H

#include <stdint.h>

// Sign of twice the signed area of (a, b, c) in the plane: 1 counter-clockwise, -1 clockwise, 0 collinear.
int grz_orient2d(const double a[2], const double b[2], const double c[2]);

// Sign of the determinant |b-a, c-a, d-a|: 1 where d lies on the side of plane (a, b, c) to which its normal
// (b-a)×(c-a) points, -1 on the other, 0 in the plane.
int grz_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);

// How often each stage had the last word, for the tests. Counted only where GRZ_COUNT_PREDICATES is defined; else zero.
typedef struct grz_predicate_counts {
    uint64_t filter, adaptive, expansion, integer;
} grz_predicate_counts;

grz_predicate_counts grz_orient2d_counts(void);
grz_predicate_counts grz_orient3d_counts(void);

#endif
