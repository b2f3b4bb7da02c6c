// SPDX-License-Identifier: MIT
// Containment: inside or apart, for two objects whose surfaces do not touch.
#ifndef GRZ_INSIDE_CONTAINMENT_H
#define GRZ_INSIDE_CONTAINMENT_H

#include "result/result.h"

// Decide whether one of two objects lies inside the other. Fills relation, containment and reason of `verdict`. Exact.
// The surfaces of a and b must have no point in common. May be called on several threads at once, also for the same
// meshes.
//
// device  its threads may help if an object has many components, and progress is reported to it. NULL if the caller is
// itself one of several parallel tasks (grz_parallel()): everything is then done on this thread, and no progress is
// reported.
// Returns GRZ_OK; GRZ_ERROR_MEMORY; the control's status if it says to end; an error of building the hierarchy. After a
// failure the verdict is unchanged.
grz_status grz_containment_decide(grz_device *device, const grz_object *a, const grz_object *b, grz_inside_rule rule,
                                  grz_control *control, grz_verdict *verdict, grz_error *error);

// Whether any, and whether all components of `inner` lie inside `container`. Parameters, conditions and statuses are
// those of grz_containment_decide(). The container must be closed; by the nonzero rule, also wound consistently.
grz_status grz_components_inside(grz_device *device, const grz_object *inner, const grz_object *container,
                                 grz_inside_rule rule, grz_control *control, bool *any, bool *all, grz_error *error);

#endif
