// SPDX-License-Identifier: MIT
// The depth of two convex sets by a search among all directions, for what a polytope leaves open.
#ifndef GRZ_GEOMETRY_CONVEX_DEPTH_DIRECTION_CELLS_H
#define GRZ_GEOMETRY_CONVEX_DEPTH_DIRECTION_CELLS_H

#include "geometry/convex/depth/convex_depth.h"

// Bring the bounds in `depth`, which hold, nearer to each other: up to `near`, if that takes no more than some thousand
// cells. `slack`: how far a difference of two computed points may be off.
void grz_convex_search_directions(const grz_convex *a, const grz_convex *b, double slack, double near,
                                  grz_convex_depth *depth);

#endif
