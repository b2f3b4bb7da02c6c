// SPDX-License-Identifier: MIT
// Each frame's need demands need - slope · distance of the frames beside it, up to the next planted one. The largest
// demand is carried along in both directions: it stays the largest, as all fall equally. Each is computed from its
// source, so that nothing is rounded again and again.
#include "level/footsteps/smooth.h"

#include <math.h>
#include <stddef.h>

// A demand that is carried along.
typedef struct demand {
    double need, distance;
} demand;

static double value_of(const demand *d, double slope)
{
    return d->distance == 0.0 ? d->need : d->need - slope * d->distance;
}

static void carry(double *corrections, const uint8_t *planted, uint64_t count, double slope, bool cyclic, bool back)
{
    demand most = {-HUGE_VAL, 0.0};
    for (uint64_t i = 0; i < (cyclic ? 2 * count : count); i++) {
        const uint64_t at = back ? count - 1 - i % count : i % count;
        const bool fixed = planted != NULL && planted[at] != 0;
        most.distance += 1.0;
        const double value = value_of(&most, slope);
        if (fixed || !(value > corrections[at]))
            most = (demand){corrections[at], 0.0};
        else
            corrections[at] = value;
    }
}

void grz_footsteps_smooth(double *corrections, const uint8_t *planted, uint64_t count, double slope, bool cyclic)
{
    for (int back = 0; back < 2; back++)
        carry(corrections, planted, count, slope, cyclic, back != 0);
}
