// SPDX-License-Identifier: MIT
// How a device gets its OpenGL, in builds that have it and in those that do not.
#ifndef GRZ_GL_DEVICE_OPEN_H
#define GRZ_GL_DEVICE_OPEN_H

#include "base/device.h"

// Give a device what its options ask for besides the CPU; not called for GRZ_DEVICE_CPU. On failure the device is closed as it is.
grz_status grz_gl_attach(grz_device *device, const grz_device_options *options, grz_error *error);

#endif
