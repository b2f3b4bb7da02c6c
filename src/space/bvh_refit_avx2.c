// SPDX-License-Identifier: MIT
// The sweep for AVX2. The build compiles this file, and others of its ending, with -mavx2.
#define GRZ_BVH_REFIT grz_bvh_refit_avx2
#include "base/simd.h"
#ifdef GRZ_SIMD_X86
#include "space/bvh_refit_lanes.h"
#endif
