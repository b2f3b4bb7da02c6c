// SPDX-License-Identifier: MIT
// Constants and structs of the voxel grid that C and GLSL share: bindings, uniform locations, modes, and the layout of
// the answers.
#ifndef GRZ_IMAGE_GRID_GRID_BINDINGS_H
#define GRZ_IMAGE_GRID_GRID_BINDINGS_H

#include "gpu/shaders/mesh_bindings.h"

// Rasterising, for up to GRZ_VOXEL_JOBS jobs at once. voxels_place.comp brings all triangles into the grids of their
// jobs; those that lie in one become records. voxels_visit.comp fills the cells of objects A, tests the triangles of
// objects B against them, and marks the triangles of A in cells that both have. voxels_big.comp does the same for
// triangles over many pixels. pairs_plan.comp, pairs_join.comp and pairs_test.comp try pairs of marked triangles, as
// far as floats can decide them.
#define GRZ_VOXEL_JOBS 256 // jobs of a round: a record has 8 bits for the job's number
#define GRZ_VOXEL_FILL 0u
#define GRZ_VOXEL_TEST 1u
#define GRZ_VOXEL_MARK 2u
#define GRZ_VOXEL_SLICES 32u
#define GRZ_VOXEL_MOST_PIXELS 256u
// A triangle over more than GRZ_VOXEL_MOST_PIXELS pixels is big. If all big triangles of a round cover more than
// GRZ_VOXEL_MOST_BIG times as many pixels, they are skipped, and their jobs overflow.
#define GRZ_VOXEL_MOST_BIG 0x40000u
#define GRZ_VOXEL_SLACK 1.9073486328125e-6  // 2^-19: bounds the rounding of projections (docs/internals/slices.md)
#define GRZ_VOXEL_LEAST 1e-30               // covers products that are flushed to zero
#define GRZ_VOXEL_SLICE_SLACK 2.44140625e-4 // 2^-12: bound of a rounding error in slices
// Ranges of depths, in image/grid/ranges/. Both numbers are powers of two; GRZ_RANGE_FAR is above the largest depth.
#define GRZ_RANGE_UNITS 1048576.0 // to a slice
#define GRZ_RANGE_FAR 0x4000000u
#define GRZ_BIND_VOXEL_PLACES 0 // a uniform block
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

// A record is a triangle in its grid, in vectors of four words: the triangle's number, its job and the bounds of the
// error, its corners in cells, and the object's number.
#define GRZ_RECORD_VECTORS 3
// With viewing volumes it is a face: its first triangle, how many corners it has (0: it is none), four corners.
#define GRZ_FACE_VECTORS 4

// Lists of fragments. layers_visit.comp and layers_big.comp write fragments as nodes of lists, one list for each pixel
// or for each slice of it. layers_plan.comp chooses which fragments walk next, and whether slices have lists.
// layers_walk.comp and many_walk.comp go through the lists. pairs_unique.comp, self_unique.comp and many_unique.comp
// drop pairs that were met before.
#define GRZ_LAYER_TEST 0u
#define GRZ_LAYER_LINK 1u
#define GRZ_LAYER_ALL 2u
#define GRZ_LAYER_UNITS 2047.0     // depth units in a slice, so that a word can hold two depths of 32 slices
#define GRZ_LAYER_HEAD 0x80000000u // in a node's first word: its walk begins at the head of its list
// A node's second word: the record's number, and above it four bits. The slice is the triangle's first in this pixel;
// the pixel is in the first column of the triangle's bounding box; it is in the first row; the triangle is small:
// GRZ_LAYER_SMALL_PIXELS at most.
#define GRZ_LAYER_RECORD 0x0fffffffu
#define GRZ_LAYER_FIRST_SLICE 0x10000000u
#define GRZ_LAYER_FIRST_COLUMN 0x20000000u
#define GRZ_LAYER_FIRST_ROW 0x40000000u
#define GRZ_LAYER_SMALL 0x80000000u
#define GRZ_LAYER_SMALL_PIXELS 9u
#define GRZ_RAW_ONCE 0x80000000u // in the second word of a pair of fragments: these triangles make no other pair
#define GRZ_LAYER_CROWD 4u       // with more fragments of B a pixel on average, each slice has a list of its own
#define GRZ_LAYER_STEPS 1024u    // the most fragments that a walk visits in one dispatch
#define GRZ_SEEN_PROBES 32u      // places of the table in which a pair may be (pairs_seen.h)
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

// What layers_plan.comp does: a sum of these.
#define GRZ_PLAN_ALL 1u   // all nodes so far are fragments that walk next
#define GRZ_PLAN_REST 2u  // nodes written from now on are unfinished walks
#define GRZ_PLAN_AGAIN 4u // the unfinished walks of the last dispatch walk next
#define GRZ_PLAN_LISTS 8u // decide by the number of nodes whether each slice gets a list

// Leaves (grid_leaves.c). leaves_select.comp lists the leaf boxes of each object that reach into the region of its job.
// leaves_join.comp finds the pairs of listed boxes that meet, and makes room for the triangles of their leaves.
// leaves_load.comp makes records of these triangles. leaves_pairs.comp finds the pairs of them whose boxes overlap.
#define GRZ_LEAF_CHUNK 256u // triangles of each of two leaves that a work group compares
#define GRZ_LEAF_MOST 4096u // triangles of a leaf: a mesh with a larger one goes to another method
#define GRZ_LEAF_JOIN 1024u // boxes of A that an invocation compares with its box of B
// In a listed box, instead of the number of its first record:
#define GRZ_LEAF_NONE 0xffffffffu    // it meets no other box so far
#define GRZ_LEAF_PENDING 0xfffffffeu // it does, and another invocation is making room for its records
#define GRZ_LEAF_BOX_WORDS 12        // of a listed box
#define GRZ_LEAF_MESH_WORDS 8        // of a mesh in this round
#define GRZ_BIND_LEAF_BOXES 2        // of a mesh
#define GRZ_BIND_LEAF_ORDER 3        // the triangles of a mesh, leaf by leaf
#define GRZ_BIND_LEAF_LISTED 5       // boxes listed in this round
#define GRZ_BIND_LEAF_WANTED 6       // those of them that meet another, mesh by mesh
#define GRZ_BIND_LEAF_MESHES 8
#define GRZ_BIND_LEAF_TASKS 9
#define GRZ_BIND_LEAF_PAIRS 10
#define GRZ_BIND_LEAF_PRIMITIVES 9 // of a mesh: GRZ_NO_CORNER in gpu/shaders/mesh_bindings.h
#define GRZ_AT_LEAF_COUNT 9
#define GRZ_AT_LEAF_MESH 9
#define GRZ_AT_LEAF_PAIR_ROOM 5
#define GRZ_AT_LEAF_RECORD_ROOM 6
#define GRZ_AT_LEAF_CHUNKS 12
#define GRZ_AT_LEAF_TEST 13

// The answers of a round begin with this head; the words of each job follow, then the candidates.
#ifdef GL_core_profile
#define GRZ_WORD uint
#else
#include <stdint.h>
#define GRZ_WORD uint32_t
typedef struct grz_work_groups grz_work_groups;
typedef struct grz_answer_head grz_answer_head;
#endif

// The work groups of an indirect dispatch.
struct grz_work_groups {
    GRZ_WORD x, y, z, unused;
};

struct grz_answer_head {
    GRZ_WORD records[2];                    // triangles in their grids, of objects A and of objects B
    GRZ_WORD big[2];                        // those of them that cover many pixels
    GRZ_WORD tasks;                         // work groups of pairs_join.comp
    GRZ_WORD pairs;                         // pairs of triangles whose boxes overlap
    GRZ_WORD candidates;                    // pairs of triangles that may touch
    GRZ_WORD nodes;                         // fragments, and unfinished walks
    GRZ_WORD walk_from, walk_to, walk_rest; // the nodes that walk next, and the first node of an unfinished walk
    GRZ_WORD fragment_pairs;                // pairs of fragments
    GRZ_WORD big_pixels;                    // pixels that big triangles cover, in GRZ_VOXEL_MOST_PIXELS
    GRZ_WORD left_out;                      // fragments that found no free layer (layers_fixed.frag)
    GRZ_WORD lists;                         // lists of a pixel, between two objects: 1, or one for each slice
    GRZ_WORD leaf_pairs;                    // pairs of leaf boxes that meet
    GRZ_WORD leaf_records;                  // triangles of all leaves with such a box
    GRZ_WORD given_up;                      // not 0: too many fragments, or pairs of them, for the grid to be of use
    grz_work_groups record_groups[2], big_groups[2]; // for objects A and for objects B
    grz_work_groups mark_groups, task_groups, pair_groups, walk_groups, raw_groups, leaf_groups;
};

// The words of a job.
#define GRZ_JOB_FLAGS 0
#define GRZ_JOB_MARKED 1    // two words: how many triangles, or leaf boxes, of A and of B are listed
#define GRZ_JOB_FIRST 3     // two words: where the lists of these begin
#define GRZ_JOB_PROVED 5    // where one pair is enough: not 0 if a pair is proved to touch
#define GRZ_JOB_PAIR 6      // two words: this pair
#define GRZ_JOB_REFERENCE 6 // with viewing volumes: 1 if object B is the reference, else 0
#define GRZ_JOB_WORDS 8

// The flags of a job. GRZ_JOB_WHOLE, 4, is set by the CPU only (voxel_grid.h).
#define GRZ_JOB_OVERFLOW 1u  // it had more pairs or fragments than there was room for
#define GRZ_JOB_EXHAUSTED 2u // it has too many marked triangles to try all pairs
#define GRZ_JOB_LONG 8u      // a walk was not over at the end of a dispatch

// The words of a candidate: grz_raw_candidate (grid_answers.h).
#define GRZ_CANDIDATE_WORDS 4

// All pairs of marked triangles are tried only if neither object has more of them: drivers end shaders that loop for
// long.
#define GRZ_PAIRS_MOST 2048u

#endif
