// SPDX-License-Identifier: MIT
// The coordinates in which the nodes of two posed hierarchies are compared, as floats with a margin that covers every rounding.
#ifndef GRZ_SPACE_BVH_FRAMES_H
#define GRZ_SPACE_BVH_FRAMES_H

#include "space/bvh.h"

// How a tree's boxes come into a frame: each bound is the sum of matrix entries times bounds, the least or the largest by the
// entries' signs, starting from `low` and `high`, which hold the translation and the margin.
typedef struct grz_bvh_map {
    float m[3][4], low[3], high[3];        // m: rows, and the translation
    uint8_t least[3][3], most[3][3];       // which bound goes with each entry: its place in a node's bounds, counted in floats
    float columns[4][4], magnitudes[4][4]; // the columns of m, and what they can make of a half: magnitudes, and the margin
    float slack;                           // how far a point may be mapped wrongly along any unit vector
} grz_bvh_map;

typedef enum grz_bvh_frame_kind {
    GRZ_FRAMES_TREES, // two frames, B's tree coordinates and A's: `a` takes A to B, `b` takes B to A
    GRZ_FRAMES_WORLD, // one frame: `a` and `b` take both there
    GRZ_FRAMES_SAME   // one tree with itself: no maps
} grz_bvh_frame_kind;

// Two nodes whose triangles touch have boxes that overlap in every frame.
typedef struct grz_bvh_frames {
    grz_bvh_frame_kind kind;
    grz_bvh_map a, b;
    float scale_a, scale_b; // how large a unit of each tree is beside the other's; estimates
} grz_bvh_frames;

// The frames of two objects: B's tree coordinates and A's, which together are a box test along six axes; where a pose has no inverse
// that floats can do with, the world's.
void grz_bvh_frames_of_pair(grz_bvh_frames *frames, const grz_bvh *bvh_a, const grz_object *a, const grz_bvh *bvh_b,
                            const grz_object *b);

#endif
