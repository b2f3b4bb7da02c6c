// SPDX-License-Identifier: MIT
// The walk for AVX-512, whose comparisons leave bits. The build compiles this file, and others of its ending, with its options.
#define GRZ_BVH_WALKER grz_bvh_walker_avx512
#include "base/simd.h"
#ifdef GRZ_SIMD_X86
#include "space/bvh_walk_lanes.h"
#endif
