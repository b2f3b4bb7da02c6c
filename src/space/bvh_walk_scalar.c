// SPDX-License-Identifier: MIT
// The walk in plain C.
#define GRZ_LANES_PORTABLE
#define GRZ_BVH_WALKER grz_bvh_walker_scalar
#include "space/bvh_walk_lanes.h"
