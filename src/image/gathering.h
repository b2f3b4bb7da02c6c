// SPDX-License-Identifier: MIT
// The objects of all jobs of a query, each once, to be looked at together; and which job a pair of their triangles belongs to.
#ifndef GRZ_IMAGE_GATHERING_H
#define GRZ_IMAGE_GATHERING_H

#include "image/voxels.h"
#include "space/filter.h"

// Which job two objects are, by their numbers among all of them, the lower one first.
typedef struct grz_meeting {
    uint32_t a, b, job;
} grz_meeting;

typedef struct grz_gathering {
    const grz_job *jobs;
    size_t job_count;
    const grz_object **objects; // each once, sorted by address
    uint32_t *first_triangles;  // in the order of the objects
    size_t object_count;
    grz_meeting *meetings; // sorted
    uint32_t most_jobs;    // that one object is in
    grz_box region;        // where the boxes of all jobs' objects overlap
    grz_sink *sink;
    grz_error *error;
} grz_gathering;

// The objects of `count` jobs, at least one, either all of two objects or the only one of a mesh with itself. To be finished whatever is returned;
// its memory is the sink's control's allocator's. Objects that are given as different ones are different, wherever they lie.
grz_status grz_gathering_start(grz_gathering *gathering, const grz_device *device, const grz_job *jobs, size_t count,
                               grz_sink *sink, grz_error *error);
void grz_gathering_finish(grz_gathering *gathering);

// Hand pairs of triangles to the sink, job by job; those of objects that are in no job together are left out. Triangles are numbered through all
// objects, in their order (through), or the job and `proved` say which objects they are of, as grz_voxel_candidate has it.
grz_status grz_gathering_push(const grz_gathering *gathering, const grz_voxel_candidate *items, size_t count, bool through);

#endif
