// SPDX-License-Identifier: MIT
// The distance of two convex sets of which one is moved is a convex function of time. So each separating direction
// gives a line below it, and Newton's method from the left never passes the contact: each step is proved by the gap
// along one direction. Sources: B. Mirtich, "Impulse-based dynamic simulation of rigid body systems" (1996), for
// conservative advancement; C. Ericson, "Real-Time Collision Detection" (2005), 5.1.9, for the nearest points of
// segments. docs/use/mover.md, "The path", derives the bounds.
#include "level/mover/separation.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "level/mover/separating.h"

// Of the largest number: what rounding can do to the gap between two projections, or to a distance of two points.
static const double ROUNDING = 0x1p-46;
// The same for the rate at which a gap falls.
static const double RATE_ROUNDING = 0x1p-48;
// Makes a quotient certainly smaller than the exact one.
static const double BELOW = 1.0 - 0x1p-40;

enum {
    MOST_STEPS = 100 // of one sweep; a few are usual
};

double grz_separation_error(double size)
{
    return size * ROUNDING;
}

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

// ---- Cores --------------------------------------------------------------------------------------------------------

void grz_core_set(grz_core *core, grz_core_kind kind, const double half[3], const double axes[3][3])
{
    *core = (grz_core){.kind = kind, .size = (half[0] + half[1]) + half[2]};
    memcpy(core->half, half, sizeof core->half);
    memcpy(core->axes, axes, sizeof core->axes);
    for (int i = 0; i < 3; i++) {
        grz_cross(axes[(i + 1) % 3], axes[(i + 2) % 3], core->normals[i]);
        grz_make_direction(core->normals[i]);
    }
}

double grz_core_support(const grz_core *core, const double n[3])
{
    double s[3];
    if (core->kind == GRZ_CORE_ROUND)
        return grz_larger(grz_dot(n, core->ends[0]), grz_dot(n, core->ends[core->count - 1]));
    for (int i = 0; i < 3; i++)
        s[i] = core->half[i] * fabs(grz_dot(n, core->axes[i]));
    return core->kind == GRZ_CORE_BOX ? (s[0] + s[1]) + s[2] : sqrt(grz_dot(s, s));
}

grz_box grz_core_bounds(const grz_core *core)
{
    grz_box box = grz_box_empty();
    for (int i = 0; i < core->count; i++)
        grz_box_add_point(&box, core->ends[i]);
    for (int k = 0; k < 3 && core->kind != GRZ_CORE_ROUND; k++) {
        const double unit[3] = {k == 0, k == 1, k == 2};
        box.max[k] = grz_core_support(core, unit) * (1.0 + 0x1p-48);
        box.min[k] = -box.max[k];
    }
    return box;
}

// ---- Spheres and capsules -----------------------------------------------------------------------------------------

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

static double size_of(const grz_core *core, const double c[3][3])
{
    double size = core->size;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < core->count; i++)
            size = grz_larger(size, fabs(core->ends[i][k]));
        for (int i = 0; i < 3; i++)
            size = grz_larger(size, fabs(c[i][k]));
    }
    return size;
}

static void find_round(const grz_core *core, const double c[3][3], double error, grz_separation *out)
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

void grz_separation_find(const grz_core *core, const double c[3][3], grz_separation *out)
{
    const double error = grz_separation_error(size_of(core, c));
    if (core->kind == GRZ_CORE_BOX)
        grz_separation_of_box(core, c, error, out);
    else if (core->kind == GRZ_CORE_ELLIPSOID)
        grz_separation_of_ellipsoid(core, c, error, out);
    else
        find_round(core, c, error, out);
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
    return bars->radius + grz_larger(deep - 0.03125 * skin, 0.015625 * skin);
}

// How fast the gap along a direction can fall.
static double fall_of(const double normal[3], const double ways[3][3], bool turns)
{
    double rate = grz_dot(normal, ways[0]);
    for (int i = 1; i < 3 && turns; i++)
        rate = grz_smaller(rate, grz_dot(normal, ways[i]));
    return -rate;
}

double grz_separation_sweep(const grz_core *core, const double triangle[3][3], const double drift[3][3],
                            const double way[3], double until, const grz_sweep_bars *bars)
{
    const double window = bars->skin * 0.0625, fine = bars->skin * 0x1p-24;
    double bar = 0.0, allowance = 0.0, from_start[3][3], ways[3][3], length = 0.0; // the core's way, seen from a corner
    memcpy(from_start, triangle, sizeof from_start);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            ways[i][k] = drift != NULL ? way[k] - drift[i][k] : way[k];
        length = grz_larger(length, sqrt(grz_dot(ways[i], ways[i])));
    }
    // A box or an ellipsoid may begin at distance 0, which roundings turn into less.
    const double least = core->kind == GRZ_CORE_ROUND ? 0.0 : -8.0 * grz_separation_error(size_of(core, triangle));
    double t = 0.0;
    for (int steps = 0; steps < MOST_STEPS; steps++) {
        double here[3][3], size = 0.0;
        for (int i = 0; i < 9; i++) {
            const double shift = t * ways[i / 3][i % 3];
            here[i / 3][i % 3] = from_start[i / 3][i % 3] - shift;
            size = grz_larger(size, fabs(shift));
        }
        grz_separation s;
        grz_separation_find(core, (const double(*)[3])here, &s);
        const double lower = s.lower - grz_separation_error(size),
                     approach = RATE_ROUNDING * length + fall_of(s.normal, (const double(*)[3])ways, drift != NULL);
        if (t == 0.0) {
            bar = bar_for(lower, bars);
            // An approach of a rounding's size, over the whole way, does not end a sweep.
            allowance = lower >= bars->radius + 0.25 * bars->skin ? window : 0.0;
        }
        // What ends a sweep must not depend on `until`, or the order of triangles would matter.
        if (lower > least && (approach <= 0.0 || lower - (1.0 - t) * approach >= bar - allowance))
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
    return t; // proved up to here
}
