// SPDX-License-Identifier: MIT
// Passes over long arrays of points (x, y, z, x, y, z, …): their bounding box, and on which sides of a box they lie.
// The code is written once, in point_stream_lanes.c, and compiled once for each SIMD width. All widths give the same
// answers.
#ifndef GRZ_GEOMETRY_POINT_STREAM_H
#define GRZ_GEOMETRY_POINT_STREAM_H

#include <stdint.h>

#include "base/simd.h"
#include "geometry/pose.h"

typedef struct grz_point_stream {
    // Enlarge the box to contain `count` points of doubles, at any alignment. False if a coordinate is NaN or larger
    // than 2^300 in magnitude; the box is then undefined.
    bool (*extent)(const void *points, size_t count, grz_box *box);
    // The outcode of each point (as in Cohen-Sutherland clipping): which sides of a box in world coordinates its world
    // position lies beyond. Bit i is set if it is below min[i], bit 4 + i if it is above max[i]. If the three corners
    // of a triangle have a bit in common, the triangle does not meet the box.
    void (*outcodes)(const grz_pose *pose, const grz_box *box, const double *points, size_t count, uint8_t *codes);
} grz_point_stream;

// The passes for a SIMD width that this processor supports.
const grz_point_stream *grz_point_stream_for(grz_simd simd);

extern const grz_point_stream grz_point_stream_scalar;
extern const grz_point_stream grz_point_stream_base; // SSE2 or NEON
#ifdef GRZ_SIMD_X86
extern const grz_point_stream grz_point_stream_avx2, grz_point_stream_avx512;
#endif

#endif
