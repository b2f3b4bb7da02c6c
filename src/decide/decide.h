// SPDX-License-Identifier: MIT
// The sink of a query: takes a filter's candidates, decides each one exactly, and collects the pairs that touch, and
// those that are nearer than the set's margin.
#ifndef GRZ_DECIDE_DECIDE_H
#define GRZ_DECIDE_DECIDE_H

#include <stdatomic.h>

#include "filter/job_set.h"
#include "filter/sink.h"
#include "geometry/distance/gap.h"
#include "geometry/triangle/packet.h"
#include "mesh/mesh.h"
#include "result/found.h"

// A list that is being collected.
typedef struct grz_found_list {
    grz_found_array *found;    // NULL: not wanted
    uint64_t next_count_check; // count the distinct face pairs when there are this many entries
} grz_found_list;

// What is known of a job.
enum {
    GRZ_JOB_TOUCHES = 1,
    GRZ_JOB_NEAR = 2 // two triangles that do not touch are nearer than the margin
};

typedef struct grz_decider {
    grz_sink sink; // must be the first member: filters see only this
    const grz_job_set *set;
    uint64_t max_pairs;
    bool list;               // true: collect all pairs; false: the first pair that touches or is near answers its job
    grz_packet_judge *judge; // decides most candidates, four at a time; NULL: all are left to the exact predicates
    grz_triangle_gap_function *gap_of; // grz_triangle_gap() for the device's SIMD width
    pthread_mutex_t lock;
    grz_found_list touching, near; // protected by the lock
    atomic_uchar *known;           // GRZ_JOB_… bits, for each job
    atomic_uchar single;           // used as `known` if there is only one job
    atomic_bool any_touching;
    atomic_ullong witness; // without a list: the last touching pair, the triangle of A in the upper 32 bits
    atomic_ullong candidates;
    atomic_ullong decide_ns; // nanoseconds of deciding, summed over the threads
} grz_decider;

// Initialise a decider. What is found is stored in memory from the control's allocator. The set's flags say whether
// pairs are collected or the first contact answers a job. `judge` may be NULL; `near`, too: then pairs within the
// margin are not collected. False if there is no memory.
bool grz_decider_init(grz_decider *decider, grz_control *control, const grz_job_set *set, uint64_t max_pairs,
                      grz_packet_judge *judge, grz_triangle_gap_function *gap_of, grz_found_array *touching,
                      grz_found_array *near);
void grz_decider_finish(grz_decider *decider);

// Decide any pair of triangles of the set's only job; numbers that are out of range count as apart. True: they touch,
// so a yes/no job has its answer.
bool grz_decider_try(grz_decider *decider, uint64_t triangle_a, uint64_t triangle_b);

// What is known of the job: GRZ_JOB_… bits.
unsigned grz_decider_known(const grz_decider *decider, size_t job);

// True if a touching pair of the job is known.
bool grz_decider_touching(const grz_decider *decider, size_t job);

#endif
