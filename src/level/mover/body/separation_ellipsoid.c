// SPDX-License-Identifier: MIT
// An ellipsoid and a triangle. Space is scaled so that the ellipsoid is the unit sphere. The nearest point there, by
// the features of the triangle, gives the normal of a plane that touches the ellipsoid. Taken back to the world, its
// gap to the triangle is a proof, with no rounding of the scaled triangle in it. docs/use/mover.md, "Ellipsoids".
#include <math.h>
#include <string.h>

#include "level/mover/body/separating.h"

// The nearest point of the triangle so far to the centre.
typedef struct nearest_point {
    double weights[3], square;
} nearest_point;

static void offer(nearest_point *best, const double y[3][3], double a, double b, double c)
{
    double q[3];
    for (int k = 0; k < 3; k++)
        q[k] = (a * y[0][k] + b * y[1][k]) + c * y[2][k];
    const double square = grz_dot(q, q);
    if (square < best->square)
        *best = (nearest_point){{a, b, c}, square};
}

static nearest_point nearest_of(const double y[3][3])
{
    nearest_point best = {.square = HUGE_VAL};
    double u[3], v[3], n[3], rv[3], ur[3];
    grz_subtract(y[1], y[0], u);
    grz_subtract(y[2], y[0], v);
    grz_cross(u, v, n);
    grz_cross(y[0], v, rv);
    grz_cross(u, y[0], ur);
    const double nn = grz_dot(n, n), s = -grz_dot(rv, n) / nn, t = -grz_dot(ur, n) / nn;
    if (s >= 0.0 && t >= 0.0 && s + t <= 1.0)
        offer(&best, y, 1.0 - s - t, s, t);
    for (int i = 0; i < 3; i++) {
        double e[3], weights[3] = {0.0, 0.0, 0.0};
        grz_subtract(y[(i + 1) % 3], y[i], e);
        double along = -grz_dot(y[i], e) / grz_dot(e, e);
        along = along > 0.0 ? (along < 1.0 ? along : 1.0) : 0.0; // 0 for NaN
        weights[i] = 1.0 - along;
        weights[(i + 1) % 3] = along;
        offer(&best, y, weights[0], weights[1], weights[2]);
    }
    return best;
}

void grz_separation_of_ellipsoid(const grz_core *core, const double c[3][3], double error, grz_separation *out)
{
    double y[3][3], u[3], v[3], n[3], way[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 9; i++)
        y[i / 3][i % 3] = grz_dot(core->axes[i % 3], c[i / 3]) / core->half[i % 3];
    const nearest_point nearest = nearest_of((const double(*)[3])y);
    const double least = grz_smaller(grz_smaller(core->half[0], core->half[1]), core->half[2]);
    *out = (grz_separation){.lower = -HUGE_VAL, .order = least * (sqrt(nearest.square) - 1.0)};
    for (int k = 0; k < 3; k++) {
        const double *w = nearest.weights;
        out->point[k] = (w[0] * c[0][k] + w[1] * c[1][k]) + w[2] * c[2][k];
        const double q = (w[0] * y[0][k] + w[1] * y[1][k]) + w[2] * y[2][k];
        for (int i = 0; i < 3; i++)
            way[i] -= q / core->half[k] * core->axes[k][i];
    }
    // The ray from the centre to the point leaves the ellipsoid at a point that is no nearer than the nearest one.
    const double gauge = sqrt(nearest.square), share = gauge > 1.0 ? 1.0 - 1.0 / gauge : 0.0;
    out->upper = share * sqrt(grz_dot(out->point, out->point)) + 4.0 * error;
    grz_subtract(c[1], c[0], u);
    grz_subtract(c[2], c[0], v);
    grz_cross(u, v, n);
    out->on_face = grz_separation_offer(core, c, n, 0.0, out);
    bool other = grz_separation_offer(core, c, way, error, out);
    for (int i = 0; i < 3; i++) {
        double e[3], across[3];
        grz_subtract(c[(i + 1) % 3], c[i], e);
        if (nearest.weights[(i + 2) % 3] != 0.0)
            continue;
        grz_across(way, e, across);
        other = grz_separation_offer(core, c, across, error, out) || other;
    }
    for (int i = 0; i < 3 && !(gauge > 1.0); i++) // at the centre there may be no other direction
        other = grz_separation_offer(core, c, core->axes[i], error, out) || other;
    out->on_face = out->on_face && !other;
    out->lower -= error;
}
