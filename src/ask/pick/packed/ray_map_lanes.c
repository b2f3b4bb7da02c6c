// SPDX-License-Identifier: MIT
// A ray against the eight boxes of a node: it is in a box between the last entry and the first exit of the three slabs.
#include "ask/pick/packed/ray_map.h"
#include "base/lanes.h"

// The sum of m · b over the axes of the tree, from the ends of the boxes that make it smallest.
static inline grz_f32x8 least(const grz_ray_axis *axis, float sign, float constant, const float bounds[2][3][8])
{
    grz_f32x8 sum = grz_f32x8_splat(constant);
    for (int j = 0; j < 3; j++) {
        if (axis->only >= 0 && axis->only != j)
            continue;
        const float m = sign * axis->m[j];
        sum = grz_f32x8_add(sum, grz_f32x8_multiply(grz_f32x8_splat(m), grz_f32x8_load(bounds[m < 0.0f][j])));
    }
    return sum;
}

uint32_t GRZ_OF_WIDTH(grz_ray_boxes_of)(const grz_ray_map *map, const float bounds[2][3][GRZ_BVH_WIDTH], float to,
                                        float enters[GRZ_BVH_WIDTH])
{
    grz_f32x8 enter = grz_f32x8_splat(map->from), leave = grz_f32x8_splat(-to);
    for (int i = 0; i < 3; i++) {
        const grz_ray_axis *axis = &map->axes[i];
        enter = grz_f32x8_max(enter, least(axis, 1.0f, axis->enter, bounds));
        leave = grz_f32x8_max(leave, least(axis, -1.0f, axis->leave, bounds));
    }
    grz_f32x8_store(enters, enter);
    return grz_mask8_bits(grz_f32x8_less_equal(enter, grz_f32x8_subtract(grz_f32x8_splat(0.0f), leave)));
}
