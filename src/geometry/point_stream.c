// SPDX-License-Identifier: MIT
// Picks the passes over points for a SIMD width. The passes themselves are in point_stream_lanes.c.
#include "geometry/point_stream.h"

const grz_point_stream *grz_point_stream_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, &grz_point_stream);
}
