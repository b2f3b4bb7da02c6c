// SPDX-License-Identifier: MIT
// Seen from a corner, a triangle is an arc of a great circle on the sphere of directions; seen along an edge, it is a
// point on a circle. Boxes hold them with a margin for all roundings: docs/internals/bvh.md ("Hubs") has the proofs.
#include "space/bvh/hub_boxes.h"

#include "geometry/triangle/triangle.h"

// Larger than the rounding of a direction's coordinates, 6u, and of an arc's, 150u; u = 2^-53.
static const double MARGIN = 0x1p-45;
// An arc is bounded only if the sum of the directions of its ends is at least so long: it spans less than 152 degrees.
static const double LEAST_SUM = 0.5;
// Of a vector across an edge: the relative error bound of its coordinates, and what underflows.
static const double ACROSS = 8.0 * 0x1p-53, UNDERFLOW = 0x1p-1000;
// Farther from the true direction than this share of its length, a vector says nothing.
static const double MOST_WRONG = 0x1p-4;

// Larger than MARGIN and the rounding to a float of numbers below 4.
static const double FLOAT_MARGIN = 0x1p-21;

// Places outside of the sphere, for triangles that have no direction.
static const double FLAT_PLACE = 4.0, POINT_PLACE = 8.0, BEYOND = 16.0;

static grz_box everywhere(void)
{
    return (grz_box){{-BEYOND, -BEYOND, -BEYOND}, {BEYOND, BEYOND, BEYOND}};
}

static grz_box box_at(double x, double y, double z, double margin)
{
    return (grz_box){{x - margin, y - margin, z - margin}, {x + margin, y + margin, z + margin}};
}

// Multiply a vector by a power of two, so that its largest coordinate is in [0.5, 1). False: it is zero.
static bool scale(double v[3])
{
    const double x = fabs(v[0]), y = fabs(v[1]), z = fabs(v[2]), most = fmax(x, fmax(y, z));
    int exponent;
    if (!(most > 0.0))
        return false;
    (void)frexp(most, &exponent);
    for (int axis = 0; axis < 3; axis++)
        v[axis] = ldexp(v[axis], -exponent);
    return true;
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Give a vector the length 1. False: it is zero.
static bool normalise(double v[3])
{
    if (!scale(v))
        return false;
    const double size = length(v);
    for (int axis = 0; axis < 3; axis++)
        v[axis] /= size;
    return true;
}

static bool direction(const double from[3], const double to[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = to[axis] - from[axis];
    return normalise(out);
}

grz_box grz_hub_arc_box(const double corner[3], const double p[3], const double q[3])
{
    double first[3], last[3], sum[3];
    const bool has_first = direction(corner, p, first), has_last = direction(corner, q, last);
    if (!has_first && !has_last)
        return box_at(0.0, 0.0, POINT_PLACE, MARGIN);
    if (!has_first || !has_last) {
        const double *only = has_first ? first : last;
        return box_at(only[0], only[1], only[2], MARGIN);
    }
    for (int axis = 0; axis < 3; axis++)
        sum[axis] = first[axis] + last[axis];
    const double size = length(sum);
    if (!(size >= LEAST_SUM))
        return everywhere();
    // The arc lies between the chord and the chord moved by its height, in the direction of its middle.
    const double height = 1.0 - 0.5 * size;
    grz_box box;
    for (int axis = 0; axis < 3; axis++) {
        const double bulge = height * (sum[axis] / size);
        box.min[axis] = fmin(first[axis], last[axis]) + fmin(bulge, 0.0) - MARGIN;
        box.max[axis] = fmax(first[axis], last[axis]) + fmax(bulge, 0.0) + MARGIN;
    }
    return box;
}

// True if three points lie on one line.
static bool collinear(const double v[3], const double w[3], const double x[3])
{
    return grz_orient_projected(0, v, w, x) == 0 && grz_orient_projected(1, v, w, x) == 0 &&
           grz_orient_projected(2, v, w, x) == 0;
}

// The direction of x, seen along v-w: two coordinates, and their error bound. False: x lies on the line through v and
// w, or it is not certain where it lies.
static bool across_edge(const double v[3], const double w[3], const double x[3], double across[3], double *error)
{
    double edge[3], side[3], sizes = 0.0;
    int k = 0; // the axis along which the edge is longest
    for (int axis = 0; axis < 3; axis++) {
        edge[axis] = w[axis] - v[axis];
        side[axis] = x[axis] - v[axis];
    }
    if (!scale(edge) || !scale(side))
        return false;
    for (int axis = 1; axis < 3; axis++)
        k = fabs(edge[axis]) > fabs(edge[k]) ? axis : k;
    // Project along the edge onto the plane of the other two axes.
    for (int n = 0; n < 2; n++) {
        const int axis = (k + 1 + n) % 3;
        const double along = side[axis] * edge[k], back = side[k] * edge[axis];
        across[n] = along - back;
        sizes = fmax(sizes, fabs(along) + fabs(back));
    }
    across[2] = 0.0;
    *error = (ACROSS * sizes + UNDERFLOW) / fmax(fabs(across[0]), fabs(across[1]));
    return *error < MOST_WRONG && normalise(across);
}

grz_box grz_hub_page_box(const double v[3], const double w[3], const double x[3])
{
    double across[3], error;
    if (across_edge(v, w, x, across, &error))
        return box_at(across[0], across[1], 0.0, 4.0 * error + MARGIN);
    return collinear(v, w, x) ? box_at(0.0, 0.0, FLAT_PLACE, MARGIN) : everywhere();
}

void grz_hub_side_box(const double v[3], const double w[3], const double p[3], const double q[3], float min[2],
                      float max[2])
{
    double first[3], last[3], sum[3], first_error, last_error;
    min[0] = min[1] = -(float)BEYOND;
    max[0] = max[1] = (float)BEYOND;
    if (!across_edge(v, w, p, first, &first_error) || !across_edge(v, w, q, last, &last_error))
        return;
    for (int i = 0; i < 3; i++)
        sum[i] = first[i] + last[i];
    const double size = length(sum);
    if (!(size >= LEAST_SUM))
        return;
    const double margin = 16.0 * fmax(first_error, last_error) + FLOAT_MARGIN, height = 1.0 - 0.5 * size;
    for (int i = 0; i < 2; i++) {
        const double bulge = height * (sum[i] / size);
        min[i] = (float)(fmin(first[i], last[i]) + fmin(bulge, 0.0) - margin);
        max[i] = (float)(fmax(first[i], last[i]) + fmax(bulge, 0.0) + margin);
    }
}
