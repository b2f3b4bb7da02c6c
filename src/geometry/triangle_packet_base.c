// SPDX-License-Identifier: MIT
// Judging packets with registers that every processor of the build's kind has; and which judge is asked.
#define GRZ_PACKET_JUDGE grz_packet_judge_base
#include "geometry/triangle_packet_lanes.h"

grz_packet_judge *grz_packet_judge_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_packet_judge);
}
