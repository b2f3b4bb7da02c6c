// SPDX-License-Identifier: MIT Bounds the distances of the boxes of two nodes, eight at a time. In a frame the boxes
// are axis-aligned, so the squared distance of two is the sum of the squared gaps along the axes. The larger of what
// two frames say counts.
#include "ask/distance/map_lanes.h"

typedef struct boxes {
    grz_f32x8 min[3], max[3];
} boxes;

static inline void map_boxes(const grz_distance_map *map, const grz_bvh_node *node, boxes *out)
{
    for (int i = 0; i < 3; i++)
        grz_map_ranges(&map->rows[i], node, &out->min[i], &out->max[i]);
}

// The bounds along the way from A to B.
static inline void bound_along(const grz_distance_side *a, const grz_distance_side *b,
                               float squares[GRZ_BVH_WIDTH][GRZ_BVH_WIDTH])
{
    const grz_f32x8 zero = grz_f32x8_splat(0.0f), of_b = grz_f32x8_subtract(zero, grz_f32x8_load(b->ends));
    for (uint32_t left = a->children; left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        const grz_f32x8 gap = grz_f32x8_max(grz_f32x8_subtract(of_b, grz_f32x8_splat(a->ends[i])), zero);
        grz_f32x8_store(squares[i], grz_f32x8_multiply(gap, gap));
    }
}

// Add one frame's bounds to `squares`, the larger of both.
static inline void bound_in(const grz_distance_frame *frame, const grz_distance_side *a, const grz_distance_side *b,
                            uint32_t rows, float squares[GRZ_BVH_WIDTH][GRZ_BVH_WIDTH])
{
    float mapped[2][3][GRZ_BVH_WIDTH];
    boxes of_a, of_b;
    map_boxes(&frame->maps[0], a->node, &of_a);
    map_boxes(&frame->maps[1], b->node, &of_b);
    for (int k = 0; k < 3; k++) {
        grz_f32x8_store(mapped[0][k], of_a.min[k]);
        grz_f32x8_store(mapped[1][k], of_a.max[k]);
    }
    for (; rows != 0; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        grz_f32x8 sum = grz_f32x8_splat(0.0f);
        for (int k = 0; k < 3; k++) {
            const grz_f32x8 below = grz_f32x8_subtract(of_b.min[k], grz_f32x8_splat(mapped[1][k][i])),
                            above = grz_f32x8_subtract(grz_f32x8_splat(mapped[0][k][i]), of_b.max[k]);
            const grz_f32x8 gap = grz_f32x8_max(grz_f32x8_max(below, above), grz_f32x8_splat(0.0f));
            sum = grz_f32x8_add(sum, grz_f32x8_multiply(gap, gap));
        }
        grz_f32x8_store(squares[i], grz_f32x8_max(sum, grz_f32x8_load(squares[i])));
    }
}

// The rows with bounds within the limit.
static inline uint32_t rows_within(const grz_distance_side *b, uint32_t rows, float limit,
                                   float squares[GRZ_BVH_WIDTH][GRZ_BVH_WIDTH], uint32_t within[GRZ_BVH_WIDTH])
{
    uint32_t kept = 0;
    for (; rows != 0; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        within[i] =
            b->children & grz_mask8_bits(grz_f32x8_less_equal(grz_f32x8_load(squares[i]), grz_f32x8_splat(limit)));
        kept |= (uint32_t)(within[i] != 0) << i;
    }
    return kept;
}

uint32_t GRZ_OF_WIDTH(grz_distance_bounds_of)(const grz_distance_frames *frames, const grz_distance_side *a,
                                              const grz_distance_side *b, float limit,
                                              float squares[GRZ_BVH_WIDTH][GRZ_BVH_WIDTH],
                                              uint32_t within[GRZ_BVH_WIDTH])
{
    bound_along(a, b, squares);
    uint32_t rows = rows_within(b, a->children, limit, squares, within);
    for (int i = 0; i < frames->count && rows != 0; i++) {
        bound_in(&frames->frames[i], a, b, rows, squares);
        rows = rows_within(b, rows, limit, squares, within);
    }
    return rows;
}

void GRZ_OF_WIDTH(grz_distance_ends_of)(const grz_distance_row *row, const grz_bvh_node *node,
                                        float ends[GRZ_BVH_WIDTH])
{
    grz_f32x8 low, high;
    grz_map_ranges(row, node, &low, &high);
    grz_f32x8_store(ends, high);
}

void GRZ_OF_WIDTH(grz_distance_middles_of)(const grz_distance_frames *frames, const grz_distance_side *a,
                                           const grz_distance_side *b, uint32_t rows,
                                           float squares[GRZ_BVH_WIDTH][GRZ_BVH_WIDTH])
{
    float middles[3][GRZ_BVH_WIDTH]; // twice
    boxes of_a, of_b;
    grz_f32x8 of_b_middles[3];
    map_boxes(&frames->frames[0].maps[0], a->node, &of_a);
    map_boxes(&frames->frames[0].maps[1], b->node, &of_b);
    for (int k = 0; k < 3; k++) {
        grz_f32x8_store(middles[k], grz_f32x8_add(of_a.min[k], of_a.max[k]));
        of_b_middles[k] = grz_f32x8_add(of_b.min[k], of_b.max[k]);
    }
    for (; rows != 0; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        grz_f32x8 sum = grz_f32x8_splat(0.0f);
        for (int k = 0; k < 3; k++) {
            const grz_f32x8 way = grz_f32x8_subtract(of_b_middles[k], grz_f32x8_splat(middles[k][i]));
            sum = grz_f32x8_add(sum, grz_f32x8_multiply(way, way));
        }
        grz_f32x8_store(squares[i], grz_f32x8_multiply(sum, grz_f32x8_splat(0.25f)));
    }
}
