// SPDX-License-Identifier: MIT
// Solids: how the sets that two closed surfaces bound lie to each other.
#ifndef GRZ_INSIDE_SOLIDS_SOLIDS_H
#define GRZ_INSIDE_SOLIDS_SOLIDS_H

#include "inside/solids/surface.h"
#include "result/result.h"

// Classify two objects as solids. Fills `solids` and `solids_reason` of the verdict, whose `relation` must say whether
// the surfaces touch. Exact. May be called on several threads at once, also for the same meshes.
//
// device  as for grz_containment_decide()
// found   if the surfaces touch: all pairs of triangles that do, of which `range` gives those of these two objects
// Returns GRZ_OK; GRZ_ERROR_MEMORY; the control's status if it says to end; an error of building the hierarchy. After a
// failure the verdict is unchanged.
grz_status grz_solids_decide(grz_device *device, const grz_found_array *found, const grz_found_range *range,
                             const grz_cached_pair *cached, grz_inside_rule rule, grz_control *control,
                             grz_verdict *verdict, grz_error *error);

#endif
