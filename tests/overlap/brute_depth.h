// SPDX-License-Identifier: MIT
// How deep a point is in a solid, by all of its triangles, in long doubles. Shares no code with the library.
#ifndef GRZ_TESTS_BRUTE_DEPTH_H
#define GRZ_TESTS_BRUTE_DEPTH_H

#include "support_meshes.h"

// The distance of a point from the nearest triangle, below 0 if the point is outside. The mesh is made of triangles
// whose shells are disjoint and wound outwards.
long double brute_depth(const test_mesh *mesh, const double point[3]);

#endif
