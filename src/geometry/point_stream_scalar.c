// SPDX-License-Identifier: MIT
// The passes in plain C.
#define GRZ_LANES_PORTABLE
#define GRZ_POINT_STREAM grz_point_stream_scalar
#include "geometry/point_stream_lanes.h"
