// SPDX-License-Identifier: MIT
// The sweep for registers that every processor of the build's kind has; and which sweep runs.
#define GRZ_BVH_REFIT grz_bvh_refit_base
#include "space/bvh_refit_lanes.h"

grz_bvh_refitter *grz_bvh_refitter_for(grz_simd simd)
{
    switch (simd) {
    case GRZ_SIMD_SCALAR:
        return grz_bvh_refit_scalar;
#ifdef GRZ_SIMD_X86
    case GRZ_SIMD_AVX2:
        return grz_bvh_refit_avx2;
    case GRZ_SIMD_AVX512:
        return grz_bvh_refit_avx512;
#endif
    default:
        return grz_bvh_refit_base;
    }
}
