// SPDX-License-Identifier: MIT
// The shaders of the voxel grid and of pairs. The build makes one grz_gl_stage of each file under image/grid/shaders
// (cmake/GrazeGL.cmake).
#ifndef GRZ_IMAGE_GRID_GRID_SHADERS_H
#define GRZ_IMAGE_GRID_GRID_SHADERS_H

#include "gpu/mesh_shaders.h"
#include "image/grid/shaders/grid_bindings.h"

// The head of the answers before the first pass: all zero, except that indirect dispatches have a y and a z of 1.
void grz_answer_head_init(grz_answer_head *head);

extern const grz_gl_stage grz_shader_voxels_place_comp, grz_shader_voxels_visit_comp, grz_shader_voxels_big_comp;
extern const grz_gl_stage grz_shader_pairs_plan_comp, grz_shader_pairs_join_comp, grz_shader_pairs_test_comp;

#endif
