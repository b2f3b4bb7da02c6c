// SPDX-License-Identifier: MIT
// The parts of the benchmark `slices` that its paper has.
#ifndef GRZ_BENCH_SLICES_PAPER_H
#define GRZ_BENCH_SLICES_PAPER_H

#include "run.h"

void table1(run *r);
void thin(run *r);
void figure4(run *r);
void figure5(run *r);
void deform(run *r);

void models(run *r); // models.c
void closer(run *r); // closer.c

#endif
