// SPDX-License-Identifier: MIT
// Compile-time checks of the floating-point model. The file does not compile if a sum or a product of doubles could
// differ from the IEEE 754 result, rounded once, because every exact answer depends on that
// (docs/reference/numbers.md). cmake/GrazeFlags.cmake removes flags such as -ffast-math. These checks catch flags that
// came in another way, and builds without CMake. They cannot detect fused multiply-adds: the build must pass
// -ffp-contract=off for that.

#include <float.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) ||                               \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "Graze cannot be exact with -ffast-math, -Ofast or one of the flags they imply: build it without"
#endif

// On machines with half-precision arithmetic gcc sets FLT_EVAL_METHOD to 16, which means the same as 0 for doubles.
_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16,
               "Graze needs every double operation rounded: use -mfpmath=sse");
_Static_assert(DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024, "Graze needs IEEE 754 doubles");
