// SPDX-License-Identifier: MIT
// The objects that the jobs of a set name, each once, for a filter that puts all of them into one grid; and the way
// back from a pair of their triangles to a candidate of the right job.
#ifndef GRZ_IMAGE_GRID_OBJECT_LIST_H
#define GRZ_IMAGE_GRID_OBJECT_LIST_H

#include "filter/filter.h"

typedef struct grz_object_list {
    const grz_job_set *set;
    bool self;         // the only job is a mesh with itself
    uint32_t *numbers; // of the objects in the set, ascending
    uint32_t *
        first_triangles; // of each: where its triangles begin when those of all objects are numbered one after the other
    size_t count;
    uint32_t most_jobs; // the largest number of jobs that name one object
    grz_box region;     // the box of the clip boxes of all jobs
} grz_object_list;

// Two triangles of listed objects that may touch.
typedef struct grz_listed_pair {
    uint32_t objects[2]; // positions in the list; both 0 for a mesh with itself
    uint32_t triangles[2];
    bool proved;
} grz_listed_pair;

// List the objects of all jobs. There is at least one job; all jobs are of two objects, or the only one is a mesh with
// itself. Each position of the set is an object, even if two have the same mesh and pose. Finish the list whatever is
// returned; its memory is the control's allocator's.
grz_status grz_object_list_make(grz_object_list *list, const grz_device *device, const grz_job_set *set,
                                grz_control *control, grz_error *error);
void grz_object_list_finish(grz_object_list *list, grz_control *control);

static inline const grz_object *grz_listed_object(const grz_object_list *list, size_t i)
{
    return &list->set->objects[list->numbers[i]];
}

// The pair of two triangles whose numbers count through all objects of the list.
grz_listed_pair grz_listed_pair_of(const grz_object_list *list, const uint32_t triangles[2], bool proved);

// Make a candidate of a pair. False: no job names the two objects, or the triangles belong to one face of one mesh.
bool grz_listed_candidate(const grz_object_list *list, const grz_listed_pair *pair, grz_candidate *candidate);

// Sort candidates by job and hand them to a sink.
grz_status grz_push_sorted(grz_sink *sink, grz_candidate *candidates, size_t count);

#endif
