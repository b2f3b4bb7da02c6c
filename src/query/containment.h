// SPDX-License-Identifier: MIT
// Inside or apart, for two objects whose surfaces do not touch.
#ifndef GRZ_QUERY_CONTAINMENT_H
#define GRZ_QUERY_CONTAINMENT_H

#include "query/decide.h"

// Fill relation, containment and reason of `summary`. Exact; the surfaces of a and b must have no point in common.
grz_status grz_containment_decide(grz_decider *decider, const grz_object *a, const grz_object *b, grz_summary *summary,
                                  grz_error *error);

#endif
