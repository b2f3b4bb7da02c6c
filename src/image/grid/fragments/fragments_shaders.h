// SPDX-License-Identifier: MIT
// The shaders of lists of fragments. The build makes one grz_gl_stage of each file under image/grid/fragments/shaders.
#ifndef GRZ_IMAGE_GRID_FRAGMENTS_FRAGMENTS_SHADERS_H
#define GRZ_IMAGE_GRID_FRAGMENTS_FRAGMENTS_SHADERS_H

#include "gl/gl.h"

extern const grz_gl_stage grz_shader_pairs_unique_comp, grz_shader_self_unique_comp;
extern const grz_gl_stage grz_shader_layers_visit_comp, grz_shader_layers_big_comp, grz_shader_layers_plan_comp,
    grz_shader_layers_walk_comp;
extern const grz_gl_stage grz_shader_many_walk_comp, grz_shader_many_unique_comp;

#endif
