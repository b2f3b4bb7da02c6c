// SPDX-License-Identifier: MIT
// Inside or apart, for two objects whose surfaces do not touch.
#ifndef GRZ_QUERY_CONTAINMENT_H
#define GRZ_QUERY_CONTAINMENT_H

#include "query/result.h"

// Fill relation, containment and reason of `verdict`. Exact; the surfaces of a and b must have no point in common. Safe on several
// threads at once, for the same meshes too.
//
// device  whose threads may help, where an object has many components, and whose progress this is to tell; NULL for a caller who is
// one
//         of several at work, a task of grz_parallel() above all: all is then done on this thread, and nothing told
// Returns GRZ_OK; GRZ_ERROR_MEMORY; what the control says; what the hierarchy's method refuses. The verdict is unchanged then.
grz_status grz_containment_decide(grz_device *device, const grz_object *a, const grz_object *b, grz_inside_rule rule,
                                  grz_control *control, grz_verdict *verdict, grz_error *error);

#endif
