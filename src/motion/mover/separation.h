// SPDX-License-Identifier: MIT
// The distance of a mover's core from a triangle, enclosed; and how far the core may move before it comes too near.
#ifndef GRZ_MOTION_MOVER_SEPARATION_H
#define GRZ_MOTION_MOVER_SEPARATION_H

#include <stdbool.h>
#include <stdint.h>

// A point (count 1) or a segment (count 2). The shape is all points within a radius of it.
typedef struct grz_core {
    double ends[2][3];
    int count;
} grz_core;

// Of a core and a triangle: lower <= exact distance <= upper. The gap between their projections onto `normal` is at
// least `lower`, so the core can move across the normal, or away, without coming nearer than that.
typedef struct grz_separation {
    double lower, upper;
    double normal[3]; // of length 1 but for rounding, from the triangle to the core
    double point[3];  // the nearest point of the triangle, rounded
    bool on_face;     // the normal is that of the triangle's plane
} grz_separation;

// What rounding can do to a separation, for numbers up to `size`.
double grz_separation_error(double size);

// `c`: a triangle's corners. Coordinates are up to 2^102 in magnitude; they are best measured from near the core.
// Corners in another order may give other roundings.
void grz_separation_find(const grz_core *core, const double c[3][3], grz_separation *out);

// The nearest point of a triangle to a point, rounded. Returns the squared distance.
double grz_nearest_of_triangle(const double point[3], const double c[3][3], double nearest[3]);

// Distances that a sweep keeps.
typedef struct grz_sweep_bars {
    double radius, skin;
} grz_sweep_bars;

// The last time, 0 to `until`, up to which the core, which moves by `way` in a unit of time, certainly stays as far
// from the triangle as the bars say (docs/mover.md, "The path"). `until`: it does not come too near.
double grz_separation_sweep(const grz_core *core, const double triangle[3][3], const double way[3], double until,
                            const grz_sweep_bars *bars);

#endif
