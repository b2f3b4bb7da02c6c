// SPDX-License-Identifier: MIT
// Bounds the distances of the eight boxes of a node from a point: boxes are mapped to a frame, where they are
// axis-aligned, so the squared distance is the sum of the squared gaps along the axes.
#include "ask/distance/points/point_bounds.h"
#include "base/lanes.h"

// Add m times the boxes' range along one axis of the tree.
static inline void add_range(float m, const grz_bvh_node *node, int axis, grz_f32x8 *low, grz_f32x8 *high)
{
    const int lower = m < 0.0f;
    const grz_f32x8 factor = grz_f32x8_splat(m);
    *low = grz_f32x8_add(*low, grz_f32x8_multiply(factor, grz_f32x8_load(node->bounds[lower][axis])));
    *high = grz_f32x8_add(*high, grz_f32x8_multiply(factor, grz_f32x8_load(node->bounds[1 - lower][axis])));
}

uint32_t GRZ_OF_WIDTH(grz_distance_point_bounds_of)(const grz_distance_map *map, const grz_bvh_node *node,
                                                    const grz_distance_place *place, float limit,
                                                    float squares[GRZ_BVH_WIDTH])
{
    grz_f32x8 sum = grz_f32x8_splat(0.0f);
    for (int i = 0; i < 3; i++) {
        const grz_distance_row *row = &map->rows[i];
        grz_f32x8 low = grz_f32x8_splat(row->m[3] - row->margin), high = grz_f32x8_splat(row->m[3] + row->margin);
        for (int j = 0; j < 3; j++)
            if (row->only < 0 || row->only == j)
                add_range(row->m[j], node, j, &low, &high);
        const grz_f32x8 below = grz_f32x8_subtract(low, grz_f32x8_splat(place->high[i])),
                        above = grz_f32x8_subtract(grz_f32x8_splat(place->low[i]), high);
        const grz_f32x8 gap = grz_f32x8_max(grz_f32x8_max(below, above), grz_f32x8_splat(0.0f));
        sum = grz_f32x8_add(sum, grz_f32x8_multiply(gap, gap));
    }
    grz_f32x8_store(squares, sum);
    return grz_mask8_bits(grz_f32x8_less_equal(sum, grz_f32x8_splat(limit)));
}
