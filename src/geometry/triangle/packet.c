// SPDX-License-Identifier: MIT
// Picks the judge of packets for a SIMD width. The judge itself is in packet_lanes.c.
#include "geometry/triangle/packet.h"

grz_packet_judge *grz_packet_judge_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_packet_judge);
}
