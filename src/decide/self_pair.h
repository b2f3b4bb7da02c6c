// SPDX-License-Identifier: MIT
// Self-collision: do two triangles of one mesh collide, given the corners that they share?
#ifndef GRZ_DECIDE_SELF_PAIR_H
#define GRZ_DECIDE_SELF_PAIR_H

#include "geometry/triangle/pair.h"
#include "mesh/mesh.h"

// They collide if their intersection is not contained in the convex hull of the corners that they share
// (docs/reference/numbers.md, "Self-collision"). If they do, `out` receives the whole intersection.
bool grz_self_pair_collides(const grz_mesh *mesh, uint32_t triangle_a, uint32_t triangle_b, grz_intersection *out);

#endif
