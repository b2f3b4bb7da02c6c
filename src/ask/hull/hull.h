// SPDX-License-Identifier: MIT
// The inside of a grz_hull, and hulls of meshes for other calls.
#ifndef GRZ_ASK_HULL_HULL_H
#define GRZ_ASK_HULL_HULL_H

#include <graze/hull.h>

#include "base/call.h"
#include "geometry/hull/hull_build.h"
#include "mesh/mesh.h"

struct grz_hull {
    grz_device *device;
    grz_hull_shape shape;
};

// The hull of the vertices that faces of a mesh in main memory use. Release it with grz_hull_shape_finish() and the
// mesh's allocator.
grz_status grz_mesh_hull_shape(const grz_mesh *mesh, grz_control *control, grz_hull_shape *shape);

// Begin a call that takes grz_hull_options: see grz_call_begin().
grz_status grz_hull_begin(grz_call *call, const char *name, grz_device *device, const grz_hull_options *given,
                          grz_error *error);

#endif
