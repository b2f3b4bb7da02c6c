// SPDX-License-Identifier: MIT
// The integers behind grz_region_meets(): values of planes and of the depth's two rows at the corners of a triangle,
// and points of the triangle that two constraints determine.
#ifndef GRZ_GEOMETRY_REGION_REGION_EXACT_H
#define GRZ_GEOMETRY_REGION_REGION_EXACT_H

#include "geometry/exact/integer.h"
#include "geometry/region/region_triangle.h"

// Constraints on the weights of the three corners, each a row of three numbers whose product with the weights must be
// at least 0: numbers 0 to 2 say that a weight is not negative, 3 + i is plane i.
enum {
    GRZ_REGION_ROWS = 3 + GRZ_REGION_PLANES
};

// Rows of a triangle, computed when they are first asked for. Set `region` and `corners`, and `known` to 0.
typedef struct grz_region_rows {
    const grz_region *region;
    const double (*corners)[3];
    int shift;      // of coordinates
    uint32_t known; // bit i: row i; bit GRZ_REGION_ROWS: the shift and the rows of the depth
    grz_integer row[GRZ_REGION_ROWS][3];
    grz_integer depth[2][3];
    int depth_exponent;
} grz_region_rows;

// The weights at which constraints a and b are both 0: `sign` times the cross product of their rows. False if these are
// parallel, or if another constraint of `active` (bits) is broken there.
bool grz_region_vertex(grz_region_rows *rows, uint32_t active, int a, int b, int sign, grz_integer weights[3]);

// The depth of the point with these weights, which are not negative and not all 0.
double grz_region_depth(grz_region_rows *rows, const grz_integer weights[3]);

#endif
