// SPDX-License-Identifier: MIT
// Eight floats at once (grz_lanes), four (grz_quad), or four doubles (grz_wide), by whatever the compiler's target has: AVX, SSE2, NEON, or plain C. A file
// that is written with these may be compiled once for each width; every operation is rounded alike, so all widths compute the same
// numbers. GRZ_LANES_PORTABLE, defined before this is included, asks for plain C.
#ifndef GRZ_BASE_LANES_H
#define GRZ_BASE_LANES_H

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

typedef struct grz_lanes {
    float lane[GRZ_LANES];
} grz_lanes;

typedef uint32_t grz_lane_mask; // bit i: lane i

static inline grz_lanes grz_lanes_load(const float *from)
{
    grz_lanes r;
    memcpy(r.lane, from, sizeof r.lane);
    return r;
}

static inline void grz_lanes_store(float *to, grz_lanes a)
{
    memcpy(to, a.lane, sizeof a.lane);
}

static inline grz_lanes grz_lanes_all(float x)
{
    grz_lanes r;
    for (int i = 0; i < GRZ_LANES; i++)
        r.lane[i] = x;
    return r;
}

static inline grz_lanes grz_lanes_add(grz_lanes a, grz_lanes b)
{
    for (int i = 0; i < GRZ_LANES; i++)
        a.lane[i] += b.lane[i];
    return a;
}

static inline grz_lanes grz_lanes_multiply(grz_lanes a, grz_lanes b)
{
    for (int i = 0; i < GRZ_LANES; i++)
        a.lane[i] *= b.lane[i];
    return a;
}

// a <= b; false where either is not a number.
static inline grz_lane_mask grz_lanes_at_most(grz_lanes a, grz_lanes b)
{
    grz_lane_mask mask = 0;
    for (int i = 0; i < GRZ_LANES; i++)
        mask |= (grz_lane_mask)(a.lane[i] <= b.lane[i]) << i;
    return mask;
}

static inline grz_lane_mask grz_lane_masks_and(grz_lane_mask a, grz_lane_mask b)
{
    return a & b;
}

static inline grz_lane_mask grz_lane_masks_or(grz_lane_mask a, grz_lane_mask b)
{
    return a | b;
}

static inline uint32_t grz_lane_mask_bits(grz_lane_mask mask)
{
    return mask;
}

typedef struct grz_lane_numbers {
    uint32_t lane[GRZ_LANES];
} grz_lane_numbers;

static inline grz_lane_numbers grz_lane_numbers_load(const uint32_t *from)
{
    grz_lane_numbers r;
    memcpy(r.lane, from, sizeof r.lane);
    return r;
}

static inline grz_lane_numbers grz_lane_numbers_all(uint32_t x)
{
    return (grz_lane_numbers){{x, x, x, x, x, x, x, x}};
}

static inline grz_lane_mask grz_lane_numbers_equal(grz_lane_numbers a, grz_lane_numbers b)
{
    grz_lane_mask mask = 0;
    for (int i = 0; i < GRZ_LANES; i++)
        mask |= (grz_lane_mask)(a.lane[i] == b.lane[i]) << i;
    return mask;
}

typedef struct grz_quad {
    float lane[4];
} grz_quad;

static inline grz_quad grz_quad_load(const float *from)
{
    grz_quad r;
    memcpy(r.lane, from, sizeof r.lane);
    return r;
}

static inline void grz_quad_store(float *to, grz_quad a)
{
    memcpy(to, a.lane, sizeof a.lane);
}

static inline grz_quad grz_quad_all(float x)
{
    return (grz_quad){{x, x, x, x}};
}

static inline grz_quad grz_quad_add(grz_quad a, grz_quad b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] += b.lane[i];
    return a;
}

static inline grz_quad grz_quad_subtract(grz_quad a, grz_quad b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] -= b.lane[i];
    return a;
}

static inline grz_quad grz_quad_multiply(grz_quad a, grz_quad b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] *= b.lane[i];
    return a;
}

// The smaller and the larger of each; no lane may be a NaN.
static inline grz_quad grz_quad_min(grz_quad a, grz_quad b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] = a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i];
    return a;
}

static inline grz_quad grz_quad_max(grz_quad a, grz_quad b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] = a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i];
    return a;
}

// Towards zero; lanes within the range of int32_t.
static inline void grz_quad_truncate(grz_quad a, int32_t to[4])
{
    for (int i = 0; i < 4; i++)
        to[i] = (int32_t)a.lane[i];
}

typedef struct grz_numbers {
    uint32_t lane[4];
} grz_numbers;

static inline grz_numbers grz_numbers_of(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    return (grz_numbers){{x, y, z, w}};
}

static inline grz_numbers grz_numbers_load(const uint32_t *from)
{
    return (grz_numbers){{from[0], from[1], from[2], from[3]}};
}

// Bit i: lane i of both is the same.
static inline uint32_t grz_numbers_equal(grz_numbers a, grz_numbers b)
{
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= (uint32_t)(a.lane[i] == b.lane[i]) << i;
    return bits;
}

typedef struct grz_wide {
    double lane[4];
} grz_wide;

static inline grz_wide grz_wide_of(double x, double y, double z, double w)
{
    return (grz_wide){{x, y, z, w}};
}

// Of any alignment.
static inline grz_wide grz_wide_load(const void *from)
{
    grz_wide r;
    memcpy(r.lane, from, sizeof r.lane);
    return r;
}

static inline void grz_wide_store(double to[4], grz_wide a)
{
    memcpy(to, a.lane, sizeof a.lane);
}

static inline grz_wide grz_wide_all(double x)
{
    return (grz_wide){{x, x, x, x}};
}

static inline grz_wide grz_wide_add(grz_wide a, grz_wide b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] += b.lane[i];
    return a;
}

static inline grz_wide grz_wide_subtract(grz_wide a, grz_wide b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] -= b.lane[i];
    return a;
}

static inline grz_wide grz_wide_multiply(grz_wide a, grz_wide b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] *= b.lane[i];
    return a;
}

// The smaller and the larger of each; no lane may be a NaN.
static inline grz_wide grz_wide_min(grz_wide a, grz_wide b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] = a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i];
    return a;
}

static inline grz_wide grz_wide_max(grz_wide a, grz_wide b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] = a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i];
    return a;
}

static inline grz_quad grz_wide_round(grz_wide a)
{
    grz_quad r;
    for (int i = 0; i < 4; i++)
        r.lane[i] = (float)a.lane[i];
    return r;
}

// Bit i: lane i of a is larger than that of b.
static inline uint32_t grz_wide_more(grz_wide a, grz_wide b)
{
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= (uint32_t)(a.lane[i] > b.lane[i]) << i;
    return bits;
}

#else

typedef float grz_quad __attribute__((vector_size(16)));
typedef float grz_quad_anywhere __attribute__((vector_size(16), aligned(4), may_alias));

static inline grz_quad grz_quad_load(const float *from)
{
    return *(const grz_quad_anywhere *)from;
}

static inline void grz_quad_store(float *to, grz_quad a)
{
    *(grz_quad_anywhere *)to = a;
}

static inline grz_quad grz_quad_all(float x)
{
    return (grz_quad){x, x, x, x};
}

static inline grz_quad grz_quad_add(grz_quad a, grz_quad b)
{
    return a + b;
}

static inline grz_quad grz_quad_subtract(grz_quad a, grz_quad b)
{
    return a - b;
}

static inline grz_quad grz_quad_multiply(grz_quad a, grz_quad b)
{
    return a * b;
}

// The smaller and the larger of each; no lane may be a NaN.
static inline grz_quad grz_quad_min(grz_quad a, grz_quad b)
{
#if defined(__SSE2__)
    return (grz_quad)_mm_min_ps((__m128)a, (__m128)b);
#else
    return (grz_quad)vminq_f32((float32x4_t)a, (float32x4_t)b);
#endif
}

static inline grz_quad grz_quad_max(grz_quad a, grz_quad b)
{
#if defined(__SSE2__)
    return (grz_quad)_mm_max_ps((__m128)a, (__m128)b);
#else
    return (grz_quad)vmaxq_f32((float32x4_t)a, (float32x4_t)b);
#endif
}

// Towards zero; lanes within the range of int32_t.
static inline void grz_quad_truncate(grz_quad a, int32_t to[4])
{
    const int32_t __attribute__((vector_size(16))) whole = __builtin_convertvector(a, int32_t __attribute__((vector_size(16))));
    memcpy(to, &whole, sizeof whole);
}

typedef uint32_t grz_numbers __attribute__((vector_size(16)));

static inline grz_numbers grz_numbers_of(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    return (grz_numbers){x, y, z, w};
}

static inline grz_numbers grz_numbers_load(const uint32_t *from)
{
    grz_numbers r;
    memcpy(&r, from, sizeof r);
    return r;
}

// Bit i: lane i of both is the same.
static inline uint32_t grz_numbers_equal(grz_numbers a, grz_numbers b)
{
    const int32_t __attribute__((vector_size(16))) equal = a == b;
#if defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps((__m128)equal);
#else
    const int32_t __attribute__((vector_size(16))) bit = {1, 2, 4, 8};
    return (uint32_t)vaddvq_s32((int32x4_t)(equal & bit));
#endif
}

#if defined(__AVX__)

typedef float grz_lanes __attribute__((vector_size(32)));
typedef int32_t grz_lane_mask __attribute__((vector_size(32))); // -1 or 0 a lane
typedef float grz_lanes_anywhere __attribute__((vector_size(32), aligned(4), may_alias));

static inline grz_lanes grz_lanes_load(const float *from)
{
    return *(const grz_lanes_anywhere *)from;
}

static inline void grz_lanes_store(float *to, grz_lanes a)
{
    *(grz_lanes_anywhere *)to = a;
}

static inline grz_lanes grz_lanes_all(float x)
{
    return (grz_lanes){x, x, x, x, x, x, x, x};
}

static inline grz_lanes grz_lanes_add(grz_lanes a, grz_lanes b)
{
    return a + b;
}

static inline grz_lanes grz_lanes_multiply(grz_lanes a, grz_lanes b)
{
    return a * b;
}

// a <= b; false where either is not a number.
static inline grz_lane_mask grz_lanes_at_most(grz_lanes a, grz_lanes b)
{
    return a <= b;
}

static inline grz_lane_mask grz_lane_masks_and(grz_lane_mask a, grz_lane_mask b)
{
    return a & b;
}

static inline grz_lane_mask grz_lane_masks_or(grz_lane_mask a, grz_lane_mask b)
{
    return a | b;
}

// Bit i: lane i.
static inline uint32_t grz_lane_mask_bits(grz_lane_mask mask)
{
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
}

typedef uint32_t grz_lane_numbers __attribute__((vector_size(32)));

static inline grz_lane_numbers grz_lane_numbers_load(const uint32_t *from)
{
    grz_lane_numbers r;
    memcpy(&r, from, sizeof r);
    return r;
}

static inline grz_lane_numbers grz_lane_numbers_all(uint32_t x)
{
    return (grz_lane_numbers){x, x, x, x, x, x, x, x};
}

static inline grz_lane_mask grz_lane_numbers_equal(grz_lane_numbers a, grz_lane_numbers b)
{
    return a == b;
}

typedef double grz_wide __attribute__((vector_size(32)));

static inline grz_wide grz_wide_of(double x, double y, double z, double w)
{
    return (grz_wide){x, y, z, w};
}

// Of any alignment.
static inline grz_wide grz_wide_load(const void *from)
{
    grz_wide r;
    memcpy(&r, from, sizeof r);
    return r;
}

static inline void grz_wide_store(double to[4], grz_wide a)
{
    memcpy(to, &a, sizeof a);
}

static inline grz_wide grz_wide_all(double x)
{
    return (grz_wide){x, x, x, x};
}

static inline grz_wide grz_wide_add(grz_wide a, grz_wide b)
{
    return a + b;
}

static inline grz_wide grz_wide_subtract(grz_wide a, grz_wide b)
{
    return a - b;
}

static inline grz_wide grz_wide_multiply(grz_wide a, grz_wide b)
{
    return a * b;
}

// The smaller and the larger of each; no lane may be a NaN.
static inline grz_wide grz_wide_min(grz_wide a, grz_wide b)
{
    return (grz_wide)_mm256_min_pd((__m256d)a, (__m256d)b);
}

static inline grz_wide grz_wide_max(grz_wide a, grz_wide b)
{
    return (grz_wide)_mm256_max_pd((__m256d)a, (__m256d)b);
}

static inline grz_quad grz_wide_round(grz_wide a)
{
    return (grz_quad)_mm256_cvtpd_ps((__m256d)a);
}

// Bit i: lane i of a is larger than that of b.
static inline uint32_t grz_wide_more(grz_wide a, grz_wide b)
{
    return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_GT_OQ));
}

#else

typedef int32_t grz_quad_mask __attribute__((vector_size(16)));
typedef double grz_two __attribute__((vector_size(16)));

typedef struct grz_lanes {
    grz_quad half[2];
} grz_lanes;

typedef struct grz_lane_mask {
    grz_quad_mask half[2]; // -1 or 0 a lane
} grz_lane_mask;

static inline grz_lanes grz_lanes_load(const float *from)
{
    return (grz_lanes){{grz_quad_load(from), grz_quad_load(from + 4)}};
}

static inline void grz_lanes_store(float *to, grz_lanes a)
{
    grz_quad_store(to, a.half[0]);
    grz_quad_store(to + 4, a.half[1]);
}

static inline grz_lanes grz_lanes_all(float x)
{
    const grz_quad all = grz_quad_all(x);
    return (grz_lanes){{all, all}};
}

static inline grz_lanes grz_lanes_add(grz_lanes a, grz_lanes b)
{
    return (grz_lanes){{a.half[0] + b.half[0], a.half[1] + b.half[1]}};
}

static inline grz_lanes grz_lanes_multiply(grz_lanes a, grz_lanes b)
{
    return (grz_lanes){{a.half[0] * b.half[0], a.half[1] * b.half[1]}};
}

// a <= b; false where either is not a number.
static inline grz_lane_mask grz_lanes_at_most(grz_lanes a, grz_lanes b)
{
    return (grz_lane_mask){{a.half[0] <= b.half[0], a.half[1] <= b.half[1]}};
}

static inline grz_lane_mask grz_lane_masks_and(grz_lane_mask a, grz_lane_mask b)
{
    return (grz_lane_mask){{a.half[0] & b.half[0], a.half[1] & b.half[1]}};
}

static inline grz_lane_mask grz_lane_masks_or(grz_lane_mask a, grz_lane_mask b)
{
    return (grz_lane_mask){{a.half[0] | b.half[0], a.half[1] | b.half[1]}};
}

// Bit i: lane i.
static inline uint32_t grz_lane_mask_bits(grz_lane_mask mask)
{
#if defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps((__m128)mask.half[0]) | (uint32_t)_mm_movemask_ps((__m128)mask.half[1]) << 4;
#else
    const grz_quad_mask low = {1, 2, 4, 8}, high = {16, 32, 64, 128};
    return (uint32_t)vaddvq_s32((int32x4_t)((mask.half[0] & low) | (mask.half[1] & high)));
#endif
}

typedef struct grz_lane_numbers {
    grz_numbers half[2];
} grz_lane_numbers;

static inline grz_lane_numbers grz_lane_numbers_load(const uint32_t *from)
{
    return (grz_lane_numbers){{grz_numbers_load(from), grz_numbers_load(from + 4)}};
}

static inline grz_lane_numbers grz_lane_numbers_all(uint32_t x)
{
    return (grz_lane_numbers){{grz_numbers_of(x, x, x, x), grz_numbers_of(x, x, x, x)}};
}

static inline grz_lane_mask grz_lane_numbers_equal(grz_lane_numbers a, grz_lane_numbers b)
{
    return (grz_lane_mask){{a.half[0] == b.half[0], a.half[1] == b.half[1]}};
}

typedef struct grz_wide {
    grz_two half[2];
} grz_wide;

static inline grz_wide grz_wide_of(double x, double y, double z, double w)
{
    return (grz_wide){{{x, y}, {z, w}}};
}

// Of any alignment.
static inline grz_wide grz_wide_load(const void *from)
{
    grz_wide r;
    memcpy(r.half, from, sizeof r.half);
    return r;
}

static inline void grz_wide_store(double to[4], grz_wide a)
{
    memcpy(to, a.half, sizeof a.half);
}

static inline grz_wide grz_wide_all(double x)
{
    return (grz_wide){{{x, x}, {x, x}}};
}

static inline grz_wide grz_wide_add(grz_wide a, grz_wide b)
{
    return (grz_wide){{a.half[0] + b.half[0], a.half[1] + b.half[1]}};
}

static inline grz_wide grz_wide_subtract(grz_wide a, grz_wide b)
{
    return (grz_wide){{a.half[0] - b.half[0], a.half[1] - b.half[1]}};
}

static inline grz_wide grz_wide_multiply(grz_wide a, grz_wide b)
{
    return (grz_wide){{a.half[0] * b.half[0], a.half[1] * b.half[1]}};
}

// The smaller and the larger of each; no lane may be a NaN.
static inline grz_wide grz_wide_min(grz_wide a, grz_wide b)
{
#if defined(__SSE2__)
    return (grz_wide){
        {(grz_two)_mm_min_pd((__m128d)a.half[0], (__m128d)b.half[0]), (grz_two)_mm_min_pd((__m128d)a.half[1], (__m128d)b.half[1])}};
#else
    return (grz_wide){{(grz_two)vminq_f64((float64x2_t)a.half[0], (float64x2_t)b.half[0]),
                       (grz_two)vminq_f64((float64x2_t)a.half[1], (float64x2_t)b.half[1])}};
#endif
}

static inline grz_wide grz_wide_max(grz_wide a, grz_wide b)
{
#if defined(__SSE2__)
    return (grz_wide){
        {(grz_two)_mm_max_pd((__m128d)a.half[0], (__m128d)b.half[0]), (grz_two)_mm_max_pd((__m128d)a.half[1], (__m128d)b.half[1])}};
#else
    return (grz_wide){{(grz_two)vmaxq_f64((float64x2_t)a.half[0], (float64x2_t)b.half[0]),
                       (grz_two)vmaxq_f64((float64x2_t)a.half[1], (float64x2_t)b.half[1])}};
#endif
}

static inline grz_quad grz_wide_round(grz_wide a)
{
    const grz_two low = a.half[0], high = a.half[1];
#if defined(__SSE2__)
    return (grz_quad)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)low), _mm_cvtpd_ps((__m128d)high));
#else
    return (grz_quad)vcvt_high_f32_f64(vcvt_f32_f64((float64x2_t)low), (float64x2_t)high);
#endif
}

// Bit i: lane i of a is larger than that of b.
static inline uint32_t grz_wide_more(grz_wide a, grz_wide b)
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
