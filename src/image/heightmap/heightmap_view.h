// SPDX-License-Identifier: MIT
// The projections of an object: the view volumes of its height maps, in the coordinates of its mesh. An affine map
// keeps lines and the order of points on them, so comparing depths there is as good as in the world, and a map stays
// valid wherever the object moves.
#ifndef GRZ_IMAGE_HEIGHTMAP_HEIGHTMAP_VIEW_H
#define GRZ_IMAGE_HEIGHTMAP_HEIGHTMAP_VIEW_H

#include "gpu/view.h"
#include "image/heightmap/heightmap_options.h"

// Find the view volumes of a mesh, 1 or 2. Returns their number; 0: the mesh has no thickness along them. The eye is
// behind; depth grows forwards. They enclose the mesh as closely as their axes allow; if its positions are in the
// caller's buffers, they enclose its box. `box`, an oriented box of the mesh, gives the axes.
uint32_t grz_height_views(const grz_heightmap_options *options, const grz_mesh *mesh, const grz_solid_box *box,
                          grz_view views[2]);

#endif
