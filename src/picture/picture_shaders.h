// SPDX-License-Identifier: MIT
// The picture's shaders, one for each file under picture/shaders. The build turns each into a C file
// (cmake/GrazeGL.cmake).
#ifndef GRZ_PICTURE_PICTURE_SHADERS_H
#define GRZ_PICTURE_PICTURE_SHADERS_H

#include "gl/gl.h"
#include "picture/shaders/picture_bindings.h"

extern const grz_gl_stage grz_shader_picture_vert, grz_shader_picture_frag;
extern const grz_gl_stage grz_shader_picture_curve_vert, grz_shader_picture_curve_frag;

#endif
