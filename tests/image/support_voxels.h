// SPDX-License-Identifier: MIT
// Runs the voxel grid on one job, for tests that look at its voxels, and makes pairs of objects for them.
#ifndef GRZ_TESTS_SUPPORT_VOXELS_H
#define GRZ_TESTS_SUPPORT_VOXELS_H

#include <string.h>

#include "support_meshes.h"

#include "geometry/pose.h"
#include "image/grid/voxel_grid.h"

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

// Any affine map.
static inline grz_pose test_any_pose(random_stream *random, double reach, double stretch)
{
    grz_pose pose;
    for (int j = 0; j < 12; j++)
        pose.m[j / 4][j % 4] = j % 4 == 3 ? reach * random_signed(random) : stretch * random_signed(random);
    return pose;
}

// Two objects whose boxes overlap, of many kinds: closed surfaces, soups, triangles much larger than the region, flat
// ones. `number` says which.
typedef struct test_two_objects {
    test_mesh meshes[2];
    grz_object objects[2];
} test_two_objects;

static inline test_two_objects test_two_objects_make(grz_device *device, random_stream *random, int number)
{
    test_two_objects two;
    two.meshes[0] = number % 4 == 0 ? test_mesh_icosphere(1.0, 3)
                                    : test_mesh_random_triangles(random, 400, number % 4 == 1 ? 0.1 : 2.0, 0);
    two.meshes[1] = number % 3 == 0 ? test_mesh_torus(1.0, 0.4, 40, 20)
                                    : test_mesh_random_triangles(random, 60, 0.4, number % 3 == 1 ? 5 : 0);
    if (number % 8 == 7) // triangles much larger than the region
        test_mesh_scale(&two.meshes[0], 1e5, 1e5, 1e5);
    for (int k = 0; k < 2; k++) {
        two.objects[k] = grz_object_at(test_mesh_upload(device, &two.meshes[k]), test_any_pose(random, 0.5, 1.0));
        if (number % 5 == 4)
            memset(two.objects[k].pose.m[number % 3], 0, 3 * sizeof(double)); // flat
    }
    return two;
}

static inline void test_two_objects_finish(test_two_objects *two)
{
    for (int k = 0; k < 2; k++) {
        grz_mesh_destroy((grz_mesh *)two->objects[k].mesh);
        test_mesh_finish(&two->meshes[k]);
    }
}

#endif
