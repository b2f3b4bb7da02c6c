// SPDX-License-Identifier: MIT
// The view volume of a picture: a box of any orientation, seen along one of its edges, and how to choose it.
#ifndef GRZ_GPU_VIEW_H
#define GRZ_GPU_VIEW_H

#include <graze/slices.h>

#include "geometry/box.h"
#include "gpu/mesh_buffers.h"

typedef struct grz_view {
    double axes[3][3]; // unit vectors: to the right, up, away from the eye
    double centre[3];  // world coordinates
    double half[3];    // along the axes, none of them 0
} grz_view;

// A box of an object, moved to the object's pose. It is grown by `out` on all sides, in mesh coordinates.
grz_solid_box grz_view_posed_box(const grz_object *object, const grz_solid_box *box, double out);

// An axis-aligned box as one of any orientation.
grz_solid_box grz_view_plain_box(const grz_box *box);

// True unless a separating axis shows two boxes to be apart.
bool grz_view_boxes_meet(const grz_solid_box *a, const grz_solid_box *b);

#define GRZ_VIEW_PADDING 0x1p-20 // of the size of what is looked at; chosen: 16 units in the last place of a float

// The region where two objects' boxes overlap: the common part of up to three boxes.
typedef struct grz_view_region {
    grz_solid_box boxes[3];
    int count;
    double padding; // the smallest half size of a view, so that floats can tell its sides apart: GRZ_VIEW_PADDING
} grz_view_region;

// The smallest view of a region along a direction (a vector of any length), as far as boxes along the view's axes
// tell. False: the region is empty.
bool grz_view_along(const double direction[3], const grz_view_region *region, grz_view *view);

// Choose the direction along which the fewest faces of two objects are edge-on, for a view volume that is not large.
// Tries some fixed directions and those of the boxes' edges, on a sample of the faces.
void grz_view_choose_direction(const grz_object *const objects[2], const grz_mesh_buffers *const buffers[2],
                               const grz_view_region *region, double direction[3]);

// A part of a view volume, from `from` to `to` on each axis, where 0 and 1 are its sides.
grz_view grz_view_part(const grz_view *view, const double from[3], const double to[3]);

// The matrix from buffer coordinates to the view volume, in rows of 4: x and y from -1 to 1, z from 0 to 1.
void grz_view_matrix(const grz_view *view, const grz_object *object, const grz_mesh_buffers *buffers, float matrix[16]);

// The view volume as a box in the world.
grz_collision_box grz_view_box(const grz_view *view, uint64_t cells);

#endif
