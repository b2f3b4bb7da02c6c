// SPDX-License-Identifier: MIT
// Frames: a turn and a shift. Computed in doubles: a turn is a quaternion, which is normalised after every step, so
// that errors of a few units in the last place add up along a chain of joints, and no shear comes in. All but the
// public functions need round-to-nearest.
#ifndef GRZ_IO_ROBOT_FRAME_H
#define GRZ_IO_ROBOT_FRAME_H

#include <graze/io_robot.h>

// First `inner`, then `outer`: a frame given in another frame.
grz_io_frame grz_io_combine_frames(const grz_io_frame *outer, const grz_io_frame *inner);

// What grz_io_joint_motion() does.
grz_io_frame grz_io_move_joint(const grz_io_joint *joint, double value);

// What grz_io_frame_from_rpy() does.
grz_io_frame grz_io_frame_of_origin(const double xyz[3], const double rpy[3]);

#endif
