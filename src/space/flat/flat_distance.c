// SPDX-License-Identifier: MIT
// Distances of points from boxes and segments. In doubles first: the point q of the item that looks nearest is off by a
// few units in the last place of the numbers that it came from. By the triangle inequality the exact distance differs
// from |q - point| by no more (docs/reference/structures.md, "The plane", has the bounds). What that does not settle is
// computed in double-doubles with bounds, and then in integers. The square is |r|², or beside a segment (u × r)² /
// |u|².
#include "space/flat/flat_distance.h"

#include <math.h>

#include "geometry/exact/bounded.h"

// Relative to the numbers that a distance came from: twice as large as needed at least.
static const double ROUNDED = 0x1p-48;
// What underflow costs at most: below 2^-480 a square loses its digits.
static const double UNDERFLOW = 0x1p-470;
// Lower parts of two double-doubles, which their difference leaves out, and its rounding: 8 roundings; there are three.
static const double OF_HIGH = 0x1p-50;
// Below it a root is left to integers.
static const double SMALLEST_SQUARE = 0x1p-200;

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

// How far x is below min or above max, rounded once.
static inline double way_outside(double x, double min, double max)
{
    return x < min ? min - x : x > max ? x - max : 0.0;
}

double grz_flat_box_gap(const double min[2], const double max[2], const double point[2])
{
    const double x = way_outside(point[0], min[0], max[0]), y = way_outside(point[1], min[1], max[1]);
    return larger(sqrt(x * x + y * y) * (1.0 - ROUNDED) - UNDERFLOW, 0.0);
}

static grz_flat_gap around(double distance, double off)
{
    return (grz_flat_gap){larger(distance - off, 0.0), distance + off};
}

static grz_flat_gap gap_of_box(const grz_flat_held *item, const double point[2])
{
    const double x = way_outside(point[0], item->min[0], item->max[0]),
                 y = way_outside(point[1], item->min[1], item->max[1]);
    if (x == 0.0 && y == 0.0)
        return (grz_flat_gap){0.0, 0.0};
    const double distance = sqrt(x * x + y * y);
    return around(distance, distance * ROUNDED + UNDERFLOW);
}

// A segment seen from a point: r from its first end to the point, u along it.
static grz_flat_gap gap_of_segment(const grz_flat_held *item, const double point[2])
{
    double p[2], q[2];
    grz_flat_ends(item, item->form == GRZ_FLAT_FALLING, p, q);
    const double u[2] = {q[0] - p[0], q[1] - p[1]}, r[2] = {point[0] - p[0], point[1] - p[1]};
    const double square = u[0] * u[0] + u[1] * u[1], along = u[0] * r[0] + u[1] * r[1];
    const double t = !(square > 0.0) || !(along > 0.0) ? 0.0 : along < square ? along / square : 1.0;
    const double x = r[0] - t * u[0], y = r[1] - t * u[1];
    return around(sqrt(x * x + y * y), ROUNDED * (fabs(r[0]) + fabs(r[1]) + fabs(u[0]) + fabs(u[1])) + UNDERFLOW);
}

grz_flat_gap grz_flat_gap_of(const grz_flat_held *item, const double point[2])
{
    return item->form == GRZ_FLAT_FULL ? gap_of_box(item, point) : gap_of_segment(item, point);
}

// ---- In double-doubles ----------------------------------------------------------------------------------------------

// The point of a box that is nearest to a point.
static void nearest_of_box(const grz_flat_held *item, const double point[2], double out[3])
{
    for (int k = 0; k < 2; k++)
        out[k] = point[k] < item->min[k] ? item->min[k] : point[k] > item->max[k] ? item->max[k] : point[k];
    out[2] = 0.0;
}

// The square of the distance. False: out of range, or the nearest point of a segment is not known to be an end or
// between both.
static bool bounded_square(const grz_flat_held *item, const double point[2], grz_bounded *out)
{
    const double at[3] = {point[0], point[1], 0.0};
    double p[3] = {0.0}, q[3] = {0.0};
    grz_bounded_vector r, u;
    if (item->form == GRZ_FLAT_FULL) {
        nearest_of_box(item, point, p);
        if (!grz_way_between(p, at, &r))
            return false;
        *out = grz_bounded_dot(&r, &r);
        return true;
    }
    grz_flat_ends(item, item->form == GRZ_FLAT_FALLING, p, q);
    if (!grz_way_between(p, at, &r) || !grz_way_between(p, q, &u))
        return false;
    const grz_bounded along = grz_bounded_dot(&u, &r), square = grz_bounded_dot(&u, &u);
    const double over = along.at.high - square.at.high, off = 2.0 * (along.error + square.error);
    if (along.at.high < -off) {
        *out = grz_bounded_dot(&r, &r);
        return true;
    }
    if (over > off + OF_HIGH * square.at.high) {
        if (!grz_way_between(q, at, &r))
            return false;
        *out = grz_bounded_dot(&r, &r);
        return true;
    }
    if (!(along.at.high > off && over < -off - OF_HIGH * square.at.high))
        return false;
    const grz_bounded_vector cross = grz_bounded_cross(&u, &r);
    const grz_bounded height = grz_bounded_dot(&cross, &cross);
    return height.at.high > 0.0 && grz_bounded_divide(&height, &square, out);
}

// ---- In integers ----------------------------------------------------------------------------------------------------

static void dot2(const grz_integer u[2], const grz_integer v[2], grz_integer *out)
{
    grz_integer x, y;
    grz_integer_multiply(&u[0], &v[0], &x);
    grz_integer_multiply(&u[1], &v[1], &y);
    grz_integer_add(&x, &y, 1, out);
}

static void ways(const double from[2], const double to[2], int shift, grz_integer out[2])
{
    for (int k = 0; k < 2; k++)
        grz_integer_difference(from[k], to[k], shift, &out[k]);
}

static void square_of_way(const double from[2], const double to[2], grz_square *out)
{
    grz_integer r[2];
    ways(from, to, out->shift, r);
    dot2(r, r, &out->numerator);
    grz_integer_from_double(1.0, 0, &out->denominator);
}

void grz_flat_square_of(const grz_flat_held *item, const double point[2], grz_square *out)
{
    double p[3], q[3];
    if (item->form == GRZ_FLAT_FULL) {
        nearest_of_box(item, point, p);
        const double *const points[2] = {p, point};
        out->shift = grz_integer_common_shift(points, 2, 2);
        square_of_way(p, point, out);
        return;
    }
    grz_flat_ends(item, item->form == GRZ_FLAT_FALLING, p, q);
    const double *const points[3] = {p, q, point};
    out->shift = grz_integer_common_shift(points, 3, 2);
    grz_integer r[2], u[2], along, cross;
    ways(p, point, out->shift, r);
    ways(p, q, out->shift, u);
    dot2(u, r, &along);
    dot2(u, u, &out->denominator);
    if (along.sign <= 0) {
        square_of_way(p, point, out);
    } else if (grz_integer_compare(&along, &out->denominator) >= 0) {
        square_of_way(q, point, out);
    } else {
        grz_integer_determinant2(&u[0], &u[1], &r[0], &r[1], &cross);
        grz_integer_multiply(&cross, &cross, &out->numerator);
    }
}

int grz_flat_distances_compare(const grz_flat_held *x, const grz_flat_held *y, const double point[2])
{
    grz_bounded a, b;
    if (bounded_square(x, point, &a) && bounded_square(y, point, &b)) {
        const dd difference = dd_add(a.at, dd_negate(b.at));
        const double off = 2.0 * (a.error + b.error) + 8.0 * GRZ_UU * (a.at.high + b.at.high);
        if (fabs(difference.high) > off)
            return difference.high < 0.0 ? -1 : 1;
    }
    grz_square left, right;
    grz_flat_square_of(x, point, &left);
    grz_flat_square_of(y, point, &right);
    return grz_square_compare(&left, &right);
}

bool grz_flat_is_within(const grz_flat_held *item, const double point[2], double radius)
{
    const grz_flat_gap gap = grz_flat_gap_of(item, point);
    if (gap.upper <= radius || gap.lower > radius)
        return gap.upper <= radius;
    grz_square square;
    grz_flat_square_of(item, point, &square);
    return grz_square_compare_root(radius, &square) >= 0;
}

double grz_flat_distance_of(const grz_flat_held *item, const double point[2])
{
    const grz_flat_gap gap = grz_flat_gap_of(item, point);
    grz_bounded square;
    if (gap.lower == gap.upper)
        return gap.lower;
    if (bounded_square(item, point, &square) && square.at.high > SMALLEST_SQUARE &&
        grz_bounded_relative(&square) < GRZ_ERROR_ENOUGH) {
        const grz_bounded root = grz_bounded_root(&square);
        if (grz_bounded_is_nearest(&root))
            return root.at.high;
    }
    grz_square exact;
    grz_flat_square_of(item, point, &exact);
    return grz_square_root(&exact).nearest;
}
