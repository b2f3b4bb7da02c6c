// SPDX-License-Identifier: MIT
// Bytes to SIMD vectors of floats.
#ifndef GRZ_BASE_LANES_BYTES_H
#define GRZ_BASE_LANES_BYTES_H

#include "base/lanes.h"

// Eight bytes as floats.
static inline grz_f32x8 grz_f32x8_of_bytes(const uint8_t *from)
{
#if defined(GRZ_LANES_PORTABLE)
    grz_f32x8 r;
    for (int i = 0; i < GRZ_LANES; i++)
        r.lane[i] = (float)from[i];
    return r;
#elif defined(__AVX2__)
    return (grz_f32x8)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)from)));
#elif defined(__AVX__)
    return (grz_f32x8){from[0], from[1], from[2], from[3], from[4], from[5], from[6], from[7]};
#elif defined(__SSE2__)
    const __m128i zero = _mm_setzero_si128(), wide = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)from), zero);
    return (grz_f32x8){{(grz_f32x4)_mm_cvtepi32_ps(_mm_unpacklo_epi16(wide, zero)),
                        (grz_f32x4)_mm_cvtepi32_ps(_mm_unpackhi_epi16(wide, zero))}};
#else
    const uint16x8_t wide = vmovl_u8(vld1_u8(from));
    return (grz_f32x8){{(grz_f32x4)vcvtq_f32_u32(vmovl_u16(vget_low_u16(wide))),
                        (grz_f32x4)vcvtq_f32_u32(vmovl_u16(vget_high_u16(wide)))}};
#endif
}

#endif
