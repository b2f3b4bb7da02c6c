// SPDX-License-Identifier: MIT
// The SIMD width: how many numbers one instruction processes. It is chosen when a device is opened. Answers do not
// depend on it, only speed does. Code that uses SIMD is written once (base/lanes.h) and compiled once for each width.
#ifndef GRZ_BASE_SIMD_H
#define GRZ_BASE_SIMD_H

#include <graze/status.h>

// Defined if the build contains the files compiled for AVX2 and AVX-512.
#if defined(__GNUC__) && defined(__x86_64__)
#define GRZ_SIMD_X86
#endif

// Pick one of name_scalar, name_base, name_avx2 and name_avx512, by width. `name` may begin with &: for example
// GRZ_SIMD_PICK(simd, &table) with GRZ_SIMD_AVX2 is &table_avx2.
#ifdef GRZ_SIMD_X86
#define GRZ_SIMD_PICK(simd, name)                                                                                      \
    ((simd) == GRZ_SIMD_SCALAR   ? name##_scalar                                                                       \
     : (simd) == GRZ_SIMD_AVX2   ? name##_avx2                                                                         \
     : (simd) == GRZ_SIMD_AVX512 ? name##_avx512                                                                       \
                                 : name##_base)
#else
#define GRZ_SIMD_PICK(simd, name) ((simd) == GRZ_SIMD_SCALAR ? name##_scalar : name##_base)
#endif

// In the files whose names end in _lanes.c, which the build compiles once for each width: a name with the suffix of the
// width, so that GRZ_OF_WIDTH(table) is table_avx2 in the file compiled for AVX2.
#ifdef GRZ_WIDTH
#define GRZ_JOIN_WIDTH(name, width) name##_##width
#define GRZ_JOIN_EXPANDED(name, width) GRZ_JOIN_WIDTH(name, width)
#define GRZ_OF_WIDTH(name) GRZ_JOIN_EXPANDED(name, GRZ_WIDTH)
#endif

typedef enum grz_simd {
    GRZ_SIMD_SCALAR, // plain C
    GRZ_SIMD_BASE,   // what every processor of the family has: SSE2 on x86-64, NEON on 64-bit ARM
    GRZ_SIMD_AVX2,
    GRZ_SIMD_AVX512,
    GRZ_SIMD_COUNT
} grz_simd;

// Choose the widest available width, or the one that the environment variable GRZ_SIMD names: scalar, sse2, neon, avx2
// or avx512. Returns GRZ_ERROR_UNSUPPORTED if the name is unknown, or if the processor or the build lacks that width.
grz_status grz_simd_choose(grz_simd *simd, grz_error *error);

// True if this processor and this build support the width.
bool grz_simd_available(grz_simd simd);

// The name of a width, as the variable GRZ_SIMD expects it.
const char *grz_simd_name(grz_simd simd);

#endif
