// SPDX-License-Identifier: MIT
// The shaders for picking. The build makes one grz_gl_stage of each file under gpu/picking/shaders
// (cmake/GrazeGL.cmake).
#ifndef GRZ_GPU_PICKING_PICKING_SHADERS_H
#define GRZ_GPU_PICKING_PICKING_SHADERS_H

#include "gl/gl.h"
#include "gpu/picking/shaders/picking_bindings.h"

extern const grz_gl_stage grz_shader_numbers_vert, grz_shader_numbers_frag, grz_shader_region_select_comp;

#endif
