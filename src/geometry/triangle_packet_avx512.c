// SPDX-License-Identifier: MIT
// Judging packets with AVX-512. The build compiles this file, and others of its ending, with its options.
#define GRZ_PACKET_JUDGE grz_packet_judge_avx512
#include "base/simd.h"
#ifdef GRZ_SIMD_X86
#include "geometry/triangle_packet_lanes.h"
#endif
