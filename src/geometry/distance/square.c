// SPDX-License-Identifier: MIT Squared distances as fractions of integers, their square roots, and the nearest points.
// With u and v the directions of edges, r a way between them and n a normal, the squares are |r|², |u × r|² / |u|² and
// (n · r)² / |n|².
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "geometry/distance/doubled.h"

// The corners that span the nearest features: of each side one (a corner), two (an edge) or three (the face).
typedef struct spans {
    int counts[2];
    const double *points[2][3];
    int shift;
} spans;

static spans spans_of(const double a[3][3], const double b[3][3], grz_nearest nearest)
{
    spans s = {.counts = {0}};
    const double *all[6];
    for (int i = 0; i < 3; i++) {
        all[i] = a[i];
        all[3 + i] = b[i];
    }
    s.counts[0] = grz_feature_corners(a, nearest.a, s.points[0]);
    s.counts[1] = grz_feature_corners(b, nearest.b, s.points[1]);
    s.shift = grz_integer_common_shift(all, 6, 3);
    return s;
}

static void difference(const spans *s, const double from[3], const double to[3], grz_integer out[3])
{
    for (int k = 0; k < 3; k++)
        grz_integer_difference(from[k], to[k], s->shift, &out[k]);
}

// A normal of the features: of two edges, or of the face.
static void normal_of(const spans *s, grz_integer n[3])
{
    const int face = s->counts[0] == 3 ? 0 : 1;
    const double *const *p = s->points[s->counts[0] == 2 ? 0 : face];
    grz_integer u[3], v[3];
    difference(s, p[0], p[1], u);
    if (s->counts[0] == 2)
        difference(s, s->points[1][0], s->points[1][1], v);
    else
        difference(s, p[0], p[2], v);
    grz_integer_cross(u, v, n);
}

void grz_square_of(const double a[3][3], const double b[3][3], grz_nearest nearest, grz_square *out)
{
    const spans s = spans_of(a, b, nearest);
    grz_integer r[3], n[3], height;
    out->shift = s.shift;
    difference(&s, s.points[0][0], s.points[1][0], r);
    if (s.counts[0] == 1 && s.counts[1] == 1) {
        grz_integer_dot(r, r, &out->numerator);
        grz_integer_from_double(1.0, 0, &out->denominator);
    } else if (s.counts[0] + s.counts[1] == 3) {
        const double *const *edge = s.points[s.counts[0] == 2 ? 0 : 1];
        grz_integer u[3];
        difference(&s, edge[0], edge[1], u);
        grz_integer_cross(u, r, n);
        grz_integer_dot(n, n, &out->numerator);
        grz_integer_dot(u, u, &out->denominator);
    } else {
        normal_of(&s, n);
        grz_integer_dot(n, r, &height);
        grz_integer_multiply(&height, &height, &out->numerator);
        grz_integer_dot(n, n, &out->denominator);
    }
}

// x · 2^bits compared with y; both are 0 or above. Shifted only if both have the same length then: the result is no
// longer than the other number, however far apart the exponents are.
static int compare_shifted(const grz_integer *x, int bits, const grz_integer *y)
{
    grz_integer shifted;
    if (x->sign == 0 || y->sign == 0 || bits == 0)
        return grz_integer_compare(x, y);
    const int longer = grz_integer_bits(x) + bits - grz_integer_bits(y);
    if (longer != 0)
        return longer > 0 ? 1 : -1;
    grz_integer_shift_left(bits > 0 ? x : y, abs(bits), &shifted);
    return bits > 0 ? grz_integer_compare(&shifted, y) : grz_integer_compare(x, &shifted);
}

int grz_square_compare(const grz_square *x, const grz_square *y)
{
    grz_integer left, right;
    grz_integer_multiply(&x->numerator, &y->denominator, &left);
    grz_integer_multiply(&y->numerator, &x->denominator, &right);
    return compare_shifted(&left, 2 * (y->shift - x->shift), &right);
}

// root · 2^(-shift), squared, compared with a square.
static int compare_root(const grz_integer *root, int shift, const grz_square *square)
{
    grz_integer rooted, product;
    grz_integer_multiply(root, root, &rooted);
    grz_integer_multiply(&rooted, &square->denominator, &product);
    return compare_shifted(&product, 2 * (square->shift - shift), &square->numerator);
}

int grz_square_compare_root(double root, const grz_square *square)
{
    const double *const point = &root;
    const int shift = grz_integer_common_shift(&point, 1, 1);
    grz_integer number;
    grz_integer_from_double(root, shift, &number);
    return compare_root(&number, shift, square);
}

// The middle of two neighbouring doubles, compared with the root.
static int compare_middle(double low, double high, const grz_square *square)
{
    const double ends[2] = {low, high}, *const points[1] = {ends};
    const int shift = grz_integer_common_shift(points, 1, 2);
    grz_integer x, y, sum;
    grz_integer_from_double(low, shift, &x);
    grz_integer_from_double(high, shift, &y);
    grz_integer_add(&x, &y, 1, &sum);
    return compare_root(&sum, shift + 1, square);
}

static bool is_even(double x)
{
    int exponent;
    const double mantissa = ldexp(frexp(x, &exponent), 53); // an integer; that of a subnormal number ends in zeros
    if (exponent < -1021)
        return fmod(ldexp(x, 1074), 2.0) == 0.0;
    return fmod(mantissa, 2.0) == 0.0;
}

grz_root grz_square_root(const grz_square *square)
{
    grz_root out = {0.0, 0.0, 0.0};
    if (square->numerator.sign == 0)
        return out;
    const grz_scaled n = grz_integer_to_scaled(&square->numerator, 0),
                     d = grz_integer_to_scaled(&square->denominator, 0);
    int exponent = n.exponent - d.exponent - 2 * square->shift;
    double mantissa = n.mantissa / d.mantissa;
    if (exponent % 2 != 0) {
        mantissa *= 2.0;
        exponent--;
    }
    double root = ldexp(sqrt(mantissa), exponent / 2); // a few units in the last place off, at most
    int order = grz_square_compare_root(root, square);
    while (order > 0) {
        root = nextafter(root, 0.0);
        order = grz_square_compare_root(root, square);
    }
    double next = nextafter(root, HUGE_VAL);
    while (order < 0 && (order = grz_square_compare_root(next, square)) <= 0) {
        root = next;
        next = nextafter(next, HUGE_VAL);
    }
    if (order == 0)
        return (grz_root){root, root, root};
    const int middle = compare_middle(root, next, square);
    out.lower = root;
    out.upper = next;
    out.nearest = middle > 0 || (middle == 0 && is_even(root)) ? root : next;
    return out;
}

grz_root grz_distance_root(const double a[3][3], const double b[3][3], grz_nearest nearest)
{
    grz_root root;
    grz_square square;
    if (grz_doubled_root(a, b, nearest, &root))
        return root;
    grz_square_of(a, b, nearest, &square);
    return grz_square_root(&square);
}

// from + along · (numerator / denominator), rounded.
static void round_point(const spans *s, const double from[3], const grz_integer along[3], const grz_integer *numerator,
                        const grz_integer *denominator, double out[3])
{
    for (int k = 0; k < 3; k++) {
        grz_integer start, scaled, product, sum;
        grz_integer_from_double(from[k], s->shift, &start);
        grz_integer_multiply(&start, denominator, &scaled);
        grz_integer_multiply(numerator, &along[k], &product);
        grz_integer_add(&scaled, &product, 1, &sum);
        out[k] = grz_integer_quotient(&sum, denominator, -s->shift);
    }
}

static void copy_point(const double from[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = from[k] + 0.0; // no -0
}

static void foot_on_edge(const spans *s, const double *const edge[3], const double p[3], double out[3])
{
    grz_integer u[3], r[3], along, square;
    difference(s, edge[0], edge[1], u);
    difference(s, edge[0], p, r);
    grz_integer_dot(u, r, &along);
    grz_integer_dot(u, u, &square);
    round_point(s, edge[0], u, &along, &square, out);
}

static void foot_on_face(const spans *s, const double *const face[3], const double p[3], double out[3])
{
    grz_integer n[3], r[3], height, square;
    normal_of(s, n);
    difference(s, p, face[0], r);
    grz_integer_dot(n, r, &height);
    grz_integer_dot(n, n, &square);
    round_point(s, p, n, &height, &square, out);
}

static void points_on_edges(const spans *s, double on[2][3])
{
    grz_integer u[2][3], n[3], r[3], m[3], along, square;
    normal_of(s, n);
    grz_integer_dot(n, n, &square);
    difference(s, s->points[0][0], s->points[1][0], r);
    for (int i = 0; i < 2; i++)
        difference(s, s->points[i][0], s->points[i][1], u[i]);
    for (int i = 0; i < 2; i++) {
        grz_integer_cross(r, u[1 - i], m);
        grz_integer_dot(m, n, &along);
        round_point(s, s->points[i][0], u[i], &along, &square, on[i]);
    }
}

void grz_nearest_points(const double a[3][3], const double b[3][3], grz_nearest nearest, double on_a[3], double on_b[3])
{
    if (grz_doubled_points(a, b, nearest, on_a, on_b))
        return;
    const spans s = spans_of(a, b, nearest);
    double on[2][3] = {{0.0}};
    for (int i = 0; i < 2; i++)
        if (s.counts[i] == 1)
            copy_point(s.points[i][0], on[i]);
    for (int i = 0; i < 2; i++)
        if (s.counts[i] == 3)
            foot_on_face(&s, s.points[i], s.points[1 - i][0], on[i]);
        else if (s.counts[i] == 2 && s.counts[1 - i] == 1)
            foot_on_edge(&s, s.points[i], s.points[1 - i][0], on[i]);
    if (s.counts[0] == 2 && s.counts[1] == 2)
        points_on_edges(&s, on);
    copy_point(on[0], on_a);
    copy_point(on[1], on_b);
}
