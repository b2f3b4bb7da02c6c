// SPDX-License-Identifier: MIT
// The shaders that draw objects of an environment. The build makes one grz_gl_stage of each file under
// image/environment/shaders (cmake/GrazeGL.cmake).
#ifndef GRZ_IMAGE_ENVIRONMENT_ENVIRONMENT_SHADERS_H
#define GRZ_IMAGE_ENVIRONMENT_ENVIRONMENT_SHADERS_H

#include "gpu/mesh_shaders.h"
#include "image/environment/shaders/environment_bindings.h"

extern const grz_gl_stage grz_shader_environment_record_vert, grz_shader_environment_record_frag;

#endif
