// SPDX-License-Identifier: MIT
// Points that are likely to prove that two solids overlap deeper than asked.
#ifndef GRZ_ASK_OVERLAP_DEPTH_DEPTH_SEEDS_H
#define GRZ_ASK_OVERLAP_DEPTH_DEPTH_SEEDS_H

#include "ask/overlap/depth/side.h"

enum {
    GRZ_MOST_SEEDS = 65
};

// List the middle of the box that both objects have in common, and points that are a little more than half of `depth`
// below faces, or farther, in that box. Returns how many.
size_t grz_depth_seeds_list(const grz_depth_side sides[2], double depth, double seeds[GRZ_MOST_SEEDS][3]);

#endif
