// SPDX-License-Identifier: MIT
// Are two triangles nearer to each other than a clearance?
#ifndef GRZ_GEOMETRY_DISTANCE_NEARER_H
#define GRZ_GEOMETRY_DISTANCE_NEARER_H

#include <stdbool.h>

#include "geometry/distance/gap.h"

// True if the distance of two triangles is below `clearance`, which is finite and above 0: exactly, whatever is rounded
// on the way. The triangles may be degenerate, but must not touch. Coordinates are at most 2^300 in magnitude. `gap_of`
// is grz_triangle_gap() for some SIMD width.
bool grz_triangles_nearer(const double a[3][3], const double b[3][3], double clearance,
                          grz_triangle_gap_function *gap_of);

#endif
