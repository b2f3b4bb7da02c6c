// SPDX-License-Identifier: MIT
// Points where a line meets a plane or a line. With the signed distances d, e of the line's points p, q from the other, the point
// is (p·e - q·d) / (e - d). Its place comes from double-double where the error bound leaves no doubt about the rounding (Ziv's
// test; docs/numbers.md has the bound) and from integers elsewhere. Signs and comparisons: doubles with a bound, then integers.
#include "geometry/exact_point.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "geometry/determinant.h"
#include "geometry/integer.h"
#include "geometry/predicates.h"

// ---- In integers
// ---------------------------------------------------------------------------------------------------------------------

// The point x / w, w positive, in units of 2^-shift.
typedef struct grz_homogeneous {
    grz_integer x[3], w;
} grz_homogeneous;

static int given_count(const grz_exact_point *x)
{
    return x->form == GRZ_POINT_GIVEN ? 1 : x->form == GRZ_POINT_ON_PLANE ? 5 : 4;
}

// The shift that makes integers of all that define these points; `y` may be NULL, as may `more`, of `more_count` points.
static int shift_of(const grz_exact_point *x, const grz_exact_point *y, const double *const more[], int more_count)
{
    const double *all[13];
    int count = 0;
    for (int i = 0; i < given_count(x); i++)
        all[count++] = x->p[i];
    for (int i = 0; y != NULL && i < given_count(y); i++)
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
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        grz_integer_determinant2(&u[j], &u[k], &v[j], &v[k], &n[i]);
    }
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

// The signed distances of the line's two points from the plane or line that it meets, times some number.
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
    // All four points lie in one plane, so every projection in which the lines are not one gives the same ratio.
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

static void integer_place(const grz_exact_point *x, double place[3])
{
    const int shift = shift_of(x, NULL, NULL, 0);
    grz_homogeneous h;
    homogeneous_of(x, shift, &h);
    for (int i = 0; i < 3; i++)
        place[i] = grz_integer_quotient(&h.x[i], &h.w, -shift);
}

// out = x - a, times x's w
static void integer_difference(const grz_homogeneous *x, const double a[3], int shift, grz_integer out[3])
{
    for (int i = 0; i < 3; i++) {
        grz_integer from, scaled;
        grz_integer_from_double(a[i], shift, &from);
        grz_integer_multiply(&from, &x->w, &scaled);
        grz_integer_add(&x->x[i], &scaled, -1, &out[i]);
    }
}

// ---- Places
// --------------------------------------------------------------------------------------------------------------------------

// The line's point nearer to the other, and how far the way from it to the farther one the point lies: a share of one half at most.
typedef struct grz_division {
    const double *near, *far;
    dd share;
    double error; // relative, of the share
} grz_division;

// No product of such numbers and coordinates gets near the ends of the doubles' range.
static const double LARGE = 0x1p400, SMALL = 0x1p-400;

// Signed distances in double-double, each within its error. False where they cannot be had so, or leave the signs open.
static bool close_distances(const grz_exact_point *x, dd d[2], double error[2])
{
    if (x->form == GRZ_POINT_ON_PLANE) {
        const double *const line[2] = {x->p[0], x->p[1]};
        return grz_distances_close(x->p[2], x->p[3], x->p[4], line, 2, d, error) && (d[0].high < 0.0) != (d[1].high < 0.0);
    }
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const double r[2] = {x->p[2][j], x->p[2][k]}, s[2] = {x->p[3][j], x->p[3][k]};
        bool enough = true;
        for (int end = 0; end < 2 && enough; end++) {
            const double p[2] = {x->p[end][j], x->p[end][k]};
            enough = grz_orient2d_close(r, s, p, &d[end], &error[end]) && fabs(d[end].high) > 0x1p40 * error[end];
        }
        if (enough)
            return (d[0].high < 0.0) != (d[1].high < 0.0);
    }
    return false;
}

static dd magnitude(dd x)
{
    return x.high < 0.0 ? dd_negate(x) : x;
}

static bool divide(const grz_exact_point *x, grz_division *division)
{
    dd d[2];
    double error[2];
    if (!close_distances(x, d, error))
        return false;
    d[0] = magnitude(d[0]);
    d[1] = magnitude(d[1]);
    const int near = d[0].high <= d[1].high ? 0 : 1;
    if (!(d[near].high > error[near]) || !(d[1 - near].high > error[1 - near]) || d[1 - near].high > LARGE || d[near].high < SMALL)
        return false;
    const dd total = dd_add(d[0], d[1]);
    division->near = x->p[near];
    division->far = x->p[1 - near];
    division->share = dd_divide(d[near], total);
    // The determinants' errors, a sum (3u²) and a quotient (15u²).
    division->error = 1.0001 * (error[near] / d[near].high + (error[0] + error[1]) / total.high) + 32.0 * 0x1p-106;
    return division->error < 0x1p-60;
}

// One coordinate. False where the bound leaves open which double is the nearest.
static bool round_coordinate(const grz_division *division, int axis, double *out)
{
    const double near = division->near[axis], far = division->far[axis];
    const dd step = dd_multiply(division->share, dd_difference(far, near)), x = dd_add_double(step, near);
    // 7u² for the product, 2u² for the sum, and the rounding of what is added to x.low here.
    const double error = fabs(step.high) * (division->error + 0x1p-102) + fabs(x.high) * 0x1p-104 + fabs(x.low) * 0x1p-52;
    if (fabs(step.high) < 0x1p-900 || fabs(x.high) < 0x1p-900)
        return false;
    *out = x.high;
    return x.high + (x.low - error) == x.high && x.high + (x.low + error) == x.high;
}

// The coordinate where what the point lies on has only one there.
static bool constant_coordinate(const grz_exact_point *x, int axis, double *out)
{
    const double(*p)[3] = x->p;
    if (p[0][axis] == p[1][axis])
        *out = p[0][axis] + 0.0; // -0 becomes +0
    else if (p[2][axis] == p[3][axis] && (x->form == GRZ_POINT_ON_LINE || p[2][axis] == p[4][axis]))
        *out = p[2][axis] + 0.0;
    else
        return false;
    return true;
}

static void find_place(grz_exact_point *x)
{
    grz_division division;
    bool known[3];
    int missing = 0;
    for (int i = 0; i < 3; i++) {
        known[i] = constant_coordinate(x, i, &x->place[i]);
        missing += !known[i];
    }
    if (missing > 0 && divide(x, &division)) {
        for (int i = 0; i < 3; i++) {
            if (known[i])
                continue;
            known[i] = round_coordinate(&division, i, &x->place[i]);
            missing -= known[i];
        }
    }
    if (missing > 0)
        integer_place(x, x->place);
}

static void set_point(double to[3], const double from[3])
{
    memcpy(to, from, 3 * sizeof *to);
}

grz_exact_point grz_exact_given(const double p[3])
{
    grz_exact_point x = {.form = GRZ_POINT_GIVEN};
    for (int i = 0; i < 3; i++)
        x.p[0][i] = x.place[i] = p[i] + 0.0; // -0 becomes +0
    return x;
}

grz_exact_point grz_exact_on_plane(const double p[3], const double q[3], const double plane[3][3])
{
    grz_exact_point x;
    x.form = GRZ_POINT_ON_PLANE;
    set_point(x.p[0], p);
    set_point(x.p[1], q);
    memcpy(x.p[2], plane, 9 * sizeof(double));
    find_place(&x);
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
    find_place(&x);
    return x;
}

// ---- Order and sides
// -----------------------------------------------------------------------------------------------------------------

// Whether a point is defined by the same things as another: most of those that are equal.
static bool same_definition(const grz_exact_point *x, const grz_exact_point *y)
{
    return x->form == y->form && memcmp(x->p, y->p, (size_t)given_count(x) * sizeof x->p[0]) == 0;
}

// Whether the line that p and q name is one of those that define the point. The doubles are compared bit by bit: nothing is lost
// where 0 and -0 differ, as all this is only to save work.
static bool is_defined_on_line(const grz_exact_point *x, const double *p, const double *q)
{
    const size_t size = sizeof x->p[0];
    for (int first = 0; first < (x->form == GRZ_POINT_ON_LINE ? 4 : 2); first += 2)
        if ((memcmp(p, x->p[first], size) == 0 && memcmp(q, x->p[first + 1], size) == 0) ||
            (memcmp(p, x->p[first + 1], size) == 0 && memcmp(q, x->p[first], size) == 0))
            return true;
    return false;
}

// The same of the plane that a, b and c name, and of their triangle's sides. Where two of them are one point, the plane is any.
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
    // Rounding keeps the order: where places differ, so do the points, in the same sense.
    const bool given = x->form == GRZ_POINT_GIVEN && y->form == GRZ_POINT_GIVEN;
    bool ready = false;
    grz_homogeneous h, g;
    for (int i = 0; i < 3; i++) {
        if (x->place[i] != y->place[i])
            return x->place[i] < y->place[i] ? -1 : 1;
        if (given)
            continue;
        if (!ready && same_definition(x, y))
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

static double max3(double a, double b, double c)
{
    const double ab = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return ab > fabs(c) ? ab : fabs(c);
}

int grz_near_orient3d(const double a[3], const double b[3], const double c[3], const double place[3])
{
    double u[3], v[3], w[3], m[3];
    for (int i = 0; i < 3; i++) {
        u[i] = b[i] - a[i];
        v[i] = c[i] - a[i];
        w[i] = place[i] - a[i];
        m[i] = max3(u[i], v[i], w[i]);
    }
    const double value =
        u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
    // orient3d's own bound, and the place's distance from the point: half an ulp a coordinate, times a minor of at most 2·m·m.
    const double product = m[0] * m[1] * m[2];
    double moved = 0.0;
    for (int i = 0; i < 3; i++)
        moved += (fabs(place[i]) + 0x1p-1022) * (m[(i + 1) % 3] * m[(i + 2) % 3]);
    if (!(product > 0x1p-700) || !(fabs(value) > 0x1p-53 * (50.0 * product + 3.0 * moved)))
        return GRZ_UNSURE;
    return value > 0.0 ? 1 : -1;
}

int grz_near_orient_projected(int axis, const double p[3], const double q[3], const double x[3])
{
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    const double u[2] = {q[j] - p[j], q[k] - p[k]}, v[2] = {x[j] - p[j], x[k] - p[k]};
    const double m[2] = {max3(u[0], v[0], 0.0), max3(u[1], v[1], 0.0)};
    const double size[2] = {max3(p[j], q[j], x[j]) + 0x1p-1022, max3(p[k], q[k], x[k]) + 0x1p-1022};
    const double value = u[0] * v[1] - u[1] * v[0];
    // orient2d's own bound, and every coordinate's distance from its place: u·size, so 2u·size a difference, 4u·(size·m + size·m) +
    // 8u²·size·size in all. Differences that are not zero are u·size/2 at least: 24u·(size·m + size·m) covers it.
    const double error = 0x1p-53 * (10.0 * m[0] * m[1] + 24.0 * (size[0] * m[1] + size[1] * m[0]));
    if (!(m[0] * m[1] > 0x1p-900) || !(fabs(value) > error))
        return GRZ_UNSURE;
    return value > 0.0 ? 1 : -1;
}

int grz_exact_orient3d(const double a[3], const double b[3], const double c[3], const grz_exact_point *x)
{
    if (x->form == GRZ_POINT_GIVEN)
        return grz_orient3d(a, b, c, x->p[0]);
    const int near = grz_near_orient3d(a, b, c, x->place);
    if (near != GRZ_UNSURE)
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
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    if (x->form == GRZ_POINT_GIVEN) {
        const double a2[2] = {a[j], a[k]}, b2[2] = {b[j], b[k]}, x2[2] = {x->p[0][j], x->p[0][k]};
        return grz_orient2d(a2, b2, x2);
    }
    const int near = grz_near_orient_projected(axis, a, b, x->place);
    if (near != GRZ_UNSURE)
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
