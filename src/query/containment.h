// SPDX-License-Identifier: MIT
// Inside or apart, for two objects whose surfaces do not touch.
#ifndef GRZ_QUERY_CONTAINMENT_H
#define GRZ_QUERY_CONTAINMENT_H

#include "query/result.h"

// Fill relation, containment and reason of `verdict`. Exact; the surfaces of a and b must have no point in common. Safe on several
// threads at once.
grz_status grz_containment_decide(const grz_object *a, const grz_object *b, grz_inside_rule rule, grz_control *control,
                                  grz_verdict *verdict, grz_error *error);

#endif
