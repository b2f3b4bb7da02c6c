// SPDX-License-Identifier: MIT
// The passes for AVX2. The build compiles this file, and others of its ending, with -mavx2.
#define GRZ_POINT_STREAM grz_point_stream_avx2
#include "base/simd.h"
#ifdef GRZ_SIMD_X86
#include "geometry/point_stream_lanes.h"
#endif
