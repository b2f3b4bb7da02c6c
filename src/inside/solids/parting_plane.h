// SPDX-License-Identifier: MIT
// Touching without overlap, proved by one plane: most parts of buildings and machines that touch lie flush.
#ifndef GRZ_INSIDE_SOLIDS_PARTING_PLANE_H
#define GRZ_INSIDE_SOLIDS_PARTING_PLANE_H

#include "base/control.h"
#include "result/found.h"
#include "space/bvh/bvh.h"

// Whether the two solids touch and their insides are disjoint, proved by the plane of a face with A on one side of it
// and B on the other. Both meshes are closed, and wound consistently if the nonzero rule holds; the proof is the same
// by either rule. False says nothing; look at the control for whether the call has to end.
bool grz_parting_plane_found(const grz_found_array *found, const grz_found_range *range, const grz_bvh *bvh_a,
                             const grz_bvh *bvh_b, grz_control *control);

#endif
