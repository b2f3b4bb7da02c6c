// SPDX-License-Identifier: MIT
// The box around a shape. Each axis is computed by itself, from one row of the pose.
#include <math.h>

#include "ask/shape/placed.h"
#include "base/fail.h"
#include "base/fp_guard.h"
#include "geometry/exact/expansion.h"

// More than the roundings of products, of a root and of a sum of three, relative; and of what underflows.
static const double ROUNDING = 0x1p-48, UNDERFLOW = 0x1p-1060;
static const double OF_PRODUCTS = 0x1p-90; // in double-doubles: include_point()

typedef struct range {
    double low, high;
} range;

static void include(range *r, double low, double high)
{
    r->low = low < r->low ? low : r->low;
    r->high = high > r->high ? high : r->high;
}

// The coordinate of a local point, between two neighbouring doubles: its sum is computed in double-doubles, whose error
// is below 2^-99 of the summands: 512 times that of the products, and nextafter() pays for that of row[3] alone.
static void include_point(range *r, const double row[4], const double p[3])
{
    dd sum = {row[3], 0.0};
    double sizes = 0.0;
    for (int j = 0; j < 3; j++) {
        dd product;
        two_product(row[j], p[j], &product.high, &product.low);
        sum = dd_add(sum, product);
        sizes += fabs(product.high);
    }
    const double at = sum.high + sum.low, off = sizes > 0.0 ? OF_PRODUCTS * sizes + UNDERFLOW : 0.0;
    include(r, off > 0.0 ? nextafter(at - off, -HUGE_VAL) : at, off > 0.0 ? nextafter(at + off, HUGE_VAL) : at);
}

// An upper bound of sqrt(a² + b² + c²).
static double root_of_squares(double a, double b, double c)
{
    const double most = fmax(fabs(a), fmax(fabs(b), fabs(c)));
    if (!(most > 0.0))
        return 0.0;
    return most * sqrt(a / most * (a / most) + b / most * (b / most) + c / most * (c / most)) * (1.0 + ROUNDING) +
           UNDERFLOW;
}

static void include_disc(range *r, const double row[4], const double p[3], double reach)
{
    range middle = {HUGE_VAL, -HUGE_VAL};
    include_point(&middle, row, p);
    include(r, nextafter(middle.low - reach, -HUGE_VAL), nextafter(middle.high + reach, HUGE_VAL));
}

static range range_of(const grz_shape *shape, const double row[4])
{
    const double *half = shape->half, top[3] = {0.0, 0.0, half[2]}, bottom[3] = {0.0, 0.0, -half[2]},
                 zero[3] = {0.0, 0.0, 0.0};
    const double disc = root_of_squares(row[0] * half[0], row[1] * half[1], 0.0);
    range r = {HUGE_VAL, -HUGE_VAL};
    switch (shape->kind) {
    case GRZ_SHAPE_TRIANGLE:
        include_point(&r, row, shape->corners[2]);
        include_point(&r, row, shape->corners[1]);
        include_point(&r, row, shape->corners[0]);
        break;
    case GRZ_SHAPE_SEGMENT:
        include_point(&r, row, shape->corners[1]);
        include_point(&r, row, shape->corners[0]);
        break;
    case GRZ_SHAPE_POINT:
        include_point(&r, row, shape->corners[0]);
        break;
    case GRZ_SHAPE_BOX:
        for (int i = 0; i < 8; i++) {
            const double x = i & 1 ? half[0] : -half[0], y = i & 2 ? half[1] : -half[1], z = i & 4 ? half[2] : -half[2],
                         corner[3] = {x, y, z};
            include_point(&r, row, corner);
        }
        break;
    case GRZ_SHAPE_CYLINDER:
        include_disc(&r, row, top, disc);
        include_disc(&r, row, bottom, disc);
        break;
    case GRZ_SHAPE_CONE:
        include_point(&r, row, top);
        include_disc(&r, row, bottom, disc);
        break;
    case GRZ_SHAPE_ELLIPSOID:
        include_disc(&r, row, zero, root_of_squares(row[0] * half[0], row[1] * half[1], row[2] * half[2]));
        break;
    default:
        for (uint64_t i = 0; i < shape->point_count; i++)
            include_point(&r, row, shape->points + 3 * i);
    }
    if (shape->radius > 0.0) {
        r.low = nextafter(r.low - shape->radius, -HUGE_VAL);
        r.high = nextafter(r.high + shape->radius, HUGE_VAL);
    }
    return r;
}

static grz_status bounds(const grz_shape *shape, double min[3], double max[3], grz_error *error)
{
    if (min == NULL || max == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "shape: the %s is NULL",
                        min == NULL ? "minimum" : "maximum");
    const grz_status status = grz_placed_check("shape", shape, "the shape", GRZ_NO_ELEMENT, error);
    if (status != GRZ_OK)
        return status;
    if (shape->kind == GRZ_SHAPE_RAY || shape->kind == GRZ_SHAPE_LINE)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "shape: a ray or a line has no bounds");
    for (int k = 0; k < 3; k++) {
        const range r = range_of(shape, shape->pose.m[k]);
        min[k] = r.low;
        max[k] = r.high;
    }
    return GRZ_OK;
}

grz_status grz_shape_bounds(const grz_shape *shape, double min[3], double max[3], grz_error *error)
{
    const grz_fp_state fp = grz_fp_enter();
    const grz_status status = bounds(shape, min, max, error);
    grz_fp_leave(fp);
    return status;
}
