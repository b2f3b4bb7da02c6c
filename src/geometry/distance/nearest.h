// SPDX-License-Identifier: MIT
// The nearest features of two triangles, and their squared distance as a fraction of integers. Exact for all
// coordinates up to 2^300 in magnitude.
#ifndef GRZ_GEOMETRY_DISTANCE_NEAREST_H
#define GRZ_GEOMETRY_DISTANCE_NEAREST_H

#include <stdint.h>

#include "geometry/exact/integer.h"
#include "geometry/triangle/pair.h"

// The nearest points of two triangles are inside these features (GRZ_CORNER_0 … GRZ_FACE). Where several pairs of
// points are nearest, one is chosen. The choice depends on the positions of the corners only, not on their order, nor
// on which triangle comes first.
typedef struct grz_nearest {
    uint8_t a, b;
} grz_nearest;

// Find them. The triangles may be degenerate, but must not touch.
grz_nearest grz_triangles_nearest(const double a[3][3], const double b[3][3]);

// A squared distance: numerator / denominator · 2^(-2 · shift). The denominator is above 0.
typedef struct grz_square {
    grz_integer numerator, denominator;
    int shift;
} grz_square;

// The squared distance of two triangles that do not touch, given their nearest features.
void grz_square_of(const double a[3][3], const double b[3][3], grz_nearest nearest, grz_square *out);

// -1 if x < y, 0 if x = y, 1 if x > y.
int grz_square_compare(const grz_square *x, const grz_square *y);

// The square of `root`, which is finite and 0 or above, compared with a square: -1, 0 or 1.
int grz_square_compare_root(double root, const grz_square *square);

// The square root: the nearest double (ties to even), and the doubles on both sides, all three equal if it is one.
typedef struct grz_root {
    double nearest, lower, upper;
} grz_root;

grz_root grz_square_root(const grz_square *square);

// The square root of grz_square_of().
grz_root grz_distance_root(const double a[3][3], const double b[3][3], grz_nearest nearest);

// The corners that span a feature of a triangle: one (a corner), two (an edge) or three (the face). Returns how many.
int grz_feature_corners(const double c[3][3], uint8_t feature, const double *points[3]);

// The nearest points, each coordinate rounded to the nearest double.
void grz_nearest_points(const double a[3][3], const double b[3][3], grz_nearest nearest, double on_a[3],
                        double on_b[3]);

// Order two pairs of triangles by the positions of their corners: -1, 0 or 1. Neither the order of the corners nor that
// of the two triangles of a pair matters.
int grz_triangle_pairs_compare(const double a[3][3], const double b[3][3], const double c[3][3], const double d[3][3]);

#endif
