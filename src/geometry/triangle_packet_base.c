// SPDX-License-Identifier: MIT
// Judging packets with registers that every processor of the build's kind has; and which judge is asked.
#define GRZ_PACKET_JUDGE grz_packet_judge_base
#include "geometry/triangle_packet_lanes.h"

grz_packet_judge *grz_packet_judge_for(grz_simd simd)
{
    switch (simd) {
    case GRZ_SIMD_SCALAR:
        return grz_packet_judge_scalar;
#ifdef GRZ_SIMD_X86
    case GRZ_SIMD_AVX2:
        return grz_packet_judge_avx2;
    case GRZ_SIMD_AVX512:
        return grz_packet_judge_avx512;
#endif
    default:
        return grz_packet_judge_base;
    }
}
