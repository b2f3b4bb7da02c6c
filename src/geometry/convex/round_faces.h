// SPDX-License-Identifier: MIT
// Two convex sets that a plane separates without room: do they have a point in common in it? Exact, in integers, for
// faces that are a point or a segment once they are seen along the plane's normal.
#ifndef GRZ_GEOMETRY_CONVEX_ROUND_FACES_H
#define GRZ_GEOMETRY_CONVEX_ROUND_FACES_H

#include "geometry/convex/exact_corner.h"

// The numbers of a round set as integers: its pose times 2^pose, its middle times 2^world, its half axes times
// 2^(world - pose).
typedef struct grz_round_set {
    grz_integer matrix[3][3], middle[3], half[3];
} grz_round_set;

// The farthest points of a set along a direction, but for multiples of the direction: the points between these, which
// are multiplied by `times` (above 0).
typedef struct grz_flat_face {
    int count; // 1 or 2
    grz_integer at[2][3], times;
} grz_flat_face;

// Find the face of a round set along side · n. False: it is a disc, or its numbers are no fractions.
bool grz_round_face(const grz_convex *c, const grz_round_set *set, const grz_integer n[3], int side,
                    grz_flat_face *out);

// Whether faces in a plane with the normal n have a point in common; false also if the numbers are too long.
bool grz_flat_faces_meet(const grz_flat_face *a, const grz_flat_face *b, const grz_integer n[3]);

#endif
