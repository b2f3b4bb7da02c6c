// SPDX-License-Identifier: MIT
// The walk for registers that every processor of the build's kind has; and which walker runs.
#define GRZ_BVH_WALKER grz_bvh_walker_base
#include "space/bvh_walk_lanes.h"

const grz_bvh_walker *grz_bvh_walker_for(grz_simd simd)
{
    switch (simd) {
    case GRZ_SIMD_SCALAR:
        return &grz_bvh_walker_scalar;
#ifdef GRZ_SIMD_X86
    case GRZ_SIMD_AVX2:
        return &grz_bvh_walker_avx2;
    case GRZ_SIMD_AVX512:
        return &grz_bvh_walker_avx512;
#endif
    default:
        return &grz_bvh_walker_base;
    }
}
