// SPDX-License-Identifier: MIT
// Does a triangle meet a region, and from which depth to which is it inside? Exact; triangles may be degenerate.
#ifndef GRZ_GEOMETRY_REGION_REGION_TRIANGLE_H
#define GRZ_GEOMETRY_REGION_REGION_TRIANGLE_H

#include <stdbool.h>

#include <graze/region.h>

enum {
    GRZ_REGION_PLANES = 6
};

// True if a triangle and a region have a common point. Then least and greatest receive the depths of all common points,
// each the double nearest to the exact one. The region's numbers are finite, at most 2^300 in magnitude.
bool grz_region_meets(const grz_region *region, const double c[3][3], double *least, double *greatest);

#endif
