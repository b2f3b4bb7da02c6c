// SPDX-License-Identifier: MIT
// With u = 2^-53: differences of coordinates are exact double-doubles; products are off by 7u² of themselves, sums by
// 3u². Every bound below is counted from that, doubled at least, and docs/distance.md lists them ("Rounding in
// double-doubles").
#include "geometry/distance/doubled.h"

#include <math.h>

#include "geometry/exact/expansion.h"

// u²
static const double UU = 0x1p-106;
// Coordinates' differences are between these, or 0: then nothing that counts over- or underflows.
static const double SMALLEST = 0x1p-60, LARGEST = 0x1p150;
static const double SMALLEST_SQUARE = 0x1p-200;

// A number and how far off it is at most.
typedef struct bounded {
    dd at;
    double error;
} bounded;

// A vector; each coordinate is at most `most` in magnitude and at most `error` off.
typedef struct vector {
    dd at[3];
    double most, error;
} vector;

static double magnitude(dd x)
{
    return fabs(x.high) * (1.0 + 0x1p-50);
}

static double most_of(const dd v[3])
{
    const double x = magnitude(v[0]), y = magnitude(v[1]), z = magnitude(v[2]), xy = x > y ? x : y;
    return xy > z ? xy : z;
}

// False if it is 0, or out of range.
static bool way_between(const double from[3], const double to[3], vector *out)
{
    for (int k = 0; k < 3; k++)
        out->at[k] = dd_difference(to[k], from[k]);
    out->most = most_of(out->at);
    out->error = 0.0;
    return out->most > SMALLEST && out->most < LARGEST;
}

// Each product has an error of 7u² and those of its factors; each sum 3u² of what is added up.
static bounded dot(const vector *x, const vector *y)
{
    dd sum = dd_multiply(x->at[0], y->at[0]);
    for (int k = 1; k < 3; k++)
        sum = dd_add(sum, dd_multiply(x->at[k], y->at[k]));
    const double product = 3.0 * x->most * y->most;
    return (bounded){sum, 32.0 * UU * product + 4.0 * (x->most * y->error + x->error * y->most + x->error * y->error)};
}

// Of ways, which have no errors.
static vector cross(const vector *x, const vector *y)
{
    vector out;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out.at[k] = dd_add(dd_multiply(x->at[i], y->at[j]), dd_negate(dd_multiply(x->at[j], y->at[i])));
    }
    out.most = most_of(out.at);
    out.error = 48.0 * UU * x->most * y->most;
    return out;
}

static double relative(const bounded *x)
{
    return x->error / fabs(x->at.high);
}

// The quotient of two numbers, the second above 0. False if too little is known of it.
static bool divide(const bounded *x, const bounded *y, bounded *out)
{
    const double of_y = relative(y);
    if (!(y->at.high > 0.0 && of_y < 0x1p-60))
        return false;
    out->at = dd_divide(x->at, y->at);
    out->error = 2.0 * (x->error / y->at.high + fabs(out->at.high) * (of_y + 32.0 * UU));
    return true;
}

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
static bool normal_of(const features *f, vector *n)
{
    const bool of_edges = f->counts[0] == 2;
    const double *const *p = f->counts[0] > 1 ? f->points[0] : f->points[1];
    vector x, y;
    if (!way_between(p[0], p[1], &x))
        return false;
    if (of_edges ? !way_between(f->points[1][0], f->points[1][1], &y) : !way_between(p[0], p[2], &y))
        return false;
    *n = cross(&x, &y);
    return true;
}

static bool square_of(const features *f, bounded *square)
{
    vector r, u, n;
    if (!way_between(f->points[0][0], f->points[1][0], &r))
        return false;
    const int count = f->counts[0] + f->counts[1];
    if (count == 2) {
        *square = dot(&r, &r);
        return true;
    }
    if (count == 3) {
        const double *const *edge = f->points[f->counts[0] == 2 ? 0 : 1];
        if (!way_between(edge[0], edge[1], &u))
            return false;
        n = cross(&u, &r);
        const bounded numerator = dot(&n, &n), denominator = dot(&u, &u);
        return divide(&numerator, &denominator, square);
    }
    if (!normal_of(f, &n))
        return false;
    const bounded height = dot(&n, &r), denominator = dot(&n, &n);
    const double size = fabs(height.at.high);
    const bounded numerator = {dd_multiply(height.at, height.at),
                               3.0 * size * height.error + 2.0 * height.error * height.error + 16.0 * UU * size * size};
    return divide(&numerator, &denominator, square);
}

// ---- Rounding ------------------------------------------------------------------------------------------------------

// True if `high` is certainly the nearest double. The next ones are half its unit in the last place away at least, of
// both sides.
static bool is_nearest(const bounded *x)
{
    const double high = fabs(x->at.high), inner = high - nextafter(high, 0.0);
    return fabs(x->at.low) + x->error < 0.5 * inner * (1.0 - 0x1p-30);
}

bool grz_doubled_root(const double a[3][3], const double b[3][3], grz_nearest nearest, grz_root *out)
{
    const features f = features_of(a, b, nearest);
    bounded square, root;
    if (!square_of(&f, &square) || !(square.at.high > SMALLEST_SQUARE) || !(relative(&square) < 0x1p-60))
        return false;
    // One step of Newton's method from the root of the high part: the error of the step is the square of its size, 2u,
    // and 6u of the step itself.
    const double first = sqrt(square.at.high);
    dd back;
    two_product(first, first, &back.high, &back.low);
    const double rest = (square.at.high - back.high) + (square.at.low - back.low);
    fast_two_sum(first, rest / (2.0 * first), &root.at.high, &root.at.low);
    root.error = first * (relative(&square) + 32.0 * UU);
    if (!is_nearest(&root) || !(fabs(root.at.low) > root.error))
        return false;
    const double nearest_root = root.at.high;
    out->nearest = nearest_root;
    out->lower = root.at.low > 0.0 ? nearest_root : nextafter(nearest_root, 0.0);
    out->upper = root.at.low > 0.0 ? nextafter(nearest_root, HUGE_VAL) : nearest_root;
    return true;
}

// from + way · share, rounded. False if that is not certain.
static bool round_point(const double from[3], const vector *way, const bounded *share, double out[3])
{
    const double size = fabs(share->at.high);
    for (int k = 0; k < 3; k++) {
        const dd step = dd_multiply(way->at[k], share->at);
        const double length = magnitude(step), along = magnitude(way->at[k]);
        bounded x;
        x.at = dd_add_double(step, from[k]);
        x.error = 2.0 * (along * share->error + way->error * (size + share->error)) + 16.0 * UU * length +
                  4.0 * UU * fabs(x.at.high) + 0x1p-1000;
        if (!is_nearest(&x))
            return false;
        out[k] = x.at.high;
    }
    return true;
}

// The foot of a point on an edge or face.
static bool round_foot(const features *f, int other, double out[3])
{
    const double *const *p = f->points[other], *point = f->points[1 - other][0];
    vector r, way;
    bounded share;
    if (f->counts[other] == 2) {
        if (!way_between(p[0], p[1], &way) || !way_between(p[0], point, &r))
            return false;
    } else if (!normal_of(f, &way) || !way_between(point, p[0], &r)) {
        return false;
    }
    const bounded along = dot(&way, &r), square = dot(&way, &way);
    return divide(&along, &square, &share) && round_point(f->counts[other] == 2 ? p[0] : point, &way, &share, out);
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
