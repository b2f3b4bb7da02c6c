// SPDX-License-Identifier: MIT
// The distance of a mover's core from a triangle, enclosed.
#ifndef GRZ_LEVEL_MOVER_BODY_SEPARATION_H
#define GRZ_LEVEL_MOVER_BODY_SEPARATION_H

#include <stdbool.h>

#include "level/mover/body/core.h"

// Of a core and a triangle: lower <= exact distance <= upper. The gap between their projections onto `normal` is at
// least `lower`, so the core can move across the normal, or away, without coming nearer than that. If a box or a
// cylinder overlaps the triangle, `lower` is below 0: about the depth along the normal.
typedef struct grz_separation {
    double lower, upper;
    double order;     // a convex function of the triangle's points, at its least: smaller means nearer
    double normal[3]; // of length 1 but for rounding, from the triangle to the core
    double point[3];  // the nearest point of the triangle, rounded; of a set of such points one in its middle
    bool on_face;     // the normal is that of the triangle's plane
} grz_separation;

// What rounding can do to a separation, for numbers up to `size`.
double grz_separation_error(double size);

// A core and a triangle: no coordinate is larger.
double grz_separation_size(const grz_core *core, const double c[3][3]);

// `c`: a triangle's corners. Coordinates are up to 2^102 in magnitude; they are best measured from near the core.
// Corners in another order may give other roundings.
void grz_separation_find(const grz_core *core, const double c[3][3], grz_separation *out);

// The nearest point of a triangle to a point, rounded. Returns the squared distance.
double grz_nearest_of_triangle(const double point[3], const double c[3][3], double nearest[3]);

#endif
