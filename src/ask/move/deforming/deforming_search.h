// SPDX-License-Identifier: MIT
// The first contact among many pairs of moving triangles: each pair is searched up to the best contact so far.
#ifndef GRZ_ASK_MOVE_DEFORMING_DEFORMING_SEARCH_H
#define GRZ_ASK_MOVE_DEFORMING_DEFORMING_SEARCH_H

#include <graze/move_deforming.h>

#include "base/control_type.h"
#include "geometry/inclusion/inclusion.h"
#include "mesh/mesh.h"

// A mesh and the world positions of its vertices at the times 0 and 1: vertex_count × 3 each.
typedef struct grz_moving_mesh {
    const grz_mesh *mesh;
    double *at[2];
} grz_moving_mesh;

typedef struct grz_first_contact {
    const grz_moving_mesh *a, *b; // the same: a mesh with itself
    grz_inclusion_limits limits;  // t_max comes down to the best contact so far
    double t_max;                 // as asked
    double lower;                 // no contact of the pairs so far before it
    double reached;               // all pairs that may meet before this time were searched
    bool proved;
    uint32_t triangles[2]; // the pair that meets first, so far, and its features
    uint8_t features[2];
    bool has_pair;
    uint64_t candidates, undecided;
    grz_control *control;
} grz_first_contact;

void grz_first_contact_init(grz_first_contact *first, const grz_moving_mesh *a, const grz_moving_mesh *b,
                            const grz_deforming_options *options, grz_control *control);

// Search one pair of triangles. Of one mesh: two of different faces. Changes nothing in `first`; any thread.
grz_inclusion grz_first_contact_search(const grz_first_contact *first, const uint32_t triangles[2],
                                       const grz_inclusion_limits *limits);

// Take in what was found. The order of these calls decides which of several pairs is named.
void grz_first_contact_take(grz_first_contact *first, const uint32_t triangles[2], const grz_inclusion *found);

// What is known. `complete`: all pairs that may meet up to t_max were searched, or one meets at 0.
void grz_first_contact_answer(const grz_first_contact *first, bool complete, grz_move_answer *answer);

#endif
