// SPDX-License-Identifier: MIT
// The nearest face of a mesh from a point: the triangles that may be the nearest, and which of them is, exactly.
#ifndef GRZ_ASK_DISTANCE_POINTS_NEAREST_FACE_H
#define GRZ_ASK_DISTANCE_POINTS_NEAREST_FACE_H

#include <graze/distance.h>

#include "ask/distance/points/point_bounds.h"
#include "base/control_type.h"
#include "geometry/distance/gap.h"

// A triangle that may be the nearest.
typedef struct grz_near_triangle {
    uint32_t triangle;
    grz_gap gap; // encloses its distance from the point, in the search's unit
} grz_near_triangle;

// An object; searches share it.
typedef struct grz_nearest_face_target {
    const grz_object *object;
    const grz_bvh *bvh;
    double size; // no posed coordinate is larger
    grz_distance_frames frames;
    grz_distance_point_bounds *bounds;
} grz_nearest_face_target;

void grz_nearest_face_target_set(grz_nearest_face_target *target, const grz_object *object, const grz_bvh *bvh,
                                 grz_simd simd);

// Finds the nearest faces of one object from one point after another, on one thread. Set `target` and `control`, and
// all other members to 0.
typedef struct grz_nearest_face {
    const grz_nearest_face_target *target;
    grz_control *control;
    uint32_t guess; // the triangle that is tried first: the nearest of the last point
    size_t steps;   // for the control
    double scale;   // the unit: coordinates are multiplied by this power of two
    double upper;   // the nearest triangle is not farther, in the unit
    double limit;   // boxes are farther away if their squares are larger than this
    bool placed;    // boxes are compared in a frame, in its unit; else in the world, in this search's unit
    grz_distance_place place;
    bool touching;   // the point is on a triangle
    double point[3]; // in the world
    GRZ_ARRAY(grz_near_triangle) near;
} grz_nearest_face;

// Find the nearest face of a point (world coordinates, up to 2^300 in magnitude). The answer's location becomes
// GRZ_ON_SURFACE, or GRZ_LOCATION_UNKNOWN if the point is not on the surface. False: the control says to end.
bool grz_nearest_face_find(grz_nearest_face *search, const double point[3], grz_point_distance *answer);

void grz_nearest_face_finish(grz_nearest_face *search);

#endif
