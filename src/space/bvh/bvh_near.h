// SPDX-License-Identifier: MIT
// A query without a refit: builds a small hierarchy of only those triangles that are near the other object, for one
// query.
#ifndef GRZ_SPACE_BVH_BVH_NEAR_H
#define GRZ_SPACE_BVH_BVH_NEAR_H

#include "base/simd.h"
#include "space/bvh/bvh.h"

// True if a query of `mesh` against a mesh of `other_triangle_count` triangles is faster without the hierarchy of
// `mesh`. That is so if the hierarchy is out of date, few queries have asked for it since the positions changed, and
// the other mesh is much smaller than this one.
bool grz_bvh_near_pays(const grz_mesh *mesh, uint32_t other_triangle_count);

// Build a hierarchy of the object's triangles that may meet a box in world coordinates, with one pass over the vertices
// and one over the triangles. grz_bvh_near_finish() releases it. NULL: too many triangles for this to pay, or memory is
// out, or the control says to end.
grz_bvh *grz_bvh_near(const grz_object *object, const grz_box *clip, grz_simd simd, grz_control *control);
void grz_bvh_near_finish(grz_bvh *bvh, grz_control *control);

#endif
