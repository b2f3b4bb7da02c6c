// SPDX-License-Identifier: MIT
// The passes for registers that every processor of the build's kind has; and which passes run.
#define GRZ_POINT_STREAM grz_point_stream_base
#include "geometry/point_stream_lanes.h"

const grz_point_stream *grz_point_stream_for(grz_simd simd)
{
    switch (simd) {
    case GRZ_SIMD_SCALAR:
        return &grz_point_stream_scalar;
#ifdef GRZ_SIMD_X86
    case GRZ_SIMD_AVX2:
        return &grz_point_stream_avx2;
    case GRZ_SIMD_AVX512:
        return &grz_point_stream_avx512;
#endif
    default:
        return &grz_point_stream_base;
    }
}
