// SPDX-License-Identifier: MIT
// The shaders that draw and read meshes. The build makes one grz_gl_stage of each file under gpu/shaders
// (cmake/GrazeGL.cmake).
#ifndef GRZ_GPU_MESH_SHADERS_H
#define GRZ_GPU_MESH_SHADERS_H

#include "gl/gl.h"
#include "gpu/shaders/mesh_bindings.h"

extern const grz_gl_stage grz_shader_view_vert;
extern const grz_gl_stage grz_shader_gl_mesh_measure_comp, grz_shader_gl_mesh_select_comp,
    grz_shader_gl_mesh_gather_comp, grz_shader_leaf_refit_comp;

#endif
