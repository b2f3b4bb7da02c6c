// SPDX-License-Identifier: MIT
#include "geometry/ray/line.h"

#include <math.h>

#include "geometry/exact/expansion.h"

// Of directions and origins; further conditions are on each triangle.
static const double SMALLEST = 0x1p-60, LARGEST = 0x1p100;

bool grz_line_set(grz_line *line, const double origin[3], const double direction[3], const double tail[3])
{
    double farthest = 0.0;
    line->most = 0.0;
    for (int k = 0; k < 3; k++) {
        line->origin[k] = origin[k];
        two_sum(direction[k], tail[k], &line->direction[k], &line->tail[k]);
        const double along = fabs(line->direction[k]), away = fabs(origin[k]);
        line->most = along > line->most ? along : line->most;
        farthest = away > farthest ? away : farthest;
    }
    line->in_range = line->most > SMALLEST && line->most < LARGEST && farthest < LARGEST;
    return line->most > 0.0;
}
