// SPDX-License-Identifier: MIT
// Two balls around one point have no common inner point once one has moved by the sum of the radii, and not before. The
// radii are exact lower bounds of distances. The point is improved by trying steps along the axes and diagonals, which
// are halved when none helps.
#include "ask/penetration/balls.h"

#include <math.h>
#include <string.h>

#include "ask/penetration/witness.h"
#include "geometry/pose.h"

enum {
    STEPS = 14,  // directions
    ROUNDS = 24, // of steps
    STARTS = 3   // points that are improved
};

typedef struct best_point {
    double at[3], sum;
} best_point;

// A sum of numbers above 0, rounded down.
static double add_down(double x, double y)
{
    const double sum = x + y, part = sum - x, error = (x - (sum - part)) + (y - part);
    return error < 0.0 ? nextafter(sum, 0.0) : sum;
}

// Both depths of each point, added; 0 if the point is not inside of both.
static grz_status measure(grz_move_call *call, const grz_path *path, const double (*points)[3], size_t count,
                          double *sums)
{
    double in_b[GRZ_MOST_CANDIDATES];
    grz_status status = grz_witness_depths(call, path->a, points, count, sums);
    if (status == GRZ_OK)
        status = grz_witness_depths(call, path->b, points, count, in_b);
    for (size_t i = 0; i < count && status == GRZ_OK; i++)
        sums[i] = sums[i] > 0.0 && in_b[i] > 0.0 ? add_down(sums[i], in_b[i]) : 0.0;
    return status;
}

// Improve a point, from steps of a size on.
static grz_status climb(grz_move_call *call, const grz_path *path, double size, best_point *best)
{
    for (int round = 0; round < ROUNDS; round++) {
        double points[STEPS][3], sums[STEPS];
        for (int i = 0; i < STEPS; i++)
            for (int k = 0; k < 3; k++) {
                const double way =
                    i < 6 ? (i / 2 == k ? (i % 2 == 0 ? 1.0 : -1.0) : 0.0) : ((i - 6) >> k & 1 ? 0.6 : -0.6);
                points[i][k] = best->at[k] + size * way;
            }
        const grz_status status = measure(call, path, (const double(*)[3])points, STEPS, sums);
        int better = -1;
        if (status != GRZ_OK)
            return status;
        for (int i = 0; i < STEPS; i++)
            if (sums[i] > best->sum) {
                best->sum = sums[i];
                better = i;
            }
        if (better >= 0)
            memcpy(best->at, points[better], sizeof best->at);
        else
            size *= 0.5;
    }
    return GRZ_OK;
}

grz_status grz_balls_find(grz_move_call *call, const grz_path *path, double *sum)
{
    const grz_box a = grz_world_box(&path->a->pose, &path->a->mesh->bounds),
                  b = grz_world_box(&path->b->pose, &path->b->mesh->bounds);
    double points[GRZ_MOST_CANDIDATES][3], sums[GRZ_MOST_CANDIDATES], size = HUGE_VAL;
    size_t count = 0;
    *sum = 0.0;
    grz_status status = grz_witness_candidates(call, path->a, path->b, points, &count);
    if (status == GRZ_OK && count < GRZ_MOST_CANDIDATES) { // the middle of the boxes' intersection
        for (int k = 0; k < 3; k++)
            points[count][k] = 0.5 * fmax(a.min[k], b.min[k]) + 0.5 * fmin(a.max[k], b.max[k]);
        count++;
    }
    for (int k = 0; k < 3; k++)
        size = fmin(size, fmin(a.max[k], b.max[k]) - fmax(a.min[k], b.min[k]));
    if (status == GRZ_OK)
        status = measure(call, path, (const double(*)[3])points, count, sums);
    for (int start = 0; start < STARTS && status == GRZ_OK; start++) {
        size_t at = 0;
        for (size_t i = 1; i < count; i++)
            at = sums[i] > sums[at] ? i : at;
        best_point best = {.sum = count > 0 ? sums[at] : 0.0};
        if (!(best.sum > 0.0))
            break;
        memcpy(best.at, points[at], sizeof best.at);
        sums[at] = 0.0;
        status = climb(call, path, 0.125 * size, &best);
        *sum = fmax(*sum, best.sum);
    }
    return status;
}
