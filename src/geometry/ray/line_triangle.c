// SPDX-License-Identifier: MIT
// With corners c[i] seen from the origin and D the direction, the determinant D · (c[i] × c[i+1]) has the sign of the
// side on which the line passes edge i. If all three have one sign, the line goes through the inside. Then
// t = N · c[0] / N · D with the normal N. In doubles the determinants have error bounds; where these do not tell, the
// same is done in double-doubles. docs/picking.md derives the bounds.
#include "geometry/ray/line_triangle.h"

#include <math.h>

#include "geometry/vector.h"

// u = 2^-53. Derived: 8u times a sum of six products, each of which is at most the product of the largest components.
static const double DETERMINANT = 50.0 * 0x1p-53;
// Below this an error bound could be too small because something underflowed.
static const double LEAST_BOUND = 0x1p-900;
static const double LARGEST = 0x1p150; // of corners seen from the origin

static double larger(double x, double y)
{
    return x > y ? x : y;
}

static double most_of(const double v[3])
{
    return larger(larger(fabs(v[0]), fabs(v[1])), fabs(v[2]));
}

// 1, -1, or 0 if the error bound does not tell.
static int sign_beyond(double x, double bound)
{
    return (x > bound) - (x < -bound);
}

// The sign that all three sides have; 0: two are opposite, so the line misses; 2: not known.
static int common_sign(const int sign[3])
{
    if ((sign[0] > 0 || sign[1] > 0 || sign[2] > 0) && (sign[0] < 0 || sign[1] < 0 || sign[2] < 0))
        return 0;
    return sign[0] == 0 || sign[1] == 0 || sign[2] == 0 ? 2 : sign[0];
}

// ---- Double-doubles -----------------------------------------------------------------------------------------------

static bool direction_of(const grz_line *line, grz_bounded_vector *d)
{
    for (int k = 0; k < 3; k++)
        d->at[k] = (dd){line->direction[k], line->tail[k]};
    d->most = line->most * (1.0 + 0x1p-50);
    d->error = 0.0;
    return line->in_range;
}

static int bounded_sign(const grz_bounded *x)
{
    return sign_beyond(x->at.high * (1.0 - 0x1p-50), x->error);
}

// The sides in double-doubles, as common_sign() has them.
static int sides_doubled(const grz_line *line, const double c[3][3])
{
    grz_bounded_vector from[3], d;
    int sign[3];
    if (!direction_of(line, &d))
        return 2;
    for (int i = 0; i < 3; i++)
        if (!grz_way_between(line->origin, c[i], &from[i]))
            return 2;
    for (int i = 0; i < 3; i++) {
        const grz_bounded_vector normal = grz_bounded_cross(&from[i], &from[(i + 1) % 3]);
        const grz_bounded side = grz_bounded_dot(&normal, &d);
        sign[i] = bounded_sign(&side);
    }
    return common_sign(sign);
}

bool grz_line_crossing_at(const grz_line *line, const double c[3][3], grz_bounded *t)
{
    grz_bounded_vector u, v, r, d;
    if (!direction_of(line, &d) || !grz_way_between(c[0], c[1], &u) || !grz_way_between(c[0], c[2], &v) ||
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

// Sides are certain; is t?
static grz_crossing cross_doubled(const grz_line *line, const double c[3][3], double *low, double *high)
{
    grz_bounded t;
    if (!grz_line_crossing_at(line, c, &t))
        return GRZ_CROSSING_OPEN;
    const double slack = 2.0 * t.error + fabs(t.at.low);
    *low = nextafter(t.at.high - slack, -HUGE_VAL);
    *high = nextafter(t.at.high + slack, HUGE_VAL);
    return GRZ_CROSSING_FACE;
}

// ---- Doubles ------------------------------------------------------------------------------------------------------

// t and its bounds. `side`: the sign of N · D, which is known.
static bool enclose(const grz_line *line, const double c[3][3], const double first[3], double most_first, int side,
                    double *low, double *high)
{
    double u[3], v[3], normal[3];
    for (int k = 0; k < 3; k++) {
        u[k] = c[1][k] - c[0][k];
        v[k] = c[2][k] - c[0][k];
    }
    grz_cross(u, v, normal);
    const double area = DETERMINANT * most_of(u) * most_of(v), speed = grz_dot(normal, line->direction),
                 height = grz_dot(normal, first), speed_bound = area * line->most, height_bound = area * most_first;
    if (sign_beyond(speed, 2.0 * speed_bound) != side || !(speed_bound > LEAST_BOUND && height_bound > LEAST_BOUND))
        return false;
    // (h + e) / (s - f), with |s| > 2f: off by at most 2 (e + f |h / s|) / |s|, and roundings of the quotient.
    const double t = height / speed,
                 slack = 2.0 * (height_bound + speed_bound * fabs(t)) / fabs(speed) + 0x1p-50 * fabs(t);
    *low = t - slack - 0x1p-1000;
    *high = t + slack + 0x1p-1000;
    return *low <= *high && fabs(t) < 0x1p500;
}

grz_crossing grz_line_crosses(const grz_line *line, const double c[3][3], double *low, double *high, bool *front)
{
    double from[3][3], most = 0.0;
    int sign[3];
    if (!line->in_range)
        return GRZ_CROSSING_OPEN;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            from[i][k] = c[i][k] - line->origin[k];
        most = larger(most, most_of(from[i]));
    }
    const double bound = DETERMINANT * line->most * most * most;
    if (!(bound > LEAST_BOUND && most < LARGEST))
        return GRZ_CROSSING_OPEN;
    for (int i = 0; i < 3; i++) {
        const double *p = from[i], *q = from[(i + 1) % 3];
        double normal[3];
        grz_cross(p, q, normal);
        sign[i] = sign_beyond(grz_dot(normal, line->direction), bound);
    }
    int side = common_sign(sign);
    if (side == 0)
        return GRZ_CROSSING_NONE;
    if (side == 2) {
        side = sides_doubled(line, c);
        if (side == 0 || side == 2)
            return side == 0 ? GRZ_CROSSING_NONE : GRZ_CROSSING_OPEN;
    }
    *front = side < 0;
    if (enclose(line, c, from[0], most_of(from[0]), side, low, high))
        return GRZ_CROSSING_FACE;
    return cross_doubled(line, c, low, high);
}

// ---- Points -------------------------------------------------------------------------------------------------------

// A coordinate that all points of the triangle have, or that all of the line has.
static bool is_given(const grz_line *line, const double c[3][3], int k, double *out)
{
    const bool of_triangle = c != NULL && c[0][k] == c[1][k] && c[0][k] == c[2][k];
    *out = (of_triangle ? c[0][k] : line->origin[k]) + 0.0; // no -0
    return of_triangle || (line->direction[k] == 0.0 && line->tail[k] == 0.0);
}

bool grz_line_point_at(const grz_line *line, const grz_bounded *t, const double crossing[3][3], double point[3])
{
    for (int k = 0; k < 3; k++) {
        if (is_given(line, crossing, k, &point[k]))
            continue;
        const dd d = {line->direction[k], line->tail[k]}, step = dd_multiply(d, t->at);
        grz_bounded x = {.at = dd_add_double(step, line->origin[k])};
        x.error = 2.0 * grz_dd_magnitude(d) * t->error + 16.0 * GRZ_UU * grz_dd_magnitude(step) +
                  4.0 * GRZ_UU * fabs(x.at.high) + 0x1p-1000;
        if (!grz_bounded_is_nearest(&x))
            return false;
        point[k] = x.at.high + 0.0; // no -0
    }
    return true;
}

// |direction| · 2^-exponent, which is from 1 to 4.
static dd scaled_length(const grz_line *line, int *exponent)
{
    grz_bounded_vector d = {.most = 2.0};
    *exponent = ilogb(line->most);
    for (int k = 0; k < 3; k++)
        d.at[k] = (dd){ldexp(line->direction[k], -*exponent), ldexp(line->tail[k], -*exponent)};
    const grz_bounded square = grz_bounded_dot(&d, &d);
    return grz_bounded_root(&square).at;
}

double grz_line_length(const grz_line *line, dd t)
{
    int exponent;
    const dd length = scaled_length(line, &exponent);
    return ldexp(fabs(dd_multiply(length, t).high), exponent);
}

double grz_line_length_at(const grz_line *line, const grz_time *t)
{
    int exponent;
    const dd length = scaled_length(line, &exponent);
    if (t->numerator.sign == 0)
        return 0.0;
    // t · 2^-scale is near 1, so that it has all digits; then what is left of it.
    const grz_scaled size = grz_integer_to_scaled(&t->numerator, t->exponent),
                     below = grz_integer_to_scaled(&t->denominator, 0);
    const int scale = size.exponent - below.exponent;
    grz_time left = *t;
    left.exponent -= scale;
    const double head = grz_integer_quotient(&left.numerator, &left.denominator, left.exponent);
    const double tail = grz_time_minus(&left, head);
    return ldexp(fabs(dd_multiply(length, (dd){head, tail}).high), exponent + scale);
}
