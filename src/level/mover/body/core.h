// SPDX-License-Identifier: MIT
// The core of what is moved: a point, a segment, a box, an ellipsoid or a cylinder.
#ifndef GRZ_LEVEL_MOVER_BODY_CORE_H
#define GRZ_LEVEL_MOVER_BODY_CORE_H

#include "geometry/box.h"

typedef enum grz_core_kind {
    GRZ_CORE_ROUND,     // a point (count 1) or a segment (count 2); the shape is all points within a radius of it
    GRZ_CORE_BOX,       // all sums of s · half · axis over the axes with |s| <= 1, as real numbers; the radius is 0
    GRZ_CORE_ELLIPSOID, // the same with the sum of s² <= 1
    GRZ_CORE_CYLINDER // the same with |s| <= 1 along the third axis, and the sum of s² <= 1 over the other two, whose
                      // halves are equal
} grz_core_kind;

typedef struct grz_core {
    grz_core_kind kind;
    int count; // of ends
    double ends[2][3];
    double half[3], axes[3][3]; // the axes are of length 1 and at right angles, but for rounding
    double normals[3][3];       // of a box's faces; the third: of a cylinder's caps
    double size;                // of what is not round: no coordinate is larger
} grz_core;

// Set a box, an ellipsoid or a cylinder around the origin.
void grz_core_set(grz_core *core, grz_core_kind kind, const double half[3], const double axes[3][3]);

// A box around a core.
grz_box grz_core_bounds(const grz_core *core);

// The largest product of a direction with a point of the core, rounded.
double grz_core_support(const grz_core *core, const double direction[3]);

#endif
