// SPDX-License-Identifier: MIT
// The shaders of method `heightmap`. The build makes one grz_gl_stage of each file under image/heightmap/shaders
// (cmake/GrazeGL.cmake).
#ifndef GRZ_IMAGE_HEIGHTMAP_HEIGHTMAP_SHADERS_H
#define GRZ_IMAGE_HEIGHTMAP_HEIGHTMAP_SHADERS_H

#include "gpu/mesh_shaders.h"
#include "image/heightmap/shaders/heightmap_bindings.h"

extern const grz_gl_stage grz_shader_heights_compare_comp, grz_shader_heights_list_comp;
extern const grz_gl_stage grz_shader_silhouette_vert, grz_shader_silhouette_frag;

#endif
