// SPDX-License-Identifier: MIT
// The depth of a line and another set: a question in the plane across the line.
#ifndef GRZ_GEOMETRY_CONVEX_DEPTH_LINE_DEPTH_H
#define GRZ_GEOMETRY_CONVEX_DEPTH_LINE_DEPTH_H

#include "geometry/convex/depth/convex_depth.h"

// Enclose the depth, as grz_convex_measure_depth() does. False, and nothing done: neither set is a line, or both are.
bool grz_convex_line_depth(const grz_convex *a, const grz_convex *b, grz_convex_depth *depth);

#endif
