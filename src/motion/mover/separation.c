// SPDX-License-Identifier: MIT
// The distance of two convex sets of which one is moved is a convex function of time. So each separating direction
// gives a line below it, and Newton's method from the left never passes the contact: each step is proved by the gap
// along one direction. Sources: B. Mirtich, "Impulse-based dynamic simulation of rigid body systems" (1996), for
// conservative advancement; C. Ericson, "Real-Time Collision Detection" (2005), 5.1.9, for the nearest points of
// segments. docs/mover.md, "The path", derives the bounds.
#include "motion/mover/separation.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"

// Of the largest number: what rounding can do to the gap between two projections, or to a distance of two points.
static const double ROUNDING = 0x1p-46;
// The same for the rate at which a gap falls.
static const double RATE_ROUNDING = 0x1p-48;
// Makes a quotient certainly smaller than the exact one.
static const double BELOW = 1.0 - 0x1p-40;

double grz_separation_error(double size)
{
    return size * ROUNDING;
}

static inline double smaller(double x, double y)
{
    return x < y ? x : y; // fmin() would be a call
}

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

static double clamp(double x)
{
    return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0; // 0 for NaN
}

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static double square_between(const double a[3], const double b[3])
{
    double d[3];
    subtract(a, b, d);
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
    subtract(p, c[0], r);
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
    subtract(b, a, e);
    subtract(p, a, r);
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
    subtract(b, a, e);
    subtract(p, a, r);
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
    subtract(c[1], c[0], u);
    subtract(c[2], c[0], v);
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
        low = smaller(low, grz_dot(n, core->ends[1]));
    for (int i = 1; i < 3; i++)
        high = larger(high, grz_dot(n, c[i]));
    return low - high;
}

static bool make_unit(double v[3])
{
    const double square = grz_dot(v, v);
    if (!(square > 0x1p-900 && square < 0x1p900))
        return grz_make_unit(v);
    const double scale = 1.0 / sqrt(square);
    for (int k = 0; k < 3; k++)
        v[k] *= scale;
    return true;
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
    if (!make_unit(n))
        return false;
    const double gap = gap_along(core, c, n);
    if (!(gap > out->lower + margin))
        return false;
    out->lower = gap;
    memcpy(out->normal, n, sizeof n);
    return true;
}

static double size_of(const grz_core *core, const double c[3][3])
{
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < core->count; i++)
            size = larger(size, fabs(core->ends[i][k]));
        for (int i = 0; i < 3; i++)
            size = larger(size, fabs(c[i][k]));
    }
    return size;
}

void grz_separation_find(const grz_core *core, const double c[3][3], grz_separation *out)
{
    pair_of_points best = {.square = HUGE_VAL};
    double u[3], v[3], n[3], axis[3], way[3];
    const double error = grz_separation_error(size_of(core, c));
    subtract(c[1], c[0], u);
    subtract(c[2], c[0], v);
    grz_cross(u, v, n);
    subtract(core->ends[core->count - 1], core->ends[0], axis);
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
    subtract(best.of_core, best.of_triangle, way);
    out->on_face = offer_normal(core, c, n, way, 0.0, out);
    memcpy(out->point, best.of_triangle, sizeof out->point);
    bool other = offer_normal(core, c, way, way, error, out);
    for (int i = 0; i < 3 && core->count == 2; i++) { // an edge across the segment
        double e[3], across[3];
        subtract(c[(i + 1) % 3], c[i], e);
        grz_cross(axis, e, across);
        other = offer_normal(core, c, across, way, error, out) || other;
    }
    out->on_face = out->on_face && !other;
    out->lower = larger(out->lower - error, 0.0);
}

// ---- The sweep ----------------------------------------------------------------------------------------------------

// The distance that a sweep keeps which begins at this one. From far away it stops early in the skin, so that what it
// meets is still outside by most of the skin; what was as near already may come nearer by the next share of it.
static double bar_for(double distance, const grz_sweep_bars *bars)
{
    const double deep = distance - bars->radius, skin = bars->skin;
    if (deep >= 0.75 * skin)
        return bars->radius + 0.625 * skin;
    if (deep >= 0.5 * skin)
        return bars->radius + 0.375 * skin;
    if (deep >= 0.25 * skin)
        return bars->radius + 0.125 * skin;
    return bars->radius + larger(deep - 0.03125 * skin, 0.015625 * skin);
}

double grz_separation_sweep(const grz_core *core, const double triangle[3][3], const double way[3], double until,
                            const grz_sweep_bars *bars)
{
    const double length = sqrt(grz_dot(way, way)), window = bars->skin * 0.0625, fine = bars->skin * 0x1p-24;
    double bar = 0.0, allowance = 0.0, from_start[3][3];
    memcpy(from_start, triangle, sizeof from_start);
    for (double t = 0.0;;) {
        double here[3][3], size = 0.0;
        for (int i = 0; i < 9; i++) {
            const double shift = t * way[i % 3];
            here[i / 3][i % 3] = from_start[i / 3][i % 3] - shift;
            size = larger(size, fabs(shift));
        }
        grz_separation s;
        grz_separation_find(core, (const double(*)[3])here, &s);
        const double lower = s.lower - grz_separation_error(size),
                     approach = RATE_ROUNDING * length - grz_dot(s.normal, way);
        if (t == 0.0) {
            bar = bar_for(lower, bars);
            // An approach of a rounding's size, over the whole way, does not end a sweep.
            allowance = lower >= bars->radius + 0.25 * bars->skin ? window : 0.0;
        }
        // What is decided here must not depend on `until`, or the order of triangles would matter: a sweep that ends
        // at a time before `until` ends there whatever `until` is.
        if (lower > 0.0 && (approach <= 0.0 || lower - (1.0 - t) * approach >= bar - allowance))
            return until;
        if (!(lower > bar + fine))
            return t;
        const double step = (lower - bar) / approach * BELOW;
        if (!(t + step > t))
            return t;
        t += step;
        if (t >= until)
            return until;
    }
}
