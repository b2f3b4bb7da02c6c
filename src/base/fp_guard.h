// SPDX-License-Identifier: MIT
// The floating-point guard: every public call and every pool thread computes in round-to-nearest with subnormals kept, whatever the
// caller set, and puts the caller's state back (docs/numbers.md, "the floating-point environment").
#ifndef GRZ_BASE_FP_GUARD_H
#define GRZ_BASE_FP_GUARD_H

#include <stdint.h>

typedef struct grz_fp_state {
    uint64_t control;
} grz_fp_state;

// Switch this thread to round-to-nearest, no flush to zero, no denormals-are-zero, no traps; returns what was set before.
grz_fp_state grz_fp_enter(void);

// Put back what grz_fp_enter() found.
void grz_fp_leave(grz_fp_state state);

#endif
