// SPDX-License-Identifier: MIT
// Bounds the times at which the moving boxes of one node meet those of another, eight at a time. Along each axis two
// boxes overlap from one time to another; they meet while they overlap along all axes. docs/use/move.md has the error
// bounds.
#include "ask/distance/map_lanes.h"
#include "ask/move/translation/translation_path.h"

static const float SLACK = 0x1p-20f; // relative error of a time

// Along all axes: A's boxes as numbers, B's as lanes.
typedef struct ranges {
    float a_min[GRZ_SLAB_ROWS][GRZ_BVH_WIDTH], a_max[GRZ_SLAB_ROWS][GRZ_BVH_WIDTH];
    grz_f32x8 b_min[GRZ_SLAB_ROWS], b_max[GRZ_SLAB_ROWS];
} ranges;

static inline void map_nodes(const grz_translating_frames *frames, const grz_bvh_node *a, const grz_bvh_node *b,
                             ranges *r)
{
    for (int k = 0; k < frames->count; k++) {
        grz_f32x8 low, high;
        grz_map_ranges(&frames->rows[k].maps[0], a, &low, &high);
        grz_f32x8_store(r->a_min[k], low);
        grz_f32x8_store(r->a_max[k], high);
        grz_map_ranges(&frames->rows[k].maps[1], b, &r->b_min[k], &r->b_max[k]);
    }
}

void GRZ_OF_WIDTH(grz_slab_times_of)(const grz_translating_frames *frames, const grz_translating_side *a,
                                     const grz_translating_side *b, float until, grz_slab_spans *spans)
{
    const grz_f32x8 zero = grz_f32x8_splat(0.0f), shrunk = grz_f32x8_splat(1.0f - SLACK),
                    grown = grz_f32x8_splat(-1.0f - SLACK), last = grz_f32x8_splat(until);
    ranges r;
    map_nodes(frames, a->node, b->node, &r);
    spans->rows = 0;
    for (uint32_t left = a->children; left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        grz_f32x8 enter = zero, leave = grz_f32x8_splat(-HUGE_VALF); // `leave` is negated: the largest counts
        for (int k = 0; k < frames->count; k++) {
            const grz_f32x8 pace = grz_f32x8_splat(frames->rows[k].pace),
                            to = grz_f32x8_subtract(r.b_min[k], grz_f32x8_splat(r.a_max[k][i])),
                            through = grz_f32x8_subtract(grz_f32x8_splat(r.a_min[k][i]), r.b_max[k]);
            enter = grz_f32x8_max(enter, grz_f32x8_multiply(to, pace));
            leave = grz_f32x8_max(leave, grz_f32x8_multiply(through, pace));
        }
        const grz_mask8 later = grz_f32x8_less_equal(leave, zero); // also where a small time underflows
        enter = grz_f32x8_multiply(enter, shrunk);
        leave = grz_f32x8_multiply(leave, grown);
        const grz_mask8 meets = grz_mask8_and(later, grz_f32x8_less_equal(enter, leave)),
                        soon = grz_f32x8_less_equal(enter, last);
        spans->within[i] = b->children & grz_mask8_bits(grz_mask8_and(meets, soon));
        spans->rows |= (uint32_t)(spans->within[i] != 0) << i;
        grz_f32x8_store(spans->enter[i], enter);
        grz_f32x8_store(spans->leave[i], leave);
    }
}
