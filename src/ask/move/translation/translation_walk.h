// SPDX-License-Identifier: MIT
// Walks two trees for the pairs of triangles that may meet first.
#ifndef GRZ_ASK_MOVE_TRANSLATION_TRANSLATION_WALK_H
#define GRZ_ASK_MOVE_TRANSLATION_TRANSLATION_WALK_H

#include "ask/move/translation/first_pairs.h"
#include "space/bvh/bvh.h"

// Compare the pairs of triangles that may meet first. *lower: no pair that was not compared meets before that time;
// infinite if the walk came to its end. Returns GRZ_OK, or the control's status.
grz_status grz_move_walk(grz_first_pairs *pairs, const grz_bvh *bvh_a, const grz_bvh *bvh_b, grz_simd simd,
                         double *lower);

#endif
