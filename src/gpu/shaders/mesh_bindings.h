// SPDX-License-Identifier: MIT
// Constants that C and GLSL share: uniform locations and storage bindings of the shaders that draw and read meshes.
#ifndef GRZ_GPU_MESH_BINDINGS_H
#define GRZ_GPU_MESH_BINDINGS_H

// Uniform locations of view.vert.
#define GRZ_AT_CLIP 0
#define GRZ_AT_OFFSET 1
#define GRZ_AT_FRAME 4

// Meshes as gl_mesh_read.h reads them, for gl_mesh_measure.comp, gl_mesh_select.comp, gl_mesh_gather.comp and
// voxels_place.comp.
#define GRZ_GL_MESH_GROUP 128
#define GRZ_GL_MESH_EACH 16
#define GRZ_BIND_POSITIONS 0
#define GRZ_BIND_INDICES 1
#define GRZ_BIND_MEASURES 2
#define GRZ_BIND_SELECTED 2
#define GRZ_BIND_WANTED 3
#define GRZ_AT_POSITION_LAYOUT 0
#define GRZ_AT_INDEX_LAYOUT 1
#define GRZ_AT_COUNTS 2
#define GRZ_AT_FIRST 3
#define GRZ_AT_MIDDLE 4
#define GRZ_AT_ROWS 5
#define GRZ_AT_LOW 8
#define GRZ_AT_HIGH 9
#define GRZ_AT_CAPACITY 10

// leaf_refit.comp.
#define GRZ_BIND_REFIT_BOXES 2
#define GRZ_BIND_REFIT_ORDER 3

// In the list of primitives (leaf_buffers.h): there is no such corner, and if it is the first, no primitive at all.
#define GRZ_NO_CORNER 0xffffffffu

// A dispatch that may run in parts (dispatch.h).
#define GRZ_AT_FIRST_GROUP 14
#define GRZ_DISPATCH_GROUP 64u  // invocations in a work group
#define GRZ_DISPATCH_ROW 32768u // work groups in x; more continue in y

// The words of a mesh's measures. Bounds are bits of floats, changed so that they order as unsigned numbers do.
#define GRZ_MEASURE_MIN 0
#define GRZ_MEASURE_MAX 3
#define GRZ_MEASURE_MOST 6
#define GRZ_MEASURE_BAD_VERTEX 9
#define GRZ_MEASURE_BAD_TRIANGLE 10
#define GRZ_MEASURE_SAMPLE 12
#define GRZ_MEASURE_SAMPLE_WORDS 9

// The words of a selected triangle: its number, its vertices' numbers, their positions. GRZ_SELECTED_HEAD words
// precede the first triangle; the first of these counts all selected triangles, also those that found no room.
#define GRZ_SELECTED_HEAD 4
#define GRZ_SELECTED_TRIANGLE 0
#define GRZ_SELECTED_VERTICES 1
#define GRZ_SELECTED_POSITIONS 4
#define GRZ_SELECTED_WORDS 13

#endif
