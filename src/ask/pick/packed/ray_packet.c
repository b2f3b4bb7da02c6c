// SPDX-License-Identifier: MIT
#include "ask/pick/packed/ray_packet.h"

const grz_packet_steps *grz_packet_steps_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, &grz_packet_steps_of);
}
