// SPDX-License-Identifier: MIT
// Chooses the SIMD width: the widest that both the processor and the build support, or the one that the environment
// variable GRZ_SIMD names.
#include "base/simd.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

const char *grz_simd_name(grz_simd simd)
{
#ifdef __aarch64__
    static const char *const names[GRZ_SIMD_COUNT] = {"scalar", "neon", "avx2", "avx512"};
#else
    static const char *const names[GRZ_SIMD_COUNT] = {"scalar", "sse2", "avx2", "avx512"};
#endif
    assert((unsigned)simd < GRZ_SIMD_COUNT);
    return names[simd];
}

bool grz_simd_available(grz_simd simd)
{
#ifdef GRZ_SIMD_X86
    if (__builtin_cpu_supports("fma") == 0)
        return simd == GRZ_SIMD_SCALAR || simd == GRZ_SIMD_BASE;
    if (simd == GRZ_SIMD_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    if (simd == GRZ_SIMD_AVX2)
        return __builtin_cpu_supports("avx2") != 0;
#endif
    return simd == GRZ_SIMD_SCALAR || simd == GRZ_SIMD_BASE;
}

grz_status grz_simd_choose(grz_simd *simd, grz_error *error)
{
    const char *forced = getenv("GRZ_SIMD"); // NOLINT(concurrency-mt-unsafe): read only
    *simd = GRZ_SIMD_BASE;
    for (int i = 0; i < GRZ_SIMD_COUNT; i++) {
        const grz_simd candidate = (grz_simd)i;
        const bool available = grz_simd_available(candidate);
        if (forced == NULL || forced[0] == '\0') {
            *simd = available ? candidate : *simd;
        } else if (strcmp(forced, grz_simd_name(candidate)) == 0) {
            *simd = candidate;
            return available
                       ? GRZ_OK
                       : grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                                  "device: GRZ_SIMD is %s, which this processor or this build does not have", forced);
        }
    }
    if (forced != NULL && (strcmp(forced, "sse2") == 0 || strcmp(forced, "neon") == 0)) // the other processor family
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "device: GRZ_SIMD is %s, which this processor does not have", forced);
    return forced == NULL || forced[0] == '\0'
               ? GRZ_OK
               : grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                          "device: GRZ_SIMD is \"%.40s\", must be scalar, sse2, neon, avx2 or avx512", forced);
}
