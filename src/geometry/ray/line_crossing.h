// SPDX-License-Identifier: MIT
// Where a line goes through the inside of a triangle, in doubles and in double-doubles: the parts that line_triangle.c
// and crossing_lanes.c share. docs/use/pick.md derives the bounds.
#ifndef GRZ_GEOMETRY_RAY_LINE_CROSSING_H
#define GRZ_GEOMETRY_RAY_LINE_CROSSING_H

#include <math.h>

#include "base/rounding.h"
#include "geometry/exact/bounded.h"
#include "geometry/ray/line.h"
#include "geometry/vector.h"

// u = 2^-53. Derived: 8u times a sum of six products, each of which is at most the product of the largest components.
static const double GRZ_LINE_DETERMINANT = 50.0 * 0x1p-53;
// Below this an error bound could be too small because something underflowed.
static const double GRZ_LINE_LEAST_BOUND = 0x1p-900;
static const double GRZ_LINE_LARGEST = 0x1p150; // of corners seen from the origin

static inline double grz_line_larger(double x, double y)
{
    return x > y ? x : y;
}

static inline double grz_line_most_of(const double v[3])
{
    return grz_line_larger(grz_line_larger(fabs(v[0]), fabs(v[1])), fabs(v[2]));
}

// 1, -1, or 0 if the error bound does not tell.
static inline int grz_line_sign_beyond(double x, double bound)
{
    return (x > bound) - (x < -bound);
}

static inline bool grz_line_bounded_direction(const grz_line *line, grz_bounded_vector *d)
{
    for (int k = 0; k < 3; k++)
        d->at[k] = (dd){line->direction[k], line->tail[k]};
    d->most = line->most * GRZ_MORE(8);
    d->error = 0.0;
    return line->in_range;
}

// The parameter of a crossing, as grz_line_crossing_at().
static inline bool grz_crossing_at(const grz_line *line, const double c[3][3], grz_bounded *t)
{
    grz_bounded_vector u, v, r, d;
    if (!grz_line_bounded_direction(line, &d) || !grz_way_between(c[0], c[1], &u) || !grz_way_between(c[0], c[2], &v) ||
        !grz_way_between(line->origin, c[0], &r))
        return false;
    const grz_bounded_vector normal = grz_bounded_cross(&u, &v);
    grz_bounded height = grz_bounded_dot(&normal, &r), speed = grz_bounded_dot(&normal, &d);
    if (speed.at.high < 0.0) {
        speed.at = dd_negate(speed.at);
        height.at = dd_negate(height.at);
    }
    return grz_bounded_divide(&height, &speed, t);
}

// t and its bounds. `side`: the sign of N · D, which is known.
static inline bool grz_crossing_enclose(const grz_line *line, const double c[3][3], const double first[3],
                                        double most_first, int side, double *low, double *high)
{
    double u[3], v[3], normal[3];
    for (int k = 0; k < 3; k++) {
        u[k] = c[1][k] - c[0][k];
        v[k] = c[2][k] - c[0][k];
    }
    grz_cross(u, v, normal);
    const double area = GRZ_LINE_DETERMINANT * grz_line_most_of(u) * grz_line_most_of(v),
                 speed = grz_dot(normal, line->direction), height = grz_dot(normal, first),
                 speed_bound = area * line->most, height_bound = area * most_first;
    if (grz_line_sign_beyond(speed, 2.0 * speed_bound) != side ||
        !(speed_bound > GRZ_LINE_LEAST_BOUND && height_bound > GRZ_LINE_LEAST_BOUND))
        return false;
    // (h + e) / (s - f), with |s| > 2f: off by at most 2 (e + f |h / s|) / |s|, and roundings of the quotient.
    const double t = height / speed,
                 slack = 2.0 * (height_bound + speed_bound * fabs(t)) / fabs(speed) + 0x1p-50 * fabs(t);
    *low = t - slack - GRZ_UNDERFLOWS;
    *high = t + slack + GRZ_UNDERFLOWS;
    return *low <= *high && fabs(t) < 0x1p500; // chosen: nothing has overflowed
}

// A coordinate that all points of the triangle have, or that all of the line has.
static inline bool grz_line_is_given(const grz_line *line, const double c[3][3], int k, double *out)
{
    const bool of_triangle = c != NULL && c[0][k] == c[1][k] && c[0][k] == c[2][k];
    *out = (of_triangle ? c[0][k] : line->origin[k]) + 0.0; // no -0
    return of_triangle || (line->direction[k] == 0.0 && line->tail[k] == 0.0);
}

// As grz_line_point_at().
static inline bool grz_crossing_point(const grz_line *line, const grz_bounded *t, const double crossing[3][3],
                                      double point[3])
{
    for (int k = 0; k < 3; k++) {
        if (grz_line_is_given(line, crossing, k, &point[k]))
            continue;
        const dd d = {line->direction[k], line->tail[k]}, step = dd_multiply(d, t->at);
        grz_bounded x = {.at = dd_add_double(step, line->origin[k])};
        x.error = 2.0 * grz_dd_magnitude(d) * t->error + 16.0 * GRZ_UU * grz_dd_magnitude(step) +
                  4.0 * GRZ_UU * fabs(x.at.high) + GRZ_UNDERFLOWS;
        if (!grz_bounded_is_nearest(&x))
            return false;
        point[k] = x.at.high + 0.0; // no -0
    }
    return true;
}

// |direction| · 2^-exponent, which is from 1 to 4.
static inline dd grz_line_scaled_length(const grz_line *line, int *exponent)
{
    grz_bounded_vector d = {.most = 2.0};
    *exponent = grz_exponent_of(line->most);
    for (int k = 0; k < 3; k++)
        d.at[k] = (dd){grz_times_power(line->direction[k], -*exponent), grz_times_power(line->tail[k], -*exponent)};
    const grz_bounded square = grz_bounded_dot(&d, &d);
    return grz_bounded_root(&square).at;
}

// As grz_line_length().
static inline double grz_crossing_length(const grz_line *line, dd t)
{
    int exponent;
    const dd length = grz_line_scaled_length(line, &exponent);
    return grz_times_power(fabs(dd_multiply(length, t).high), exponent);
}

#endif
