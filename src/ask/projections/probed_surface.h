// SPDX-License-Identifier: MIT
// The surface of a mesh, in one or more poses, as small cells with a probe in front of each: a point in the empty space
// beside the surface.
#ifndef GRZ_ASK_PROJECTIONS_PROBED_SURFACE_H
#define GRZ_ASK_PROJECTIONS_PROBED_SURFACE_H

#include <graze/collide.h>

#include "mesh/mesh.h"

// Coordinates in which all poses lie in [-1, 1]: (mesh coordinates - centre) × scale. The scale is a power of two, so a
// mesh scaled by such a number has the same coordinates here.
typedef struct grz_sight_frame {
    double centre[3], scale;
    double diagonal; // of the box around all poses, frame units: 1 to 4
    double gap;      // how far a probe is from its cell: 2^-16 of the diagonal
    double area;     // of one unit of weight, frame units squared: a power of two
} grz_sight_frame;

// A cell of a triangle, and its probe. The triangle is divided into `split`² cells of equal shape.
typedef struct grz_sight_cell {
    double probe[3];   // frame coordinates
    double normal[3];  // length 1: from the cell to its probe
    uint64_t weight;   // the area that the probe stands for, in units. An area is an integer, so that sums are exact
    uint32_t triangle; // its number, the same in all poses
    uint32_t number;   // of the cell in its triangle
    uint32_t split;
    uint32_t pose;
    bool buried; // there is no empty space on either side of the cell: the probe counts as covered
} grz_sight_cell;

typedef struct grz_sight_surface {
    const grz_mesh *const *poses; // in main memory, with the same faces
    uint32_t pose_count;
    grz_sight_frame frame;
    GRZ_ARRAY(grz_sight_cell) cells;
    uint64_t weight;         // of all cells
    uint64_t *face_weights;  // one for each triangle, over all poses
    uint32_t triangle_count; // of each pose
} grz_sight_surface;

// A position in the frame.
static inline void grz_sight_place(const grz_sight_frame *frame, const double position[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = (position[i] - frame->centre[i]) * frame->scale;
}

// The corners of a cell in the frame, moved as far as its probe.
void grz_sight_cell_corners(const grz_sight_surface *surface, const grz_sight_cell *cell, double corners[3][3]);

// The corners of the same piece of the surface in a pose.
void grz_sight_cell_in_pose(const grz_sight_surface *surface, const grz_sight_cell *cell, uint32_t pose,
                            double out[3][3]);

// The frame of poses of one mesh.
grz_sight_frame grz_sight_frame_of(const grz_mesh *const *poses, uint32_t pose_count);

// Divide the surface into about `cells` cells a pose, and find the empty side of each.
//
// poses    in main memory, of the same faces; borrowed for the life of the surface
// device   locates the probes
// Returns GRZ_OK; GRZ_ERROR_MESH if a pose has no area, or it cannot be decided what is empty; GRZ_ERROR_MEMORY; the
// control's status. Finish the surface in any case.
grz_status grz_sight_surface_init(grz_sight_surface *surface, grz_device *device, const grz_mesh *const *poses,
                                  uint32_t pose_count, uint32_t cells, grz_inside_rule rule, grz_control *control,
                                  grz_error *error);

void grz_sight_surface_finish(grz_sight_surface *surface, const grz_allocator *allocator);

#endif
