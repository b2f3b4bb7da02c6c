// SPDX-License-Identifier: MIT
// What is at the start, and at any other time: queries about the rounded positions there.
#ifndef GRZ_ASK_MOVE_RIGID_START_H
#define GRZ_ASK_MOVE_RIGID_START_H

#include "ask/move/rigid/moving_mesh.h"
#include "base/control_type.h"

// Who asks, and under which limits.
typedef struct grz_rigid_asking {
    grz_device *device;
    const grz_moving *sides; // two
    const grz_rigid_options *options;
    grz_control *control; // the call's
} grz_rigid_asking;

// Whether the surfaces touch, or the objects overlap, at t = 0. If so, the answer is filled in: the first contact is
// at 0. The answer's `contact` says which.
grz_status grz_rigid_start(const grz_rigid_asking *asking, grz_move_answer *answer, grz_error *error);

// The lecture's interval halving. Nobody touches at t = 0. Fills in the answer, which is GRZ_DISCRETE.
grz_status grz_rigid_halving(const grz_rigid_asking *asking, double tolerance, grz_move_answer *answer,
                             grz_error *error);

// Whether surfaces touch at a time, by the rounded positions.
grz_status grz_rigid_touch_at(const grz_rigid_asking *asking, double t, grz_result *result, bool *touch,
                              grz_error *error);

// The options of such a query.
grz_status grz_rigid_collide_options(const grz_rigid_asking *asking, grz_collide_options *options);

#endif
