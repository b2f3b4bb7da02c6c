// SPDX-License-Identifier: MIT
// The least depth of two convex solids.
#ifndef GRZ_ASK_PENETRATION_CONVEX_PAIR_H
#define GRZ_ASK_PENETRATION_CONVEX_PAIR_H

#include <graze/penetration.h>

#include "ask/penetration/depth.h"

// The solids overlap, and their surfaces are known. *found: both are convex, and the answer has bounds that differ by
// roundings at most, the faces, and the direction.
grz_status grz_convex_pair_depth(grz_move_call *call, const grz_overlapping *start, grz_penetration_answer *answer,
                                 bool *found);

#endif
