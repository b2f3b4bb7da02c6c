// SPDX-License-Identifier: MIT
// Picks the function that makes frames for a SIMD width. The work is in frames_lanes.c.
#include "space/frames/frames.h"

grz_bvh_frames_maker *grz_bvh_frames_maker_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_bvh_frames_of_pair);
}
