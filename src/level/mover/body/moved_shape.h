// SPDX-License-Identifier: MIT
// What is moved, read from the caller's shape and checked.
#ifndef GRZ_LEVEL_MOVER_BODY_MOVED_SHAPE_H
#define GRZ_LEVEL_MOVER_BODY_MOVED_SHAPE_H

#include <graze/shape.h>

typedef enum grz_moved_kind {
    GRZ_MOVED_ROUND, // a sphere, or a capsule
    GRZ_MOVED_BOX,
    GRZ_MOVED_ELLIPSOID,
    GRZ_MOVED_CYLINDER
} grz_moved_kind;

typedef struct grz_moved_shape {
    grz_moved_kind kind;
    double radius;     // of what is round
    double half[3];    // a capsule: from its middle to one end of its core, zeros of a sphere; else the half axes
    double axes[3][3]; // of what is not round: three vectors of length 1 at right angles
} grz_moved_shape;

// Read a shape that the caller gave. Spheres, capsules, boxes, ellipsoids and cylinders around (0, 0, 0) are taken.
// Returns GRZ_OK or GRZ_ERROR_ARGUMENT.
grz_status grz_moved_shape_read(const grz_shape *given, grz_moved_shape *shape, grz_error *error);

// The radius, or the smallest half axis.
double grz_moved_shape_thickness(const grz_moved_shape *shape);

#endif
