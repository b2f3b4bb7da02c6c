// SPDX-License-Identifier: MIT
// The exact answer of the methods that use a voxel grid: jobs go through the GPU in rounds (voxel_grid.h), and `bvh`
// answers what the grid cannot.
#ifndef GRZ_IMAGE_GRID_PROPOSE_H
#define GRZ_IMAGE_GRID_PROPOSE_H

#include "image/grid/voxel_grid.h"

typedef struct grz_image_method {
    const char *name;
    grz_grid_join join;
    grz_grid_cells cells;
    uint32_t (*resolution)(const grz_job_set *set, const uint32_t *jobs,
                           size_t count); // pixels along each side, for these jobs of the set
    // With leaves: faces of a leaf at most, 0 where each mesh has its own number; else NULL.
    uint32_t (*max_faces)(const grz_job_set *set);
} grz_image_method;

// A resolution for jobs of two objects: about as many pixels as the two have triangles, on average, up to
// GRZ_VOXEL_RESOLUTION along each side.
uint32_t grz_image_pair_resolution(const grz_job_set *set, const uint32_t *jobs, size_t count);

// Fail if a mesh of a job belongs to another device.
grz_status grz_image_check_device(const grz_device *device, const char *method, const grz_job_set *set,
                                  const grz_job *job, grz_error *error);

// grz_filter::propose
grz_status grz_image_propose(grz_device *device, const grz_image_method *method, const grz_job_set *set, grz_sink *sink,
                             grz_error *error);

// grz_filter::read_near, for meshes in the caller's buffers: their triangles go into the grid without being read back
// first.
grz_status grz_image_read_near(grz_device *device, const grz_image_method *method, const grz_job_set *set,
                               grz_control *control, grz_mesh *parts[2], bool *done, grz_error *error);

#endif
