// SPDX-License-Identifier: MIT
// Boxes of directions: in which directions a triangle lies, seen from one of its corners or round one of its edges.
#ifndef GRZ_SPACE_BVH_HUB_BOXES_H
#define GRZ_SPACE_BVH_HUB_BOXES_H

#include "geometry/box.h"

// A box of all directions (vectors of length 1) from a corner to the triangle's other points. `p` and `q` are the other
// corners; they may coincide with each other and with the corner. If the boxes of two triangles with this corner are
// disjoint, the triangles have nothing else in common.
grz_box grz_hub_arc_box(const double corner[3], const double p[3], const double q[3]);

// A box of the direction in which a triangle lies, seen along its edge v-w; `x` is its third corner. If the boxes of
// two triangles with this edge are disjoint, the triangles have nothing in common beyond the edge.
grz_box grz_hub_page_box(const double v[3], const double w[3], const double x[3]);

// A box of the directions in which the triangle v-p-q lies, seen along an edge v-w that other triangles have; for one
// that has the edge itself, p and q are its third corner. If the boxes of two triangles that do not both have the edge
// are disjoint, they have nothing in common but v.
void grz_hub_side_box(const double v[3], const double w[3], const double p[3], const double q[3], float min[2],
                      float max[2]);

#endif
