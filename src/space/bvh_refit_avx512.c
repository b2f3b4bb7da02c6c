// SPDX-License-Identifier: MIT
// The sweep for AVX-512. The build compiles this file, and others of its ending, with its options.
#define GRZ_BVH_REFIT grz_bvh_refit_avx512
#include "base/simd.h"
#ifdef GRZ_SIMD_X86
#include "space/bvh_refit_lanes.h"
#endif
