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

// Uniform locations of view.vert (GRZ_AT_CLIP, too) and slices_16.frag, slices_512.frag.
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

// Meshes as gl_mesh.h reads them, for gl_mesh_measure.comp, gl_mesh_select.comp, gl_mesh_gather.comp and
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

// Voxels, for any number of jobs at once. voxels_place.comp brings all triangles into the grids of their jobs and keeps those that are in
// them; voxels_visit.comp fills the cells of all jobs' first objects, tests the second ones' triangles against them, and marks the first
// ones' triangles that have a cell of both; voxels_big.comp does so for triangles over many pixels. pairs_plan.comp, pairs_join.comp,
// pairs_test.comp: pairs of marked triangles, decided where floats can.
#define GRZ_VOXEL_JOBS 256 // of a round: their numbers have 8 bits in a record
#define GRZ_VOXEL_FILL 0u
#define GRZ_VOXEL_TEST 1u
#define GRZ_VOXEL_MARK 2u
#define GRZ_VOXEL_GROUP 64u
#define GRZ_VOXEL_SLICES 32u
#define GRZ_VOXEL_MOST_PIXELS 256u
#define GRZ_VOXEL_MOST_BIG 0x40000u // times so many pixels, of all triangles over more: a round with more of them does not do these
#define GRZ_VOXEL_ROW 32768u
#define GRZ_VOXEL_SLACK 1.9073486328125e-6 // 2^-19
#define GRZ_VOXEL_LEAST 1e-30
#define GRZ_VOXEL_SLICE_SLACK 2.44140625e-4 // 2^-12
#define GRZ_BIND_VOXEL_PLACES 0             // a uniform block
#define GRZ_BIND_VOXEL_CELLS 2
#define GRZ_BIND_VOXEL_UNITS 3
#define GRZ_BIND_VOXEL_RECORDS 4
#define GRZ_BIND_VOXEL_BIG 5
#define GRZ_BIND_VOXEL_MARKED 6
#define GRZ_BIND_VOXEL_ANSWERS 7
#define GRZ_BIND_VOXEL_TASKS 5
#define GRZ_BIND_VOXEL_PAIRS 2
#define GRZ_AT_VOXEL_GRID 5
#define GRZ_AT_VOXEL_MODE 6
#define GRZ_AT_VOXEL_PLACE 7
#define GRZ_AT_VOXEL_SIDE 6
#define GRZ_AT_VOXEL_ROOM 8
#define GRZ_AT_PAIRS_JOBS 9
#define GRZ_AT_PAIRS_LIMIT 10
#define GRZ_AT_PAIRS_ROOM 11
#define GRZ_AT_PAIRS_LIST 12

// A record, vectors of four words: a triangle, its job and what cells are wrong by, its corners in cells.
#define GRZ_RECORD_VECTORS 3

// Layers: layers_visit.comp, layers_big.comp write fragments, nodes of lists, one list a pixel or a slice of it; layers_plan.comp says which
// of them walk, and through how many lists; layers_walk.comp goes through them; pairs_unique.comp,
// self_unique.comp, many_unique.comp take out what was met before.
#define GRZ_LAYER_TEST 0u
#define GRZ_LAYER_LINK 1u
#define GRZ_LAYER_ALL 2u
#define GRZ_LAYER_UNITS 2047.0 // of depth, in a slice: a word has two depths
#define GRZ_LAYER_HEAD 0x80000000u
#define GRZ_LAYER_RECORD                                                                                                           \
    0x0fffffffu // of a node's second word: the record; above it whether its triangle is small, and where the node is its first
#define GRZ_LAYER_FIRST_SLICE 0x10000000u
#define GRZ_LAYER_FIRST_COLUMN 0x20000000u
#define GRZ_LAYER_FIRST_ROW 0x40000000u
#define GRZ_LAYER_SMALL 0x80000000u
#define GRZ_LAYER_SMALL_PIXELS 9u
#define GRZ_RAW_ONCE 0x80000000u // of a pair's second word: it comes only once
#define GRZ_LAYER_CROWD 4u       // fragments of second objects a pixel: with more, each slice has a list of its own
#define GRZ_LAYER_STEPS 1024u    // that a fragment walks in one dispatch
#define GRZ_SEEN_PROBES 32u
#define GRZ_BIND_LAYER_NODES 0
#define GRZ_BIND_LAYER_HEADS 1
#define GRZ_BIND_LAYER_RAW 6
#define GRZ_BIND_LAYER_SEEN 5
#define GRZ_BIND_LAYER_CORNERS 1
#define GRZ_AT_LAYER_ROOM 9
#define GRZ_AT_LAYER_RAW_ROOM 10
#define GRZ_AT_PLAN_STEPS 9
#define GRZ_AT_PLAN_ROOM 10
#define GRZ_AT_PLAN_PIXELS 11
#define GRZ_AT_PLAN_MOST 12
#define GRZ_AT_SEEN_BITS 12
#define GRZ_AT_UNIQUE_TEST 13

// Layers as they are drawn: layers_lists.frag, layers_fixed.frag, layers_peel.frag, layers_collect.comp make nodes of fragments; sets_walk.comp and
// sets_unique.comp make sets of them.
#define GRZ_AT_SAMPLE_OBJECT 5
#define GRZ_AT_SAMPLE_SIZE 6
#define GRZ_AT_SAMPLE_LAYER 7
#define GRZ_AT_SETS_THRESHOLD 5
#define GRZ_AT_SETS_SELF 6
#define GRZ_AT_SETS_UNTESTED 7

// What layers_plan.comp is to do: all nodes so far walk; those that come next are of walks that are not over; these walk; they are counted,
// and say how many lists a pixel has.
#define GRZ_PLAN_ALL 1u
#define GRZ_PLAN_REST 2u
#define GRZ_PLAN_AGAIN 4u
#define GRZ_PLAN_LISTS 8u

// The head of the answers. Counts of the records and of the big ones among them are two each, of the first and the second objects; of
// work groups three each, for indirect dispatches.
#define GRZ_HEAD_RECORDS 0
#define GRZ_HEAD_BIG 2
#define GRZ_HEAD_TASKS 4
#define GRZ_HEAD_PAIRS 5
#define GRZ_HEAD_CANDIDATES 6
#define GRZ_HEAD_NODES 7
#define GRZ_HEAD_WALK_FROM 8
#define GRZ_HEAD_WALK_TO 9
#define GRZ_HEAD_WALK_REST 10
#define GRZ_HEAD_RAW_PAIRS 11
#define GRZ_HEAD_BIG_PIXELS 12
#define GRZ_HEAD_LEFT_OUT 13
#define GRZ_HEAD_LISTS 14    // of a pixel, between two objects: 1, or one for each slice
#define GRZ_HEAD_GIVEN_UP 15 // not 0: there were so many fragments, or pairs of them, that they are let go
#define GRZ_HEAD_RECORD_GROUPS 16
#define GRZ_HEAD_BIG_GROUPS 24
#define GRZ_HEAD_MARK_GROUPS 32
#define GRZ_HEAD_TASK_GROUPS 36
#define GRZ_HEAD_PAIR_GROUPS 40
#define GRZ_HEAD_WALK_GROUPS 44
#define GRZ_HEAD_RAW_GROUPS 48
#define GRZ_HEAD_WORDS 52

// What is said of a job, after the head: flags; how many triangles of each object are marked, and where these lists begin; where it is
// asked for no list, whether a pair is proved, and the first one.
#define GRZ_JOB_FLAGS 0
#define GRZ_JOB_MARKED 1
#define GRZ_JOB_FIRST 3
#define GRZ_JOB_PROVED 5
#define GRZ_JOB_PAIR 6
#define GRZ_JOB_WORDS 8

// Flags of a job: it had more pairs or fragments than there was room for; it has too many marked triangles to try all pairs; a walk was
// not over at the end of a dispatch.
#define GRZ_JOB_OVERFLOW 1u
#define GRZ_JOB_EXHAUSTED 2u
#define GRZ_JOB_LONG 8u

// Candidates follow, four words each: job, triangles, and whether it is proved that they touch.
#define GRZ_CANDIDATE_WORDS 4

// How many marked triangles a job may have of either object where all pairs are tried: loops may not be long.
#define GRZ_PAIRS_MOST 2048u
