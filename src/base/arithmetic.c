// SPDX-License-Identifier: MIT
// Refuses to be compiled where a double sum or product would not be the IEEE 754 one, rounded once: every answer rests on that
// (docs/numbers.md). cmake/GrazeFlags.cmake takes such flags out; this stops those that came in another way, and builds without
// CMake. Contraction to fused multiply-adds leaves no trace that could be tested here: -ffp-contract=off is the build's duty.

#include <float.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || defined(__ASSOCIATIVE_MATH__) ||          \
    defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "Graze cannot be exact with -ffast-math, -Ofast or a part of them: build it without"
#endif

// 16 is gcc's word for 0 where the machine has half-precision arithmetic.
_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16, "Graze needs doubles that are rounded at every step: -mfpmath=sse");
_Static_assert(DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024, "Graze needs IEEE 754 doubles");
