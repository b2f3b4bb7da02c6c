// SPDX-License-Identifier: MIT
// Four doubles at once: what lanes.h does not have. Rounds in the same way at every width.
#ifndef GRZ_BASE_LANES_DOUBLES_H
#define GRZ_BASE_LANES_DOUBLES_H

#include <math.h>

#include "base/lanes.h"

// The square root of each lane.
static inline grz_f64x4 grz_f64x4_root(grz_f64x4 a)
{
#if defined(GRZ_LANES_PORTABLE)
    for (int i = 0; i < 4; i++)
        a.lane[i] = sqrt(a.lane[i]);
    return a;
#elif defined(__AVX__)
    return (grz_f64x4)_mm256_sqrt_pd((__m256d)a);
#elif defined(__SSE2__)
    return (grz_f64x4){{(grz_f64x2)_mm_sqrt_pd((__m128d)a.half[0]), (grz_f64x2)_mm_sqrt_pd((__m128d)a.half[1])}};
#else
    return (grz_f64x4){{(grz_f64x2)vsqrtq_f64((float64x2_t)a.half[0]), (grz_f64x2)vsqrtq_f64((float64x2_t)a.half[1])}};
#endif
}

// Bit i is set if lane i of a equals lane i of b; not where one of them is NaN.
static inline uint32_t grz_f64x4_equal(grz_f64x4 a, grz_f64x4 b)
{
#if !defined(GRZ_LANES_PORTABLE) && defined(__AVX__)
    return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_EQ_OQ));
#elif !defined(GRZ_LANES_PORTABLE) && defined(__SSE2__)
    return (uint32_t)_mm_movemask_pd(_mm_cmpeq_pd((__m128d)a.half[0], (__m128d)b.half[0])) |
           (uint32_t)_mm_movemask_pd(_mm_cmpeq_pd((__m128d)a.half[1], (__m128d)b.half[1])) << 2;
#else
    double x[4], y[4];
    uint32_t bits = 0;
    grz_f64x4_store(x, a);
    grz_f64x4_store(y, b);
    for (int i = 0; i < 4; i++)
        bits |= (uint32_t)(x[i] == y[i]) << i;
    return bits;
#endif
}

// `product` is a · b, rounded. Returns what was rounded off, exactly, as two_product() in geometry/exact/expansion.h.
static inline grz_f64x4 grz_f64x4_product_error(grz_f64x4 a, grz_f64x4 b, grz_f64x4 product)
{
#if defined(GRZ_FUSED_PRODUCTS) && defined(__AVX__)
    return (grz_f64x4)_mm256_fmsub_pd((__m256d)a, (__m256d)b, (__m256d)product);
#else
    const grz_f64x4 factor = grz_f64x4_splat(134217729.0), // 2^27 + 1
        as = grz_f64x4_multiply(factor, a), bs = grz_f64x4_multiply(factor, b),
                    a_high = grz_f64x4_subtract(as, grz_f64x4_subtract(as, a)), a_low = grz_f64x4_subtract(a, a_high),
                    b_high = grz_f64x4_subtract(bs, grz_f64x4_subtract(bs, b)), b_low = grz_f64x4_subtract(b, b_high),
                    rest = grz_f64x4_subtract(
                        grz_f64x4_subtract(grz_f64x4_subtract(product, grz_f64x4_multiply(a_high, b_high)),
                                           grz_f64x4_multiply(a_low, b_high)),
                        grz_f64x4_multiply(a_high, b_low));
    return grz_f64x4_subtract(grz_f64x4_multiply(a_low, b_low), rest);
#endif
}

#endif
