// SPDX-License-Identifier: MIT
// How far the boxes of a node are from a point, at least, in a frame of the tree.
#ifndef GRZ_ASK_DISTANCE_POINTS_POINT_BOUNDS_H
#define GRZ_ASK_DISTANCE_POINTS_POINT_BOUNDS_H

#include "ask/distance/distance_frames.h"

// A box of a frame that holds a point, whatever was rounded.
typedef struct grz_distance_place {
    float low[3], high[3];
} grz_distance_place;

// Place a point (world coordinates) in the first frame. False: it is so far away that floats tell too little.
bool grz_distance_place_set(grz_distance_place *place, const grz_distance_frames *frames, const double point[3]);

// Bound the distances of all children of a node from a place: squared, in the frames' unit. Returns the children that
// have any within `limit` (grz_distance_limit()), as bits; of empty children nothing is known.
typedef uint32_t grz_distance_point_bounds(const grz_distance_map *map, const grz_bvh_node *node,
                                           const grz_distance_place *place, float limit, float squares[GRZ_BVH_WIDTH]);

grz_distance_point_bounds *grz_distance_point_bounds_for(grz_simd simd);

grz_distance_point_bounds grz_distance_point_bounds_of_scalar, grz_distance_point_bounds_of_base;
#ifdef GRZ_SIMD_X86
grz_distance_point_bounds grz_distance_point_bounds_of_avx2, grz_distance_point_bounds_of_avx512;
#endif

#endif
