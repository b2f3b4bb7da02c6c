// SPDX-License-Identifier: MIT
// The depth of two bodies of revolution whose axes are parallel: cylinders, cones, segments along the axis, points. A
// search among polytopes ends late there, because whole circles of directions are (nearly) as good as each other.
#ifndef GRZ_GEOMETRY_CONVEX_REVOLUTION_H
#define GRZ_GEOMETRY_CONVEX_REVOLUTION_H

#include "geometry/convex/convex_depth.h"

// Enclose the depth, as grz_convex_measure_depth() does. False, and nothing done: the sets are no such bodies, but for
// roundings. `slack`: how far off sums of farthest points are.
bool grz_convex_revolution_depth(const grz_convex *a, const grz_convex *b, double slack, grz_convex_depth *depth);

#endif
