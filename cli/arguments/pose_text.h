// SPDX-License-Identifier: MIT
// Poses as text.
#ifndef GRZ_CLI_ARGUMENTS_POSE_TEXT_H
#define GRZ_CLI_ARGUMENTS_POSE_TEXT_H

#include <graze/graze.h>

// Read a pose, written as for --pose-a. Returns NULL, or a text that says what is wrong; it may be in `reason`.
const char *pose_read(const char *text, grz_pose *pose, grz_error *reason);

#endif
