// SPDX-License-Identifier: MIT
#ifndef GRZ_ASK_MOVE_UNKNOWN_H
#define GRZ_ASK_MOVE_UNKNOWN_H

#include <graze/move.h>

// The answer about a motion of which nothing is known yet: it is undecided from time 0 on.
extern const grz_move_answer grz_move_unknown;

#endif
