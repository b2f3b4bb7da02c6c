// SPDX-License-Identifier: MIT
// Rays and lines are cut where nothing changes (ask/shape/placed.c). Two of them may be nearest far away, if they are
// nearly parallel: how far?
#ifndef GRZ_GEOMETRY_CONVEX_PARALLEL_H
#define GRZ_GEOMETRY_CONVEX_PARALLEL_H

#include "geometry/convex/convex_set.h"
#include "geometry/exact/integer.h"

// The largest coordinate of the cross product of two rays' or lines' directions, in magnitude and rounded down a
// little; the mantissa is 0 if and only if they are parallel. False if the numbers need more digits than big integers
// have here.
bool grz_convex_cross_size(const grz_convex *a, const grz_convex *b, grz_scaled *size);

#endif
