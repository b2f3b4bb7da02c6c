// SPDX-License-Identifier: MIT
// A point or a segment and a triangle: the nearest points, by pairs of features, propose a direction, and its gap is a
// proof. Source: C. Ericson, "Real-Time Collision Detection" (2005), 5.1.9, for the nearest points of segments.
#include <math.h>
#include <string.h>

#include "level/mover/body/separating.h"

static double clamp(double x)
{
    return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0; // 0 for NaN
}

static double square_between(const double a[3], const double b[3])
{
    double d[3];
    grz_subtract(a, b, d);
    return grz_dot(d, d);
}

// Nearest points of a core and a triangle so far.
typedef struct pair_of_points {
    double of_core[3], of_triangle[3], square;
} pair_of_points;

static void offer(pair_of_points *best, const double of_core[3], const double of_triangle[3])
{
    const double square = square_between(of_core, of_triangle);
    if (!(square < best->square))
        return;
    best->square = square;
    memcpy(best->of_core, of_core, sizeof best->of_core);
    memcpy(best->of_triangle, of_triangle, sizeof best->of_triangle);
}

static void offer_face(pair_of_points *best, const double p[3], const double c[3][3], const double u[3],
                       const double v[3], const double n[3], double nn)
{
    double r[3], rv[3], ur[3], q[3];
    grz_subtract(p, c[0], r);
    grz_cross(r, v, rv);
    grz_cross(u, r, ur);
    const double s = grz_dot(rv, n) / nn, t = grz_dot(ur, n) / nn;
    if (!(s >= 0.0 && t >= 0.0 && s + t <= 1.0))
        return;
    for (int k = 0; k < 3; k++)
        q[k] = c[0][k] + (s * u[k] + t * v[k]);
    offer(best, p, q);
}

static void offer_edge(pair_of_points *best, const double p[3], const double a[3], const double b[3])
{
    double e[3], r[3], q[3];
    grz_subtract(b, a, e);
    grz_subtract(p, a, r);
    const double s = clamp(grz_dot(r, e) / grz_dot(e, e));
    for (int k = 0; k < 3; k++)
        q[k] = s == 1.0 ? b[k] : a[k] + s * e[k];
    offer(best, p, q);
}

// A corner and the core's segment.
static void offer_corner(pair_of_points *best, const double p[3], const double end[3], const double corner[3])
{
    pair_of_points here = {.square = HUGE_VAL};
    offer_edge(&here, corner, p, end);
    offer(best, here.of_triangle, corner);
}

// The insides of a core's segment and an edge.
static void offer_segments(pair_of_points *best, const double p[3], const double d[3], const double a[3],
                           const double b[3])
{
    double e[3], r[3], x[3], q[3];
    grz_subtract(b, a, e);
    grz_subtract(p, a, r);
    const double dd = grz_dot(d, d), ee = grz_dot(e, e), de = grz_dot(d, e), dr = grz_dot(d, r), er = grz_dot(e, r),
                 determinant = dd * ee - de * de;
    if (!(determinant > 0.0))
        return; // parallel: ends are as near
    const double s = clamp((de * er - dr * ee) / determinant), t = clamp((de * s + er) / ee),
                 back = clamp((de * t - dr) / dd);
    for (int k = 0; k < 3; k++) {
        x[k] = p[k] + back * d[k];
        q[k] = a[k] + t * e[k];
    }
    offer(best, x, q);
}

double grz_nearest_of_triangle(const double point[3], const double c[3][3], double nearest[3])
{
    pair_of_points best = {.square = HUGE_VAL};
    double u[3], v[3], n[3];
    grz_subtract(c[1], c[0], u);
    grz_subtract(c[2], c[0], v);
    grz_cross(u, v, n);
    offer_face(&best, point, c, u, v, n, grz_dot(n, n));
    for (int i = 0; i < 3; i++)
        offer_edge(&best, point, c[i], c[(i + 1) % 3]);
    memcpy(nearest, best.of_triangle, sizeof best.of_triangle);
    return best.square;
}

// The gap between the projections onto a direction: below 0 if they overlap.
static double gap_along(const grz_core *core, const double c[3][3], const double n[3])
{
    double low = grz_dot(n, core->ends[0]), high = grz_dot(n, c[0]);
    if (core->count == 2)
        low = grz_smaller(low, grz_dot(n, core->ends[1]));
    for (int i = 1; i < 3; i++)
        high = grz_larger(high, grz_dot(n, c[i]));
    return low - high;
}

// Take a direction if its gap is larger by more than `margin`. `way`: between two points; a direction that separates
// them has a component along it.
static bool offer_normal(const grz_core *core, const double c[3][3], const double direction[3], const double way[3],
                         double margin, grz_separation *out)
{
    const double along = grz_dot(direction, way);
    double n[3];
    for (int k = 0; k < 3; k++)
        n[k] = along < 0.0 ? -direction[k] : direction[k];
    if (!grz_make_direction(n))
        return false;
    const double gap = gap_along(core, c, n);
    if (!(gap > out->lower + margin))
        return false;
    out->lower = gap;
    memcpy(out->normal, n, sizeof n);
    return true;
}

void grz_separation_of_round(const grz_core *core, const double c[3][3], double error, grz_separation *out)
{
    pair_of_points best = {.square = HUGE_VAL};
    double u[3], v[3], n[3], axis[3], way[3];
    grz_subtract(c[1], c[0], u);
    grz_subtract(c[2], c[0], v);
    grz_cross(u, v, n);
    grz_subtract(core->ends[core->count - 1], core->ends[0], axis);
    const double nn = grz_dot(n, n);
    for (int i = 0; i < core->count; i++)
        offer_face(&best, core->ends[i], c, u, v, n, nn);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < core->count; j++)
            offer_edge(&best, core->ends[j], c[i], c[(i + 1) % 3]);
        if (core->count == 2) {
            offer_segments(&best, core->ends[0], axis, c[i], c[(i + 1) % 3]);
            offer_corner(&best, core->ends[0], core->ends[1], c[i]);
        }
    }
    *out = (grz_separation){.lower = -HUGE_VAL, .upper = sqrt(best.square) + error};
    grz_subtract(best.of_core, best.of_triangle, way);
    out->on_face = offer_normal(core, c, n, way, 0.0, out);
    memcpy(out->point, best.of_triangle, sizeof out->point);
    bool other = offer_normal(core, c, way, way, error, out);
    for (int i = 0; i < 3 && core->count == 2; i++) { // an edge across the segment
        double e[3], across[3];
        grz_subtract(c[(i + 1) % 3], c[i], e);
        grz_cross(axis, e, across);
        other = offer_normal(core, c, across, way, error, out) || other;
    }
    out->on_face = out->on_face && !other;
    out->lower = grz_larger(out->lower - error, 0.0);
    out->order = out->lower + error;
}
