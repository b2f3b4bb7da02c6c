// SPDX-License-Identifier: MIT
// The view volume of a picture: a box of any orientation, seen along one of its edges.
#ifndef GRZ_IMAGE_VIEW_H
#define GRZ_IMAGE_VIEW_H

#include <graze/slices.h>

#include "geometry/box.h"
#include "image/mesh_buffers.h"

typedef struct grz_view {
    double axes[3][3]; // unit vectors: to the right, up, away from the eye
    double centre[3];  // world coordinates
    double half[3];    // along the axes, none of them 0
} grz_view;

// A box at an object's pose. `out`: grown by so much, in mesh coordinates, on all sides.
grz_solid_box grz_view_posed_box(const grz_object *object, const grz_solid_box *box, double out);

// An axis-aligned box.
grz_solid_box grz_view_plain_box(const grz_box *box);

// Whether no plane along the faces or edges of two boxes parts them.
bool grz_view_boxes_meet(const grz_solid_box *a, const grz_solid_box *b);

// Where two objects' boxes overlap: what lies in all of some boxes.
typedef struct grz_view_region {
    grz_solid_box boxes[3];
    int count;
    double padding; // the least half of a view, so that floats tell its sides apart
} grz_view_region;

// The view along a direction, a vector of any length, of a region, as far as the view's own axes tell. False: nothing is there.
bool grz_view_along(const double direction[3], const grz_view_region *region, grz_view *view);

// The direction, among some and those of the boxes' edges, along which the fewest faces of two objects are edge-on, for a view volume
// that is not large. Looks at a sample of the faces.
void grz_view_choose_direction(const grz_object *const objects[2], const grz_mesh_buffers *const buffers[2],
                               const grz_view_region *region, double direction[3]);

// A part of a view volume: `from` and `to` in each axis, 0 to 1.
grz_view grz_view_part(const grz_view *view, const double from[3], const double to[3]);

// What takes a mesh's buffer into the view volume: rows of 4. x and y from -1 to 1, z from 0 to 1.
void grz_view_matrix(const grz_view *view, const grz_object *object, const grz_mesh_buffers *buffers, float matrix[16]);

// The view volume as a box in the world.
grz_volume grz_view_volume(const grz_view *view, uint64_t cells);

#endif
