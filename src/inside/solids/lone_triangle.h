// SPDX-License-Identifier: MIT
// Triangles that belong to the solid of their mesh, whatever the rest of the mesh looks like.
#ifndef GRZ_INSIDE_SOLIDS_LONE_TRIANGLE_H
#define GRZ_INSIDE_SOLIDS_LONE_TRIANGLE_H

#include <graze/object.h>

#include "base/control_type.h"
#include "space/bvh/bvh.h"

// True if a triangle has area, and no other triangle of the object overlaps it with area. At almost every point of it
// the surface is then this triangle alone, and one of its sides is inside the closed mesh: by the even-odd rule and by
// the nonzero rule. So it belongs to the solid. False also if the control says to end.
bool grz_triangle_is_alone(const grz_object *object, const grz_bvh *bvh, uint32_t triangle, grz_control *control);

#endif
