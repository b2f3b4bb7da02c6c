// SPDX-License-Identifier: MIT
// The shaders of depth ranges. The build makes one grz_gl_stage of each file under image/grid/ranges/shaders.
#ifndef GRZ_IMAGE_GRID_RANGES_RANGES_SHADERS_H
#define GRZ_IMAGE_GRID_RANGES_RANGES_SHADERS_H

#include "gl/gl.h"

extern const grz_gl_stage grz_shader_ranges_visit_comp, grz_shader_ranges_big_comp;

#endif
