// SPDX-License-Identifier: MIT
// Filters candidates: keeps the pairs of boxes that overlap. The build compiles this file once for each SIMD width.
// Floats decide unless two of them are equal; then the doubles do.
#include "base/lanes.h"
#include "base/simd.h"
#include "space/pairs/pairs_parts.h"

enum {
    AHEAD = 16 // boxes are prefetched so many candidates ahead
};

size_t GRZ_OF_WIDTH(grz_kept_filter)(const grz_sweep_pair *candidates, size_t count, const grz_kept_floats *now,
                                     const grz_box *boxes, grz_sweep_pair *kept)
{
    grz_sweep_pair *to = kept;
    uint32_t last = UINT32_MAX;
    grz_f32x8 bound = grz_f32x8_splat(0.0f);
    for (size_t i = 0; i < count; i++) {
        const grz_sweep_pair pair = candidates[i];
#if defined(__GNUC__)
        __builtin_prefetch(&now[candidates[i + AHEAD < count ? i + AHEAD : i].b]);
#endif
        if (pair.a != last) {
            float bounds[8];
            last = pair.a;
            for (int axis = 0; axis < 4; axis++) {
                bounds[axis] = -now[last].minus_high[axis];
                bounds[axis + 4] = -now[last].low[axis];
            }
            bound = grz_f32x8_load(bounds);
        }
        const grz_f32x8 other = grz_f32x8_load(now[pair.b].low);
        const uint32_t meet = grz_mask8_bits(grz_f32x8_less_equal(other, bound)) & GRZ_KEPT_LANES,
                       equal = grz_mask8_bits(grz_f32x8_less_equal(bound, other)) & GRZ_KEPT_LANES;
        *to = pair; // written first, kept only if true: no unpredictable branch
        bool keep = meet == GRZ_KEPT_LANES;
        if (keep & (equal != 0))
            keep = grz_boxes_overlap(&boxes[pair.a], &boxes[pair.b]);
        to += keep;
    }
    return (size_t)(to - kept);
}
