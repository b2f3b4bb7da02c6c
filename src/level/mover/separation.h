// SPDX-License-Identifier: MIT
// The distance of a mover's core from a triangle, enclosed; and how far the core may move before it comes too near.
#ifndef GRZ_LEVEL_MOVER_SEPARATION_H
#define GRZ_LEVEL_MOVER_SEPARATION_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/box.h"

typedef enum grz_core_kind {
    GRZ_CORE_ROUND,    // a point (count 1) or a segment (count 2); the shape is all points within a radius of it
    GRZ_CORE_BOX,      // all sums of s · half · axis over the axes with |s| <= 1, as real numbers; the radius is 0
    GRZ_CORE_ELLIPSOID // the same with the sum of s² <= 1
} grz_core_kind;

typedef struct grz_core {
    grz_core_kind kind;
    int count; // of ends
    double ends[2][3];
    double half[3], axes[3][3]; // the axes are of length 1 and at right angles, but for rounding
    double normals[3][3];       // of a box's faces
    double size;                // of a box or an ellipsoid: no coordinate is larger
} grz_core;

// Set a box or an ellipsoid around the origin.
void grz_core_set(grz_core *core, grz_core_kind kind, const double half[3], const double axes[3][3]);

// A box around a core.
grz_box grz_core_bounds(const grz_core *core);

// The largest product of a direction with a point of the core, rounded.
double grz_core_support(const grz_core *core, const double direction[3]);

// Of a core and a triangle: lower <= exact distance <= upper. The gap between their projections onto `normal` is at
// least `lower`, so the core can move across the normal, or away, without coming nearer than that. A box or an
// ellipsoid that overlaps the triangle has a `lower` below 0: about how far it must go along the normal to be free.
typedef struct grz_separation {
    double lower, upper;
    double order;     // a convex function of the triangle's points, at its least: smaller means nearer
    double normal[3]; // of length 1 but for rounding, from the triangle to the core
    double point[3];  // the nearest point of the triangle, rounded; of a set of such points one in its middle
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
// from the triangle as the bars say (docs/use/mover.md, "The path"). `until` itself means that it never comes too near.
// `drift`: the displacement of each corner of the triangle in a unit of time; NULL if the triangle rests.
double grz_separation_sweep(const grz_core *core, const double triangle[3][3], const double drift[3][3],
                            const double way[3], double until, const grz_sweep_bars *bars);

#endif
