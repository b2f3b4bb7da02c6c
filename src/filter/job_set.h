// SPDX-License-Identifier: MIT
// The input of a filter: a list of objects, and the pairs of them to test.
#ifndef GRZ_FILTER_JOB_SET_H
#define GRZ_FILTER_JOB_SET_H

#include <assert.h>

#include <graze/object.h>

#include "geometry/box.h"

// Instead of a second object: the first object's mesh is tested against itself.
#define GRZ_SELF UINT32_MAX

// One pair of objects of a job set.
typedef struct grz_job {
    uint32_t a, b; // indices into the set's objects; b may be GRZ_SELF
    // Triangles outside this box may be ignored. World coordinates; for GRZ_SELF mesh coordinates. It is empty if the
    // boxes of the objects do not overlap. A query leaves such jobs out, so that filters never see an empty box; only
    // `discrete` (filter.h) may get one, as the set's only job.
    grz_box clip;
    bool compared; // the objects' boxes were also compared as they are posed; the query need not do that again
} grz_job;

enum {
    GRZ_JOBS_FIRST_CONTACT = 1u << 0 // the first touching pair of triangles answers its job: only yes or no is asked
};

// The jobs of one query, or of one block of a large query. All pointers are borrowed; nothing changes while a filter
// works.
typedef struct grz_job_set {
    const grz_object *objects; // the meshes are in memory, unless the function says that it takes buffers
    uint32_t object_count;
    // Sorted by (a, b), all different. The jobs of one object with many others are therefore neighbours.
    const grz_job *jobs;
    size_t job_count; // fewer than 2^32
    double margin;    // triangle pairs closer than this are candidates as well; 0: only pairs that may touch
    uint32_t flags;   // GRZ_JOBS_…
    // Number of the reference object, for methods that treat one object of a job differently. UINT32_MAX, or in jobs
    // without it: object a.
    uint32_t reference;
    const void *options; // of the method that was asked for, as the caller gave them; NULL: its defaults
} grz_job_set;

static inline const grz_object *grz_job_object_a(const grz_job_set *set, const grz_job *job)
{
    assert(job->a < set->object_count);
    return &set->objects[job->a];
}

// The second object; for GRZ_SELF, the first one.
static inline const grz_object *grz_job_object_b(const grz_job_set *set, const grz_job *job)
{
    assert(job->a < set->object_count && (job->b == GRZ_SELF || job->b < set->object_count));
    return &set->objects[job->b != GRZ_SELF ? job->b : job->a];
}

// The end of a run of jobs: the index after the last job that has the same first object as job `first`.
static inline size_t grz_job_run_end(const grz_job_set *set, size_t first)
{
    assert(first < set->job_count);
    size_t end = first + 1;
    while (end < set->job_count && set->jobs[end].a == set->jobs[first].a)
        end++;
    return end;
}

// A set with only one job, the i-th of another set. It borrows from that set.
static inline grz_job_set grz_job_set_of_one(const grz_job_set *set, size_t i)
{
    assert(i < set->job_count);
    grz_job_set one = *set;
    one.jobs = &set->jobs[i];
    one.job_count = 1;
    return one;
}

#endif
