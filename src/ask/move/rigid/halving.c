// SPDX-License-Identifier: MIT
// Interval halving, for comparison: if the objects touch at the end, the time between a moment when they do not and one
// when they do is halved. It misses what passes through, and of several contacts it may find a later one.
// Source: T. Munzner, "Collision 2" (lecture), pages 33 to 38.
#include <math.h>

#include "ask/move/rigid/start.h"

enum {
    MOST_HALVINGS = 60
};

static double travel(const grz_rigid_asking *asking, double from, double to)
{
    return grz_moving_travel(&asking->sides[0], from, to) + grz_moving_travel(&asking->sides[1], from, to);
}

grz_status grz_rigid_halving(const grz_rigid_asking *asking, double tolerance, grz_move_answer *answer,
                             grz_error *error)
{
    grz_result *result = NULL;
    double before = 0.0, after = asking->options->t_max;
    bool touch = false;
    grz_status status = grz_result_create(asking->device, &result, error);
    if (status == GRZ_OK)
        status = grz_rigid_touch_at(asking, after, result, &touch, error);
    const bool contact = touch;
    for (int i = 0; contact && i < MOST_HALVINGS && status == GRZ_OK && travel(asking, before, after) > tolerance;
         i++) {
        const double middle = before + 0.5 * (after - before);
        status = grz_rigid_touch_at(asking, middle, result, &touch, error);
        if (touch)
            after = middle;
        else
            before = middle;
    }
    grz_result_destroy(result);
    if (status != GRZ_OK)
        return status;
    answer->certainty = GRZ_DISCRETE;
    answer->has_contact = contact;
    answer->first_contact = answer->lower = contact ? before : HUGE_VAL;
    answer->upper = contact ? after : HUGE_VAL;
    return GRZ_OK;
}
