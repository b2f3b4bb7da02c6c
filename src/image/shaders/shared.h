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

#define GRZ_AT_FRAME 4

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

// Meshes in the caller's buffers: what gl_mesh.h reads them by, for gl_mesh_measure.comp and gl_mesh_select.comp.
#define GRZ_GL_MESH_GROUP 128
#define GRZ_GL_MESH_EACH 16
#define GRZ_BIND_POSITIONS 0
#define GRZ_BIND_INDICES 1
#define GRZ_BIND_MEASURES 2
#define GRZ_BIND_SELECTED 2
#define GRZ_AT_POSITION_LAYOUT 0
#define GRZ_AT_INDEX_LAYOUT 1
#define GRZ_AT_COUNTS 2
#define GRZ_AT_FIRST 3
#define GRZ_AT_MIDDLE 4
#define GRZ_AT_ROWS 5
#define GRZ_AT_LOW 8
#define GRZ_AT_HIGH 9
#define GRZ_AT_CAPACITY 10

// What is measured of a mesh, words. Coordinates of bounds are bits of floats, turned so that they order as numbers do.
#define GRZ_MEASURE_MIN 0
#define GRZ_MEASURE_MAX 3
#define GRZ_MEASURE_MOST 6
#define GRZ_MEASURE_BAD_VERTEX 9
#define GRZ_MEASURE_BAD_TRIANGLE 10
#define GRZ_MEASURE_SAMPLE 12
#define GRZ_MEASURE_SAMPLE_WORDS 9

// A selected triangle, words: its number, its vertices' numbers, their positions. Before the first one are GRZ_SELECTED_HEAD words,
// the first of which counts how many there would be with room for all.
#define GRZ_SELECTED_HEAD 4
#define GRZ_SELECTED_TRIANGLE 0
#define GRZ_SELECTED_VERTICES 1
#define GRZ_SELECTED_POSITIONS 4
#define GRZ_SELECTED_WORDS 13

// Voxels, voxels.comp and voxels_big.comp: fill the first mesh's cells, test the second one's triangles against them, mark the first
// one's in cells of both.
#define GRZ_VOXEL_FILL 0u
#define GRZ_VOXEL_TEST 1u
#define GRZ_VOXEL_MARK 2u
#define GRZ_VOXEL_GROUP 64u
#define GRZ_VOXEL_SLICES 32u
#define GRZ_VOXEL_MOST_CELLS 256u
#define GRZ_VOXEL_ROW 32768u
#define GRZ_VOXEL_SLACK 1.9073486328125e-6 // 2^-19
#define GRZ_VOXEL_LEAST 1e-30
#define GRZ_BIND_VOXEL_POSITIONS 0
#define GRZ_BIND_VOXEL_INDICES 1
#define GRZ_BIND_VOXEL_CELLS 2
#define GRZ_BIND_VOXEL_HITS 3
#define GRZ_BIND_VOXEL_WORK 4
#define GRZ_AT_VOXEL_ROWS 0
#define GRZ_AT_VOXEL_GROW 3
#define GRZ_AT_VOXEL_GRID 4
#define GRZ_AT_VOXEL_COUNT 5
#define GRZ_AT_VOXEL_MODE 6
#define GRZ_AT_VOXEL_FIRST 7

// The head of a mesh's list: how many triangles are marked, how many are big, and the work groups for those, for an indirect dispatch.
#define GRZ_VOXEL_MARKED 0
#define GRZ_VOXEL_BIG 1
#define GRZ_VOXEL_GROUPS 2
#define GRZ_VOXEL_HEAD 8
