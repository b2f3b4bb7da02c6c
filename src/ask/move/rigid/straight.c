// SPDX-License-Identifier: MIT
// Motions without a turn are translations, whose first contact is a fraction: grz_move() finds it exactly, where the
// walk could only enclose it, and could not decide about surfaces that slide flush on each other.
#include "ask/move/rigid/straight.h"

#include <math.h>

#include "ask/move/unknown.h"
#include "base/control.h"

static bool is_one_turn(const double p[4], const double q[4])
{
    bool same = true, opposite = true;
    for (int i = 0; i < 4; i++) {
        same = same && p[i] == q[i];
        opposite = opposite && p[i] == -q[i];
    }
    return same || opposite;
}

bool grz_rigid_is_straight(const grz_moving *sides)
{
    for (int s = 0; s < 2; s++) {
        const grz_motion *motion = &sides[s].motion;
        if (motion->kind == GRZ_MOTION_PATH ||
            (motion->kind != GRZ_MOTION_REST && !is_one_turn(motion->from_turn, motion->to_turn)))
            return false;
    }
    return true;
}

grz_status grz_rigid_straight(const grz_rigid_asking *asking, grz_move_answer *answer, grz_error *error)
{
    const grz_rigid_options *given = asking->options;
    grz_move_options options = grz_default_move_options();
    grz_object objects[2];
    double to[2][3];
    options.limits = grz_control_limits_left(asking->control);
    options.inside = given->inside;
    options.inside_rule = given->inside_rule;
    for (int s = 0; s < 2; s++) {
        const grz_moving *side = &asking->sides[s];
        grz_moving_state state;
        grz_moving_at(side, 0.0, &state);
        objects[s] = grz_object_at(side->mesh, state.pose);
        for (int k = 0; k < 3; k++)
            to[s][k] = side->motion.kind == GRZ_MOTION_REST ? state.pose.m[k][3] : side->motion.to[k];
    }
    const grz_status status = grz_move(asking->device, &objects[0], to[0], &objects[1], to[1], &options, answer, error);
    // A time between two doubles is after the lower one.
    const bool later = answer->lower > given->t_max || (answer->lower == given->t_max && answer->upper > answer->lower);
    if (status == GRZ_OK && answer->has_contact && later) {
        const uint64_t compared = answer->compared;
        *answer = grz_move_unknown;
        answer->certainty = GRZ_EXACT;
        answer->first_contact = answer->lower = HUGE_VAL;
        answer->compared = compared;
    }
    return status;
}
