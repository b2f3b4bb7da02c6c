// SPDX-License-Identifier: MIT
// The first contact among many pairs of moving triangles: each pair is searched up to the best contact so far.
#ifndef GRZ_QUERY_DEFORMING_SEARCH_H
#define GRZ_QUERY_DEFORMING_SEARCH_H

#include <graze/deforming.h>

#include "base/control.h"
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
    bool proved;
    uint32_t triangles[2]; // the pair that meets first, so far, and its features
    uint8_t features[2];
    bool has_pair;
    uint64_t candidates, undecided;
    double window;     // the boxes of the walk under way hold times 0 to this
    uint64_t patience; // pairs to search before the walk may be begun again
    bool again;        // the best contact is early in the window: begin again with boxes up to it
    grz_control *control;
} grz_first_contact;

void grz_first_contact_init(grz_first_contact *first, const grz_moving_mesh *a, const grz_moving_mesh *b,
                            const grz_deforming_options *options, grz_control *control);

// Search one pair of triangles; `first` is a grz_first_contact. False if the search is over: a contact at time 0 is
// proved, the control says so, or the walk should begin again (`again`). (A grz_swept_visit.)
bool grz_first_contact_visit(void *first, uint32_t triangle_a, uint32_t triangle_b);

// A walk begins, over boxes that hold times 0 to limits.t_max.
void grz_first_contact_begin(grz_first_contact *first);

// What is known. `complete`: all pairs whose swept boxes overlap were visited, or the walk was ended by a contact at 0.
void grz_first_contact_answer(const grz_first_contact *first, bool complete, grz_deforming_answer *answer);

#endif
