// SPDX-License-Identifier: MIT
// Both bodies are turned profiles: points (radius, height) along a common axis w. In a direction n with the part c
// along w and s >= 0 across it, a body reaches max (s radius + c height) from its middle. How far A must move along -n
// to be free of B is max over points of both profiles of s (radius_a + radius_b) + c (height_a - height_b), less n ·
// (middle_b - middle_a). The last product is largest for the n that leans towards B's axis, at the distance D from A's.
// That leaves a plane: the largest product of (s, c) with some points (x, y), x = radius_a + radius_b - D. Between
// directions in which two points tie it is a cosine, which is least at an end: so it is least where two points tie, or
// at s = 0.
#include "geometry/convex/revolution.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/functions/functions.h"
#include "geometry/vector.h"

enum {
    PROFILE = 2,
    SUMS = PROFILE * PROFILE
};

// More than roundings: the body is none of revolution, or the axes are not parallel.
static const double ROUND = 0x1p-44;
// A cosine, chosen: a direction that leans more towards the axis is what rounding left of 0, as the axes are the same.
static const double ACROSS = 0x1p-20;

typedef struct body {
    double middle[3], axis[3]; // of length 1, if it has one
    bool has_axis;
    double profile[PROFILE][2]; // radius and height
    double off;                 // no point of it is farther from the turned profile
} body;

static double length_of(const double v[3])
{
    return sqrt(grz_dot(v, v));
}

// A point or a segment.
static bool read_corners(const grz_convex *c, body *out)
{
    if (c->count > 2)
        return false;
    const double *p = grz_convex_corner(c, 0), *q = grz_convex_corner(c, c->count - 1);
    for (int k = 0; k < 3; k++) {
        out->middle[k] = 0.5 * (p[k] + q[k]);
        out->axis[k] = 0.5 * (q[k] - p[k]);
    }
    const double half = length_of(out->axis);
    out->has_axis = grz_make_unit(out->axis);
    for (int i = 0; i < PROFILE; i++) {
        out->profile[i][0] = 0.0;
        out->profile[i][1] = i == 0 ? -half : half;
    }
    return true;
}

static bool read_round(const grz_convex *c, body *out)
{
    double column[3][3];
    if (c->form == GRZ_CONVEX_ELLIPSOID)
        return false;
    for (int i = 0; i < 9; i++)
        column[i % 3][i / 3] = c->matrix[i / 3][i % 3];
    const double x = length_of(column[0]), y = length_of(column[1]), half = length_of(column[2]);
    const double size = x + y + half;
    memcpy(out->middle, c->middle, sizeof out->middle);
    memcpy(out->axis, column[2], sizeof out->axis);
    // The rim is a circle but for what its half axes differ and lean; it leans along the axis by the same measure.
    out->off = fabs(x - y) + (x > 0.0 ? fabs(grz_dot(column[0], column[1])) / x : 0.0);
    for (int k = 0; k < 2 && half > 0.0; k++)
        out->off += 2.0 * fabs(grz_dot(column[k], column[2])) / half;
    out->has_axis = grz_make_unit(out->axis);
    for (int i = 0; i < PROFILE; i++) {
        out->profile[i][0] = i == 0 || c->form == GRZ_CONVEX_CYLINDER ? 0.5 * (x + y) : 0.0;
        out->profile[i][1] = i == 0 ? -half : half;
    }
    return out->has_axis && out->off <= ROUND * size;
}

// Points of B's profile on A's axis: turned round if the axes run against each other. Adds to `off` how far that moves
// them. False: the axes are not parallel.
static bool turn_to(const body *a, body *b)
{
    double across[3];
    const double half = fmax(fabs(b->profile[0][1]), fabs(b->profile[1][1])),
                 size = half + fmax(b->profile[0][0], b->profile[1][0]);
    if (!b->has_axis)
        return true;
    grz_cross(a->axis, b->axis, across);
    const double moved = length_of(across) * size;
    b->off += moved;
    if (grz_dot(a->axis, b->axis) < 0.0)
        for (int i = 0; i < PROFILE; i++)
            b->profile[i][1] = -b->profile[i][1];
    return moved <= ROUND * (size + fmax(fabs(a->profile[0][1]), fabs(a->profile[1][1])) +
                             fmax(a->profile[0][0], a->profile[1][0]));
}

// The largest product of a direction with the points.
static double reach(const double sums[SUMS][2], double s, double c)
{
    double most = -HUGE_VAL;
    for (int i = 0; i < SUMS; i++)
        most = fmax(most, s * sums[i][0] + c * sums[i][1]);
    return most;
}

static void try_direction(const double sums[SUMS][2], double s, double c, double best[3])
{
    const double length = grz_hypotenuse(s, c), sign = s < 0.0 ? -1.0 : 1.0;
    if (!(length > 0.0))
        return;
    const double far = reach(sums, sign * s / length, sign * c / length);
    if (far < best[0]) {
        best[0] = far;
        best[1] = sign * s / length;
        best[2] = sign * c / length;
    }
}

// The least reach, and its direction.
static void find_least(const double sums[SUMS][2], double best[3])
{
    best[0] = reach(sums, 0.0, 1.0);
    best[1] = 0.0;
    best[2] = 1.0;
    const double up = best[0];
    const double down = reach(sums, 0.0, -1.0);
    if (down < up) {
        best[0] = down;
        best[1] = 0.0;
        best[2] = -1.0;
    }
    for (int i = 0; i < SUMS; i++)
        for (int j = 0; j < i; j++)
            try_direction(sums, sums[j][1] - sums[i][1], sums[i][0] - sums[j][0], best);
}

// The way from A's axis to B's: how far they are apart, its direction, and how far B's middle is along the axis.
static double between_axes(const body *a, const body *b, double towards[3], double *along)
{
    double way[3];
    for (int k = 0; k < 3; k++)
        way[k] = b->middle[k] - a->middle[k];
    *along = grz_dot(way, a->axis);
    for (int k = 0; k < 3; k++)
        towards[k] = way[k] - *along * a->axis[k];
    const double apart = length_of(towards), back = grz_dot(towards, a->axis);
    for (int k = 0; k < 3; k++) // what rounding has left along the axis
        towards[k] -= back * a->axis[k];
    if (!grz_make_unit(towards) || fabs(grz_dot(towards, a->axis)) > ACROSS) {
        double axis[3] = {0.0, 0.0, 0.0};
        axis[fabs(a->axis[0]) < 0.5 ? 0 : 1] = 1.0;
        grz_cross(a->axis, axis, towards);
        grz_make_unit(towards);
    }
    return apart;
}

bool grz_convex_revolution_depth(const grz_convex *a, const grz_convex *b, double slack, grz_convex_depth *depth)
{
    body one = {.off = 0.0}, other = {.off = 0.0};
    if ((a->form == GRZ_CONVEX_CORNERS && b->form == GRZ_CONVEX_CORNERS) ||
        !(a->form == GRZ_CONVEX_CORNERS ? read_corners(a, &one) : read_round(a, &one)) ||
        !(b->form == GRZ_CONVEX_CORNERS ? read_corners(b, &other) : read_round(b, &other)))
        return false;
    if (!one.has_axis)
        memcpy(one.axis, other.axis, sizeof one.axis);
    if (!turn_to(&one, &other))
        return false;
    double towards[3], along, sums[SUMS][2], best[3], n[3], back[3];
    const double apart = between_axes(&one, &other, towards, &along);
    for (int i = 0; i < SUMS; i++) {
        const double *p = one.profile[i / PROFILE], *q = other.profile[i % PROFILE];
        sums[i][0] = p[0] + q[0] - apart;
        sums[i][1] = p[1] - q[1] - along;
    }
    find_least((const double(*)[2])sums, best);
    for (int k = 0; k < 3; k++) {
        n[k] = best[1] * towards[k] + best[2] * one.axis[k];
        back[k] = -n[k];
        depth->along[k] = -n[k];
    }
    grz_convex_farthest(a, n, depth->on_a);
    grz_convex_farthest(b, back, depth->on_b);
    const double far = grz_dot(n, depth->on_a) - grz_dot(n, depth->on_b);
    const double loose = slack + one.off + other.off + GRZ_CONVEX_ROUNDING * (a->extent + b->extent);
    depth->upper = fmax((far + slack) * GRZ_MORE(32), 0.0);
    depth->lower = fmax((best[0] - loose) * GRZ_LESS(32), 0.0);
    return true;
}
