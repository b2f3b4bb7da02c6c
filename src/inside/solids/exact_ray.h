// SPDX-License-Identifier: MIT
// Rays from exact points, and which triangles hold an exact point. grz_probe_point() asks the same of points whose
// coordinates are doubles; here they need not be.
#ifndef GRZ_INSIDE_SOLIDS_EXACT_RAY_H
#define GRZ_INSIDE_SOLIDS_EXACT_RAY_H

#include "geometry/exact/point.h"
#include "space/bvh/bvh.h"

enum {
    GRZ_INTERIOR_ATTEMPTS = 9
};

// A point strictly inside a triangle with area; `attempt`, from 0 to GRZ_INTERIOR_ATTEMPTS - 1, chooses which. False:
// rounding leaves none to choose, as may happen in a triangle only a few ulps wide.
bool grz_exact_interior_point(const double corners[3][3], int attempt, grz_exact_point *point);

// What a ray has met.
typedef struct grz_exact_hits {
    bool on_surface; // a triangle with area holds the ray's start; the rest is then undefined
    bool odd;        // the ray meets an odd number of triangles
    int64_t winding; // how often it leaves through a triangle's counter-clockwise side, minus how often it enters there
} grz_exact_hits;

// Send a ray from an exact point along an axis, up or down, and count what it meets. As in point_in_mesh.c, it is
// shifted by an infinitely small amount, so that it meets no edge.
//
// skip     a triangle that does not count: the one in which the point lies; UINT32_MAX: none
// control  checked every few hundred microseconds
// Returns false if the control says to end.
bool grz_exact_ray(const grz_object *object, const grz_bvh *bvh, const grz_exact_point *point, int axis, bool up,
                   uint32_t skip, grz_control *control, grz_exact_hits *hits);

// The triangles with area that hold a point, in no particular order; at most `room` of them are listed. Returns how
// many there are, room + 1 if they are more than `room`.
uint32_t grz_exact_holders(const grz_object *object, const grz_bvh *bvh, const grz_exact_point *point,
                           uint32_t *triangles, uint32_t room);

#endif
