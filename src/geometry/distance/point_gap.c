// SPDX-License-Identifier: MIT
// Encloses the distance of a point and a triangle, as gap_lanes.c does for two triangles. The distance from any point
// of the triangle is an upper bound. The gap between the projections onto the line through both points is a lower one,
// whatever was rounded on the way to it. The nearest corner comes first: it is often enough to see that the triangle is
// too far away. Source of the nearest point: C. Ericson, "Real-Time Collision Detection" (2005), 5.1.5.
#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/distance/gap.h"
#include "geometry/vector.h"

// As in gap_lanes.c, of the largest coordinate measured from the point.
static const double ROUNDING = 0x1p-47;
static const double UNDERFLOW = 0x1p-530; // of squares: docs/use/distance.md

// The triangle, measured from the point.
typedef struct seen {
    double q[3][3];
    double error;
} seen;

static void set_seen(seen *s, const double point[3], const double triangle[3][3])
{
    double most = 0.0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            s->q[i][k] = triangle[i][k] - point[k];
            const double size = fabs(s->q[i][k]);
            most = size > most ? size : most;
        }
    s->error = most * ROUNDING + UNDERFLOW;
}

// 0 for NaN.
static double clamp(double x)
{
    return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}

// A point of the triangle is seen in direction x: bounds of the distance.
static grz_gap gap_along(const seen *s, const double x[3])
{
    const double square = grz_dot(x, x);
    double low = grz_dot(s->q[0], x);
    for (int i = 1; i < 3; i++) {
        const double at = grz_dot(s->q[i], x);
        low = at < low ? at : low;
    }
    const double length = sqrt(square), lower = square > GRZ_PRODUCT_MIN ? low / length - s->error : 0.0;
    return (grz_gap){lower > 0.0 ? lower : 0.0, length + s->error};
}

static int nearest_corner(const seen *s)
{
    int best = 0;
    double least = grz_dot(s->q[0], s->q[0]);
    for (int i = 1; i < 3; i++) {
        const double square = grz_dot(s->q[i], s->q[i]);
        if (square < least) {
            least = square;
            best = i;
        }
    }
    return best;
}

// The nearest point of the edge from corner i to the next, and its square.
static double nearest_of_edge(const seen *s, int i, double x[3])
{
    double edge[3];
    const double *from = s->q[i], *to = s->q[(i + 1) % 3];
    for (int k = 0; k < 3; k++)
        edge[k] = to[k] - from[k];
    const double share = clamp(-grz_dot(edge, from) / grz_dot(edge, edge));
    for (int k = 0; k < 3; k++)
        x[k] = from[k] + share * edge[k];
    return grz_dot(x, x);
}

// The foot of the point on the triangle's plane. False if it is outside of the triangle, or rounding may have it so.
static bool foot_inside(const seen *s, double x[3])
{
    double u[3], v[3], n[3], m[3];
    for (int k = 0; k < 3; k++) {
        u[k] = s->q[1][k] - s->q[0][k];
        v[k] = s->q[2][k] - s->q[0][k];
    }
    grz_cross(u, v, n);
    const double nn = grz_dot(n, n);
    grz_cross(v, s->q[0], m); // from the corner to the point is -q
    const double at = grz_dot(m, n) / nn;
    grz_cross(s->q[0], u, m);
    const double to = grz_dot(m, n) / nn;
    if (!(at >= 0.0 && to >= 0.0 && at + to <= 1.0))
        return false;
    for (int k = 0; k < 3; k++)
        x[k] = s->q[0][k] + (at * u[k] + to * v[k]);
    return true;
}

grz_gap grz_point_gap(const double point[3], const double triangle[3][3], double limit)
{
    seen s;
    set_seen(&s, point, triangle);
    const double *corner = s.q[nearest_corner(&s)];
    const grz_gap first = gap_along(&s, corner);
    if (first.lower > limit || first.upper - first.lower <= 2.0 * s.error)
        return first;
    double x[3] = {corner[0], corner[1], corner[2]}, other[3], least = HUGE_VAL;
    if (!foot_inside(&s, x))
        for (int i = 0; i < 3; i++) {
            const double square = nearest_of_edge(&s, i, other);
            if (square < least) {
                least = square;
                memcpy(x, other, sizeof other);
            }
        }
    const grz_gap gap = gap_along(&s, x);
    return (grz_gap){gap.lower > first.lower ? gap.lower : first.lower,
                     gap.upper < first.upper ? gap.upper : first.upper};
}
