// SPDX-License-Identifier: MIT
// The normal of a contact that is there where a motion begins.
#ifndef GRZ_ASK_MOVE_START_NORMAL_H
#define GRZ_ASK_MOVE_START_NORMAL_H

#include <graze/move.h>

#include "base/control_type.h"

// For an answer that has started_touching, and not started_inside: set its normal, and its `reason` if there is none.
// The objects are where the motion begins. `options`: inside rule and limits of a query about them.
grz_status grz_move_start_normal(grz_device *device, const grz_object *a, const grz_object *b,
                                 const grz_collide_options *options, grz_control *control, grz_move_answer *answer,
                                 grz_error *error);

#endif
