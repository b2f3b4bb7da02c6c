// SPDX-License-Identifier: MIT
// Directions of triangles and edges, close to the last bit whatever the triangles' shape, size and place. The bits depend on the
// points alone: beginning a triangle at another corner changes none, reversing it changes the sign and nothing else.
#ifndef GRZ_GEOMETRY_TRIANGLE_NORMAL_H
#define GRZ_GEOMETRY_TRIANGLE_NORMAL_H

#include <stdbool.h>

#include "geometry/expansion.h"

// A vector of which the direction counts: the largest component is in [1, 2) in magnitude; each is within `error` of the truth. Or
// zero.
typedef struct grz_direction {
    dd at[3];
    double error; // at most 2^-59
    bool zero;    // exactly
} grz_direction;

// A direction, and the same as a vector of length 1, every component above 2^-900 within a relative 2.1 * 2^-53; zero where the
// direction is zero.
typedef struct grz_unit_normal {
    grz_direction direction;
    double unit[3];
} grz_unit_normal;

// The normal by the right-hand rule; zero for a triangle without area.
void grz_triangle_normal(const double corners[3][3], grz_unit_normal *normal);

// (q - p) × (s - r), each edge taken from its lexicographically smaller end; zero where they are parallel or one has no length.
// Exchanging the edges changes the sign and nothing else.
void grz_edge_normal(const double p[3], const double q[3], const double r[3], const double s[3], grz_unit_normal *normal);

// Of two triangles whose edges p-q and r-s cross, with third corners a and b: 1 where the first lies on the side of the edges'
// common plane to which grz_edge_normal() points and the second on the other, -1 where it is the other way round; 0 where that
// cannot be said.
int grz_edge_side(const double p[3], const double q[3], const double r[3], const double s[3], const double a[3], const double b[3]);

// The direction from unit normal A to unit normal B, of two triangles with area, every component within 2^-49 of the truth. False,
// and B's normal, where the two are exactly the same. Where it is true, exchanging the triangles changes the sign and nothing else.
bool grz_normal_difference(const double a[3][3], const grz_unit_normal *normal_a, const double b[3][3],
                           const grz_unit_normal *normal_b, double unit[3]);

#endif
