// SPDX-License-Identifier: MIT
// A point of the triangle is a sum of its corners with weights that are not negative; it is inside if each plane's
// values at the corners, summed with the weights, are not negative. All such weights are a cone. If it is more than 0,
// it has an edge on which two of the constraints are 0: these edges, the cross products of two rows, are all that is
// looked at. They are the vertices of the triangle's part in the region, and the depth is least and greatest at some of
// them. In doubles, each number carries a bound of its error; what is not certain is done in integers.
#include "geometry/region/region_triangle.h"

#include <math.h>

#include "base/rounding.h"
#include "geometry/exact/bounded.h"
#include "geometry/region/region_exact.h"

// A number whose exact value is at most `error` away.
typedef struct number {
    double at, error;
} number;

// The rounding of one operation; and what a bound is multiplied by to cover the roundings of computing it.
static const double HALF_ULP = 0x1p-53, OF_BOUND = 1.0 + 0x1p-50;
static const double LEAST = 0x1p-1060; // more than what underflows

static number times(number a, number b)
{
    const double at = a.at * b.at;
    return (number){
        at, (fabs(a.at) * b.error + a.error * fabs(b.at) + a.error * b.error + HALF_ULP * fabs(at)) * OF_BOUND + LEAST};
}

static number plus(number a, number b)
{
    const double at = a.at + b.at;
    return (number){at, (a.error + b.error + HALF_ULP * fabs(at)) * OF_BOUND};
}

static number minus(number a, number b)
{
    b.at = -b.at;
    return plus(a, b);
}

// 1, -1, or 0 if it is not certain; also where a number is out of range.
static int sign_of(number x)
{
    return (x.at > x.error) - (x.at < -x.error);
}

static number dot(const number a[3], const number b[3])
{
    return plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]));
}

static void cross(const number a[3], const number b[3], number out[3])
{
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = minus(times(a[i], b[j]), times(a[j], b[i]));
    }
}

static number value_at(const double p[4], const double x[3])
{
    number sum = {p[3], 0.0};
    for (int k = 0; k < 3; k++)
        sum = plus(sum, times((number){p[k], 0.0}, (number){x[k], 0.0}));
    return sum;
}

// ---- Depths -------------------------------------------------------------------------------------------------------

// p · (x, 1) in double-doubles. False: a product is out of range.
static bool value_doubled(const double p[4], const double x[3], grz_bounded *out)
{
    double size = fabs(p[3]);
    out->at = (dd){p[3], 0.0};
    for (int k = 0; k < 3; k++) {
        dd product;
        two_product(p[k], x[k], &product.high, &product.low);
        const double magnitude = fabs(product.high);
        if (product.high != 0.0 ? !(magnitude > GRZ_PRODUCT_MIN && magnitude < GRZ_PRODUCT_MAX)
                                : p[k] != 0.0 && x[k] != 0.0)
            return false;
        size += magnitude;
        out->at = dd_add(out->at, product);
    }
    out->error = 16.0 * GRZ_UU * size; // three sums, each off by 3u² of at most the size
    return size < GRZ_PRODUCT_MAX;
}

// Whether nothing over- or underflows in the quotient.
static bool divides_in_range(const grz_bounded *x, const grz_bounded *y)
{
    const double quotient = fabs(x->at.high / y->at.high);
    return quotient > GRZ_PRODUCT_MIN && quotient < GRZ_PRODUCT_MAX;
}

static double depth_of_corner(grz_region_rows *rows, int i)
{
    const double *const x = rows->corners[i];
    grz_bounded above, below, depth;
    grz_integer weights[3];
    if (value_doubled(rows->region->depth[0], x, &above) && value_doubled(rows->region->depth[1], x, &below) &&
        divides_in_range(&above, &below) && grz_bounded_divide(&above, &below, &depth) &&
        grz_bounded_is_nearest(&depth))
        return depth.at.high;
    for (int k = 0; k < 3; k++)
        grz_integer_from_double(i == k ? 1.0 : 0.0, 0, &weights[k]);
    return grz_region_depth(rows, weights);
}

static void widen(double depth, double *least, double *greatest)
{
    *least = depth < *least ? depth : *least;
    *greatest = depth > *greatest ? depth : *greatest;
}

// ---- Vertices -----------------------------------------------------------------------------------------------------

// Whether all other active constraints hold at the point where a and b are 0: 1 certainly, -1 certainly not, 0 not
// known.
static int holds(const number row[GRZ_REGION_ROWS][3], uint32_t active, int a, int b, int sign)
{
    number weights[3];
    int worst = 1;
    cross(row[a], row[b], weights);
    for (int i = 0; i < GRZ_REGION_ROWS && worst >= 0; i++) {
        if (i == a || i == b || (active >> i & 1) == 0)
            continue;
        const int side = sign * sign_of(dot(row[i], weights));
        worst = side < worst ? side : worst;
    }
    return worst;
}

// The point where two constraints are 0, if it is in the region.
static bool add_vertex(grz_region_rows *rows, const number row[GRZ_REGION_ROWS][3], uint32_t active, int a, int b,
                       int sign, double *least, double *greatest)
{
    grz_integer weights[3];
    const int known = holds(row, active, a, b, sign);
    if (known < 0)
        return false;
    if (known > 0 && b < 3) { // a corner
        widen(depth_of_corner(rows, 3 - a - b), least, greatest);
        return true;
    }
    if (!grz_region_vertex(rows, known > 0 ? 0 : active, a, b, sign, weights))
        return false;
    widen(grz_region_depth(rows, weights), least, greatest);
    return true;
}

bool grz_region_meets(const grz_region *region, const double c[3][3], double *least, double *greatest)
{
    number row[GRZ_REGION_ROWS][3] = {{{1.0, 0.0}}, {{0.0, 0.0}, {1.0, 0.0}}, {{0.0, 0.0}, {0.0, 0.0}, {1.0, 0.0}}};
    grz_region_rows rows;
    uint32_t active = 7;
    bool meets = false;
    rows.region = region;
    rows.corners = c;
    rows.known = 0;
    for (int i = 0; i < GRZ_REGION_PLANES; i++) {
        int inside = 0, outside = 0;
        for (int j = 0; j < 3; j++) {
            row[3 + i][j] = value_at(region->planes[i], c[j]);
            inside += sign_of(row[3 + i][j]) > 0;
            outside += sign_of(row[3 + i][j]) < 0;
        }
        if (outside == 3)
            return false;
        if (inside < 3)
            active |= UINT32_C(8) << i;
    }
    *least = HUGE_VAL;
    *greatest = -HUGE_VAL;
    for (int a = 0; a < GRZ_REGION_ROWS; a++)
        for (int b = a + 1; b < GRZ_REGION_ROWS; b++)
            for (int sign = -1; sign <= 1 && (active >> a & active >> b & 1) != 0; sign += 2)
                meets |= add_vertex(&rows, (const number(*)[3])row, active, a, b, sign, least, greatest);
    return meets;
}
