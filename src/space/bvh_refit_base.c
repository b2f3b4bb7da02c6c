// SPDX-License-Identifier: MIT
// The sweep for registers that every processor of the build's kind has; and which sweep runs.
#define GRZ_BVH_REFIT grz_bvh_refit_base
#include "space/bvh_refit_lanes.h"

grz_bvh_refitter *grz_bvh_refitter_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_bvh_refit);
}
