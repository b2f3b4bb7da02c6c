// SPDX-License-Identifier: MIT
// From a gap and a rate to a time: the smaller root of gap = rate · s + acceleration · s² / 2.
#include "ask/move/rigid/safe_time.h"

#include "base/rounding.h"

enum {
    HALVINGS = 40, // of the time that is left, at most
    DOUBLINGS = 4  // steps of a binary search
};

static const double SHRUNK = 1.0 - 0x1p-30; // covers the rounding of the root

double grz_rate_error(const grz_moving_state *state, double fuzz, double size)
{
    const double *v = state->velocity, *spin = state->spin;
    const double turn = fabs(spin[0]) + fabs(spin[1]) + fabs(spin[2]);
    // Of a corner's arm, and of the product with the spin: 512 roundings. Of the velocity along a direction: 128.
    return turn * (fuzz + 0x1p-44 * size) + 0x1p-46 * (fabs(v[0]) + fabs(v[1]) + fabs(v[2]));
}

static double travel(const grz_moving_pair *pair, double from, double to)
{
    return grz_moving_travel(&pair->sides[0], from, to) + grz_moving_travel(&pair->sides[1], from, to);
}

// By the caller's bound of the way: the largest step that is found by halving and a few steps of a binary search.
static double ahead_by_travel(const grz_moving_pair *pair, double t, double gap)
{
    double step = 1.0 - t;
    int halvings = 0;
    if (!(travel(pair, t, 1.0) >= gap))
        return 1.0;
    do
        step *= 0.5;
    while (++halvings < HALVINGS && t + step > t && travel(pair, t, t + step) >= gap);
    if (halvings == HALVINGS || !(t + step > t))
        return t;
    double good = step;
    for (int i = 0; i < DOUBLINGS; i++) {
        step *= 0.5;
        if (travel(pair, t, t + (good + step)) < gap)
            good += step;
    }
    return t + good;
}

double grz_safe_time(const grz_moving_pair *pair, double t, double gap, double rate, double acceleration)
{
    if (!(gap > 0.0 && t < 1.0))
        return t;
    if (!pair->directed)
        return ahead_by_travel(pair, t, gap);
    const double towards = rate + pair->rate_error, bend = acceleration * GRZ_MORE(8192),
                 root = sqrt(towards * towards + 2.0 * bend * gap);
    // Both forms are exact; each is good for one sign of the rate. No rate and no acceleration: for ever.
    const double step = towards >= 0.0 ? 2.0 * gap / (towards + root) : (root - towards) / bend;
    const double end = t + step * SHRUNK;
    return end >= 1.0 ? 1.0 : end > t ? end : t; // rounding t + step: see docs/use/move_rigid.md
}
