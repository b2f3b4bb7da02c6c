// SPDX-License-Identifier: MIT
// Judging fans with AVX2. The build compiles this file, and others of its ending, with -mavx2.
#define GRZ_FAN_JUDGE grz_fan_judge_avx2
#include "base/simd.h"
#ifdef GRZ_SIMD_X86
#include "space/bvh_fan_lanes.h"
#endif
