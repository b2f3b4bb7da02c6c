// SPDX-License-Identifier: MIT
// The shaders in the program, one for each file under image/shaders; the build makes their C files (cmake/GrazeGL.cmake).
#ifndef GRZ_IMAGE_SHADERS_H
#define GRZ_IMAGE_SHADERS_H

#include "gl/gl.h"
#include "image/shaders/shared.h"

extern const grz_gl_stage grz_shader_picture_vert, grz_shader_picture_frag;
extern const grz_gl_stage grz_shader_picture_curve_vert, grz_shader_picture_curve_frag;
extern const grz_gl_stage grz_shader_view_vert, grz_shader_slices_16_frag, grz_shader_slices_512_frag;
extern const grz_gl_stage grz_shader_slices_16_comp, grz_shader_slices_512_comp;
extern const grz_gl_stage grz_shader_gl_mesh_measure_comp, grz_shader_gl_mesh_select_comp, grz_shader_gl_mesh_gather_comp;
extern const grz_gl_stage grz_shader_voxels_place_comp, grz_shader_voxels_visit_comp, grz_shader_voxels_big_comp;
extern const grz_gl_stage grz_shader_pairs_plan_comp, grz_shader_pairs_join_comp, grz_shader_pairs_test_comp;
extern const grz_gl_stage grz_shader_pairs_unique_comp, grz_shader_self_unique_comp;
extern const grz_gl_stage grz_shader_layers_visit_comp, grz_shader_layers_big_comp, grz_shader_layers_plan_comp,
    grz_shader_layers_walk_comp;
extern const grz_gl_stage grz_shader_layers_lists_frag, grz_shader_layers_fixed_frag, grz_shader_layers_peel_frag;
extern const grz_gl_stage grz_shader_layers_collect_comp, grz_shader_sets_walk_comp, grz_shader_sets_unique_comp;
extern const grz_gl_stage grz_shader_many_walk_comp, grz_shader_many_unique_comp;

#endif
