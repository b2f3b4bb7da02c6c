// SPDX-License-Identifier: MIT
// Passes over many points, x y z after x y z: bounds, and on which sides of a box they lie. Written once, in point_stream_lanes.h,
// and compiled for each width of the processor's registers; all give the same answers.
#ifndef GRZ_GEOMETRY_POINT_STREAM_H
#define GRZ_GEOMETRY_POINT_STREAM_H

#include <stdint.h>

#include "base/simd.h"
#include "geometry/pose.h"

typedef struct grz_point_stream {
    // Grow the box by points of doubles, of any alignment. False: some coordinate is NaN or larger than 2^300 in magnitude; the
    // box is then of no use.
    bool (*extent)(const void *points, size_t count, grz_box *box);
    // For each point the sides of a box, in world coordinates, beyond which its world position lies: bit i below min[i], bit 4 + i
    // above max[i]. A triangle whose corners have a bit in common does not meet the box.
    void (*outcodes)(const grz_pose *pose, const grz_box *box, const double *points, size_t count, uint8_t *codes);
} grz_point_stream;

// The passes for a width that this processor has.
const grz_point_stream *grz_point_stream_for(grz_simd simd);

extern const grz_point_stream grz_point_stream_scalar;
extern const grz_point_stream grz_point_stream_base; // SSE2, NEON, or what else every processor of this kind has
#ifdef GRZ_SIMD_X86
extern const grz_point_stream grz_point_stream_avx2, grz_point_stream_avx512;
#endif

#endif
