// SPDX-License-Identifier: MIT
// SIMD vectors: several numbers in one variable, with the same operation on each of them. Number i is "lane i".
//     grz_f32x4  4 floats      grz_f64x4  4 doubles     grz_u32x4  4 x uint32_t
//     grz_f32x8  8 floats      grz_u32x8  8 x uint32_t  grz_mask8  8 x true or false
//     grz_f64x2  2 doubles                              grz_mask2  2 x true or false
// The operations use what the compile target has: AVX, SSE2, NEON, or plain C. A file written with them can be compiled
// once for each width. Every operation rounds in the same way everywhere, so all widths compute the same numbers.
// Define GRZ_LANES_PORTABLE before including this file to get plain C.
//
// Suffixes: _load and _store copy from and to memory of any alignment, _splat puts one number into every lane, _of
// takes the numbers of the lanes one by one. Comparisons return a bit mask in a uint32_t (bit i for lane i) or a
// grz_mask2 or grz_mask8.
#ifndef GRZ_BASE_LANES_H
#define GRZ_BASE_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if !defined(GRZ_LANES_PORTABLE)
#if defined(__GNUC__) && defined(__SSE2__)
#include <immintrin.h>
#elif defined(__GNUC__) && defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#else
#define GRZ_LANES_PORTABLE
#endif
#endif

enum {
    GRZ_LANES = 8
};

#ifdef GRZ_LANES_PORTABLE

typedef struct grz_f32x8 {
    float lane[GRZ_LANES];
} grz_f32x8;

typedef uint32_t grz_mask8; // bit i for lane i

static inline grz_f32x8 grz_f32x8_load(const float *from)
{
    grz_f32x8 r;
    memcpy(r.lane, from, sizeof r.lane);
    return r;
}

static inline void grz_f32x8_store(float *to, grz_f32x8 a)
{
    memcpy(to, a.lane, sizeof a.lane);
}

static inline grz_f32x8 grz_f32x8_splat(float x)
{
    grz_f32x8 r;
    for (int i = 0; i < GRZ_LANES; i++)
        r.lane[i] = x;
    return r;
}

static inline grz_f32x8 grz_f32x8_add(grz_f32x8 a, grz_f32x8 b)
{
    for (int i = 0; i < GRZ_LANES; i++)
        a.lane[i] += b.lane[i];
    return a;
}

static inline grz_f32x8 grz_f32x8_multiply(grz_f32x8 a, grz_f32x8 b)
{
    for (int i = 0; i < GRZ_LANES; i++)
        a.lane[i] *= b.lane[i];
    return a;
}

static inline grz_f32x8 grz_f32x8_subtract(grz_f32x8 a, grz_f32x8 b)
{
    for (int i = 0; i < GRZ_LANES; i++)
        a.lane[i] -= b.lane[i];
    return a;
}

// The maximum in each lane. With a NaN the result depends on the target: b on x86, NaN on ARM.
static inline grz_f32x8 grz_f32x8_max(grz_f32x8 a, grz_f32x8 b)
{
    for (int i = 0; i < GRZ_LANES; i++)
        a.lane[i] = a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i];
    return a;
}

// a <= b in each lane; false where one of them is NaN.
static inline grz_mask8 grz_f32x8_less_equal(grz_f32x8 a, grz_f32x8 b)
{
    grz_mask8 mask = 0;
    for (int i = 0; i < GRZ_LANES; i++)
        mask |= (grz_mask8)(a.lane[i] <= b.lane[i]) << i;
    return mask;
}

static inline grz_mask8 grz_mask8_and(grz_mask8 a, grz_mask8 b)
{
    return a & b;
}

static inline grz_mask8 grz_mask8_or(grz_mask8 a, grz_mask8 b)
{
    return a | b;
}

static inline uint32_t grz_mask8_bits(grz_mask8 mask)
{
    return mask;
}

typedef struct grz_u32x8 {
    uint32_t lane[GRZ_LANES];
} grz_u32x8;

static inline grz_u32x8 grz_u32x8_load(const uint32_t *from)
{
    grz_u32x8 r;
    memcpy(r.lane, from, sizeof r.lane);
    return r;
}

static inline grz_u32x8 grz_u32x8_splat(uint32_t x)
{
    return (grz_u32x8){{x, x, x, x, x, x, x, x}};
}

static inline grz_mask8 grz_u32x8_equal(grz_u32x8 a, grz_u32x8 b)
{
    grz_mask8 mask = 0;
    for (int i = 0; i < GRZ_LANES; i++)
        mask |= (grz_mask8)(a.lane[i] == b.lane[i]) << i;
    return mask;
}

typedef struct grz_f32x4 {
    float lane[4];
} grz_f32x4;

static inline grz_f32x4 grz_f32x4_load(const float *from)
{
    grz_f32x4 r;
    memcpy(r.lane, from, sizeof r.lane);
    return r;
}

static inline void grz_f32x4_store(float *to, grz_f32x4 a)
{
    memcpy(to, a.lane, sizeof a.lane);
}

static inline grz_f32x4 grz_f32x4_splat(float x)
{
    return (grz_f32x4){{x, x, x, x}};
}

static inline grz_f32x4 grz_f32x4_add(grz_f32x4 a, grz_f32x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] += b.lane[i];
    return a;
}

static inline grz_f32x4 grz_f32x4_subtract(grz_f32x4 a, grz_f32x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] -= b.lane[i];
    return a;
}

static inline grz_f32x4 grz_f32x4_multiply(grz_f32x4 a, grz_f32x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] *= b.lane[i];
    return a;
}

// The minimum and the maximum in each lane. With a NaN the result depends on the target: b on x86, NaN on ARM.
static inline grz_f32x4 grz_f32x4_min(grz_f32x4 a, grz_f32x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] = a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i];
    return a;
}

static inline grz_f32x4 grz_f32x4_max(grz_f32x4 a, grz_f32x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] = a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i];
    return a;
}

// Round towards zero. Every lane must be in the range of int32_t.
static inline void grz_f32x4_truncate(grz_f32x4 a, int32_t to[4])
{
    for (int i = 0; i < 4; i++)
        to[i] = (int32_t)a.lane[i];
}

typedef struct grz_u32x4 {
    uint32_t lane[4];
} grz_u32x4;

static inline grz_u32x4 grz_u32x4_of(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    return (grz_u32x4){{x, y, z, w}};
}

static inline grz_u32x4 grz_u32x4_load(const uint32_t *from)
{
    return (grz_u32x4){{from[0], from[1], from[2], from[3]}};
}

// Bit i is set if lane i of a equals lane i of b.
static inline uint32_t grz_u32x4_equal(grz_u32x4 a, grz_u32x4 b)
{
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= (uint32_t)(a.lane[i] == b.lane[i]) << i;
    return bits;
}

typedef struct grz_f64x4 {
    double lane[4];
} grz_f64x4;

static inline grz_f64x4 grz_f64x4_of(double x, double y, double z, double w)
{
    return (grz_f64x4){{x, y, z, w}};
}

static inline grz_f64x4 grz_f64x4_load(const void *from)
{
    grz_f64x4 r;
    memcpy(r.lane, from, sizeof r.lane);
    return r;
}

// Lanes 1, 2, 0 and 3 of a.
static inline grz_f64x4 grz_f64x4_turn(grz_f64x4 a)
{
    return (grz_f64x4){{a.lane[1], a.lane[2], a.lane[0], a.lane[3]}};
}

static inline void grz_f64x4_store(double to[4], grz_f64x4 a)
{
    memcpy(to, a.lane, sizeof a.lane);
}

static inline grz_f64x4 grz_f64x4_splat(double x)
{
    return (grz_f64x4){{x, x, x, x}};
}

static inline grz_f64x4 grz_f64x4_add(grz_f64x4 a, grz_f64x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] += b.lane[i];
    return a;
}

static inline grz_f64x4 grz_f64x4_subtract(grz_f64x4 a, grz_f64x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] -= b.lane[i];
    return a;
}

static inline grz_f64x4 grz_f64x4_multiply(grz_f64x4 a, grz_f64x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] *= b.lane[i];
    return a;
}

static inline grz_f64x4 grz_f64x4_abs(grz_f64x4 a)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] = a.lane[i] < 0.0 ? -a.lane[i] : a.lane[i] + 0.0;
    return a;
}

// The minimum and the maximum in each lane. With a NaN the result depends on the target: b on x86, NaN on ARM.
static inline grz_f64x4 grz_f64x4_min(grz_f64x4 a, grz_f64x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] = a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i];
    return a;
}

static inline grz_f64x4 grz_f64x4_max(grz_f64x4 a, grz_f64x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] = a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i];
    return a;
}

static inline grz_f32x4 grz_f64x4_to_f32x4(grz_f64x4 a)
{
    grz_f32x4 r;
    for (int i = 0; i < 4; i++)
        r.lane[i] = (float)a.lane[i];
    return r;
}

static inline grz_f64x4 grz_f64x4_divide(grz_f64x4 a, grz_f64x4 b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] /= b.lane[i];
    return a;
}

// x where a > b, else y; y also where one of them is NaN.
static inline grz_f64x4 grz_f64x4_if_greater(grz_f64x4 a, grz_f64x4 b, grz_f64x4 x, grz_f64x4 y)
{
    for (int i = 0; i < 4; i++)
        y.lane[i] = a.lane[i] > b.lane[i] ? x.lane[i] : y.lane[i];
    return y;
}

// Bit i is set if lane i of a is larger than lane i of b.
static inline uint32_t grz_f64x4_greater(grz_f64x4 a, grz_f64x4 b)
{
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= (uint32_t)(a.lane[i] > b.lane[i]) << i;
    return bits;
}

typedef struct grz_f64x2 {
    double lane[2];
} grz_f64x2;

typedef uint32_t grz_mask2; // bit i for lane i

static inline grz_f64x2 grz_f64x2_of(double x, double y)
{
    return (grz_f64x2){{x, y}};
}

static inline grz_f64x2 grz_f64x2_load(const double *from)
{
    return grz_f64x2_of(from[0], from[1]);
}

// a <= b in each lane; false where one of them is NaN.
static inline grz_mask2 grz_f64x2_less_equal(grz_f64x2 a, grz_f64x2 b)
{
    return (grz_mask2)(a.lane[0] <= b.lane[0]) | (grz_mask2)(a.lane[1] <= b.lane[1]) << 1;
}

static inline grz_mask2 grz_mask2_and(grz_mask2 a, grz_mask2 b)
{
    return a & b;
}

// True if both lanes are true.
static inline bool grz_mask2_all(grz_mask2 mask)
{
    return mask == 3;
}

#else

typedef float grz_f32x4 __attribute__((vector_size(16)));
typedef float grz_f32x4_unaligned __attribute__((vector_size(16), aligned(4), may_alias));

static inline grz_f32x4 grz_f32x4_load(const float *from)
{
    return *(const grz_f32x4_unaligned *)from;
}

static inline void grz_f32x4_store(float *to, grz_f32x4 a)
{
    *(grz_f32x4_unaligned *)to = a;
}

static inline grz_f32x4 grz_f32x4_splat(float x)
{
    return (grz_f32x4){x, x, x, x};
}

static inline grz_f32x4 grz_f32x4_add(grz_f32x4 a, grz_f32x4 b)
{
    return a + b;
}

static inline grz_f32x4 grz_f32x4_subtract(grz_f32x4 a, grz_f32x4 b)
{
    return a - b;
}

static inline grz_f32x4 grz_f32x4_multiply(grz_f32x4 a, grz_f32x4 b)
{
    return a * b;
}

// The minimum and the maximum in each lane. With a NaN the result depends on the target: b on x86, NaN on ARM.
static inline grz_f32x4 grz_f32x4_min(grz_f32x4 a, grz_f32x4 b)
{
#if defined(__SSE2__)
    return (grz_f32x4)_mm_min_ps((__m128)a, (__m128)b);
#else
    return (grz_f32x4)vminq_f32((float32x4_t)a, (float32x4_t)b);
#endif
}

static inline grz_f32x4 grz_f32x4_max(grz_f32x4 a, grz_f32x4 b)
{
#if defined(__SSE2__)
    return (grz_f32x4)_mm_max_ps((__m128)a, (__m128)b);
#else
    return (grz_f32x4)vmaxq_f32((float32x4_t)a, (float32x4_t)b);
#endif
}

// Round towards zero. Every lane must be in the range of int32_t.
static inline void grz_f32x4_truncate(grz_f32x4 a, int32_t to[4])
{
    const int32_t __attribute__((vector_size(16))) whole =
        __builtin_convertvector(a, int32_t __attribute__((vector_size(16))));
    memcpy(to, &whole, sizeof whole);
}

typedef uint32_t grz_u32x4 __attribute__((vector_size(16)));

static inline grz_u32x4 grz_u32x4_of(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    return (grz_u32x4){x, y, z, w};
}

static inline grz_u32x4 grz_u32x4_load(const uint32_t *from)
{
    grz_u32x4 r;
    memcpy(&r, from, sizeof r);
    return r;
}

// Bit i is set if lane i of a equals lane i of b.
static inline uint32_t grz_u32x4_equal(grz_u32x4 a, grz_u32x4 b)
{
    const int32_t __attribute__((vector_size(16))) equal = a == b;
#if defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps((__m128)equal);
#else
    const int32_t __attribute__((vector_size(16))) bit = {1, 2, 4, 8};
    return (uint32_t)vaddvq_s32((int32x4_t)(equal & bit));
#endif
}

typedef double grz_f64x2 __attribute__((vector_size(16)));
typedef int64_t grz_mask2 __attribute__((vector_size(16))); // each lane -1 (true) or 0 (false)

static inline grz_f64x2 grz_f64x2_of(double x, double y)
{
    return (grz_f64x2){x, y};
}

static inline grz_f64x2 grz_f64x2_load(const double *from)
{
    grz_f64x2 r;
    memcpy(&r, from, sizeof r);
    return r;
}

// a <= b in each lane; false where one of them is NaN.
static inline grz_mask2 grz_f64x2_less_equal(grz_f64x2 a, grz_f64x2 b)
{
#if defined(__SSE2__)
    return (grz_mask2)_mm_cmple_pd((__m128d)a, (__m128d)b); // from `a <= b` gcc makes a comparison of each lane
#else
    return (grz_mask2)(a <= b);
#endif
}

static inline grz_mask2 grz_mask2_and(grz_mask2 a, grz_mask2 b)
{
    return a & b;
}

// True if both lanes are true.
static inline bool grz_mask2_all(grz_mask2 mask)
{
#if defined(__SSE2__)
    return _mm_movemask_pd((__m128d)mask) == 3;
#else
    return (mask[0] & mask[1]) != 0;
#endif
}

#if defined(__AVX__)

typedef float grz_f32x8 __attribute__((vector_size(32)));
typedef int32_t grz_mask8 __attribute__((vector_size(32))); // each lane -1 (true) or 0 (false)
typedef float grz_f32x8_unaligned __attribute__((vector_size(32), aligned(4), may_alias));

static inline grz_f32x8 grz_f32x8_load(const float *from)
{
    return *(const grz_f32x8_unaligned *)from;
}

static inline void grz_f32x8_store(float *to, grz_f32x8 a)
{
    *(grz_f32x8_unaligned *)to = a;
}

static inline grz_f32x8 grz_f32x8_splat(float x)
{
    return (grz_f32x8){x, x, x, x, x, x, x, x};
}

static inline grz_f32x8 grz_f32x8_add(grz_f32x8 a, grz_f32x8 b)
{
    return a + b;
}

static inline grz_f32x8 grz_f32x8_multiply(grz_f32x8 a, grz_f32x8 b)
{
    return a * b;
}

static inline grz_f32x8 grz_f32x8_subtract(grz_f32x8 a, grz_f32x8 b)
{
    return a - b;
}

// The maximum in each lane. With a NaN the result is b.
static inline grz_f32x8 grz_f32x8_max(grz_f32x8 a, grz_f32x8 b)
{
    return (grz_f32x8)_mm256_max_ps((__m256)a, (__m256)b);
}

// a <= b in each lane; false where one of them is NaN.
static inline grz_mask8 grz_f32x8_less_equal(grz_f32x8 a, grz_f32x8 b)
{
    return a <= b;
}

static inline grz_mask8 grz_mask8_and(grz_mask8 a, grz_mask8 b)
{
    return a & b;
}

static inline grz_mask8 grz_mask8_or(grz_mask8 a, grz_mask8 b)
{
    return a | b;
}

// The mask as bits: bit i for lane i.
static inline uint32_t grz_mask8_bits(grz_mask8 mask)
{
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
}

typedef uint32_t grz_u32x8 __attribute__((vector_size(32)));

static inline grz_u32x8 grz_u32x8_load(const uint32_t *from)
{
    grz_u32x8 r;
    memcpy(&r, from, sizeof r);
    return r;
}

static inline grz_u32x8 grz_u32x8_splat(uint32_t x)
{
    return (grz_u32x8){x, x, x, x, x, x, x, x};
}

static inline grz_mask8 grz_u32x8_equal(grz_u32x8 a, grz_u32x8 b)
{
    return a == b;
}

typedef double grz_f64x4 __attribute__((vector_size(32)));

static inline grz_f64x4 grz_f64x4_of(double x, double y, double z, double w)
{
    return (grz_f64x4){x, y, z, w};
}

static inline grz_f64x4 grz_f64x4_load(const void *from)
{
    grz_f64x4 r;
    memcpy(&r, from, sizeof r);
    return r;
}

static inline grz_f64x4 grz_f64x4_turn(grz_f64x4 a)
{
    return __builtin_shufflevector(a, a, 1, 2, 0, 3);
}

static inline void grz_f64x4_store(double to[4], grz_f64x4 a)
{
    memcpy(to, &a, sizeof a);
}

static inline grz_f64x4 grz_f64x4_splat(double x)
{
    return (grz_f64x4){x, x, x, x};
}

static inline grz_f64x4 grz_f64x4_add(grz_f64x4 a, grz_f64x4 b)
{
    return a + b;
}

static inline grz_f64x4 grz_f64x4_subtract(grz_f64x4 a, grz_f64x4 b)
{
    return a - b;
}

static inline grz_f64x4 grz_f64x4_multiply(grz_f64x4 a, grz_f64x4 b)
{
    return a * b;
}

static inline grz_f64x4 grz_f64x4_abs(grz_f64x4 a)
{
    return (grz_f64x4)_mm256_andnot_pd(_mm256_set1_pd(-0.0), (__m256d)a);
}

// The minimum and the maximum in each lane. With a NaN the result depends on the target: b on x86, NaN on ARM.
static inline grz_f64x4 grz_f64x4_min(grz_f64x4 a, grz_f64x4 b)
{
    return (grz_f64x4)_mm256_min_pd((__m256d)a, (__m256d)b);
}

static inline grz_f64x4 grz_f64x4_max(grz_f64x4 a, grz_f64x4 b)
{
    return (grz_f64x4)_mm256_max_pd((__m256d)a, (__m256d)b);
}

static inline grz_f32x4 grz_f64x4_to_f32x4(grz_f64x4 a)
{
    return (grz_f32x4)_mm256_cvtpd_ps((__m256d)a);
}

static inline grz_f64x4 grz_f64x4_divide(grz_f64x4 a, grz_f64x4 b)
{
    return a / b;
}

// x where a > b, else y; y also where one of them is NaN.
static inline grz_f64x4 grz_f64x4_if_greater(grz_f64x4 a, grz_f64x4 b, grz_f64x4 x, grz_f64x4 y)
{
    return (grz_f64x4)_mm256_blendv_pd((__m256d)y, (__m256d)x, _mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_GT_OQ));
}

// Bit i is set if lane i of a is larger than lane i of b.
static inline uint32_t grz_f64x4_greater(grz_f64x4 a, grz_f64x4 b)
{
    return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_GT_OQ));
}

#else

typedef int32_t grz_mask4 __attribute__((vector_size(16)));

typedef struct grz_f32x8 {
    grz_f32x4 half[2];
} grz_f32x8;

typedef struct grz_mask8 {
    grz_mask4 half[2]; // each lane -1 (true) or 0 (false)
} grz_mask8;

static inline grz_f32x8 grz_f32x8_load(const float *from)
{
    return (grz_f32x8){{grz_f32x4_load(from), grz_f32x4_load(from + 4)}};
}

static inline void grz_f32x8_store(float *to, grz_f32x8 a)
{
    grz_f32x4_store(to, a.half[0]);
    grz_f32x4_store(to + 4, a.half[1]);
}

static inline grz_f32x8 grz_f32x8_splat(float x)
{
    const grz_f32x4 all = grz_f32x4_splat(x);
    return (grz_f32x8){{all, all}};
}

static inline grz_f32x8 grz_f32x8_add(grz_f32x8 a, grz_f32x8 b)
{
    return (grz_f32x8){{a.half[0] + b.half[0], a.half[1] + b.half[1]}};
}

static inline grz_f32x8 grz_f32x8_multiply(grz_f32x8 a, grz_f32x8 b)
{
    return (grz_f32x8){{a.half[0] * b.half[0], a.half[1] * b.half[1]}};
}

static inline grz_f32x8 grz_f32x8_subtract(grz_f32x8 a, grz_f32x8 b)
{
    return (grz_f32x8){{a.half[0] - b.half[0], a.half[1] - b.half[1]}};
}

// The maximum in each lane. With a NaN the result depends on the target: b on x86, NaN on ARM.
static inline grz_f32x8 grz_f32x8_max(grz_f32x8 a, grz_f32x8 b)
{
    return (grz_f32x8){{grz_f32x4_max(a.half[0], b.half[0]), grz_f32x4_max(a.half[1], b.half[1])}};
}

// a <= b in each lane; false where one of them is NaN.
static inline grz_mask8 grz_f32x8_less_equal(grz_f32x8 a, grz_f32x8 b)
{
    return (grz_mask8){{a.half[0] <= b.half[0], a.half[1] <= b.half[1]}};
}

static inline grz_mask8 grz_mask8_and(grz_mask8 a, grz_mask8 b)
{
    return (grz_mask8){{a.half[0] & b.half[0], a.half[1] & b.half[1]}};
}

static inline grz_mask8 grz_mask8_or(grz_mask8 a, grz_mask8 b)
{
    return (grz_mask8){{a.half[0] | b.half[0], a.half[1] | b.half[1]}};
}

// The mask as bits: bit i for lane i.
static inline uint32_t grz_mask8_bits(grz_mask8 mask)
{
#if defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps((__m128)mask.half[0]) | (uint32_t)_mm_movemask_ps((__m128)mask.half[1]) << 4;
#else
    const grz_mask4 low = {1, 2, 4, 8}, high = {16, 32, 64, 128};
    return (uint32_t)vaddvq_s32((int32x4_t)((mask.half[0] & low) | (mask.half[1] & high)));
#endif
}

typedef struct grz_u32x8 {
    grz_u32x4 half[2];
} grz_u32x8;

static inline grz_u32x8 grz_u32x8_load(const uint32_t *from)
{
    return (grz_u32x8){{grz_u32x4_load(from), grz_u32x4_load(from + 4)}};
}

static inline grz_u32x8 grz_u32x8_splat(uint32_t x)
{
    return (grz_u32x8){{grz_u32x4_of(x, x, x, x), grz_u32x4_of(x, x, x, x)}};
}

static inline grz_mask8 grz_u32x8_equal(grz_u32x8 a, grz_u32x8 b)
{
    return (grz_mask8){{a.half[0] == b.half[0], a.half[1] == b.half[1]}};
}

typedef struct grz_f64x4 {
    grz_f64x2 half[2];
} grz_f64x4;

static inline grz_f64x4 grz_f64x4_of(double x, double y, double z, double w)
{
    return (grz_f64x4){{{x, y}, {z, w}}};
}

static inline grz_f64x4 grz_f64x4_load(const void *from)
{
    grz_f64x4 r; // half by half: as a whole gcc copies it to the stack first
    memcpy(&r.half[0], from, sizeof r.half[0]);
    memcpy(&r.half[1], (const char *)from + sizeof r.half[0], sizeof r.half[1]);
    return r;
}

static inline grz_f64x4 grz_f64x4_turn(grz_f64x4 a)
{
    return (grz_f64x4){{{a.half[0][1], a.half[1][0]}, {a.half[0][0], a.half[1][1]}}};
}

static inline void grz_f64x4_store(double to[4], grz_f64x4 a)
{
    memcpy(to, a.half, sizeof a.half);
}

static inline grz_f64x4 grz_f64x4_splat(double x)
{
    return (grz_f64x4){{{x, x}, {x, x}}};
}

static inline grz_f64x4 grz_f64x4_add(grz_f64x4 a, grz_f64x4 b)
{
    return (grz_f64x4){{a.half[0] + b.half[0], a.half[1] + b.half[1]}};
}

static inline grz_f64x4 grz_f64x4_subtract(grz_f64x4 a, grz_f64x4 b)
{
    return (grz_f64x4){{a.half[0] - b.half[0], a.half[1] - b.half[1]}};
}

static inline grz_f64x4 grz_f64x4_multiply(grz_f64x4 a, grz_f64x4 b)
{
    return (grz_f64x4){{a.half[0] * b.half[0], a.half[1] * b.half[1]}};
}

static inline grz_f64x4 grz_f64x4_abs(grz_f64x4 a)
{
#if defined(__SSE2__)
    const __m128d sign = _mm_set1_pd(-0.0);
    return (grz_f64x4){
        {(grz_f64x2)_mm_andnot_pd(sign, (__m128d)a.half[0]), (grz_f64x2)_mm_andnot_pd(sign, (__m128d)a.half[1])}};
#else
    return (grz_f64x4){{(grz_f64x2)vabsq_f64((float64x2_t)a.half[0]), (grz_f64x2)vabsq_f64((float64x2_t)a.half[1])}};
#endif
}

// The minimum and the maximum in each lane. With a NaN the result depends on the target: b on x86, NaN on ARM.
static inline grz_f64x4 grz_f64x4_min(grz_f64x4 a, grz_f64x4 b)
{
#if defined(__SSE2__)
    return (grz_f64x4){{(grz_f64x2)_mm_min_pd((__m128d)a.half[0], (__m128d)b.half[0]),
                        (grz_f64x2)_mm_min_pd((__m128d)a.half[1], (__m128d)b.half[1])}};
#else
    return (grz_f64x4){{(grz_f64x2)vminq_f64((float64x2_t)a.half[0], (float64x2_t)b.half[0]),
                        (grz_f64x2)vminq_f64((float64x2_t)a.half[1], (float64x2_t)b.half[1])}};
#endif
}

static inline grz_f64x4 grz_f64x4_max(grz_f64x4 a, grz_f64x4 b)
{
#if defined(__SSE2__)
    return (grz_f64x4){{(grz_f64x2)_mm_max_pd((__m128d)a.half[0], (__m128d)b.half[0]),
                        (grz_f64x2)_mm_max_pd((__m128d)a.half[1], (__m128d)b.half[1])}};
#else
    return (grz_f64x4){{(grz_f64x2)vmaxq_f64((float64x2_t)a.half[0], (float64x2_t)b.half[0]),
                        (grz_f64x2)vmaxq_f64((float64x2_t)a.half[1], (float64x2_t)b.half[1])}};
#endif
}

static inline grz_f32x4 grz_f64x4_to_f32x4(grz_f64x4 a)
{
    const grz_f64x2 low = a.half[0], high = a.half[1];
#if defined(__SSE2__)
    return (grz_f32x4)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)low), _mm_cvtpd_ps((__m128d)high));
#else
    return (grz_f32x4)vcvt_high_f32_f64(vcvt_f32_f64((float64x2_t)low), (float64x2_t)high);
#endif
}

static inline grz_f64x4 grz_f64x4_divide(grz_f64x4 a, grz_f64x4 b)
{
    return (grz_f64x4){{a.half[0] / b.half[0], a.half[1] / b.half[1]}};
}

static inline grz_f64x2 grz_f64x2_if_greater(grz_f64x2 a, grz_f64x2 b, grz_f64x2 x, grz_f64x2 y)
{
    typedef int64_t bits __attribute__((vector_size(16)));
    const bits mask = (bits)(a > b);
    return (grz_f64x2)(((bits)x & mask) | ((bits)y & ~mask));
}

// x where a > b, else y; y also where one of them is NaN.
static inline grz_f64x4 grz_f64x4_if_greater(grz_f64x4 a, grz_f64x4 b, grz_f64x4 x, grz_f64x4 y)
{
    return (grz_f64x4){{grz_f64x2_if_greater(a.half[0], b.half[0], x.half[0], y.half[0]),
                        grz_f64x2_if_greater(a.half[1], b.half[1], x.half[1], y.half[1])}};
}

// Bit i is set if lane i of a is larger than lane i of b.
static inline uint32_t grz_f64x4_greater(grz_f64x4 a, grz_f64x4 b)
{
#if defined(__SSE2__)
    return (uint32_t)_mm_movemask_pd(_mm_cmpgt_pd((__m128d)a.half[0], (__m128d)b.half[0])) |
           (uint32_t)_mm_movemask_pd(_mm_cmpgt_pd((__m128d)a.half[1], (__m128d)b.half[1])) << 2;
#else
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= (uint32_t)(a.half[i / 2][i % 2] > b.half[i / 2][i % 2]) << i;
    return bits;
#endif
}

#endif

#endif

#endif
