// SPDX-License-Identifier: MIT
// Placing convex sets, and their farthest points.
//
// How far off: a corner is the exact sum of up to seven products and two numbers. It is added up in double-doubles,
// whose rounding is at most 2^-99 of the magnitudes' sum, and rounded to a double: 2^-53 of its magnitude. A farthest
// point of the other forms comes from fewer than 32 operations on numbers that are no larger than its extent.
#include "geometry/convex/convex_set.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/exact/expansion.h"
#include "geometry/vector.h"

// What products below the smallest normal double may lose. No entry of a pose is above 2^300.
static const double UNDERFLOW = 0x1p-700;

// The errors above, at least doubled: of a rounded corner, of what is added up for it, of a farthest point of the other
// forms.
static const double ROUNDED = 0x1p-52, ADDED_UP = 0x1p-96, OF_ROUND = 0x1p-47;

// Entries of a scaled pose. Coordinates are at most 2^300: sums of products with them do not overflow, and what they
// lose by underflow is far below UNDERFLOW.
static const double LEAST_ENTRY = 0x1p-300, MOST_ENTRY = 0x1p300;

// m · p · scale, exactly but for what underflow may lose. The product is at most about 1, but m · scale or p · scale
// may not be: scale goes to the smaller of the two.
static dd product_of(double m, double p, double scale)
{
    dd product;
    if (fabs(p) >= 1.0)
        two_product(m * scale, p, &product.high, &product.low);
    else
        two_product(m, p * scale, &product.high, &product.low);
    if (fabs(product.high) < GRZ_PRODUCT_MIN) // the second part may be wrong there
        product.low = 0.0;
    return product;
}

// One coordinate of the exact position of a local point; *size grows by the magnitudes that were added up.
static double place(const grz_convex *c, int k, const double p[3], double far, const double origin[3], double scale,
                    double *size)
{
    const double *m = c->pose.m[k];
    dd sum = dd_difference(m[3] * scale, origin[k] * scale);
    *size += fabs(m[3] * scale) + fabs(origin[k] * scale);
    for (int j = 0; j < 3; j++) {
        const dd product = product_of(m[j], p[j], scale);
        sum = dd_add(sum, product);
        *size += fabs(product.high);
        if (far != 0.0) {
            const dd more = product_of(m[j], c->along[j], scale * far);
            sum = dd_add(sum, more);
            *size += fabs(more.high);
        }
    }
    return sum.high + sum.low;
}

static double length(const double v[3])
{
    return sqrt(grz_dot(v, v));
}

// Place corner i. *size becomes what place() adds up.
static void place_corner(const grz_convex *c, uint32_t i, const double origin[3], double scale, double *size)
{
    const double far = i == 1 ? c->far : c->both_ways ? -c->far : 0.0;
    *size = 0.0;
    for (int k = 0; k < 3; k++)
        c->corners[i][k] = place(c, k, c->local[i], far, origin, scale, size);
}

const double *grz_convex_corner(const grz_convex *c, uint32_t i)
{
    double size;
    if (c->heights != NULL && isnan(c->corners[i][0]))
        place_corner(c, i, c->origin, c->scale, &size);
    return c->corners[i];
}

// Scale the pose. False: products with it may overflow, or lose digits to underflow.
static bool scale_pose(grz_convex *c, double scale)
{
    for (int i = 0; i < 9; i++) {
        const double m = c->pose.m[i / 3][i % 3], scaled = m * scale;
        if (m != 0.0 && !(fabs(scaled) >= LEAST_ENTRY && fabs(scaled) <= MOST_ENTRY))
            return false;
        c->matrix[i / 3][i % 3] = scaled;
    }
    return true;
}

// Place the corners in plain doubles, each coordinate off by less than 2^-49 of its sum of magnitudes. This is enough
// for all that is asked of the whole set, but for its extent: the corners that may lie farthest out are placed.
static void let_corners_wait(grz_convex *c, const double origin[3], double scale)
{
    double offset[3], shift_size[3], size = 0.0, longest = 0.0, most = 0.0;
    c->scale = scale;
    for (int k = 0; k < 3; k++) {
        c->origin[k] = origin[k];
        c->middle[k] = 0.0;
        offset[k] = c->pose.m[k][3] * scale - origin[k] * scale;
        shift_size[k] = fabs(c->pose.m[k][3] * scale) + fabs(origin[k] * scale);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        const double *p = c->local[i];
        double sum = 0.0, square = 0.0;
        for (int k = 0; k < 3; k++) {
            const double x = c->matrix[k][0] * p[0], y = c->matrix[k][1] * p[1], z = c->matrix[k][2] * p[2];
            const double at = offset[k] + (x + y + z);
            sum = sum + shift_size[k] + fabs(x) + fabs(y) + fabs(z); // in the order of place()
            square += at * at;
            c->middle[k] += at;
        }
        c->corners[i][0] = (double)NAN;
        c->heights[i] = square;
        size = sum > size ? sum : size;
        longest = square > longest ? square : longest;
    }
    for (int k = 0; k < 3; k++)
        c->middle[k] /= c->count;
    const double least = sqrt(longest) - 0x1p-45 * size; // the lengths of two are off by 2^-49 √3 each
    for (uint32_t i = 0; i < c->count; i++)
        if (least <= 0.0 || c->heights[i] >= least * least * GRZ_LESS(8)) {
            const double out = length(grz_convex_corner(c, i));
            most = out > most ? out : most;
        }
    c->size = size;
    c->extent = most * GRZ_MORE(8);
    c->error = ROUNDED * most + ADDED_UP * size + UNDERFLOW;
}

static void place_corners(grz_convex *c, const double origin[3], double scale)
{
    double most = 0.0, size = 0.0;
    if (c->heights != NULL && scale_pose(c, scale)) {
        let_corners_wait(c, origin, scale);
        return;
    }
    c->heights = NULL;
    for (uint32_t i = 0; i < c->count; i++) {
        double sum;
        place_corner(c, i, origin, scale, &sum);
        most = fmax(most, length(c->corners[i]));
        size = fmax(size, sum);
    }
    c->extent = most * GRZ_MORE(8);
    c->error = ROUNDED * most + ADDED_UP * size + UNDERFLOW;
}

static void place_round(grz_convex *c, const double origin[3], double scale)
{
    static const double ZERO[3] = {0.0, 0.0, 0.0};
    double size = 0.0, most = 0.0;
    for (int k = 0; k < 3; k++) {
        double across = 0.0;
        c->middle[k] = place(c, k, ZERO, 0.0, origin, scale, &size);
        for (int j = 0; j < 3; j++) {
            c->matrix[k][j] = product_of(c->pose.m[k][j], c->half[j], scale).high;
            across += fabs(c->matrix[k][j]);
        }
        most = fmax(most, across);
    }
    // The largest row's sum, times the root of 3, bounds how far a point is from the middle.
    const double round = 2.0 * most;
    c->extent = (length(c->middle) + round) * GRZ_MORE(8);
    c->error = ROUNDED * length(c->middle) + OF_ROUND * round + ADDED_UP * size + UNDERFLOW;
}

void grz_convex_place(grz_convex *c, const double origin[3], double scale)
{
    if (c->form == GRZ_CONVEX_CORNERS)
        place_corners(c, origin, scale);
    else
        place_round(c, origin, scale);
}

// On the unit ball, cylinder or cone, along m.
static void farthest_of_unit(grz_convex_form form, double m[3], double out[3])
{
    const double most = grz_largest(m);
    if (!(most > 0x1p-400 && most < 0x1p400)) // squares would vanish or overflow
        for (int k = 0; k < 3; k++)
            m[k] = most > 0.0 ? m[k] / most : 0.0;
    double x = m[0], y = m[1], unit = 1.0;
    if (fabs(x) < 0x1p-400 && fabs(y) < 0x1p-400 && (x != 0.0 || y != 0.0)) { // the same beside a large m[2]
        unit = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
        x /= unit;
        y /= unit;
    }
    const double root = sqrt(x * x + y * y), across = unit * root;
    if (form == GRZ_CONVEX_ELLIPSOID) {
        const double all = length(m);
        for (int k = 0; k < 3; k++)
            out[k] = all > 0.0 ? m[k] / all : 0.0;
        return;
    }
    if (form == GRZ_CONVEX_CONE && m[2] >= across - m[2]) { // the apex, m[2], against the rim, across - m[2]
        out[0] = out[1] = 0.0;
        out[2] = 1.0;
        return;
    }
    out[0] = root > 0.0 ? x / root : 0.0;
    out[1] = root > 0.0 ? y / root : 0.0;
    out[2] = form == GRZ_CONVEX_CONE || m[2] < 0.0 ? -1.0 : 1.0;
}

// The farthest of corners that wait. n · corner differs between two of them as m · p does, m the direction in local
// coordinates, but for roundings: each product is off by 2^-50 of |n| · size, and one with a placed corner by what is
// off in the corner and in the product. Only corners that may be farthest by that are placed and compared.
static uint32_t farthest_waiting(const grz_convex *c, const double n[3])
{
    const double width = grz_largest(n);
    // 32 roundings: two products have 16 of the size, and 14 of the extent. The errors of two corners count √3 each.
    const double margin = width * (0x1p-48 * c->size + 8.0 * c->error + 0x1p-48 * c->extent);
    double m[3], high = -HUGE_VAL, most = -HUGE_VAL;
    uint32_t best = 0;
    for (int j = 0; j < 3; j++)
        m[j] = n[0] * c->matrix[0][j] + n[1] * c->matrix[1][j] + n[2] * c->matrix[2][j];
    for (uint32_t i = 0; i < c->count; i++) {
        const double height = grz_dot(m, c->local[i]);
        c->heights[i] = height;
        high = height > high ? height : high;
    }
    const double least = high - margin;
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->heights[i] < least)
            continue;
        const double along = grz_dot(n, grz_convex_corner(c, i));
        if (along > most) {
            most = along;
            best = i;
        }
    }
    return best;
}

uint32_t grz_convex_farthest(const grz_convex *c, const double n[3], double out[3])
{
    if (c->form == GRZ_CONVEX_CORNERS && c->heights != NULL) {
        const uint32_t best = farthest_waiting(c, n);
        memcpy(out, c->corners[best], sizeof c->corners[best]);
        return best;
    }
    if (c->form == GRZ_CONVEX_CORNERS) {
        uint32_t best = 0;
        double most = -HUGE_VAL;
        for (uint32_t i = 0; i < c->count; i++) {
            const double along = grz_dot(n, c->corners[i]);
            if (along > most) {
                most = along;
                best = i;
            }
        }
        memcpy(out, c->corners[best], sizeof c->corners[best]);
        return best;
    }
    double m[3], unit[3];
    for (int j = 0; j < 3; j++)
        m[j] = n[0] * c->matrix[0][j] + n[1] * c->matrix[1][j] + n[2] * c->matrix[2][j];
    farthest_of_unit(c->form, m, unit);
    for (int k = 0; k < 3; k++)
        out[k] = grz_dot(c->matrix[k], unit) + c->middle[k];
    return 0;
}

void grz_convex_middle(const grz_convex *c, double out[3])
{
    if (c->form != GRZ_CONVEX_CORNERS || c->heights != NULL) {
        memcpy(out, c->middle, sizeof c->middle);
        return;
    }
    for (int k = 0; k < 3; k++) {
        out[k] = 0.0;
        for (uint32_t i = 0; i < c->count; i++)
            out[k] += c->corners[i][k] / c->count;
    }
}
