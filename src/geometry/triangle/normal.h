// SPDX-License-Identifier: MIT
// Unit normals of triangles and edge pairs, nearly correct to the last bit for every shape, size and position of the
// triangles. The result depends on the points only: starting a triangle at another corner changes no bit, and reversing
// its orientation changes only the sign.
#ifndef GRZ_GEOMETRY_TRIANGLE_NORMAL_H
#define GRZ_GEOMETRY_TRIANGLE_NORMAL_H

#include <stdbool.h>

#include "geometry/exact/expansion.h"

// A direction: a vector whose length has no meaning. Either exactly zero, or the largest component is in [1, 2) in
// magnitude and each component is within `error` of the exact value.
typedef struct grz_direction {
    dd at[3];     // the components
    double error; // absolute, at most 2^-59
    bool zero;    // exactly the zero vector
} grz_direction;

// A direction and the same direction as a vector of length 1. Every component of `unit` above 2^-900 has a relative
// error of at most 2.1 · 2^-53. `unit` is zero if the direction is zero.
typedef struct grz_unit_normal {
    grz_direction direction;
    double unit[3];
} grz_unit_normal;

// The normal of a triangle by the right-hand rule; zero if the triangle has no area.
void grz_triangle_normal(const double corners[3][3], grz_unit_normal *normal);

// The normal of two edges: (q - p) × (s - r), where each edge starts at its lexicographically smaller end. Zero if the
// edges are parallel or one has no length. Exchanging the edges changes only the sign.
void grz_edge_normal(const double p[3], const double q[3], const double r[3], const double s[3],
                     grz_unit_normal *normal);

// For two triangles whose edges p-q and r-s cross, with third corners a and b: on which side of the edges' common plane
// is each triangle? Returns 1 if a lies on the side to which grz_edge_normal() points and b on the other side, -1 if it
// is the other way round. A corner in the plane agrees with either; 0 if that leaves no answer.
int grz_edge_side(const double p[3], const double q[3], const double r[3], const double s[3], const double a[3],
                  const double b[3]);

// The direction from unit normal A to unit normal B, for two triangles with area; each component is within 2^-49 of the
// exact value. If the normals are exactly equal, returns false and `unit` is B's normal. Otherwise exchanging the
// triangles changes only the sign.
bool grz_normal_difference(const double a[3][3], const grz_unit_normal *normal_a, const double b[3][3],
                           const grz_unit_normal *normal_b, double unit[3]);

#endif
