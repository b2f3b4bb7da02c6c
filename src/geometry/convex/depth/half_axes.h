// SPDX-License-Identifier: MIT
// The half axes of a placed ellipsoid, at right angles to each other, whatever its pose stretches and shears.
#ifndef GRZ_GEOMETRY_CONVEX_DEPTH_HALF_AXES_H
#define GRZ_GEOMETRY_CONVEX_DEPTH_HALF_AXES_H

#include "geometry/convex/convex_set.h"

typedef struct grz_half_axes {
    double axis[3][3]; // axis[j]: of length 1, or, if length[j] is 0, at right angles to the others
    double length[3];
    double off; // no point of the ellipsoid is farther from the one that has exactly these, and the same of that one
} grz_half_axes;

// Of the ellipsoid of all sums of column[j] · u[j], |u| <= 1.
void grz_half_axes_of_columns(double column[3][3], grz_half_axes *out);

void grz_half_axes_of(const grz_convex *ellipsoid, grz_half_axes *out);

#endif
