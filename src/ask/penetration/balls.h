// SPDX-License-Identifier: MIT
// A ball in A and a ball in B around one point: to be free, A must move by the sum of their radii at least.
#ifndef GRZ_ASK_PENETRATION_BALLS_H
#define GRZ_ASK_PENETRATION_BALLS_H

#include "ask/move/translation/follow.h"

// Search for a point where that sum is large. *sum: what is proved, 0 if there is nothing.
grz_status grz_balls_find(grz_move_call *call, const grz_path *path, double *sum);

#endif
