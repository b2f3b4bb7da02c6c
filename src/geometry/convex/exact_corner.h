// SPDX-License-Identifier: MIT
// Two convex sets as integers: a power of two that makes integers of all their numbers, and their corners, times it.
#ifndef GRZ_GEOMETRY_CONVEX_EXACT_CORNER_H
#define GRZ_GEOMETRY_CONVEX_EXACT_CORNER_H

#include "geometry/convex/convex_set.h"
#include "geometry/exact/integer.h"

// Powers of two: entries of a pose times 2^pose are integers; coordinates of points in the world, and radii, times
// 2^world; local coordinates and half axes times 2^(world - pose).
typedef struct grz_exact_scale {
    int pose, world;
} grz_exact_scale;

// Choose them. False if the integers would be so long that products of six of them have no room.
bool grz_exact_choose_scale(const grz_convex *a, const grz_convex *b, double radius_a, double radius_b,
                            grz_exact_scale *scale);

// The position of a corner in the world, times 2^world.
void grz_exact_corner(const grz_exact_scale *scale, const grz_convex *c, uint32_t i, grz_integer out[3]);

#endif
