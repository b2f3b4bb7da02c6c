// SPDX-License-Identifier: MIT
// Walks two hierarchies together, the nearest boxes first, to find the pairs of triangles that may be the nearest.
#ifndef GRZ_ASK_DISTANCE_DISTANCE_WALK_H
#define GRZ_ASK_DISTANCE_DISTANCE_WALK_H

#include "ask/distance/nearest_pairs.h"
#include "base/simd.h"
#include "space/bvh/bvh.h"

// Compare all pairs of triangles that may be the nearest; with a relative error, only those that may be nearer than the
// best upper bound / (1 + relative_error). `lower` receives a proved lower bound of what
// was not compared; infinite: that cannot be the nearest. Returns GRZ_OK, or the status with which the control says to
// end: what is proved until then is in `lower` and in the pairs.
grz_status grz_distance_walk(grz_nearest_pairs *pairs, const grz_bvh *bvh_a, const grz_bvh *bvh_b, grz_simd simd,
                             double relative_error, double *lower);

#endif
