// SPDX-License-Identifier: MIT
// The shaders of method `slices`. The build makes one grz_gl_stage of each file under image/slices/shaders
// (cmake/GrazeGL.cmake).
#ifndef GRZ_IMAGE_SLICES_SLICES_SHADERS_H
#define GRZ_IMAGE_SLICES_SLICES_SHADERS_H

#include "gpu/mesh_shaders.h"
#include "image/slices/shaders/slices_bindings.h"

extern const grz_gl_stage grz_shader_slices_16_frag, grz_shader_slices_512_frag;
extern const grz_gl_stage grz_shader_slices_16_comp, grz_shader_slices_512_comp;

#endif
