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

// Uniform locations of slices.vert (GRZ_AT_CLIP, too) and slices_16.frag, slices_512.frag.
#define GRZ_AT_OFFSET 1
#define GRZ_AT_SLICES 2
#define GRZ_AT_FIRST_BIT 3

// The analysis: work groups of GRZ_TILE × GRZ_TILE pixels.
#define GRZ_TILE 8
#define GRZ_BIND_TILES 0
#define GRZ_AT_TILE_SLICES 0
#define GRZ_AT_TILE_SIZE 1

// What the analysis says of a tile: how many cells hold both objects, and the least and the last of their columns, rows and slices. A
// tile without any has 0 cells, and nothing else in it means anything.
#define GRZ_TILE_CELLS 0
#define GRZ_TILE_LEAST 1
#define GRZ_TILE_LAST 4
#define GRZ_TILE_WORDS 8
