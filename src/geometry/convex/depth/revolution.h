// SPDX-License-Identifier: MIT
// The depth of two bodies of revolution whose axes are parallel: cylinders, cones, segments along the axis, points. A
// search among polytopes ends late there, because whole circles of directions are (nearly) as good as each other.
#ifndef GRZ_GEOMETRY_CONVEX_REVOLUTION_H
#define GRZ_GEOMETRY_CONVEX_REVOLUTION_H

#include "geometry/convex/depth/convex_depth.h"

// Enclose the depth, as grz_convex_measure_depth() does. False, and nothing done: the sets are no such bodies, but for
// roundings. `slack`: how far off sums of farthest points are.
bool grz_convex_revolution_depth(const grz_convex *a, const grz_convex *b, double slack, grz_convex_depth *depth);

// A lower bound of the depth of a body of revolution and a set of few corners. In a direction at an angle with the axis
// the set reaches at least as far as each of its points that leans away from it; that depends on the angle alone. So
// it is as good as it can be where a whole arc of directions around the axis is the best. 0 if nothing is found.
// `way`: a direction from the round set's middle outwards in which it reaches little past the other; it is turned to a
// better angle with the axis.
double grz_convex_revolution_inner(const grz_convex *round, const grz_convex *corners, double slack, double way[3]);

#endif
