// SPDX-License-Identifier: MIT
// The shaders that compare leaf boxes. The build makes one grz_gl_stage of each file under image/grid/leaves/shaders.
#ifndef GRZ_IMAGE_GRID_LEAVES_LEAVES_SHADERS_H
#define GRZ_IMAGE_GRID_LEAVES_LEAVES_SHADERS_H

#include "gl/gl.h"

extern const grz_gl_stage grz_shader_leaves_select_comp, grz_shader_leaves_join_comp, grz_shader_leaves_load_comp,
    grz_shader_leaves_pairs_comp;
extern const grz_gl_stage grz_shader_volumes_load_comp, grz_shader_volumes_pairs_comp;

#endif
