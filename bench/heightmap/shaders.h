// SPDX-License-Identifier: MIT
// The shaders of the scene. The build makes one grz_gl_stage of each file in shaders/ (heightmap.cmake).
#ifndef GRZ_BENCH_HEIGHTMAP_SHADERS_H
#define GRZ_BENCH_HEIGHTMAP_SHADERS_H

#include "gl/gl.h"

extern const grz_gl_stage grz_shader_scene_solid_vert;
extern const grz_gl_stage grz_shader_scene_flag_vert, grz_shader_scene_flag_tesc, grz_shader_scene_flag_tese;
extern const grz_gl_stage grz_shader_scene_plants_vert, grz_shader_scene_plants_geom;
extern const grz_gl_stage grz_shader_scene_firework_vert, grz_shader_scene_firework_comp;
extern const grz_gl_stage grz_shader_scene_lit_frag, grz_shader_scene_plain_frag; // for the screen
extern const grz_gl_stage grz_shader_scene_id_frag, grz_shader_scene_depth_frag;  // for height maps

#endif
