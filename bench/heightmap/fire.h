// SPDX-License-Identifier: MIT
// The part `fire` of the benchmark: particles that bounce off a skillet, and whether any goes through it.
#ifndef GRZ_BENCH_HEIGHTMAP_FIRE_H
#define GRZ_BENCH_HEIGHTMAP_FIRE_H

#include "run.h"

void fire(run *r);

#endif
