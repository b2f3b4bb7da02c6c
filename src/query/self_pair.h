// SPDX-License-Identifier: MIT
// Two triangles of one mesh: do they collide, given the corners that they share?
#ifndef GRZ_QUERY_SELF_PAIR_H
#define GRZ_QUERY_SELF_PAIR_H

#include "geometry/triangle_pair.h"
#include "mesh/mesh.h"

// They collide if their intersection is not contained in the hull of the corners that they share (docs/numbers.md). Fills `out`
// with the whole intersection where they do.
bool grz_self_pair_collides(const grz_mesh *mesh, uint32_t triangle_a, uint32_t triangle_b, grz_intersection *out);

#endif
