// SPDX-License-Identifier: MIT
// A method's discrete answer: the approximate answer that its paper describes.
#ifndef GRZ_RESULT_DISCRETE_H
#define GRZ_RESULT_DISCRETE_H

#include <graze/discrete.h>

#include "base/memory.h"

typedef GRZ_ARRAY(grz_collision_box) grz_collision_box_array;

enum {
    GRZ_MOST_STATISTICS = 8
};

typedef struct grz_discrete {
    bool colliding; // ignored if the predicates decide what the method proposed
    bool may_miss, may_invent;
    // Milliseconds spent on preparing the meshes, a part of the query's time.
    double prepare_ms;
    grz_statistic statistics[GRZ_MOST_STATISTICS]; // written by grz_discrete_set() and grz_discrete_add()
    uint32_t statistic_count;
    // If colliding: the collision volumes. The array belongs to the result; its memory comes from `allocator`.
    grz_collision_box_array *boxes;
    const grz_allocator *allocator;
} grz_discrete;

// Set a statistic, or add to it. A statistic starts at 0. `name` is static text and is not copied.
void grz_discrete_set(grz_discrete *answer, const char *name, uint64_t value);
void grz_discrete_add(grz_discrete *answer, const char *name, uint64_t value);

// Add a collision volume. False if there is no memory.
bool grz_discrete_add_box(grz_discrete *answer, const grz_collision_box *volume);

#endif
