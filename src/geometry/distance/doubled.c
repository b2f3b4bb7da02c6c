// SPDX-License-Identifier: MIT
// The arithmetic and its error bounds are those of exact/bounded.h. docs/use/distance.md lists them ("Rounding in
// double-doubles").
#include "geometry/distance/doubled.h"

#include <math.h>

#include "base/rounding.h"
#include "geometry/exact/bounded.h"

// The square of a distance that is large enough for the root to tell anything.
static const double SMALLEST_SQUARE = 0x1p-200;

// Two corners, edges or faces.
typedef struct features {
    int counts[2];
    const double *points[2][3];
} features;

static features features_of(const double a[3][3], const double b[3][3], grz_nearest nearest)
{
    features f = {.counts = {0}};
    f.counts[0] = grz_feature_corners(a, nearest.a, f.points[0]);
    f.counts[1] = grz_feature_corners(b, nearest.b, f.points[1]);
    return f;
}

// A normal of two edges, or of the face.
static bool normal_of(const features *f, grz_bounded_vector *n)
{
    const bool of_edges = f->counts[0] == 2;
    const double *const *p = f->counts[0] > 1 ? f->points[0] : f->points[1];
    grz_bounded_vector x, y;
    if (!grz_way_between(p[0], p[1], &x))
        return false;
    if (of_edges ? !grz_way_between(f->points[1][0], f->points[1][1], &y) : !grz_way_between(p[0], p[2], &y))
        return false;
    *n = grz_bounded_cross(&x, &y);
    return true;
}

static bool square_of(const features *f, grz_bounded *square)
{
    grz_bounded_vector r, u, n;
    if (!grz_way_between(f->points[0][0], f->points[1][0], &r))
        return false;
    const int count = f->counts[0] + f->counts[1];
    if (count == 2) {
        *square = grz_bounded_dot(&r, &r);
        return true;
    }
    if (count == 3) {
        const double *const *edge = f->points[f->counts[0] == 2 ? 0 : 1];
        if (!grz_way_between(edge[0], edge[1], &u))
            return false;
        n = grz_bounded_cross(&u, &r);
        const grz_bounded numerator = grz_bounded_dot(&n, &n), denominator = grz_bounded_dot(&u, &u);
        return grz_bounded_divide(&numerator, &denominator, square);
    }
    if (!normal_of(f, &n))
        return false;
    const grz_bounded height = grz_bounded_dot(&n, &r), denominator = grz_bounded_dot(&n, &n);
    const double size = fabs(height.at.high);
    const grz_bounded numerator = {dd_multiply(height.at, height.at), 3.0 * size * height.error +
                                                                          2.0 * height.error * height.error +
                                                                          16.0 * GRZ_UU * size * size};
    return grz_bounded_divide(&numerator, &denominator, square);
}

// ---- Rounding ------------------------------------------------------------------------------------------------------

bool grz_doubled_root(const double a[3][3], const double b[3][3], grz_nearest nearest, grz_root *out)
{
    const features f = features_of(a, b, nearest);
    grz_bounded square, root;
    if (!square_of(&f, &square) || !(square.at.high > SMALLEST_SQUARE) ||
        !(grz_bounded_relative(&square) < GRZ_ERROR_ENOUGH))
        return false;
    root = grz_bounded_root(&square);
    if (!grz_bounded_is_nearest(&root) || !(fabs(root.at.low) > root.error))
        return false;
    const double nearest_root = root.at.high;
    out->nearest = nearest_root;
    out->lower = root.at.low > 0.0 ? nearest_root : nextafter(nearest_root, 0.0);
    out->upper = root.at.low > 0.0 ? nextafter(nearest_root, HUGE_VAL) : nearest_root;
    return true;
}

// from + way · share, rounded. False if that is not certain.
static bool round_point(const double from[3], const grz_bounded_vector *way, const grz_bounded *share, double out[3])
{
    const double size = fabs(share->at.high);
    for (int k = 0; k < 3; k++) {
        const dd step = dd_multiply(way->at[k], share->at);
        const double length = grz_dd_magnitude(step), along = grz_dd_magnitude(way->at[k]);
        grz_bounded x;
        x.at = dd_add_double(step, from[k]);
        x.error = 2.0 * (along * share->error + way->error * (size + share->error)) + 16.0 * GRZ_UU * length +
                  4.0 * GRZ_UU * fabs(x.at.high) + GRZ_UNDERFLOWS;
        if (!grz_bounded_is_nearest(&x))
            return false;
        out[k] = x.at.high;
    }
    return true;
}

// The foot of a point on an edge or face.
static bool round_foot(const features *f, int other, double out[3])
{
    const double *const *p = f->points[other], *point = f->points[1 - other][0];
    grz_bounded_vector r, way;
    grz_bounded share;
    if (f->counts[other] == 2) {
        if (!grz_way_between(p[0], p[1], &way) || !grz_way_between(p[0], point, &r))
            return false;
    } else if (!normal_of(f, &way) || !grz_way_between(point, p[0], &r)) {
        return false;
    }
    const grz_bounded along = grz_bounded_dot(&way, &r), square = grz_bounded_dot(&way, &way);
    return grz_bounded_divide(&along, &square, &share) &&
           round_point(f->counts[other] == 2 ? p[0] : point, &way, &share, out);
}

bool grz_doubled_points(const double a[3][3], const double b[3][3], grz_nearest nearest, double on_a[3], double on_b[3])
{
    const features f = features_of(a, b, nearest);
    double *const on[2] = {on_a, on_b};
    if (f.counts[0] > 1 && f.counts[1] > 1)
        return false;
    for (int i = 0; i < 2; i++) {
        if (f.counts[i] > 1 && !round_foot(&f, i, on[i]))
            return false;
        for (int k = 0; k < 3 && f.counts[i] == 1; k++)
            on[i][k] = f.points[i][0][k] + 0.0; // no -0
    }
    return true;
}
