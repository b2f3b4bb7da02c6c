// SPDX-License-Identifier: MIT
// Fans of many triangles: the cap of a cylinder, the tip of a cone.
#ifndef GRZ_SPACE_BVH_FAN_LARGE_H
#define GRZ_SPACE_BVH_FAN_LARGE_H

#include "base/control.h"
#include "space/bvh/fans.h"

enum {
    GRZ_FAN_SMALL = 16 // fans of at most so many triangles are judged by grz_fan_judge, in vectors
};

// True if the fan of a vertex is clear (fans.h). For any number of triangles; its time is that of sorting them. False
// also if memory or time is out.
bool grz_fan_large_is_clear(const grz_fan_corners *corners, uint32_t vertex, grz_control *control);

#endif
