// SPDX-License-Identifier: MIT
// A proof for all of A and B at once, without any rounding: for depths that are near the roundings of coordinates.
#ifndef GRZ_ASK_OVERLAP_DEPTH_EXACT_WAY_H
#define GRZ_ASK_OVERLAP_DEPTH_EXACT_WAY_H

#include "ask/move/translation/follow.h"
#include "ask/overlap/depth/ways.h"

// Look for a vector no longer than `most` after which the insides of A, moved by it, and of B have no common point.
// `first`: directions that are tried before others. *parts: found.
grz_status grz_parted_exactly(grz_move_call *call, const grz_object objects[2], grz_depth_side sides[2],
                              const grz_ways *first, double most, bool *parts);

#endif
