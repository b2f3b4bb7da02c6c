// SPDX-License-Identifier: MIT
#include "level/mover/body/separating.h"

#include <math.h>

grz_near_pair grz_near_pairs_mean(const grz_near_pair *pairs, int count, double error)
{
    grz_near_pair mean = {.square = HUGE_VAL};
    for (int i = 0; i < count; i++)
        mean.square = grz_smaller(mean.square, pairs[i].square);
    const double most = sqrt(mean.square) + error;
    int near = 0;
    for (int i = 0; i < count; i++) {
        if (!(pairs[i].square <= most * most))
            continue;
        near++;
        for (int k = 0; k < 3; k++) {
            mean.of_core[k] += pairs[i].of_core[k];
            mean.weights[k] += pairs[i].weights[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        mean.of_core[k] /= near;
        mean.weights[k] /= near;
    }
    return mean;
}

bool grz_separation_offer(const grz_core *core, const double c[3][3], const double direction[3], double margin,
                          grz_separation *out)
{
    double n[3] = {direction[0], direction[1], direction[2]};
    if (!grz_make_direction(n))
        return false;
    const double support = grz_core_support(core, n), x = grz_dot(n, c[0]), y = grz_dot(n, c[1]), z = grz_dot(n, c[2]),
                 above = -support - grz_larger(grz_larger(x, y), z),
                 below = grz_smaller(grz_smaller(x, y), z) - support, gap = grz_larger(above, below);
    if (!(gap > out->lower + margin))
        return false;
    out->lower = gap;
    for (int k = 0; k < 3; k++)
        out->normal[k] = above >= below ? n[k] : -n[k];
    return true;
}
