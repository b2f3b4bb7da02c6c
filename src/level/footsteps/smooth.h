// SPDX-License-Identifier: MIT
// The least corrections over time.
#ifndef GRZ_LEVEL_FOOTSTEPS_SMOOTH_H
#define GRZ_LEVEL_FOOTSTEPS_SMOOTH_H

#include <stdbool.h>
#include <stdint.h>

// corrections: on entry what each frame needs, on return at least that: the least numbers of which none that is not
// planted is more than `slope` (0 or above, or infinite) below one beside it. Planted frames keep theirs. planted: NULL
// if none is.
void grz_footsteps_smooth(double *corrections, const uint8_t *planted, uint64_t count, double slope, bool cyclic);

#endif
