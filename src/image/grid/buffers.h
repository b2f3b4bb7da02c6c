// SPDX-License-Identifier: MIT
// The OpenGL buffers of rounds. They are kept with the device between rounds and grow as rounds need.
#ifndef GRZ_IMAGE_GRID_BUFFERS_H
#define GRZ_IMAGE_GRID_BUFFERS_H

#include "image/grid/layout.h"

enum {
    GRZ_GRID_MOST_GROUPS = 65535,                                       // work groups that any device dispatches
    GRZ_GRID_MOST_EACH = GRZ_GRID_MOST_GROUPS * (int)GRZ_DISPATCH_GROUP // and their invocations
};

typedef struct grz_grid_buffers {
    grz_gl_buffer places, cells, units, records, big, marked, answers; // all rounds
    grz_gl_buffer tasks;                                               // pairs of marked triangles (grid_pairs.c)
    grz_gl_buffer pairs;                                               // pairs of triangles whose boxes overlap
    grz_gl_buffer fragments, heads, fragment_pairs, seen;              // lists of fragments (fragments.c)
    grz_gl_buffer leaf_boxes, leaf_wanted, leaf_meshes, leaf_tasks, leaf_pairs; // grid_leaves.c
    uint32_t pair_limit; // set by grz_grid_limit_pairs; 0: the default
    // Elements that these have room for, as many as rounds have needed. 0: the first round sets it.
    uint32_t fragment_capacity, fragment_pair_capacity, candidate_capacity, leaf_pair_capacity, leaf_record_capacity;
} grz_grid_buffers;

// The bytes between the places of side 0 and those of side 1 in their buffer: a multiple of 256, where a uniform block
// may start.
#define GRZ_GRID_PLACES_BYTES (GRZ_VOXEL_JOBS * sizeof(grz_grid_place))

// What is kept with a device that was entered. NULL, with an error, if there is no memory.
grz_grid_buffers *grz_grid_buffers_get(grz_gl *gl, const char *method, grz_error *error);

// Make room for a round. *candidates receives how many candidates the answers have room for: 0 if pairs are not tried.
// False in *fits: a shader cannot see buffers so large, and nothing can be run.
grz_status grz_grid_buffers_reserve(grz_grid_buffers *buffers, const grz_grid_call *call, const grz_grid_layout *layout,
                                    uint32_t *candidates, bool *fits);

// Raise the capacities that a round has exceeded, for the next try. False: it exceeded none, or they cannot grow.
bool grz_grid_buffers_grow(grz_grid_buffers *buffers, const grz_grid_call *call, const grz_answer_head *head);

// The largest number of pairs of marked triangles of a job that shaders try; 0: none.
uint32_t grz_grid_pair_limit(const grz_grid_buffers *buffers, const grz_grid_call *call);

// True if pairs of fragments go through pairs_test.comp: on a software renderer the predicates are faster.
bool grz_grid_tests_pairs(const grz_grid_buffers *buffers, const grz_grid_call *call);

// The table of pairs that were met has 2 to the power of this many words.
unsigned grz_grid_seen_bits(const grz_grid_buffers *buffers, const grz_grid_layout *layout);

// Bytes of the lists' heads that are there from the start: a list for each pixel of two objects' grids, else one for
// each slice of each.
uint64_t grz_grid_head_bytes(const grz_grid_layout *layout);

// Two objects' pixels, if a shader may give each slice of them a list (layers_plan.comp); else 0.
uint32_t grz_grid_splittable_pixels(const grz_grid_layout *layout);

#endif
