// SPDX-License-Identifier: MIT
// The part of a displacement that contacts leave free.
#ifndef GRZ_LEVEL_MOVER_SLIDE_CONE_H
#define GRZ_LEVEL_MOVER_SLIDE_CONE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum grz_cone_part {
    GRZ_CONE_FREE,   // all of the displacement
    GRZ_CONE_SLIDE,  // along one plane
    GRZ_CONE_CREASE, // along two planes
    GRZ_CONE_CORNER  // nothing
} grz_cone_part;

// The vector nearest to `displacement` that has no component against any of the normals (count × 3, of length 1): the
// projection onto a convex cone. Found by trying all planes and all pairs of planes; there is only one. Components
// against a normal of 2^-40 of the displacement are taken for none. With equal normals in another order the answer is
// the same.
grz_cone_part grz_cone_project(const double *normals, size_t count, const double displacement[3], double out[3]);

// The shortest vector that leads out of all half-spaces normal · x < depth (count of each). False: there is none, or it
// is longer than `most`.
bool grz_cone_lift(const double *normals, const double *depths, size_t count, double most, double out[3]);

#endif
