// SPDX-License-Identifier: MIT
// The sink of a query: takes a filter's candidates, decides each one exactly, and collects the pairs that touch.
#ifndef GRZ_DECIDE_DECIDE_H
#define GRZ_DECIDE_DECIDE_H

#include "geometry/triangle/packet.h"
#include "filter/job_set.h"
#include "filter/sink.h"
#include "mesh/mesh.h"
#include "result/found.h"

typedef struct grz_decider {
    grz_sink sink; // must be the first member: filters see only this
    const grz_job_set *set;
    uint64_t max_pairs;
    bool list;               // true: collect all pairs; false: the first touching pair answers its job
    grz_packet_judge *judge; // decides most candidates, four at a time; NULL: all are left to the exact predicates
    pthread_mutex_t lock;
    grz_found_array *found;    // the touching pairs; protected by the lock
    uint64_t next_count_check; // protected by the lock: count the distinct face pairs when there are this many entries
    atomic_uchar *touching;    // one for each job: not 0 if a candidate touches
    atomic_uchar single;       // used as `touching` if there is only one job
    atomic_bool any_touching;
    atomic_ullong witness; // without a list: the last touching pair, the triangle of A in the upper 32 bits
    atomic_ullong candidates;
    atomic_ullong decide_ns; // nanoseconds of deciding, summed over the threads
} grz_decider;

// Initialise a decider. What is found is stored in memory from the control's allocator. The set's flags say whether
// pairs are collected or the first contact answers a job. `judge` may be NULL. False if memory is out.
bool grz_decider_init(grz_decider *decider, grz_control *control, const grz_job_set *set, uint64_t max_pairs,
                      grz_packet_judge *judge, grz_found_array *found);
void grz_decider_finish(grz_decider *decider);

// Decide any pair of triangles of the set's only job; numbers that are out of range count as apart. True: they touch,
// so a yes/no job has its answer.
bool grz_decider_try(grz_decider *decider, uint64_t triangle_a, uint64_t triangle_b);

// True if a touching pair of the job is known.
bool grz_decider_touching(const grz_decider *decider, size_t job);

#endif
