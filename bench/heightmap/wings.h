// SPDX-License-Identifier: MIT
// Two parts of the benchmark of method `heightmap`: a ship whose wings move, and which frames one map has wrong.
#ifndef GRZ_BENCH_HEIGHTMAP_WINGS_H
#define GRZ_BENCH_HEIGHTMAP_WINGS_H

#include "run.h"

void wings(run *r);
void wrong(run *r);

#endif
