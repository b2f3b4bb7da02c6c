// SPDX-License-Identifier: MIT
// Rigid motions without a turn.
#ifndef GRZ_ASK_MOVE_RIGID_STRAIGHT_H
#define GRZ_ASK_MOVE_RIGID_STRAIGHT_H

#include "ask/move/rigid/start.h"

// Whether neither of the two turns on its way: each rests, or its quaternions at both ends are the same or opposite.
bool grz_rigid_is_straight(const grz_moving *sides);

// The exact answer for two that do not turn. GRZ_OK, or what grz_move() returns.
grz_status grz_rigid_straight(const grz_rigid_asking *asking, grz_move_answer *answer, grz_error *error);

#endif
