// SPDX-License-Identifier: MIT
// The exact side of a query: the sink that takes a filter's candidates, decides each with the predicates, and gathers those that touch.
#ifndef GRZ_QUERY_DECIDE_H
#define GRZ_QUERY_DECIDE_H

#include <pthread.h>
#include <stdatomic.h>

#include "space/filter.h"

// A pair of triangles that touch.
typedef struct grz_found {
    uint32_t face_a, face_b;
    uint32_t triangle_a, triangle_b;
    uint32_t kind; // grz_kind
} grz_found;

typedef GRZ_ARRAY(grz_found) grz_found_array;

typedef struct grz_decider {
    grz_sink sink; // first: the filter's view
    const grz_allocator *allocator;
    const grz_object *a, *b; // b NULL: self
    const grz_collide_options *options;
    bool list;        // gather pairs; otherwise the first one ends the query
    double start;     // of the call, by grz_clock_seconds()
    pthread_t caller; // progress is told from this thread only
    pthread_mutex_t lock;
    grz_found_array *found;    // under the lock
    uint64_t next_count_check; // under the lock: count the distinct face pairs when this many were found
    atomic_bool stop;
    atomic_bool touching; // some candidate touches
    atomic_int status;    // the first failure, a grz_status
    atomic_ullong candidates;
    atomic_ullong decide_ns; // summed over threads
} grz_decider;

void grz_decider_init(grz_decider *decider, const grz_allocator *allocator, const grz_object *a, const grz_object *b,
                      const grz_collide_options *options, double start, grz_found_array *found);
void grz_decider_finish(grz_decider *decider);

// End the query with a failure; the first one counts.
void grz_decider_fail(grz_decider *decider, grz_status status);

// Whether the cancel flag is up or the deadline has passed; fails the query if so.
bool grz_decider_expired(grz_decider *decider);

// Sort by (face_a, face_b), then by triangles, leave out repeats. False where memory is short.
bool grz_found_sort(const grz_allocator *allocator, grz_found_array *found);

#endif
