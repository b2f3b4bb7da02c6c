// SPDX-License-Identifier: MIT
// Frames and their margins. A vertex x has world position w = M·x + t and tree coordinates y = (x - o)·s. With an
// approximate inverse X of M_b, a point with A's tree coordinates y has in B's tree coordinates about R·y + T, where
//   R = (s_b / s_a)·X·M_a,   T = s_b·X·((M_a·o_a + t_a) - (M_b·o_b + t_b)).
// docs/internals/bvh.md ("Frames") bounds the error; the margin is the sum of
// - the rounding of the world positions and of the two origins: 2^-49 of the largest world coordinates, and underflow;
// - the error of the inverse: |X·M_b - I|, at most 2^-30, times the largest row of |X|·|M_a| and |X|·|distance of the
//   origins|;
// - the rounding of floats: eight roundings of R, the boxes, products and sums: 2^-21 of their magnitudes, and
//   underflow.
#include "space/bvh/frames.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "geometry/pose.h"

static const double WORLD_ROUNDING = 0x1p-49;
static const double WORLD_UNDERFLOW = 0x1p-1070; // four products for each vertex and origin, each off by at most
                                                 // 2^-1075
static const double FLOAT_ROUNDING = 0x1.1p-21;
static const double DOUBLE_ROUNDING = 0x1p-50;  // rounding of R and T in doubles
static const double UNDERFLOW = 0x1p-140;       // underflow of floats: each operation loses at most 2^-150
static const double LARGEST_RESIDUAL = 0x1p-30; // of |X·M_b - I|
static const double LARGEST_FLOAT = 0x1p100;    // sums and products of a few numbers of this size stay finite

// An affine map between tree coordinates in doubles, with a bound on the error of the translation.
typedef struct grz_exact_map {
    double m[3][3], t[3], error[3];
} grz_exact_map;

// The largest |m0·x| + |m1·y| + |m2·z| + |t| of a row of an object's pose.
static double row_magnitude(const grz_object *object, int row)
{
    const double *m = object->pose.m[row], *most = object->mesh->max_abs;
    return fabs(m[0]) * most[0] + fabs(m[1]) * most[1] + fabs(m[2]) * most[2] + fabs(m[3]);
}

// Choose which bound entry (i, j) takes: a negative entry makes the lower bound from the box's upper bound.
static void choose_bounds(grz_bvh_map *map, int i, int j)
{
    const int negative = map->m[i][j] < 0.0f;
    map->least[i][j] = (uint8_t)((negative * 3 + j) * GRZ_BVH_WIDTH);
    map->most[i][j] = (uint8_t)(((1 - negative) * 3 + j) * GRZ_BVH_WIDTH);
}

// Round a map to floats. `reach`: the largest |coordinate| of the boxes that are mapped; `own`: that of the boxes they
// are compared with. False: the numbers are too large for floats.
static bool round_map(const grz_exact_map *exact, double mapped_max, double compared_max, grz_bvh_map *map)
{
    double slack = 0.0;
    memset(map, 0, sizeof *map);
    for (int i = 0; i < 3; i++) {
        double magnitude = fabs(exact->t[i]);
        for (int j = 0; j < 3; j++) {
            // If all vertices coincide, the linear part has no effect.
            const double m = mapped_max > 0.0 ? exact->m[i][j] : 0.0;
            if (!(fabs(m) < LARGEST_FLOAT))
                return false;
            map->m[i][j] = (float)m;
            choose_bounds(map, i, j);
            magnitude += fabs(m) * mapped_max;
        }
        assert(!(exact->error[i] < 0.0)); // not a number where a pose is too large: the margin is too, then
        const double margin = exact->error[i] + FLOAT_ROUNDING * (magnitude + compared_max) + UNDERFLOW;
        if (!(magnitude + margin < LARGEST_FLOAT))
            return false;
        map->low[i] = (float)(exact->t[i] - margin);
        map->high[i] = (float)(exact->t[i] + margin);
        map->m[i][3] = (float)exact->t[i];
        for (int j = 0; j < 4; j++) {
            map->columns[j][i] = map->m[i][j];
            map->magnitudes[j][i] = j < 3 ? fabsf(map->m[i][j]) : (float)margin;
        }
        assert(map->low[i] <= map->high[i]);
        slack = fmax(slack, margin);
    }
    map->slack = (float)(8.0 * slack);
    return true;
}

static void multiply(const double a[3][3], const double b[3][4], double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

// The inverse of a pose's linear part, multiplied by a power of two (`scale`), and a bound on the row sums of
// |X·M/scale - I|. False if the result is not accurate enough.
static bool invert(const grz_pose *pose, double inverse[3][3], double *scale, double *residual)
{
    double largest = 0.0, m[3][4], product[3][3];
    *residual = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            largest = fmax(largest, fabs(pose->m[i][j]));
    if (!(largest > 0x1p-900))
        return false;
    const int exponent = ilogb(largest);
    *scale = ldexp(1.0, exponent);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] = pose->m[i][j] / *scale;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int p = (j + 1) % 3, q = (j + 2) % 3, r = (i + 1) % 3, s = (i + 2) % 3;
            inverse[i][j] = m[p][r] * m[q][s] - m[p][s] * m[q][r];
        }
    const double determinant = m[0][0] * inverse[0][0] + m[0][1] * inverse[1][0] + m[0][2] * inverse[2][0];
    if (!(fabs(determinant) > 0x1p-60))
        return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inverse[i][j] /= determinant;
    multiply((const double(*)[3])inverse, (const double(*)[4])m, product);
    for (int i = 0; i < 3; i++) {
        double row = 0.0;
        for (int j = 0; j < 3; j++) {
            double magnitude = 0.0;
            for (int k = 0; k < 3; k++)
                magnitude += fabs(inverse[i][k]) * fabs(m[k][j]);
            row += fabs(product[i][j] - (i == j ? 1.0 : 0.0)) + DOUBLE_ROUNDING * magnitude;
        }
        *residual = row > *residual ? row : *residual;
        if (!(row <= LARGEST_RESIDUAL))
            return false;
    }
    return true;
}

// The map from the tree coordinates of `from` to those of `to`. False if floats cannot express it.
static bool map_between(const grz_bvh *bvh_from, const grz_object *from, const grz_bvh *bvh_to, const grz_object *to,
                        grz_bvh_map *map)
{
    double inverse[3][3], scale, residual, between[3], error[3], at_from[3], at_to[3], largest_row = 0.0;
    grz_exact_map exact;
    if (!invert(&to->pose, inverse, &scale, &residual))
        return false;
    grz_world_position(&from->pose, bvh_from->origin, at_from);
    grz_world_position(&to->pose, bvh_to->origin, at_to);
    for (int i = 0; i < 3; i++) {
        between[i] = at_from[i] - at_to[i];
        error[i] = WORLD_ROUNDING * (row_magnitude(from, i) + row_magnitude(to, i)) + WORLD_UNDERFLOW;
    }
    multiply((const double(*)[3])inverse, from->pose.m, exact.m);
    const double outer = bvh_to->scale / scale, linear = outer * bvh_from->unit;
    for (int i = 0; i < 3; i++) {
        double row = 0.0;
        exact.t[i] = exact.error[i] = 0.0;
        for (int j = 0; j < 3; j++) {
            const double *m = from->pose.m[j];
            exact.m[i][j] *= linear;
            exact.t[i] += inverse[i][j] * between[j] * outer;
            exact.error[i] += fabs(inverse[i][j]) * error[j] * outer;
            row += fabs(inverse[i][j]) *
                   ((fabs(m[0]) + fabs(m[1]) + fabs(m[2])) * linear * bvh_from->max_abs + fabs(between[j]) * outer);
        }
        largest_row = row > largest_row ? row : largest_row;
    }
    for (int i = 0; i < 3; i++)
        exact.error[i] += (residual + DOUBLE_ROUNDING) * largest_row;
    return round_map(&exact, bvh_from->max_abs, bvh_to->max_abs, map);
}

// The map to world coordinates, moved to `centre` and multiplied by `scale`. False if floats cannot express it.
static bool map_to_world(const grz_bvh *bvh, const grz_object *object, const double centre[3], double scale,
                         grz_bvh_map *map)
{
    grz_exact_map exact;
    double at[3];
    grz_world_position(&object->pose, bvh->origin, at);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            exact.m[i][j] = object->pose.m[i][j] * bvh->unit * scale;
        exact.t[i] = (at[i] - centre[i]) * scale;
        exact.error[i] = (WORLD_ROUNDING * (row_magnitude(object, i) + fabs(centre[i])) + WORLD_UNDERFLOW) * scale;
    }
    return round_map(&exact, bvh->max_abs, 0.0, map);
}

// The map of last resort: every box becomes the whole space.
static void map_anything(grz_bvh_map *map)
{
    *map = (grz_bvh_map){.m = {{0.0f}}};
    for (int i = 0; i < 3; i++) {
        map->magnitudes[3][i] = HUGE_VALF;
        map->low[i] = -HUGE_VALF;
        map->high[i] = HUGE_VALF;
        for (int j = 0; j < 3; j++)
            choose_bounds(map, i, j);
    }
}

// Use world coordinates as the only frame, moved to the middle of both objects' boxes and scaled to about 1.
static void frames_of_world(grz_bvh_frames *frames, const grz_bvh *bvh_a, const grz_object *a, const grz_bvh *bvh_b,
                            const grz_object *b)
{
    const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds), box_b = grz_world_box(&b->pose, &b->mesh->bounds);
    double centre[3], largest = 0.0;
    for (int i = 0; i < 3; i++) {
        const double low = fmin(box_a.min[i], box_b.min[i]), high = fmax(box_a.max[i], box_b.max[i]);
        centre[i] = 0.5 * low + 0.5 * high;
        largest = fmax(largest, 0.5 * high - 0.5 * low);
    }
    const double scale = largest > 0x1p-900 ? ldexp(1.0, -ilogb(largest)) : 1.0;
    frames->kind = GRZ_FRAMES_WORLD;
    if (!map_to_world(bvh_a, a, centre, scale, &frames->a))
        map_anything(&frames->a);
    if (!map_to_world(bvh_b, b, centre, scale, &frames->b))
        map_anything(&frames->b);
}

// By how much a map enlarges, approximately.
static float scale_of(const grz_bvh_map *map)
{
    float sum = 0.0f;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += map->m[i][j] * map->m[i][j];
    return sqrtf(sum);
}

void grz_bvh_frames_of_pair(grz_bvh_frames *frames, const grz_bvh *bvh_a, const grz_object *a, const grz_bvh *bvh_b,
                            const grz_object *b)
{
    assert(bvh_a->max_abs >= 0.0 && bvh_b->max_abs >= 0.0);
    frames->kind = GRZ_FRAMES_TREES;
    if (!map_between(bvh_a, a, bvh_b, b, &frames->a) || !map_between(bvh_b, b, bvh_a, a, &frames->b))
        frames_of_world(frames, bvh_a, a, bvh_b, b);
    frames->scale_a = scale_of(&frames->a);
    frames->scale_b = frames->kind == GRZ_FRAMES_WORLD ? scale_of(&frames->b) : sqrtf(3.0f);
}
