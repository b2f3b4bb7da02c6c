// SPDX-License-Identifier: MIT
// The exact side of a query: the sink that takes a filter's candidates, decides each with the predicates, and gathers those that
// touch.
#ifndef GRZ_QUERY_DECIDE_H
#define GRZ_QUERY_DECIDE_H

#include "geometry/triangle_packet.h"
#include "space/filter.h"

// A pair of triangles that touch.
typedef struct grz_found {
    uint32_t job;
    uint32_t face_a, face_b;
    uint32_t triangle_a, triangle_b;
    uint32_t kind; // grz_kind
} grz_found;

typedef GRZ_ARRAY(grz_found) grz_found_array;

typedef struct grz_decider {
    grz_sink sink; // first: the filter's view
    const grz_job *jobs;
    size_t job_count;
    uint64_t max_pairs;
    bool list;               // gather pairs; otherwise the first one answers its job
    grz_packet_judge *judge; // decides most candidates; NULL: all are left to the exact predicates
    pthread_mutex_t lock;
    grz_found_array *found;    // under the lock
    uint64_t next_count_check; // under the lock: count the distinct face pairs when this many were found
    atomic_uchar *touching;    // job_count: some candidate touches
    atomic_uchar single;       // stands for `touching` where there is one job
    atomic_bool any_touching;
    atomic_ullong witness; // without a list: the last pair that touched, A's triangle in the upper half
    atomic_ullong candidates;
    atomic_ullong decide_ns; // summed over threads
} grz_decider;

// False where memory is short. Room for what is found comes from the control's allocator. `judge` may be NULL.
bool grz_decider_init(grz_decider *decider, grz_control *control, const grz_job *jobs, size_t job_count, bool list,
                      uint64_t max_pairs, grz_packet_judge *judge, grz_found_array *found);
void grz_decider_finish(grz_decider *decider);

// Decide a pair of triangles of the only job, whatever it is. True: they touch, so the job has its answer.
bool grz_decider_try(grz_decider *decider, uint64_t triangle_a, uint64_t triangle_b);

// Whether a job's objects touch, as far as is known.
bool grz_decider_touching(const grz_decider *decider, size_t job);

// Sort by job, then (face_a, face_b), then by triangles; leave out repeats. False where memory is short.
bool grz_found_sort(const grz_allocator *allocator, grz_found_array *found);

#endif
