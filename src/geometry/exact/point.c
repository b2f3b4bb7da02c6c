// SPDX-License-Identifier: MIT
// Points where a line meets a plane or another line. If d and e are the signed distances of the line's points p and q
// from that plane or line, the point is (p·e - q·d) / (e - d).
// Rounded coordinates: double-double arithmetic first. Its result is used if the error bound proves which double is the
// nearest (Ziv's rounding test; docs/reference/numbers.md, "Places of contact points", has the bound). Otherwise exact
// integers decide. Signs and comparisons: doubles with an error bound first, then exact integers.
#include "geometry/exact/point.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/exact/determinant.h"
#include "geometry/exact/integer.h"
#include "geometry/exact/predicates.h"

// ---- Exact integers ----

// The point x / w in homogeneous coordinates, w > 0, in units of 2^-shift.
typedef struct grz_homogeneous {
    grz_integer x[3], w;
} grz_homogeneous;

// How many of the points p[] define this point.
static int defining_count(const grz_exact_point *x)
{
    return x->form == GRZ_POINT_GIVEN ? 1 : x->form == GRZ_POINT_ON_PLANE ? 5 : 4;
}

// The shift for which all coordinates that define x, y and the points `more` become integers. `y` and `more` may be
// NULL.
static int shift_of(const grz_exact_point *x, const grz_exact_point *y, const double *const more[], int more_count)
{
    const double *all[13]; // 5 that define x, 5 that define y, 3 more
    int count = 0;
    assert(more_count <= 3);
    for (int i = 0; i < defining_count(x); i++)
        all[count++] = x->p[i];
    for (int i = 0; y != NULL && i < defining_count(y); i++)
        all[count++] = y->p[i];
    for (int i = 0; i < more_count; i++)
        all[count++] = more[i];
    return grz_integer_common_shift(all, count, 3);
}

// n = (b - a) × (c - a)
static void normal_of(const double a[3], const double b[3], const double c[3], int shift, grz_integer n[3])
{
    grz_integer u[3], v[3];
    for (int i = 0; i < 3; i++) {
        grz_integer_difference(a[i], b[i], shift, &u[i]);
        grz_integer_difference(a[i], c[i], shift, &v[i]);
    }
    grz_integer_cross(u, v, n);
}

static void dot(const grz_integer u[3], const grz_integer v[3], grz_integer *out)
{
    grz_integer term, sum;
    grz_integer_multiply(&u[0], &v[0], &sum);
    grz_integer_multiply(&u[1], &v[1], &term);
    grz_integer_add(&sum, &term, 1, out);
    grz_integer_multiply(&u[2], &v[2], &term);
    grz_integer_copy(out, &sum);
    grz_integer_add(&sum, &term, 1, out);
}

// The signed distances of the line's two points p[0], p[1] from the plane or line that it meets, both multiplied by the
// same number.
static void integer_distances(const grz_exact_point *x, int shift, grz_integer d[2])
{
    grz_integer n[3], w[3];
    if (x->form == GRZ_POINT_ON_PLANE) {
        normal_of(x->p[2], x->p[3], x->p[4], shift, n);
        for (int end = 0; end < 2; end++) {
            for (int i = 0; i < 3; i++)
                grz_integer_difference(x->p[2][i], x->p[end][i], shift, &w[i]);
            dot(n, w, &d[end]);
        }
        return;
    }
    // All four points lie in one plane. Projecting along an axis keeps the ratio of the two distances, unless the lines
    // coincide in the projection; then d[0] equals d[1] and the next axis is tried.
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        for (int end = 0; end < 2; end++) {
            grz_integer u[2], v[2];
            grz_integer_difference(x->p[2][j], x->p[3][j], shift, &u[0]);
            grz_integer_difference(x->p[2][k], x->p[3][k], shift, &u[1]);
            grz_integer_difference(x->p[2][j], x->p[end][j], shift, &v[0]);
            grz_integer_difference(x->p[2][k], x->p[end][k], shift, &v[1]);
            grz_integer_determinant2(&u[0], &u[1], &v[0], &v[1], &d[end]);
        }
        if (grz_integer_compare(&d[0], &d[1]) != 0)
            return;
    }
}

// The point in homogeneous coordinates.
static void homogeneous_of(const grz_exact_point *x, int shift, grz_homogeneous *out)
{
    if (x->form == GRZ_POINT_GIVEN) {
        for (int i = 0; i < 3; i++)
            grz_integer_from_double(x->p[0][i], shift, &out->x[i]);
        grz_integer_from_double(1.0, 0, &out->w);
        return;
    }
    grz_integer d[2];
    integer_distances(x, shift, d);
    grz_integer_add(&d[1], &d[0], -1, &out->w);
    const int sign = out->w.sign;
    assert(sign != 0); // the line is not parallel to what it meets
    for (int i = 0; i < 3; i++) {
        grz_integer p, q, plus, minus;
        grz_integer_from_double(x->p[0][i], shift, &p);
        grz_integer_from_double(x->p[1][i], shift, &q);
        grz_integer_multiply(&p, &d[1], &plus);
        grz_integer_multiply(&q, &d[0], &minus);
        grz_integer_add(&plus, &minus, -1, &out->x[i]);
        out->x[i].sign *= sign;
    }
    out->w.sign *= sign;
}

static void round_by_integers(const grz_exact_point *x, double rounded[3])
{
    const int shift = shift_of(x, NULL, NULL, 0);
    grz_homogeneous h;
    homogeneous_of(x, shift, &h);
    for (int i = 0; i < 3; i++)
        rounded[i] = grz_integer_quotient(&h.x[i], &h.w, -shift);
}

// out = (x - a) · w, where w is the denominator of x
static void integer_difference(const grz_homogeneous *x, const double a[3], int shift, grz_integer out[3])
{
    for (int i = 0; i < 3; i++) {
        grz_integer from, scaled;
        grz_integer_from_double(a[i], shift, &from);
        grz_integer_multiply(&from, &x->w, &scaled);
        grz_integer_add(&x->x[i], &scaled, -1, &out[i]);
    }
}

// ---- Rounded coordinates ----

// The point as near + share · (far - near). `near` is the line's point closer to the plane or line that it meets, so
// the share is at most 1/2.
typedef struct grz_interpolation {
    const double *near, *far;
    dd share;
    double error; // relative error of the share
} grz_interpolation;

// Products of coordinates and numbers between these bounds neither overflow nor underflow.
static const double LARGE = 0x1p400, SMALL = 0x1p-400;
// Chosen: the parts of the error of a distance that may be left, and of that of a share. A double has 53 digits.
static const double PRECISE = 0x1p40, INTERPOLATION_ENOUGH = 0x1p-60;

// The signed distances of p[0] and p[1] in double-double, each with an absolute error bound. False if an intermediate
// result could underflow, or if the distances do not have opposite signs for certain.
static bool approximate_distances(const grz_exact_point *x, dd d[2], double error[2])
{
    if (x->form == GRZ_POINT_ON_PLANE) {
        const double *const line[2] = {x->p[0], x->p[1]};
        return grz_plane_distances_approximate(x->p[2], x->p[3], x->p[4], line, 2, d, error) &&
               (d[0].high < 0.0) != (d[1].high < 0.0);
    }
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const double r[2] = {x->p[2][j], x->p[2][k]}, s[2] = {x->p[3][j], x->p[3][k]};
        bool precise = true;
        for (int end = 0; end < 2 && precise; end++) {
            const double p[2] = {x->p[end][j], x->p[end][k]};
            precise =
                grz_orient2d_approximate(r, s, p, &d[end], &error[end]) && fabs(d[end].high) > PRECISE * error[end];
        }
        if (precise)
            return (d[0].high < 0.0) != (d[1].high < 0.0);
    }
    return false;
}

static dd magnitude(dd x)
{
    return x.high < 0.0 ? dd_negate(x) : x;
}

// Find the interpolation. False if its error cannot be bounded well enough.
static bool interpolate(const grz_exact_point *x, grz_interpolation *interpolation)
{
    dd d[2];
    double error[2];
    if (!approximate_distances(x, d, error))
        return false;
    d[0] = magnitude(d[0]);
    d[1] = magnitude(d[1]);
    const int near = d[0].high <= d[1].high ? 0 : 1;
    if (!(d[near].high > error[near]) || !(d[1 - near].high > error[1 - near]) || d[1 - near].high > LARGE ||
        d[near].high < SMALL)
        return false;
    const dd total = dd_add(d[0], d[1]);
    interpolation->near = x->p[near];
    interpolation->far = x->p[1 - near];
    interpolation->share = dd_divide(d[near], total);
    // The errors of the two determinants, of a sum (3u²) and of a quotient (15u²), u = 2^-53.
    interpolation->error = 1.0001 * (error[near] / d[near].high + (error[0] + error[1]) / total.high) + 32.0 * 0x1p-106;
    assert(interpolation->share.high > 0.0 && interpolation->share.high < 0.51);
    return interpolation->error < INTERPOLATION_ENOUGH;
}

// One coordinate, rounded to the nearest double. False if the error bound leaves open which double that is.
static bool round_coordinate(const grz_interpolation *interpolation, int axis, double *out)
{
    const double near = interpolation->near[axis], far = interpolation->far[axis];
    const dd step = dd_multiply(interpolation->share, dd_difference(far, near)), x = dd_add_double(step, near);
    // 7u² for the product, 2u² for the sum, and the rounding errors of the two additions to x.low below, each at least
    // doubled: 16u², 4u², 2u.
    const double error =
        fabs(step.high) * (interpolation->error + 0x1p-102) + fabs(x.high) * 0x1p-104 + fabs(x.low) * 0x1p-52;
    if (fabs(step.high) < GRZ_PRODUCT_MIN || fabs(x.high) < GRZ_PRODUCT_MIN)
        return false;
    *out = x.high;
    return x.high + (x.low - error) == x.high && x.high + (x.low + error) == x.high;
}

// A coordinate that needs no computation, because the line or plane through the point is perpendicular to that axis:
// all its defining points have the same coordinate. False if there is none.
static bool constant_coordinate(const grz_exact_point *x, int axis, double *out)
{
    const double(*p)[3] = x->p;
    if (p[0][axis] == p[1][axis])
        *out = p[0][axis] + 0.0; // adding 0 turns -0 into +0
    else if (p[2][axis] == p[3][axis] && (x->form == GRZ_POINT_ON_LINE || p[2][axis] == p[4][axis]))
        *out = p[2][axis] + 0.0;
    else
        return false;
    return true;
}

// Fill x->rounded.
static void round_position(grz_exact_point *x)
{
    grz_interpolation interpolation;
    bool known[3];
    int missing = 0;
    for (int i = 0; i < 3; i++) {
        known[i] = constant_coordinate(x, i, &x->rounded[i]);
        missing += !known[i];
    }
    if (missing > 0 && interpolate(x, &interpolation)) {
        for (int i = 0; i < 3; i++) {
            if (known[i])
                continue;
            known[i] = round_coordinate(&interpolation, i, &x->rounded[i]);
            missing -= known[i];
        }
    }
    if (missing > 0)
        round_by_integers(x, x->rounded);
}

static void set_point(double to[3], const double from[3])
{
    memcpy(to, from, 3 * sizeof *to);
}

grz_exact_point grz_exact_given(const double p[3])
{
    grz_exact_point x = {.form = GRZ_POINT_GIVEN};
    for (int i = 0; i < 3; i++)
        x.p[0][i] = x.rounded[i] = p[i] + 0.0; // adding 0 turns -0 into +0
    return x;
}

grz_exact_point grz_exact_on_plane(const double p[3], const double q[3], const double plane[3][3])
{
    grz_exact_point x;
    x.form = GRZ_POINT_ON_PLANE;
    set_point(x.p[0], p);
    set_point(x.p[1], q);
    memcpy(x.p[2], plane, 9 * sizeof(double));
    round_position(&x);
    return x;
}

grz_exact_point grz_exact_on_line(const double p[3], const double q[3], const double r[3], const double s[3])
{
    grz_exact_point x;
    x.form = GRZ_POINT_ON_LINE;
    set_point(x.p[0], p);
    set_point(x.p[1], q);
    set_point(x.p[2], r);
    set_point(x.p[3], s);
    round_position(&x);
    return x;
}

// ---- Comparisons and orientation ----

// True if two points have the same definition, bit by bit. Most points that are equal do; this test only saves work.
static bool have_same_definition(const grz_exact_point *x, const grz_exact_point *y)
{
    return x->form == y->form && memcmp(x->p, y->p, (size_t)defining_count(x) * sizeof x->p[0]) == 0;
}

// True if the line through p and q is one of the lines that define x. Then x lies on it. The doubles are compared bit
// by bit, so 0 and -0 count as different; that is harmless, because a false answer only costs time.
static bool is_defined_on_line(const grz_exact_point *x, const double *p, const double *q)
{
    const size_t size = sizeof x->p[0];
    for (int first = 0; first < (x->form == GRZ_POINT_ON_LINE ? 4 : 2); first += 2)
        if ((memcmp(p, x->p[first], size) == 0 && memcmp(q, x->p[first + 1], size) == 0) ||
            (memcmp(p, x->p[first + 1], size) == 0 && memcmp(q, x->p[first], size) == 0))
            return true;
    return false;
}

// True if the plane through a, b, c defines x, or if a side of the triangle a, b, c is a line that defines x. Then x
// lies in the plane. If two of the three points are equal, orient3d is 0 for every x, so the answer is right then, too.
static bool is_defined_in_plane(const grz_exact_point *x, const double *a, const double *b, const double *c)
{
    const double *const corners[3] = {a, b, c};
    int found = 0;
    for (int i = 0; i < 3 && x->form == GRZ_POINT_ON_PLANE; i++)
        for (int k = 0; k < 3; k++)
            found += memcmp(corners[i], x->p[2 + k], sizeof x->p[0]) == 0;
    return found == 3 || is_defined_on_line(x, a, b) || is_defined_on_line(x, b, c) || is_defined_on_line(x, c, a);
}

int grz_exact_compare(const grz_exact_point *x, const grz_exact_point *y)
{
    // Rounding is monotone: if the rounded coordinates differ, the exact ones differ in the same direction.
    const bool given = x->form == GRZ_POINT_GIVEN && y->form == GRZ_POINT_GIVEN;
    bool ready = false;
    grz_homogeneous h, g;
    for (int i = 0; i < 3; i++) {
        if (x->rounded[i] != y->rounded[i])
            return x->rounded[i] < y->rounded[i] ? -1 : 1;
        if (given)
            continue;
        if (!ready && have_same_definition(x, y))
            return 0;
        if (!ready) {
            const int shift = shift_of(x, y, NULL, 0);
            homogeneous_of(x, shift, &h);
            homogeneous_of(y, shift, &g);
            ready = true;
        }
        grz_integer left, right;
        grz_integer_multiply(&h.x[i], &g.w, &left);
        grz_integer_multiply(&g.x[i], &h.w, &right);
        const int order = grz_integer_compare(&left, &right);
        if (order != 0)
            return order;
    }
    return 0;
}

// The largest of three magnitudes.
static double max3(double a, double b, double c)
{
    const double ab = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return ab > fabs(c) ? ab : fabs(c);
}

// Below this, half a unit in the last place is no share of a number any more.
static const double LEAST_NORMAL = 0x1p-1022;
// As in predicates.c: with less, what underflows would count.
static const double LEAST_PRODUCT = 0x1p-700;

int grz_rounded_orient3d(const double a[3], const double b[3], const double c[3], const double rounded[3])
{
    double u[3], v[3], w[3], m[3];
    for (int i = 0; i < 3; i++) {
        u[i] = b[i] - a[i];
        v[i] = c[i] - a[i];
        w[i] = rounded[i] - a[i];
        m[i] = max3(u[i], v[i], w[i]);
    }
    const double value =
        u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
    // The error bound of orient3d's filter, and the effect of rounding the point: half an ulp in each coordinate, times
    // a 2×2 minor of at most 2·m·m; 3 are taken.
    const double product = m[0] * m[1] * m[2];
    double moved = 0.0;
    for (int i = 0; i < 3; i++)
        moved += (fabs(rounded[i]) + LEAST_NORMAL) * (m[(i + 1) % 3] * m[(i + 2) % 3]);
    // As derived.
    if (!(product > LEAST_PRODUCT) || !(fabs(value) > 0x1p-53 * (50.0 * product + 3.0 * moved)))
        return GRZ_SIGN_UNKNOWN;
    return value > 0.0 ? 1 : -1;
}

int grz_rounded_orient_projected(int axis, const double p[3], const double q[3], const double x[3])
{
    assert(axis >= 0 && axis < 3);
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    const double u[2] = {q[j] - p[j], q[k] - p[k]}, v[2] = {x[j] - p[j], x[k] - p[k]};
    const double m[2] = {max3(u[0], v[0], 0.0), max3(u[1], v[1], 0.0)};
    const double size[2] = {max3(p[j], q[j], x[j]) + LEAST_NORMAL, max3(p[k], q[k], x[k]) + LEAST_NORMAL};
    const double value = u[0] * v[1] - u[1] * v[0];
    // The error bound of orient2d's filter, and the effect of rounding every coordinate. An exact coordinate differs
    // from its rounded one by at most u·size, so a difference changes by 2u·size and the determinant by 4u·(size·m +
    // size·m) + 8u²·size·size. A difference that is not zero is at least u·size/2, so 24u·(size·m + size·m) is larger
    // than that.
    const double error = 0x1p-53 * (10.0 * m[0] * m[1] + 24.0 * (size[0] * m[1] + size[1] * m[0]));
    if (!(m[0] * m[1] > GRZ_PRODUCT_MIN) || !(fabs(value) > error))
        return GRZ_SIGN_UNKNOWN;
    return value > 0.0 ? 1 : -1;
}

int grz_exact_orient3d(const double a[3], const double b[3], const double c[3], const grz_exact_point *x)
{
    if (x->form == GRZ_POINT_GIVEN)
        return grz_orient3d(a, b, c, x->p[0]);
    const int near = grz_rounded_orient3d(a, b, c, x->rounded);
    if (near != GRZ_SIGN_UNKNOWN)
        return near;
    if (is_defined_in_plane(x, a, b, c))
        return 0;
    const double *const plane[3] = {a, b, c};
    const int shift = shift_of(x, NULL, plane, 3);
    grz_homogeneous h;
    grz_integer n[3], w[3], out;
    homogeneous_of(x, shift, &h);
    normal_of(a, b, c, shift, n);
    integer_difference(&h, a, shift, w);
    dot(n, w, &out);
    return out.sign;
}

int grz_exact_orient_projected(int axis, const double a[3], const double b[3], const grz_exact_point *x)
{
    assert(axis >= 0 && axis < 3);
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    if (x->form == GRZ_POINT_GIVEN) {
        const double a2[2] = {a[j], a[k]}, b2[2] = {b[j], b[k]}, x2[2] = {x->p[0][j], x->p[0][k]};
        return grz_orient2d(a2, b2, x2);
    }
    const int near = grz_rounded_orient_projected(axis, a, b, x->rounded);
    if (near != GRZ_SIGN_UNKNOWN)
        return near;
    if (is_defined_on_line(x, a, b))
        return 0;
    const double *const line[2] = {a, b};
    const int shift = shift_of(x, NULL, line, 2);
    grz_homogeneous h;
    grz_integer u[2], w[3], out;
    homogeneous_of(x, shift, &h);
    integer_difference(&h, a, shift, w);
    grz_integer_difference(a[j], b[j], shift, &u[0]);
    grz_integer_difference(a[k], b[k], shift, &u[1]);
    grz_integer_determinant2(&u[0], &u[1], &w[j], &w[k], &out);
    return out.sign;
}
