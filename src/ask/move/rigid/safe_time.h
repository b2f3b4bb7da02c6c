// SPDX-License-Identifier: MIT
// How long two things that are apart now stay apart for certain, given how fast they may approach each other.
#ifndef GRZ_ASK_MOVE_RIGID_SAFE_TIME_H
#define GRZ_ASK_MOVE_RIGID_SAFE_TIME_H

#include <math.h>

#include "ask/move/rigid/moving_mesh.h"

// Two objects, and what is known of both together.
typedef struct grz_moving_pair {
    grz_moving sides[2];
    bool directed;       // both have velocities
    double error;        // of the distance of two posed points
    double rate_error;   // of the rate at which they approach each other
    double acceleration; // of the distance
} grz_moving_pair;

// How far the computed velocity of a point can be from that of the real one, if the point is computed within `fuzz` of
// where it is. `size`: no coordinate from which the velocity is computed is larger.
double grz_rate_error(const grz_moving_state *state, double fuzz, double size);

// Along a fixed direction two things are `gap` apart at t, and approach each other no faster than at `rate`, which
// itself grows no faster than `acceleration`. The time, no later than 1, until which they are certainly apart; t if
// `gap` is not above 0. If not all objects have velocities, the rate is not used, and what they may travel counts.
double grz_safe_time(const grz_moving_pair *pair, double t, double gap, double rate, double acceleration);

#endif
