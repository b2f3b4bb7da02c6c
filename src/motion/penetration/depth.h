// SPDX-License-Identifier: MIT
// The penetration along one direction, for the calls that ask about one or many.
#ifndef GRZ_MOTION_PENETRATION_DEPTH_H
#define GRZ_MOTION_PENETRATION_DEPTH_H

#include <graze/penetration.h>

#include "motion/translate/follow.h"

// How two solids lie where they are.
typedef struct grz_overlapping {
    grz_solids solids;
    const char *reason; // if they have no inside
    bool clean;         // neither surface meets itself
} grz_overlapping;

grz_status grz_overlapping_find(grz_move_call *call, const grz_object *a, const grz_object *b,
                                grz_overlapping *overlapping);

// Fill in the answer for a direction that is not zero.
grz_status grz_depth_along(grz_move_call *call, const grz_object *a, const grz_object *b, const grz_overlapping *start,
                           const double direction[3], grz_penetration_answer *answer);

#endif
