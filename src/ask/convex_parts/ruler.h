// SPDX-License-Identifier: MIT
// How far a convex body stands out of a solid.
#ifndef GRZ_ASK_CONVEX_PARTS_RULER_H
#define GRZ_ASK_CONVEX_PARTS_RULER_H

#include <graze/distance.h>

#include "base/control_type.h"
#include "geometry/hull/hull_build.h"

// What is measured against. The call's control may end each measurement.
typedef struct grz_parts_ruler {
    grz_device *device;
    grz_object solid;
    double size; // no coordinate of the solid is larger
    grz_control *control;
} grz_parts_ruler;

// The farthest point of the body from the solid is `lower` to `upper` away. `worst`: a point of the body that is
// `lower` away from it; `beside`: the point of the solid next to it.
typedef struct grz_parts_measure {
    double lower, upper;
    double worst[3], beside[3];
} grz_parts_measure;

// Measure until `upper` is at most `allowed`, or not much more than `lower`. `quick`: end as soon as `lower` is more
// than `allowed`, or nearly as much if more would take long; `upper` is then a coarse bound above `allowed`.
grz_status grz_parts_measure_hull(const grz_parts_ruler *ruler, const grz_hull_shape *hull, double allowed, bool quick,
                                  grz_parts_measure *out);

// Distances of points from the solid, with what is inside of it.
grz_status grz_parts_measure_points(const grz_parts_ruler *ruler, const double *points, size_t count,
                                    grz_point_distance *answers);

#endif
