// SPDX-License-Identifier: MIT
// Fans of many triangles: the cap of a cylinder, the tip of a cone.
#ifndef GRZ_SPACE_BVH_FAN_LARGE_H
#define GRZ_SPACE_BVH_FAN_LARGE_H

#include "base/control_type.h"
#include "space/bvh/fans.h"

enum {
    GRZ_FAN_SMALL = 16 // fans of at most so many triangles are judged by grz_fan_judge, in vectors
};

// Relative error bound of the determinants that fans are judged by: 14u + O(u²) of a total of magnitudes, u = 2^-53. It
// holds if the total exceeds the second constant: then products cannot underflow.
static const double GRZ_FAN_FILTER = 16.0 * 0x1p-53;
static const double GRZ_FAN_LEAST_TOTAL = 0x1p-700;

// True if the fan of a vertex is clear (fans.h). For any number of triangles; its time is that of sorting them. False
// also if memory or time is out.
bool grz_fan_large_is_clear(const grz_fan_corners *corners, uint32_t vertex, grz_control *control);

#endif
