// SPDX-License-Identifier: MIT
// The floating-point guard. It sets the control register MXCSR on x86 and FPCR on 64-bit ARM. Elsewhere it calls
// fesetround(), which sets the rounding mode but cannot turn off a flush-to-zero mode.
#include "base/fp_guard.h"

#if defined(__x86_64__) || defined(__SSE2__)

#include <xmmintrin.h>

grz_fp_state grz_fp_enter(void)
{
    enum {
        NEAREST_ALL_MASKED = 0x1f80, // round to nearest, no flush to zero, all exceptions masked
        FLAGS = 0x3f                 // which exceptions have happened: nothing here depends on them
    };
    grz_fp_state before = {_mm_getcsr()};
    if ((before.control & ~(uint64_t)FLAGS) != NEAREST_ALL_MASKED)
        _mm_setcsr(NEAREST_ALL_MASKED);
    return before;
}

void grz_fp_leave(grz_fp_state state)
{
    // Writing the register waits for all arithmetic under way; most callers have the same mode and flags as we do.
    if (_mm_getcsr() != (unsigned)state.control)
        _mm_setcsr((unsigned)state.control);
}

#elif defined(__aarch64__)

grz_fp_state grz_fp_enter(void)
{
    grz_fp_state before;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before.control));
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
    return before;
}

void grz_fp_leave(grz_fp_state state)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(state.control));
}

#else

#include <fenv.h>

grz_fp_state grz_fp_enter(void)
{
    grz_fp_state before = {(uint64_t)fegetround()};
    fesetround(FE_TONEAREST);
    return before;
}

void grz_fp_leave(grz_fp_state state)
{
    fesetround((int)state.control);
}

#endif
