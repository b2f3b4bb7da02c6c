// SPDX-License-Identifier: MIT
// Judging packets in plain C.
#define GRZ_LANES_PORTABLE
#define GRZ_PACKET_JUDGE grz_packet_judge_scalar
#include "geometry/triangle_packet_lanes.h"
