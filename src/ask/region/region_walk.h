// SPDX-License-Identifier: MIT
// A walk through the tree of a posed mesh, past all boxes that lie outside one of a region's planes.
#ifndef GRZ_ASK_REGION_REGION_WALK_H
#define GRZ_ASK_REGION_REGION_WALK_H

#include "gpu/picking/picking.h"
#include "space/bvh/bvh.h"

// Add the triangles that may meet the region: all that do, and some others. The mesh is in memory.
grz_status grz_region_walk(const grz_region *region, const grz_object *object, const grz_bvh *bvh, grz_control *control,
                           grz_triangle_list *list);

#endif
