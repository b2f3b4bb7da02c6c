// SPDX-License-Identifier: MIT
// A small capsule: for each of some directions, the smallest ball around the points' projections along it gives the
// axis and the radius; the ends go as far in as the points allow. The one of least volume is taken.
#include <string.h>

#include "ask/fit/fit_parts.h"
#include "base/control.h"
#include "base/rounding.h"
#include "geometry/functions/functions.h"
#include "geometry/vector.h"

typedef struct capsule {
    double ends[2][3], radius, volume;
} capsule;

// `flat`: room for all points.
static capsule along(const grz_fit_points *points, const double direction[3], double (*flat)[3])
{
    capsule out;
    grz_fit_ball ball;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (uint32_t i = 0; i < points->count && !grz_fit_ended(points->control, i); i++) {
        const double t = grz_dot(points->at[i], direction);
        for (int k = 0; k < 3; k++)
            flat[i][k] = points->at[i][k] - t * direction[k];
    }
    grz_fit_find_ball((const double(*)[3])flat, points->count, points->control, &ball);
    double square = ball.square;
    for (uint32_t i = 0; i < points->count && !grz_fit_ended(points->control, i); i++) {
        double w[3];
        for (int k = 0; k < 3; k++)
            w[k] = flat[i][k] - ball.centre[k];
        square = fmax(square, grz_dot(w, w));
    }
    for (uint32_t i = 0; i < points->count && !grz_fit_ended(points->control, i); i++) {
        double w[3];
        for (int k = 0; k < 3; k++)
            w[k] = flat[i][k] - ball.centre[k];
        const double t = grz_dot(points->at[i], direction), cap = sqrt(fmax(square - grz_dot(w, w), 0.0));
        high = fmax(high, t - cap);
        low = fmin(low, t + cap);
    }
    if (low > high)
        low = high = 0.5 * (low + high);
    out.radius = sqrt(square);
    for (int k = 0; k < 3; k++) {
        out.ends[0][k] = ball.centre[k] + low * direction[k];
        out.ends[1][k] = ball.centre[k] + high * direction[k];
    }
    out.volume = GRZ_PI * square * ((high - low) + 4.0 / 3.0 * out.radius);
    return out;
}

// A radius that holds a vertex. Any point of the segment will do, so its share t of the way is free to be rounded; the
// way w - t·v is off by 6u of its parts at most.
static double needed_radius(const grz_fit_points *points, uint32_t vertex, const grz_capsule_fit *c)
{
    double w[3], v[3], rest[3], size = 0.0;
    grz_fit_way(points, vertex, c->ends[0], w);
    for (int k = 0; k < 3; k++)
        v[k] = ldexp(c->ends[1][k] - c->ends[0][k], points->shift);
    const double length = grz_dot(v, v), t = length > 0.0 ? fmin(fmax(grz_dot(w, v) / length, 0.0), 1.0) : 0.0;
    for (int k = 0; k < 3; k++) {
        rest[k] = w[k] - t * v[k];
        size = fmax(size, fabs(w[k]) + t * fabs(v[k]));
    }
    return sqrt(grz_dot(rest, rest)) * GRZ_FIT_MORE + 16.0 * GRZ_FIT_U * size + GRZ_UNDERFLOWS;
}

static void try_direction(const grz_fit_points *points, const double direction[3], double (*flat)[3], capsule *best)
{
    double unit[3];
    memcpy(unit, direction, sizeof unit);
    if (!grz_make_unit(unit))
        return;
    const capsule found = along(points, unit, flat);
    if (found.volume < best->volume)
        *best = found;
}

static uint32_t farthest_from(const grz_fit_points *points, uint32_t from)
{
    double most = -1.0;
    uint32_t best = 0;
    for (uint32_t i = 0; i < points->count && !grz_fit_ended(points->control, i); i++) {
        double w[3];
        for (int k = 0; k < 3; k++)
            w[k] = points->at[i][k] - points->at[from][k];
        if (grz_dot(w, w) > most) {
            most = grz_dot(w, w);
            best = i;
        }
    }
    return best;
}

bool grz_fit_capsule_around(const grz_fit_points *points, grz_capsule_fit *out)
{
    const grz_allocator *allocator = grz_control_allocator(points->control);
    static const double units[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    capsule best = {.volume = HUGE_VAL};
    double axes[3][3], longest[3];
    *out = (grz_capsule_fit){.ratio = HUGE_VAL};
    for (int end = 0; end < 2; end++)
        memcpy(out->ends[end], points->shape->positions, sizeof out->ends[end]);
    if (points->extent == 0.0)
        return true;
    double(*flat)[3] = grz_allocate(allocator, points->count, sizeof *flat);
    if (flat == NULL)
        return false;
    grz_fit_principal(points, axes);
    for (int i = 0; i < 3; i++) {
        try_direction(points, axes[i], flat, &best);
        try_direction(points, units[i], flat, &best);
    }
    const uint32_t far = farthest_from(points, 0), other = farthest_from(points, far);
    for (int k = 0; k < 3; k++)
        longest[k] = points->at[other][k] - points->at[far][k];
    try_direction(points, longest, flat, &best);
    grz_release(allocator, flat, points->count, sizeof *flat);
    for (int end = 0; end < 2; end++)
        grz_fit_place(points, best.ends[end], out->ends[end]);
    double radius = 0.0;
    for (uint32_t i = 0; i < points->count && !grz_fit_ended(points->control, i); i++)
        radius = fmax(radius, needed_radius(points, i, out));
    out->radius = grz_fit_length_up(points, radius);
    out->ratio = points->volume > 0.0 ? best.volume / points->volume : HUGE_VAL;
    return true;
}
