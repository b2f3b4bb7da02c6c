// SPDX-License-Identifier: MIT
// The floating-point guard. Every public call and every pool thread computes in round-to-nearest with subnormal numbers
// kept, whatever mode the caller has set. The caller's mode is restored when the call returns.
// See docs/reference/numbers.md, "The floating-point environment".
#ifndef GRZ_BASE_FP_GUARD_H
#define GRZ_BASE_FP_GUARD_H

#include <stdint.h>

typedef struct grz_fp_state {
    uint64_t control;
} grz_fp_state;

// Switch this thread to round-to-nearest, flush-to-zero off, denormals-are-zero off, traps off. Returns the mode from
// before.
grz_fp_state grz_fp_enter(void);

// Restore the mode that grz_fp_enter() returned.
void grz_fp_leave(grz_fp_state state);

#endif
