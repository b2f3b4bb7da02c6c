// SPDX-License-Identifier: MIT
// The shaders of the discrete answer of method `layers`. The build makes one grz_gl_stage of each file under
// image/layers/shaders.
#ifndef GRZ_IMAGE_LAYERS_LAYERS_SHADERS_H
#define GRZ_IMAGE_LAYERS_LAYERS_SHADERS_H

#include "image/grid/fragments/fragments_shaders.h"
#include "image/grid/grid_shaders.h"
#include "image/layers/shaders/layers_bindings.h"

extern const grz_gl_stage grz_shader_layers_lists_frag, grz_shader_layers_fixed_frag, grz_shader_layers_peel_frag;
extern const grz_gl_stage grz_shader_layers_collect_comp, grz_shader_sets_walk_comp, grz_shader_sets_unique_comp;
extern const grz_gl_stage grz_shader_depths_common_comp;

#endif
