// SPDX-License-Identifier: MIT
// Doing without a refit: a hierarchy of the few triangles that come near the other object, made anew for one query.
#ifndef GRZ_SPACE_BVH_NEAR_H
#define GRZ_SPACE_BVH_NEAR_H

#include "base/simd.h"
#include "space/bvh.h"

// Whether a job between two objects does better without the hierarchy of `mesh`, which is one of theirs: it is out of date, few
// queries have asked for it since, and the other mesh is small beside it.
bool grz_bvh_near_pays(const grz_job *job, const grz_mesh *mesh);

// A hierarchy of the object's triangles that may meet the job's clip box, by one pass over its vertices and one over its triangles;
// grz_bvh_near_finish() ends it. NULL: they are too many for that to pay, memory is short, or the control says to end.
grz_bvh *grz_bvh_near(const grz_job *job, const grz_object *object, grz_simd simd, grz_control *control);
void grz_bvh_near_finish(grz_bvh *bvh, grz_control *control);

#endif
