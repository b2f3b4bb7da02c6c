// SPDX-License-Identifier: MIT
// The passes for registers that every processor of the build's kind has; and which passes run.
#define GRZ_POINT_STREAM grz_point_stream_base
#include "geometry/point_stream_lanes.h"

const grz_point_stream *grz_point_stream_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, &grz_point_stream);
}
