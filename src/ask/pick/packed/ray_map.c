// SPDX-License-Identifier: MIT
// Sets the map in doubles; margins cover everything that is rounded (docs/use/pick.md, "Boxes").
#include "ask/pick/packed/ray_map.h"

#include <math.h>

#include "geometry/ray/line_unit.h"
#include "geometry/vector.h"

static double larger(double x, double y)
{
    return x > y ? x : y;
}

// A float that is at most x, or not above the smallest that a float holds.
static float round_down(double x)
{
    return (float)(x - fabs(x) * GRZ_RAY_TO_FLOAT - GRZ_RAY_FLOAT_UNDERFLOW);
}

static float round_up(double x)
{
    return (float)(x + fabs(x) * GRZ_RAY_TO_FLOAT + GRZ_RAY_FLOAT_UNDERFLOW);
}

// Boxes reach everywhere on such an axis.
static const grz_ray_axis unknown = {.enter = -HUGE_VALF, .leave = -HUGE_VALF, .only = 0};

// Every box is met.
static void set_unknown(grz_ray_map *map)
{
    for (int i = 0; i < 3; i++)
        map->axes[i] = unknown;
    map->exponent = 0;
    map->start = 0.0;
    map->speed = 0.0;
    map->from = -HUGE_VALF;
    map->to = HUGE_VALF;
}

// s of a parameter and how far off it may be. What underflows in t is far below 2^-100; if it overflows, so does s.
static double place_of(const grz_ray_map *map, double t, double *error)
{
    const double measured = grz_times_power(t, map->exponent);
    *error = GRZ_RAY_DOUBLE_ERROR * (fabs(measured) + fabs(map->start)) * map->speed + 0x1p-100; // what underflows
    return (measured - map->start) * map->speed;
}

float grz_ray_map_upper(const grz_ray_map *map, double t)
{
    double error;
    if (map->speed == 0.0 || !(t < HUGE_VAL))
        return HUGE_VALF;
    const double s = place_of(map, t, &error) + error;
    return s < HUGE_VAL ? round_up(s) : HUGE_VALF; // also where it is no number
}

void grz_ray_map_set_ends(grz_ray_map *map, double from, double to)
{
    double error;
    map->to = grz_ray_map_upper(map, to);
    map->from = -HUGE_VALF;
    if (from > -HUGE_VAL) {
        const double s = place_of(map, from, &error) - error;
        map->from = s > -HUGE_VAL ? round_down(s) : -HUGE_VALF; // also where it is no number
    }
}

// `at`: where s = 0 on this axis, `way`: how far it goes there while s grows by 1, `margin`: on both sides of a box.
static void set_axis(grz_ray_axis *axis, const grz_distance_row *row, double reach, double at, double way,
                     double margin)
{
    const double share = fabs(way) < GRZ_RAY_LEAST_SHARE ? copysign(GRZ_RAY_LEAST_SHARE, way) : way,
                 inverse = 1.0 / share, place = ((double)row->m[3] - at) * inverse,
                 wide = ((double)row->margin + margin) * fabs(inverse);
    double sum = fabs(place) + wide;
    axis->only = row->only;
    for (int j = 0; j < 3; j++) {
        axis->m[j] = (float)((double)row->m[j] * inverse);
        sum += fabs((double)row->m[j] * inverse) * reach;
    }
    // Beyond the range of floats nothing is known of where the boxes are: all of them reach everywhere on this axis.
    if (!(sum < GRZ_RAY_MOST_SUM)) {
        *axis = unknown;
        return;
    }
    const double error = GRZ_RAY_FLOAT_ERROR * sum;
    axis->enter = round_down(place - wide - error);
    axis->leave = round_down(-place - wide - error);
}

void grz_ray_map_set(grz_ray_map *map, const grz_distance_frames *frames, const grz_line *line, double from, double to)
{
    const grz_distance_frame *frame = &frames->frames[0];
    const double scale = frames->scale, reach = larger(frames->trees[0].bvh->max_abs, 1.0);
    double offset[3], at[3], way[3], size = 0.0, products = 0.0, squares = 0.0;
    grz_line_unit measure;
    grz_line_unit_set(&measure, line, -grz_exponent_of(scale));
    map->exponent = measure.exponent;
    map->speed = 0.0;
    for (int k = 0; k < 3; k++) {
        offset[k] = line->origin[k] - frames->middle[k];
        size += (fabs(line->origin[k]) + fabs(frames->middle[k])) * scale;
    }
    for (int i = 0; i < 3; i++) {
        at[i] = grz_dot(frame->axes[i], offset) * scale;
        way[i] = grz_dot(frame->axes[i], measure.direction);
        map->speed = larger(map->speed, fabs(way[i]));
    }
    if (!(size < GRZ_RAY_LARGEST)) {
        set_unknown(map);
        return;
    }
    for (int i = 0; i < 3; i++) {
        way[i] /= map->speed;
        products += at[i] * way[i];
        squares += way[i] * way[i];
    }
    // The place of the line that is nearest to the frame's origin.
    const double start = -products / squares;
    map->start = start / map->speed;
    size += 4.0 * fabs(start);
    double farthest = 0.0;
    for (int i = 0; i < 3; i++) {
        at[i] += start * way[i];
        farthest = larger(farthest, fabs(at[i]));
    }
    const double margin = GRZ_RAY_DOUBLE_ERROR * size +
                          (farthest + GRZ_RAY_BOX_REACH) * (2.0 * GRZ_RAY_LEAST_SHARE + GRZ_RAY_DOUBLE_ERROR);
    if (!(farthest < GRZ_RAY_FARTHEST)) {
        set_unknown(map);
        return;
    }
    for (int i = 0; i < 3; i++)
        set_axis(&map->axes[i], &frame->maps[0].rows[i], reach, at[i], way[i], margin);
    grz_ray_map_set_ends(map, from, to);
}

grz_ray_boxes *grz_ray_boxes_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_ray_boxes_of);
}
