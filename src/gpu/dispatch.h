// SPDX-License-Identifier: MIT
// Dispatches of compute shaders that end in time: with a deadline or a cancel flag, a large one is split.
#ifndef GRZ_GPU_DISPATCH_H
#define GRZ_GPU_DISPATCH_H

#include <stddef.h>

#include "gl/gl.h"

// How many work groups to dispatch before the next look at the control: some milliseconds of work. All, if there is
// neither a deadline nor a cancel flag.
uint32_t grz_dispatch_most(const grz_gl *gl, const grz_control *control);

// Run the program in use. The number of work groups is in the buffer of indirect dispatches, at an offset in bytes. The
// program must count them by group_number() (shaders/group_number.h). The next program sees what it wrote. Returns the
// control's status.
grz_status grz_dispatch(const grz_gl *gl, grz_control *control, size_t offset);

// The same for a number of work groups that is known here.
grz_status grz_dispatch_groups(const grz_gl *gl, grz_control *control, uint64_t groups);

#endif
