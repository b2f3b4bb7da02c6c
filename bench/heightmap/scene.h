// SPDX-License-Identifier: MIT
// The part `scene` of the benchmark: what collisions add to the time of a frame, in a scene of which shaders make a
// part.
#ifndef GRZ_BENCH_HEIGHTMAP_SCENE_H
#define GRZ_BENCH_HEIGHTMAP_SCENE_H

#include "run.h"

void scene(run *r);

#endif
