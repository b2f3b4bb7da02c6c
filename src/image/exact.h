// SPDX-License-Identifier: MIT
// What the exact answers of methods of images have in common: jobs go through the GPU in rounds, and what it cannot say is done by
// method `bvh`.
#ifndef GRZ_IMAGE_EXACT_H
#define GRZ_IMAGE_EXACT_H

#include "image/voxels.h"

typedef struct grz_image_method {
    const char *name;
    grz_voxel_join join;
    uint32_t (*resolution)(const grz_job *const *jobs, size_t count); // pixels a side, for such jobs
} grz_image_method;

// What suits jobs between two objects: about as many pixels as two objects have triangles, on average, up to GRZ_VOXEL_RESOLUTION a side.
uint32_t grz_image_pair_resolution(const grz_job *const *jobs, size_t count);

// grz_filter::propose
grz_status grz_image_propose(grz_device *device, const grz_image_method *method, const grz_job *jobs, size_t count, grz_sink *sink,
                             grz_error *error);

// grz_filter::reach: triangles in the caller's buffers go into the grid from there.
grz_status grz_image_reach(grz_device *device, const grz_image_method *method, const grz_job *job, grz_control *control,
                           grz_mesh *parts[2], bool *done, grz_error *error);

#endif
