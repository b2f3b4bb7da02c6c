// SPDX-License-Identifier: MIT
// The sides of a line at the three edges of a triangle, side by side; and what there is to say about a line that goes
// through the inside, as far as double-doubles tell. With a fused multiply-add they take half the time.
#include "base/lanes.h"
#include "base/simd.h"
#include "geometry/ray/line_crossing.h"
#include "geometry/ray/line_hit.h"
#include "geometry/triangle/normal_doubles.h"

bool GRZ_OF_WIDTH(grz_line_describe_of)(const grz_line *line, const double c[3][3], grz_line_hit *hit)
{
    grz_bounded t;
    if (!grz_crossing_at(line, c, &t) || !grz_bounded_is_nearest(&t) || !(fabs(t.at.low) > t.error) ||
        !grz_crossing_point(line, &t, c, hit->point) || !grz_normal_in_doubles(c, hit->unit))
        return false;
    const double other = grz_double_toward(t.at.high, t.at.low > 0.0);
    hit->t = t.at.high;
    hit->lower = t.at.low > 0.0 ? hit->t : other;
    hit->upper = t.at.low > 0.0 ? other : hit->t;
    hit->distance = grz_crossing_length(line, t.at);
    return true;
}

static inline grz_f64x4 times(double factor, grz_f64x4 x)
{
    return grz_f64x4_multiply(grz_f64x4_splat(factor), x);
}

// The operations of grz_world_position(), for a row.
static inline grz_f64x4 world_row(const double m[4], const grz_f64x4 p[3])
{
    return grz_f64x4_add(grz_f64x4_add(grz_f64x4_add(times(m[0], p[0]), times(m[1], p[1])), times(m[2], p[2])),
                         grz_f64x4_splat(m[3]));
}

static inline grz_f64x4 minor_of(grz_f64x4 a, grz_f64x4 b, grz_f64x4 c, grz_f64x4 d)
{
    return grz_f64x4_subtract(grz_f64x4_multiply(a, b), grz_f64x4_multiply(c, d));
}

grz_crossing GRZ_OF_WIDTH(grz_line_crosses_posed_of)(const grz_line *line, const grz_pose *pose, const float at[3][3],
                                                     grz_line_crossing *out)
{
    grz_f64x4 p[3], from[3], next[3], most = grz_f64x4_splat(0.0), sides = most;
    double c[3][4], seen[3][4], largest[4];
    for (int k = 0; k < 3; k++)
        p[k] = grz_f64x4_of((double)at[k][0], (double)at[k][1], (double)at[k][2], 0.0);
    for (int k = 0; k < 3; k++) {
        const grz_f64x4 world = world_row(pose->m[k], p);
        grz_f64x4_store(c[k], world);
        from[k] = grz_f64x4_subtract(world, grz_f64x4_splat(line->origin[k]));
        next[k] = grz_f64x4_turn(from[k]);
        most = grz_f64x4_max(most, grz_f64x4_abs(from[k]));
        grz_f64x4_store(seen[k], from[k]);
    }
    grz_f64x4_store(largest, most);
    const double size = grz_line_most_of(largest), bound = GRZ_LINE_DETERMINANT * line->most * size * size;
    if (!line->in_range || !(bound > GRZ_LINE_LEAST_BOUND && size < GRZ_LINE_LARGEST))
        return GRZ_CROSSING_OPEN;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        sides = grz_f64x4_add(sides, times(line->direction[k], minor_of(from[i], next[j], from[j], next[i])));
    }
    const uint32_t above = grz_f64x4_greater(sides, grz_f64x4_splat(bound)) & 7,
                   below = grz_f64x4_greater(grz_f64x4_splat(-bound), sides) & 7;
    if (above != 0 && below != 0)
        return GRZ_CROSSING_NONE;
    if (above != 7 && below != 7)
        return GRZ_CROSSING_OPEN;
    const double corners[3][3] = {{c[0][0], c[1][0], c[2][0]},
                                  {c[0][1], c[1][1], c[2][1]},
                                  {c[0][2], c[1][2], c[2][2]}},
                 first[3] = {seen[0][0], seen[1][0], seen[2][0]};
    out->feature = GRZ_FACE;
    out->front = below == 7;
    return grz_crossing_enclose(line, corners, first, largest[0], above == 7 ? 1 : -1, &out->low, &out->high)
               ? GRZ_CROSSING_FACE
               : GRZ_CROSSING_OPEN;
}
