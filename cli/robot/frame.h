// SPDX-License-Identifier: MIT
// Frames: a turn and a shift. Computed in doubles: a turn is a quaternion, which is normalised after every step, so
// that errors of a few units in the last place add up along a chain of joints, and no shear comes in.
#ifndef GRZ_CLI_ROBOT_FRAME_H
#define GRZ_CLI_ROBOT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct robot_frame {
    double shift[3];
    double turn[4]; // x, y, z, w, of unit length
} robot_frame;

robot_frame frame_identity(void);

// First `inner`, then `outer`: a frame given in another frame.
robot_frame frame_combine(const robot_frame *outer, const robot_frame *inner);

// URDF's origin: Rz(yaw) Ry(pitch) Rx(roll), in radians, then the shift.
robot_frame frame_from_origin(const double xyz[3], const double rpy[3]);

// A turn by `angle` radians about an axis of unit length, and a shift along it.
robot_frame frame_about(const double axis[3], double angle);
robot_frame frame_along(const double axis[3], double way);

#endif
