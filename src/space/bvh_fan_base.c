// SPDX-License-Identifier: MIT
// Judging fans with registers that every processor of the build's kind has; and which judge is asked.
#define GRZ_FAN_JUDGE grz_fan_judge_base
#include "space/bvh_fan_lanes.h"

grz_fan_judge *grz_fan_judge_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_fan_judge);
}
