// SPDX-License-Identifier: MIT
// The pairs of triangles that may be the nearest of two objects: collected with bounds of their distances, and decided
// exactly at the end.
#ifndef GRZ_QUERY_DISTANCE_NEAREST_PAIRS_H
#define GRZ_QUERY_DISTANCE_NEAREST_PAIRS_H

#include <graze/distance.h>

#include "base/control.h"
#include "geometry/distance/gap.h"

typedef struct grz_near_pair {
    uint32_t a, b; // triangles
    grz_gap gap;   // encloses their distance, world units
} grz_near_pair;

typedef struct grz_nearest_pairs {
    const grz_object *a, *b;
    grz_control *control;
    double upper; // the exact distance of the objects is not larger
    double scale; // coordinates are multiplied by this power of two before they are compared in doubles
    bool touching;
    uint64_t compared;
    size_t next_look; // drop the pairs that are too far away when there are this many
    GRZ_ARRAY(grz_near_pair) pairs;
} grz_nearest_pairs;

void grz_nearest_pairs_init(grz_nearest_pairs *pairs, const grz_object *a, const grz_object *b, grz_control *control);
void grz_nearest_pairs_finish(grz_nearest_pairs *pairs);

// Compare two triangles. False if memory is out.
bool grz_nearest_pairs_try(grz_nearest_pairs *pairs, uint32_t triangle_a, uint32_t triangle_b);

// The smallest of the lower bounds of all pairs that were compared; infinite if there are none.
double grz_nearest_pairs_lower(const grz_nearest_pairs *pairs);

// Decide which of the pairs is the nearest, exactly, and fill in the answer, but for `compared`. There is one at least.
// False if the control says to end; the answer is then unchanged.
bool grz_nearest_pairs_decide(grz_nearest_pairs *pairs, grz_distance_answer *answer);

// Fill in faces, features and points of the pair with the smallest upper bound. There is one at least.
void grz_nearest_pairs_best(const grz_nearest_pairs *pairs, grz_distance_answer *answer);

#endif
