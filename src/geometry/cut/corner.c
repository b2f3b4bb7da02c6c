// SPDX-License-Identifier: MIT
// Corners of three planes n·(x - o) = d: x = o + N / D, with D = |n1, n2, n3| and N = Σ d (n × n). First in doubles,
// each with a bound of its error; if that does not decide, in integers. A side is a number of degree nine in the
// coordinates: 9 · 44 limbs fit.
#include "geometry/cut/corner.h"

#include <math.h>
#include <stddef.h>

#include "base/rounding.h"
#include "geometry/exact/integer.h"
#include "geometry/exact/predicates.h"

// Each step adds its rounding, doubled, and what may underflow.
typedef grz_parts_rough rough;

static const double TWO_ROUNDINGS = 0x1p-52; // each step has one
static const double DIGITS = 0x1p41; // a quotient of numbers off by 2^-41 is off by some 2^-40: grz_parts_near()

static rough times(rough x, rough y)
{
    const double at = x.at * y.at;
    const double off = fabs(x.at) * y.off + x.off * fabs(y.at) + x.off * y.off;
    return (rough){at, (off + TWO_ROUNDINGS * fabs(at)) * GRZ_MORE(32) + GRZ_UNDERFLOWS};
}

static rough plus(rough x, rough y, double sign)
{
    const double at = x.at + sign * y.at;
    return (rough){at, (x.off + y.off + TWO_ROUNDINGS * fabs(at)) * GRZ_MORE(32)};
}

static rough between(double from, double to)
{
    const double at = to - from;
    return (rough){at, TWO_ROUNDINGS * fabs(at)};
}

static rough dot(const rough x[3], const rough y[3])
{
    return plus(plus(times(x[0], y[0]), times(x[1], y[1]), 1.0), times(x[2], y[2]), 1.0);
}

static void cross(const rough x[3], const rough y[3], rough out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = plus(times(x[(k + 1) % 3], y[(k + 2) % 3]), times(x[(k + 2) % 3], y[(k + 1) % 3]), -1.0);
}

static void rough_plane(const grz_parts_plane *plane, const double origin[3], rough normal[3], rough *offset)
{
    rough u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = between(plane->at[0][k], plane->at[1][k]);
        v[k] = between(plane->at[0][k], plane->at[2][k]);
        w[k] = between(origin[k], plane->at[0][k]);
    }
    cross(u, v, normal);
    *offset = dot(normal, w);
}

grz_parts_corner grz_parts_meet(const grz_parts_plane *planes, uint32_t a, uint32_t b, uint32_t c)
{
    grz_parts_corner corner = {.planes = {a, b, c}};
    rough normal[3][3], offset[3], part[3];
    for (int i = 0; i < 3; i++)
        rough_plane(&planes[corner.planes[i]], planes[a].at[0], normal[i], &offset[i]);
    for (int i = 1; i < 3; i++) { // offset[0] is 0
        cross(normal[(i + 1) % 3], normal[(i + 2) % 3], part);
        for (int k = 0; k < 3; k++)
            corner.sum[k] = plus(corner.sum[k], times(offset[i], part[k]), 1.0);
    }
    cross(normal[1], normal[2], part);
    corner.base = dot(normal[0], part);
    if (!(fabs(corner.base.at) > corner.base.off))
        return corner;
    // Often its coordinates are doubles. Sides are then found faster.
    for (int k = 0; k < 3; k++) {
        corner.at[k] = planes[a].at[0][k] + corner.sum[k].at / corner.base.at;
        if (!(fabs(corner.at[k]) <= 0x1p302)) // the sum has overflowed: no corner of a cell is so far away
            return corner;
    }
    for (int i = 0; i < 3; i++) {
        const double(*at)[3] = planes[corner.planes[i]].at;
        if (grz_orient3d(at[0], at[1], at[2], corner.at) != 0)
            return corner;
    }
    corner.given = true;
    return corner;
}

// The sign, or 2: not known.
static int rough_side(const grz_parts_plane *planes, const grz_parts_corner *corner, uint32_t plane)
{
    rough normal[3], offset;
    rough_plane(&planes[plane], planes[corner->planes[0]].at[0], normal, &offset);
    const rough base = corner->base, value = plus(dot(normal, corner->sum), times(offset, base), -1.0);
    if (!(fabs(value.at) > value.off) || !(fabs(base.at) > base.off) || !isfinite(value.off))
        return 2;
    return (value.at > 0.0) == (base.at > 0.0) ? 1 : -1;
}

// A plane in integers, as seen from an origin.
typedef struct exact_plane {
    grz_integer normal[3], offset;
} exact_plane;

static void set_exact(const grz_parts_plane *plane, const double origin[3], int shift, exact_plane *out)
{
    grz_integer u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        grz_integer_difference(plane->at[0][k], plane->at[1][k], shift, &u[k]);
        grz_integer_difference(plane->at[0][k], plane->at[2][k], shift, &v[k]);
        grz_integer_difference(origin[k], plane->at[0][k], shift, &w[k]);
    }
    grz_integer_cross(u, v, out->normal);
    grz_integer_dot(out->normal, w, &out->offset);
}

// N and D of three planes. Returns the shift that makes all coordinates of the `count` planes integers.
static int meet(const grz_parts_plane *const planes[], int count, exact_plane *last, grz_integer numerator[3],
                grz_integer *base)
{
    const double *points[12];
    exact_plane plane[3];
    for (int i = 0; i < 3 * count; i++)
        points[i] = planes[i / 3]->at[i % 3];
    const int shift = grz_integer_common_shift(points, 3 * count, 3);
    for (int i = 0; i < 3; i++)
        set_exact(planes[i], planes[0]->at[0], shift, &plane[i]);
    if (count > 3)
        set_exact(planes[3], planes[0]->at[0], shift, last);
    grz_integer part[2][3], product[2];
    grz_integer_cross(plane[2].normal, plane[0].normal, part[0]);
    grz_integer_cross(plane[0].normal, plane[1].normal, part[1]);
    for (int k = 0; k < 3; k++) {
        grz_integer_multiply(&plane[1].offset, &part[0][k], &product[0]);
        grz_integer_multiply(&plane[2].offset, &part[1][k], &product[1]);
        grz_integer_add(&product[0], &product[1], 1, &numerator[k]);
    }
    grz_integer_dot(plane[2].normal, part[1], base);
    return shift;
}

static int exact_side(const grz_parts_plane *const planes[4])
{
    exact_plane last;
    grz_integer numerator[3], base, left, right, value;
    (void)meet(planes, 4, &last, numerator, &base);
    grz_integer_dot(last.normal, numerator, &left);
    grz_integer_multiply(&last.offset, &base, &right);
    grz_integer_add(&left, &right, -1, &value);
    return value.sign * base.sign;
}

int grz_parts_side(const grz_parts_plane *planes, const grz_parts_corner *corner, uint32_t plane)
{
    const double(*at)[3] = planes[plane].at;
    if (corner->planes[0] == plane || corner->planes[1] == plane || corner->planes[2] == plane)
        return 0;
    if (corner->given)
        return grz_orient3d(at[0], at[1], at[2], corner->at);
    const int sign = rough_side(planes, corner, plane);
    if (sign != 2)
        return sign;
    const grz_parts_plane *const four[4] = {&planes[corner->planes[0]], &planes[corner->planes[1]],
                                            &planes[corner->planes[2]], &planes[plane]};
    return exact_side(four);
}

void grz_parts_near(const grz_parts_plane *planes, const grz_parts_corner *corner, double out[3])
{
    bool is_near = !corner->given && isfinite(corner->base.off) && DIGITS * corner->base.off < fabs(corner->base.at);
    for (int k = 0; k < 3 && is_near; k++) {
        const rough sum = corner->sum[k];
        const double size = fmax(fabs(sum.at), fmax(fabs(corner->sum[0].at), fabs(corner->sum[1].at)));
        is_near = DIGITS * sum.off <= fmax(size, fabs(corner->sum[2].at)) || sum.off == 0.0;
        out[k] = planes[corner->planes[0]].at[0][k] + sum.at / corner->base.at;
    }
    if (!is_near)
        grz_parts_round(planes, corner, out);
}

void grz_parts_round(const grz_parts_plane *planes, const grz_parts_corner *corner, double out[3])
{
    if (corner->given) {
        for (int k = 0; k < 3; k++)
            out[k] = corner->at[k] + 0.0;
        return;
    }
    const grz_parts_plane *const three[3] = {&planes[corner->planes[0]], &planes[corner->planes[1]],
                                             &planes[corner->planes[2]]};
    grz_integer numerator[3], base, origin, product, sum;
    const int shift = meet(three, 3, NULL, numerator, &base);
    for (int k = 0; k < 3; k++) {
        grz_integer_from_double(three[0]->at[0][k], shift, &origin);
        grz_integer_multiply(&origin, &base, &product);
        grz_integer_add(&product, &numerator[k], 1, &sum);
        out[k] = grz_integer_quotient(&sum, &base, -shift);
    }
}
