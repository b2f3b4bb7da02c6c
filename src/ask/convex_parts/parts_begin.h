// SPDX-License-Identifier: MIT
// What a cutting begins with: one cell around the mesh, and the polygons in it.
#ifndef GRZ_ASK_CONVEX_PARTS_PARTS_BEGIN_H
#define GRZ_ASK_CONVEX_PARTS_PARTS_BEGIN_H

#include "base/control_type.h"
#include "geometry/cut/cut.h"
#include "mesh/mesh.h"

// The first cell: a box around the mesh, with room on each side.
bool grz_parts_begin_with_box(grz_parts_pool *pool, const grz_mesh *mesh, grz_parts_node *node);

// All triangles with area become polygons of the first cell. `joined`: those in one plane get the same plane, which
// takes time in proportion to the square of their number. False: the control says to end, or there is no memory.
bool grz_parts_begin_with_surface(grz_parts_pool *pool, const grz_mesh *mesh, bool joined, grz_control *control,
                                  grz_parts_node *node);

#endif
