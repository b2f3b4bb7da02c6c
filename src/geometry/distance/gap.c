// SPDX-License-Identifier: MIT Encloses the distance of two triangles. Upper bound: the distance of two points, one of
// each triangle; the nearest points of all pairs of edges, and of corners and faces, are tried. Lower bound: both
// triangles are projected onto the line through the best two points, and the gap between the projections is never
// larger than the distance. Both bounds hold whatever the rounding errors of the points are: those errors only move the
// bounds apart (docs/distance.md). Source of the nearest points of segments: C. Ericson, "Real-Time Collision
// Detection" (2005), 5.1.9.
#include "geometry/distance/gap.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "geometry/vector.h"

// Of the largest coordinate, measured from a corner of A: what rounding can do to either bound.
static const double ROUNDING = 0x1p-47;
// What underflow in a square can do to its root.
static const double UNDERFLOW = 0x1p-530;

// Two triangles, measured from a corner of A, and the nearest points found so far.
typedef struct search {
    double a[3][3], b[3][3];
    double edges_a[3][3], edges_b[3][3]; // edge i: from corner i to the next
    double lengths_a[3], lengths_b[3];   // squared
    double way[3];                       // from the point of A to that of B
    double normal[3];                    // of the features that the points are inside of; zero if one is a corner
    double square;                       // its length, squared
    double error;                        // of either bound
    double limit;                        // it does not matter how much farther apart they are
} search;

static double smaller(double x, double y)
{
    return x < y ? x : y; // fmin() would be a call
}

static double larger(double x, double y)
{
    return x > y ? x : y;
}

static double clamp(double x)
{
    return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0; // also for NaN
}

// Keep two points if they are nearer than those before. Their features have this normal; NULL: one is a corner.
static bool offer(search *s, const double x[3], const double y[3], const double normal[3])
{
    const double way[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
    const double square = grz_dot(way, way);
    if (!(square < s->square))
        return false;
    s->square = square;
    for (int k = 0; k < 3; k++) {
        s->way[k] = way[k];
        s->normal[k] = normal != NULL ? normal[k] : 0.0;
    }
    return true;
}

// The nearest points of edge i of A and edge j of B.
static bool try_edges(search *s, int i, int j)
{
    const double *p = s->a[i], *q = s->b[j], *u = s->edges_a[i], *v = s->edges_b[j];
    const double r[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    const double uu = s->lengths_a[i], vv = s->lengths_b[j], uv = grz_dot(u, v), ur = grz_dot(u, r), vr = grz_dot(v, r);
    const double denominator = uu * vv - uv * uv;
    double x[3], y[3], n[3], at = denominator > 0.0 ? clamp((uv * vr - ur * vv) / denominator) : 0.0;
    const double to = vv > 0.0 ? clamp((uv * at + vr) / vv) : 0.0;
    at = uu > 0.0 ? clamp((uv * to - ur) / uu) : 0.0;
    for (int k = 0; k < 3; k++) {
        x[k] = p[k] + at * u[k];
        y[k] = q[k] + to * v[k];
    }
    grz_cross(u, v, n);
    return offer(s, x, y, at > 0.0 && at < 1.0 && to > 0.0 && to < 1.0 ? n : NULL);
}

// The point of a triangle that is nearest to p, if p is over its inside. `e` holds its edges; `n` receives its normal.
static bool foot(const double c[3][3], const double e[3][3], const double p[3], double x[3], double n[3])
{
    const double v[3] = {-e[2][0], -e[2][1], -e[2][2]}, r[3] = {p[0] - c[0][0], p[1] - c[0][1], p[2] - c[0][2]};
    double rv[3], ur[3];
    grz_cross(e[0], v, n);
    grz_cross(r, v, rv);
    grz_cross(e[0], r, ur);
    const double nn = grz_dot(n, n), s = grz_dot(rv, n), t = grz_dot(ur, n);
    if (!(nn > 0.0 && s >= 0.0 && t >= 0.0 && s + t <= nn))
        return false;
    const double at = clamp(s / nn), to = smaller(clamp(t / nn), 1.0 - at);
    for (int k = 0; k < 3; k++)
        x[k] = c[0][k] + (at * e[0][k] + to * v[k]);
    return true;
}

// The gap between the projections onto the line along a direction; 0 if they overlap, or the direction is none.
static double gap_along(const search *s, const double direction[3])
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 3; i++) {
        const double a = grz_dot(direction, s->a[i]), b = grz_dot(direction, s->b[i]);
        low[0] = smaller(low[0], a);
        high[0] = larger(high[0], a);
        low[1] = smaller(low[1], b);
        high[1] = larger(high[1], b);
    }
    const double square = grz_dot(direction, direction);
    return square > 0x1p-900 ? larger(0.0, larger(low[1] - high[0], low[0] - high[1]) / sqrt(square)) : 0.0;
}

// Along the way, or along the normal: if the points are near, rounding turns the way more than the normal.
static double projected_gap(const search *s)
{
    return larger(gap_along(s, s->way), gap_along(s, s->normal));
}

// True if no other points can be nearer, but for rounding, or the triangles are farther apart than the limit.
static bool is_settled(const search *s)
{
    const double lower = projected_gap(s);
    return lower >= sqrt(s->square) - s->error || lower - s->error > s->limit;
}

static void find_nearest(search *s)
{
    double x[3], n[3];
    for (int i = 0; i < 9; i++) // corners: cheap, and often enough to see that the triangles are far apart
        offer(s, s->a[i / 3], s->b[i % 3], NULL);
    if (is_settled(s))
        return;
    for (int i = 0; i < 3; i++)
        if (foot((const double(*)[3])s->b, (const double(*)[3])s->edges_b, s->a[i], x, n) && offer(s, s->a[i], x, n) &&
            is_settled(s))
            return;
    for (int i = 0; i < 3; i++)
        if (foot((const double(*)[3])s->a, (const double(*)[3])s->edges_a, s->b[i], x, n) && offer(s, x, s->b[i], n) &&
            is_settled(s))
            return;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (try_edges(s, i, j) && is_settled(s))
                return;
}

grz_gap grz_triangle_gap(const double a[3][3], const double b[3][3], double limit, double way[3])
{
    search s = {.square = HUGE_VAL, .limit = limit};
    double largest = 0.0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            s.a[i][k] = a[i][k] - a[0][k];
            s.b[i][k] = b[i][k] - a[0][k];
            largest = larger(largest, larger(fabs(s.a[i][k]), fabs(s.b[i][k])));
        }
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3;
        for (int k = 0; k < 3; k++) {
            s.edges_a[i][k] = s.a[next][k] - s.a[i][k];
            s.edges_b[i][k] = s.b[next][k] - s.b[i][k];
        }
        s.lengths_a[i] = grz_dot(s.edges_a[i], s.edges_a[i]);
        s.lengths_b[i] = grz_dot(s.edges_b[i], s.edges_b[i]);
    }
    s.error = largest * ROUNDING + UNDERFLOW;
    find_nearest(&s);
    for (int k = 0; k < 3; k++)
        way[k] = s.way[k];
    return (grz_gap){larger(projected_gap(&s) - s.error, 0.0), sqrt(s.square) + s.error};
}
