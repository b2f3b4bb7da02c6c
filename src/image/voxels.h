// SPDX-License-Identifier: MIT
// Which triangles of two objects share a cell of a grid, by shaders that leave none out.
#ifndef GRZ_IMAGE_VOXELS_H
#define GRZ_IMAGE_VOXELS_H

#include "space/filter.h"

// Triangles of one mesh, in any order.
typedef struct grz_marked {
    uint32_t *triangles;
    uint32_t count;
} grz_marked;

// Where a mesh's buffer comes to lie in the grid: cells = rows · (coordinates, 1), wrong by `grow` at most.
typedef struct grz_voxel_frame {
    float rows[3][4], grow[3];
} grz_voxel_frame;

// The grid of a box in the world.
typedef struct grz_voxel_grid {
    uint32_t cells[3];       // pixels along both sides, slices
    int axes[3];             // of the world
    double least[3], per[3]; // in the order of the axes: where it begins, cells for each unit of length
} grz_voxel_grid;

// The grid of a box: slices along its shortest side. `size` is how large the objects are.
grz_voxel_grid grz_voxel_grid_of(const grz_box *box, double size, uint32_t resolution);

// An object's frame; `centre` and `scale` are those of its buffers. False: it is so large or far away in cells that a grid is of no use.
bool grz_voxel_frame_of(const grz_voxel_grid *grid, const grz_object *object, const double centre[3], double scale,
                        grz_voxel_frame *frame);

// Mark the triangles of both objects that may have a point of the other in the job's box. Both lists are in the control's allocator's
// memory; where one is empty nothing touches. *whole: nothing was marked, all may touch.
grz_status grz_voxels_mark(grz_device *device, const grz_job *job, uint32_t resolution, grz_control *control, grz_marked marked[2],
                           bool *whole, grz_error *error);

#endif
