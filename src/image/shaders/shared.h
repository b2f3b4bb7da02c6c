// SPDX-License-Identifier: MIT
// Read by C and by GLSL: what both sides must agree on. GLSL defines GL_core_profile; C does not.
// It is put into each shader where that says #include "shared.h".

// Buffer bindings.
#define GRZ_BIND_MARKS 0
#define GRZ_BIND_SEGMENTS 1

// Uniform locations of picture.vert, picture.frag.
#define GRZ_AT_CLIP 0
#define GRZ_AT_VIEW 1
#define GRZ_AT_COLOR 2
#define GRZ_AT_MARK_COLOR 3

// Uniform locations of picture_curve.vert, picture_curve.frag.
#define GRZ_AT_SIZE 1
#define GRZ_AT_WIDTH 3
