// SPDX-License-Identifier: MIT
// Adds OpenGL to a device. device_gl.c implements it; without_gl.c replaces it in builds without OpenGL.
#ifndef GRZ_GL_DEVICE_OPEN_H
#define GRZ_GL_DEVICE_OPEN_H

#include "base/device.h"

// Add the OpenGL that the options ask for. Not called for GRZ_DEVICE_CPU. With GRZ_DEVICE_AUTO the context is opened
// later, when it is first needed. On failure the caller closes the device.
grz_status grz_gl_attach(grz_device *device, const grz_device_options *options, grz_error *error);

#endif
