// SPDX-License-Identifier: MIT
// The pairs of triangles that may be the nearest of two objects: collected with bounds of their distances, and decided
// exactly at the end.
#ifndef GRZ_ASK_DISTANCE_NEAREST_PAIRS_H
#define GRZ_ASK_DISTANCE_NEAREST_PAIRS_H

#include <graze/distance.h>

#include "ask/distance/trial.h"
#include "base/control_type.h"
#include "geometry/distance/gap.h"

typedef struct grz_near_pair {
    uint32_t a, b; // triangles
    grz_gap gap;   // encloses their distance, world units
} grz_near_pair;

typedef struct grz_nearest_pairs {
    const grz_object *a, *b;
    grz_control *control;
    grz_triangle_gap_function *gap;
    double upper;       // the exact distance of the objects is not larger
    double way[3];      // of length 1, from A to B; at first between their boxes
    double next_way[3]; // where the upper bound is from; not yet used if has_next
    bool has_next;
    bool by_way;        // compare the ends of triangles along the way before all else
    double rows[2][4];  // a point x of A's or B's mesh is at row · x + row[3] along the way
    uint32_t looks;     // how often `way` was changed
    double error;       // of the difference of two such places, or of two along a triangle's normal
    double scale;       // coordinates are multiplied by this power of two before they are compared in doubles
    grz_near_pair best; // whose upper bound that is; the first one that touches
    bool touching;
    grz_trial normals; // the gap along the normals of the triangles
    uint64_t compared;
    size_t next_look; // drop the pairs that are too far away when there are this many
    GRZ_ARRAY(grz_near_pair) pairs;
} grz_nearest_pairs;

void grz_nearest_pairs_init(grz_nearest_pairs *pairs, const grz_object *a, const grz_object *b, grz_simd simd,
                            grz_control *control);
void grz_nearest_pairs_finish(grz_nearest_pairs *pairs);

// A triangle of one of the objects, in the world. What is known of it is found when it is needed.
typedef struct grz_posed_triangle {
    uint32_t number;
    uint32_t looks;            // what grz_nearest_pairs::looks was when `end` was found
    double end;                // of its projection onto the way, towards the other object
    bool is_posed, has_normal; // what follows is there
    double corners[3][3];
    double normal[3];       // of length 1; 0 if it has no area that doubles can tell
    double lowest, highest; // of its corners along the normal
} grz_posed_triangle;

// Nothing is computed yet.
static inline void grz_posed_triangle_init(grz_posed_triangle *triangle, uint32_t number)
{
    triangle->number = number;
    triangle->looks = UINT32_MAX;
    triangle->end = 0.0;
    triangle->is_posed = triangle->has_normal = false;
}

// Compare a triangle of A with one of B. False if there is no memory.
bool grz_nearest_pairs_compare(grz_nearest_pairs *pairs, grz_posed_triangle *a, grz_posed_triangle *b);

// Take the way of the best pair, if there is a new one: call this after some comparisons. True if the way changed.
bool grz_nearest_pairs_look(grz_nearest_pairs *pairs);

// Compare two triangles by their numbers, and look.
bool grz_nearest_pairs_try(grz_nearest_pairs *pairs, uint32_t triangle_a, uint32_t triangle_b);

// The smallest of the lower bounds of all pairs that were compared; infinite if there are none.
double grz_nearest_pairs_lower(const grz_nearest_pairs *pairs);

// Decide which of the pairs is the nearest, exactly, and fill in the answer, but for `compared`. There is one at least.
// False if the control says to end; the answer is then unchanged.
bool grz_nearest_pairs_decide(grz_nearest_pairs *pairs, grz_distance_answer *answer);

// Fill in faces, features and points of the best pair. There is one at least.
void grz_nearest_pairs_best(const grz_nearest_pairs *pairs, grz_distance_answer *answer);

#endif
