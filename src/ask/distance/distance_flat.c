// SPDX-License-Identifier: MIT
// A slab is a cylinder: half its height, and a radius around its normal. Two cylinders are projected onto the normal of
// either; the gap between the projections is never larger than their distance. docs/use/distance.md has the margins.
#include "ask/distance/distance_flat.h"

#include <math.h>

// Of products of coordinates, lengths and normals; and under the root, where nearly equal squares are subtracted.
static const float ROUNDING = 0x1p-18f, ROUNDING_OF_SQUARES = 0x1p-17f;

void grz_flat_set(grz_flat *flat, const grz_distance_frames *frames)
{
    for (int t = 0; t < 2; t++) {
        const grz_distance_row *rows = frames->frames[0].maps[t].rows;
        grz_flat_map *map = &flat->maps[t];
        flat->slabs[t] = NULL;
        map->margin = map->scale = 0.0f;
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < 3; j++)
                map->rows[k][j] = rows[k].m[j];
            map->at[k] = rows[k].m[3];
            map->margin += rows[k].margin;
            map->scale += rows[k].m[0] * rows[k].m[0];
        }
        map->scale = sqrtf(map->scale);
    }
}

void grz_flat_take(grz_flat *flat, const grz_distance_frames *frames, grz_control *control)
{
    for (int t = 0; t < 2; t++) {
        const grz_posed_tree *tree = &frames->trees[t];
        const float scale = flat->maps[t].scale;
        if (tree->has_axes && scale > 0x1p-30f && scale < 0x1p30f) // squares of squares neither over- nor underflow
            flat->slabs[t] = grz_bvh_slabs(tree->bvh, tree->object->mesh, control);
    }
}

static inline void turn(const grz_flat_map *map, const float v[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (map->rows[k][0] * v[0] + map->rows[k][1] * v[1]) + map->rows[k][2] * v[2];
}

static inline float dot(const float a[3], const float b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

float grz_flat_gap(const grz_flat *flat, uint32_t node_a, uint32_t node_b)
{
    const grz_flat_map *maps = flat->maps;
    const grz_bvh_slab *slabs[2] = {&flat->slabs[0][node_a], &flat->slabs[1][node_b]};
    if (!(slabs[0]->half < HUGE_VALF && slabs[1]->half < HUGE_VALF))
        return 0.0f;
    float normals[2][3], centres[2][3], way[3], most = 0.0f, error = 0.0f;
    for (int t = 0; t < 2; t++) {
        turn(&maps[t], slabs[t]->normal, normals[t]);
        turn(&maps[t], slabs[t]->centre, centres[t]);
        error += maps[t].margin + ROUNDING * (maps[t].scale * (slabs[t]->half + slabs[t]->radius));
    }
    for (int k = 0; k < 3; k++) {
        way[k] = (centres[1][k] + maps[1].at[k]) - (centres[0][k] + maps[0].at[k]);
        error += ROUNDING * fabsf(way[k]);
    }
    // Normals have the length of their map's scale here, so everything along one is that much longer.
    const float along = fabsf(dot(normals[0], normals[1])), product = maps[0].scale * maps[1].scale,
                square = product * product, rest = square - along * along,
                across = sqrtf((rest > 0.0f ? rest : 0.0f) + ROUNDING_OF_SQUARES * square);
    for (int t = 0; t < 2; t++) {
        const grz_bvh_slab *own = slabs[t], *other = slabs[1 - t];
        const float scale = maps[t].scale, gap = fabsf(dot(normals[t], way)) - scale * (scale * own->half + error) -
                                                 (other->half * along + other->radius * across);
        most = gap > most * scale ? gap / scale : most;
    }
    return most;
}
