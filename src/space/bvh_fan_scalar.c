// SPDX-License-Identifier: MIT
// Judging fans in plain C.
#define GRZ_LANES_PORTABLE
#define GRZ_FAN_JUDGE grz_fan_judge_scalar
#include "space/bvh_fan_lanes.h"
