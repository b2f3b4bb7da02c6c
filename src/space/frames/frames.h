// SPDX-License-Identifier: MIT
// Frames: the coordinates in which the nodes of two posed hierarchies are compared. Boxes are mapped in floats, with a
// margin that covers all rounding errors.
#ifndef GRZ_SPACE_FRAMES_FRAMES_H
#define GRZ_SPACE_FRAMES_FRAMES_H

#include "base/simd.h"
#include "space/bvh/bvh.h"

// The map of a tree's boxes to a frame. A bound of the mapped box is a sum of matrix entries times bounds of the box;
// the sign of an entry decides whether it takes the lower or the upper bound. The sum starts from `low` or `high`,
// which hold the translation and the margin.
typedef struct grz_bvh_map {
    float m[3][4], low[3], high[3]; // m: three rows; the fourth column is the translation
    // Which bound each entry takes for the lower and the upper sum: an offset into a node's bounds, in floats.
    uint8_t least[3][3], most[3][3];
    float columns[4][4], magnitudes[4][4]; // columns: the columns of m; magnitudes: their absolute values, and in the
                                           // last one the margin
    float slack;                           // upper bound of the error of a mapped point along any unit vector
    float reach;                           // points within reach are at most so far apart here; 0: they must touch
} grz_bvh_map;

typedef enum grz_bvh_frame_kind {
    GRZ_FRAMES_TREES, // two frames, the trees' own coordinates: `a` maps A to B, `b` maps B to A
    GRZ_FRAMES_WORLD, // one frame, world coordinates: `a` and `b` map both trees to it
    GRZ_FRAMES_SAME,  // one tree with itself: no maps
    GRZ_FRAMES_APART  // the boxes of both meshes are apart in one tree's coordinates: there is nothing to compare
} grz_bvh_frame_kind;

// The frames of a walk. If triangles of two nodes touch, the nodes' boxes overlap in every frame; if they are nearer
// than the reach, the boxes are at most the map's reach apart.
typedef struct grz_bvh_frames {
    grz_bvh_frame_kind kind;
    grz_bvh_map a, b;
    float scale_a, scale_b; // estimates, used for speed only: how large each tree's unit is in common units
} grz_bvh_frames;

// Choose the frames of two objects. Normally these are the coordinates of both trees, which together test the six face
// normals of the boxes. If a pose has no inverse that is accurate enough, it is world coordinates. `reach`, world
// units, is 0 or above and finite.
typedef void grz_bvh_frames_maker(grz_bvh_frames *frames, const grz_bvh *bvh_a, const grz_object *a,
                                  const grz_bvh *bvh_b, const grz_object *b, double reach);

// The function for a SIMD width that this processor supports. All widths give the same numbers.
grz_bvh_frames_maker *grz_bvh_frames_maker_for(grz_simd simd);

grz_bvh_frames_maker grz_bvh_frames_of_pair_scalar, grz_bvh_frames_of_pair_base;
#ifdef GRZ_SIMD_X86
grz_bvh_frames_maker grz_bvh_frames_of_pair_avx2, grz_bvh_frames_of_pair_avx512;
#endif

#endif
