// SPDX-License-Identifier: MIT
// The walk for AVX2. The build compiles this file, and others of its ending, with -mavx2.
#define GRZ_BVH_WALKER grz_bvh_walker_avx2
#include "base/simd.h"
#ifdef GRZ_SIMD_X86
#include "space/bvh_walk_lanes.h"
#endif
