// SPDX-License-Identifier: MIT
// How wide the processor's registers are that the library uses. Chosen when a device is opened; answers do not depend on it.
#ifndef GRZ_BASE_SIMD_H
#define GRZ_BASE_SIMD_H

#include <graze/status.h>

// Where files compiled for wider registers are part of the build.
#if defined(__GNUC__) && defined(__x86_64__)
#define GRZ_SIMD_X86
#endif

// Of the things called name_scalar, name_base, name_avx2 and name_avx512 the one for a width. `name` may begin with &.
#ifdef GRZ_SIMD_X86
#define GRZ_SIMD_PICK(simd, name)                                                                                                  \
    ((simd) == GRZ_SIMD_SCALAR   ? name##_scalar                                                                                   \
     : (simd) == GRZ_SIMD_AVX2   ? name##_avx2                                                                                     \
     : (simd) == GRZ_SIMD_AVX512 ? name##_avx512                                                                                   \
                                 : name##_base)
#else
#define GRZ_SIMD_PICK(simd, name) ((simd) == GRZ_SIMD_SCALAR ? name##_scalar : name##_base)
#endif

typedef enum grz_simd {
    GRZ_SIMD_SCALAR, // plain C
    GRZ_SIMD_BASE,   // what every processor of this kind has: SSE2 on x86-64, NEON on 64-bit ARM
    GRZ_SIMD_AVX2,
    GRZ_SIMD_AVX512,
    GRZ_SIMD_COUNT
} grz_simd;

// The widest that this processor and this build have, or the one that GRZ_SIMD in the environment names: scalar, sse2, neon, avx2
// or avx512. GRZ_ERROR_UNSUPPORTED where that is none of them or the processor does not have it.
grz_status grz_simd_choose(grz_simd *simd, grz_error *error);

// Whether this processor and this build have it.
bool grz_simd_available(grz_simd simd);

// As GRZ_SIMD takes it.
const char *grz_simd_name(grz_simd simd);

#endif
