// SPDX-License-Identifier: MIT
// Runs the voxel grid on one job, for tests that look at its voxels.
#ifndef GRZ_TESTS_SUPPORT_VOXELS_H
#define GRZ_TESTS_SUPPORT_VOXELS_H

#include "geometry/pose.h"
#include "image/grid/grid.h"

// All data that the job points to. Do not move it while the job is used.
typedef struct test_grid_request {
    grz_object objects[2];
    grz_job job;
    grz_job_set set;
    uint32_t number;
    grz_grid_request request;
} test_grid_request;

// Two objects, or with b NULL a mesh with itself; clipped to where their boxes overlap, to the mesh's box. All pairs
// are wanted.
static inline void test_grid_request_init(test_grid_request *q, const char *method, const grz_object *a,
                                          const grz_object *b, uint32_t resolution, grz_grid_join join)
{
    q->objects[0] = *a;
    q->objects[1] = b != NULL ? *b : *a;
    q->number = 0;
    q->job = (grz_job){.a = 0, .b = b != NULL ? 1 : GRZ_SELF, .clip = a->mesh->bounds};
    if (b != NULL) {
        const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds),
                      box_b = grz_world_box(&b->pose, &b->mesh->bounds);
        q->job.clip = grz_box_intersection(&box_a, &box_b);
    }
    q->set = (grz_job_set){.objects = q->objects, .object_count = 2, .jobs = &q->job, .job_count = 1};
    q->request = (grz_grid_request){.method = method,
                                    .set = &q->set,
                                    .form = b != NULL ? GRZ_GRID_PER_PAIR : GRZ_GRID_OF_SELF,
                                    .jobs = &q->number,
                                    .count = 1,
                                    .resolution = resolution,
                                    .join = join};
}

#endif
