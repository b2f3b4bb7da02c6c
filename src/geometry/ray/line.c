// SPDX-License-Identifier: MIT
#include "geometry/ray/line.h"

#include <math.h>

#include "geometry/exact/expansion.h"

// Of directions and origins; further conditions are on each triangle.
static const double SMALLEST = 0x1p-60, LARGEST = 0x1p100;
// Limits of factors, where they are not 0: their products and the rounding errors of these are then exact doubles.
static const double LEAST_FACTOR = 0x1p-400, MOST_FACTOR = 0x1p400;

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

static bool is_factor(double x)
{
    return x == 0.0 || (fabs(x) > LEAST_FACTOR && fabs(x) < MOST_FACTOR);
}

// Component k of t times the direction: exactly *step + *tail. False: it is not found as a sum of two doubles.
static bool exact_step(const grz_line *line, double t, int k, double *step, double *tail)
{
    double error, of_tail, error_of_tail;
    if (!is_factor(t) || !is_factor(line->direction[k]) || !is_factor(line->tail[k]))
        return false;
    two_product(t, line->direction[k], step, &error);
    two_product(t, line->tail[k], &of_tail, &error_of_tail);
    *tail = error + of_tail; // one of them is 0
    return error_of_tail == 0.0 && (error == 0.0 || of_tail == 0.0);
}

bool grz_line_passes(const grz_line *line, const double point[3], double *t)
{
    double way[3], rest[3], step, tail;
    int m = 0;
    for (int k = 0; k < 3; k++) {
        two_diff(point[k], line->origin[k], &way[k], &rest[k]);
        if (fabs(line->direction[k]) > fabs(line->direction[m]))
            m = k;
    }
    *t = way[m] / line->direction[m] + 0.0; // no -0
    // Equal pairs are equal numbers; pairs that differ may be equal numbers, too, and then nothing is told.
    for (int k = 0; k < 3; k++)
        if (!exact_step(line, *t, k, &step, &tail) || step != way[k] || tail != rest[k])
            return false;
    return true;
}

bool grz_line_has_doubles_at(const grz_line *line, double t, double point[3])
{
    double step, tail, rest;
    for (int k = 0; k < 3; k++) {
        if (!exact_step(line, t, k, &step, &tail) || tail != 0.0)
            return false;
        two_sum(line->origin[k], step, &point[k], &rest);
        if (rest != 0.0)
            return false;
        point[k] += 0.0; // no -0
    }
    return true;
}
