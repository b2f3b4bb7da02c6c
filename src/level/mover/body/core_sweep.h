// SPDX-License-Identifier: MIT
// How far a mover's core may move before it comes too near to a triangle.
#ifndef GRZ_LEVEL_MOVER_BODY_CORE_SWEEP_H
#define GRZ_LEVEL_MOVER_BODY_CORE_SWEEP_H

#include "level/mover/body/core.h"

// Distances that a sweep keeps.
typedef struct grz_sweep_bars {
    double radius, skin;
} grz_sweep_bars;

// The last time, 0 to `until`, up to which the core, which moves by `way` in a unit of time, certainly stays as far
// from the triangle as the bars say (docs/use/mover.md, "The path"). `until` itself means that it never comes too near.
// `drift`: the displacement of each corner of the triangle in a unit of time; NULL if the triangle rests.
double grz_core_sweep(const grz_core *core, const double triangle[3][3], const double drift[3][3], const double way[3],
                      double until, const grz_sweep_bars *bars);

#endif
