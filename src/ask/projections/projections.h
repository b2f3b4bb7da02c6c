// SPDX-License-Identifier: MIT
// The result of grz_projections_find().
#ifndef GRZ_ASK_PROJECTIONS_PROJECTIONS_H
#define GRZ_ASK_PROJECTIONS_PROJECTIONS_H

#include <graze/projections.h>

#include "ask/projections/bound.h"
#include "base/memory.h"

// What one part's pointers point to.
typedef struct grz_projections_lists {
    uint32_t *indices, *faces;
    uint32_t *vertices; // for each vertex of the part, its number in the model
    double (*directions)[3];
} grz_projections_lists;

struct grz_projections {
    grz_device *device;
    const grz_allocator *allocator; // the device's
    grz_projection projection;
    grz_projections_summary summary;
    uint32_t pose_count;
    grz_coverage *poses;          // pose_count
    grz_projections_part *parts;  // summary.parts
    grz_projections_lists *lists; // summary.parts
    // What positions are computed from, and what a mesh must have.
    GRZ_ARRAY(grz_sight_vertex) cuts;
    uint32_t vertex_count, triangle_count, face_count;
};

// Write the result of a search: its parts, and their tallies.
//
// choices  one for each part
// parts    one tally for each part
// poses    one tally for each pose
// out      receives the result, also a half-built one on failure; its summary's volumes are 0
// Returns GRZ_OK or GRZ_ERROR_MEMORY.
grz_status grz_projections_write(const grz_sight_search *search, const grz_sight_choice *choices,
                                 const grz_sight_tally *parts, const grz_sight_tally *poses, grz_projections **out);

#endif
