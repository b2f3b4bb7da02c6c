// SPDX-License-Identifier: MIT
// Judging fans with AVX-512. The build compiles this file, and others of its ending, with its options.
#define GRZ_FAN_JUDGE grz_fan_judge_avx512
#include "base/simd.h"
#ifdef GRZ_SIMD_X86
#include "space/bvh_fan_lanes.h"
#endif
