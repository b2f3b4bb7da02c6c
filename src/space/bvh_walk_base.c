// SPDX-License-Identifier: MIT
// The walk for registers that every processor of the build's kind has; and which walker runs.
#define GRZ_BVH_WALKER grz_bvh_walker_base
#include "space/bvh_walk_lanes.h"

const grz_bvh_walker *grz_bvh_walker_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, &grz_bvh_walker);
}
