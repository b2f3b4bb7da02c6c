// SPDX-License-Identifier: MIT
// The sweep in plain C.
#define GRZ_LANES_PORTABLE
#define GRZ_BVH_REFIT grz_bvh_refit_scalar
#include "space/bvh_refit_lanes.h"
