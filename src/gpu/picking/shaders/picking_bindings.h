// SPDX-License-Identifier: MIT
// Constants that C and GLSL share: uniform locations of the shaders for picking.
#ifndef GRZ_PICKING_PICKING_BINDINGS_H
#define GRZ_PICKING_PICKING_BINDINGS_H

// Of numbers.vert and numbers.frag.
#define GRZ_AT_NUMBERS_CLIP 0
#define GRZ_AT_NUMBERS_FRAME 1
#define GRZ_AT_NUMBERS_OBJECT 2
#define GRZ_AT_NUMBERS_FIRST 3

// Of region_select.comp, beside those that gl_mesh_read.h reads (gpu/shaders/mesh_bindings.h).
#define GRZ_BIND_REGION_LIST 2
#define GRZ_AT_REGION_PLANES 5

#endif
