// SPDX-License-Identifier: MIT
// Precise normals: cross products of differences of points, normalised to length 1. Each component is a 2×2
// determinant. It is computed as an expansion if the differences are exact doubles, otherwise in double-double with the
// error bound of orient2d, and in big integers if that bound is too large. The vector is scaled by a power of two, so
// that squares neither overflow nor underflow. docs/numbers.md, "Accuracy of normals", derives the errors.
#include "geometry/triangle/normal.h"

#include <assert.h>

#include "geometry/exact/integer.h"
#include "geometry/exact/predicates.h"

// ---- One component ----

// One component of a cross product, value · 2^exponent, with a relative error of at most 2^-60.
typedef struct grz_component {
    dd value;
    int exponent;
    double error; // absolute error of `value`
} grz_component;

// If a difference is below SMALL or the product of the extents below LEAST_M, an intermediate result could underflow,
// and big integers are used.
static const double SMALL = 0x1p-450, LEAST_M = 0x1p-900;

static double larger(dd a, dd b)
{
    return fabs(a.high) > fabs(b.high) ? fabs(a.high) : fabs(b.high);
}

// True if a part of x that is not zero is below SMALL.
static bool is_small(dd x)
{
    return (x.high != 0.0 && fabs(x.high) < SMALL) || (x.low != 0.0 && fabs(x.low) < SMALL);
}

// The sum of an expansion of four components, smallest first; any of them may be zero.
static dd sum_of_expansion(const double h[4])
{
    double sum, tail[3];
    dd r;
    two_sum(h[1], h[0], &sum, &tail[0]);
    two_sum(h[2], sum, &sum, &tail[1]);
    two_sum(h[3], sum, &sum, &tail[2]);
    fast_two_sum(sum, tail[2] + (tail[1] + tail[0]), &r.high, &r.low);
    return r;
}

// u0·v1 - u1·v0 as an expansion or in double-double. False if big integers are needed.
static bool minor_in_doubles(const dd u[2], const dd v[2], grz_component *out)
{
    *out = (grz_component){{0.0, 0.0}, 0, 0.0};
    if ((u[0].high == 0.0 && (v[0].high == 0.0 || u[1].high == 0.0)) ||
        (v[1].high == 0.0 && (v[0].high == 0.0 || u[1].high == 0.0)))
        return true;
    if (is_small(u[0]) || is_small(u[1]) || is_small(v[0]) || is_small(v[1]))
        return false;
    if (u[0].low == 0.0 && u[1].low == 0.0 && v[0].low == 0.0 && v[1].low == 0.0) {
        double h[4];
        two_by_two(u[0].high, u[1].high, v[0].high, v[1].high, h);
        out->value = sum_of_expansion(h);
        out->error = fabs(out->value.high) * 0x1p-104;
        return true;
    }
    const double m = larger(u[0], v[0]) * larger(u[1], v[1]);
    out->value = dd_add(dd_multiply(u[0], v[1]), dd_negate(dd_multiply(u[1], v[0])));
    out->error = 64.0 * 0x1p-106 * m; // the bound of orient2d's adaptive stage
    return m > LEAST_M && fabs(out->value.high) > 0x1p60 * out->error;
}

// x · 2^exponent as a component: the sum of two doubles, at least 106 bits.
static grz_component component_of_integer(const grz_integer *x, int exponent)
{
    const grz_scaled head = grz_integer_to_scaled(x, exponent);
    grz_integer high, rest;
    if (head.mantissa == 0.0)
        return (grz_component){{0.0, 0.0}, 0, 0.0};
    // `head` holds the top 53 bits of x. If x has more bits, `tail` is the rest, x - head.
    const int unit = head.exponent - exponent;
    grz_scaled tail = {0.0, 0};
    if (unit >= 52) {
        grz_integer_from_double(head.mantissa, unit, &high);
        grz_integer_add(x, &high, -1, &rest);
        tail = grz_integer_to_scaled(&rest, exponent);
    }
    const double low = tail.mantissa == 0.0 ? 0.0 : ldexp(tail.mantissa, tail.exponent - head.exponent);
    grz_component out = {{0.0, 0.0}, head.exponent, 0x1p-100};
    fast_two_sum(head.mantissa, low, &out.value.high, &out.value.low);
    return out;
}

// The same determinant in big integers: components i and j of (q - p) and (s - r).
static grz_component minor_in_integers(const double *p, const double *q, const double *r, const double *s, int i, int j)
{
    const double u[2][2] = {{p[i], p[j]}, {q[i], q[j]}}, v[2][2] = {{r[i], r[j]}, {s[i], s[j]}};
    const double *const points[4] = {u[0], u[1], v[0], v[1]};
    const int shift = grz_integer_common_shift(points, 4, 2);
    grz_integer a[2], b[2], out;
    for (int k = 0; k < 2; k++) {
        grz_integer_difference(u[0][k], u[1][k], shift, &a[k]);
        grz_integer_difference(v[0][k], v[1][k], shift, &b[k]);
    }
    grz_integer_determinant2(&a[0], &a[1], &b[0], &b[1], &out);
    return component_of_integer(&out, -2 * shift);
}

// ---- Vectors ----

// Scale three components by one power of two so that the largest is in [1, 2) in magnitude.
static void align_components(const grz_component c[3], double sign, grz_direction *out)
{
    int top = 0;
    out->zero = true;
    for (int k = 0; k < 3; k++) {
        int own;
        if (c[k].value.high == 0.0)
            continue;
        frexp(c[k].value.high, &own);
        top = out->zero || own - 1 + c[k].exponent > top ? own - 1 + c[k].exponent : top;
        out->zero = false;
    }
    out->error = 0x1p-1000; // the loss of components that underflow because they are so much smaller than the largest
    for (int k = 0; k < 3; k++) {
        if (c[k].value.high == 0.0) { // no -0
            out->at[k] = (dd){0.0, 0.0};
            continue;
        }
        const double scale = ldexp(sign, c[k].exponent - top);
        out->at[k].high = scale * c[k].value.high;
        out->at[k].low = scale * c[k].value.low;
        const double error = fabs(scale) * c[k].error;
        out->error = error > out->error ? error : out->error;
        assert(fabs(out->at[k].high) < 2.0);
    }
    assert(out->error <= 0x1p-59);
}

// sign · (q - p) × (s - r)
static void cross_of_differences(const double *p, const double *q, const double *r, const double *s, double sign,
                                 grz_direction *out)
{
    dd u[3], v[3];
    grz_component component[3];
    for (int i = 0; i < 3; i++) {
        u[i] = dd_difference(q[i], p[i]);
        v[i] = dd_difference(s[i], r[i]);
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const dd left[2] = {u[i], u[j]}, right[2] = {v[i], v[j]};
        if (!minor_in_doubles(left, right, &component[k]))
            component[k] = minor_in_integers(p, q, r, s, i, j);
    }
    align_components(component, sign, out);
}

// The length of a vector, relative error below 2^-100. The largest component is near 1, so squares that underflow are
// too small to matter.
static dd length_of(const dd v[3])
{
    double square[3], tail[3], sum, rest[2];
    for (int k = 0; k < 3; k++) {
        two_product(v[k].high, v[k].high, &square[k], &tail[k]);
        tail[k] += 2.0 * v[k].high * v[k].low;
    }
    two_sum(square[0], square[1], &sum, &rest[0]);
    two_sum(sum, square[2], &sum, &rest[1]);
    const double low = (rest[0] + rest[1]) + ((tail[0] + tail[1]) + tail[2]);
    // One step of Newton's method from the rounded square root.
    const double root = sqrt(sum);
    double product, product_tail;
    two_product(root, root, &product, &product_tail);
    dd r;
    fast_two_sum(root, (((sum - product) - product_tail) + low) / (2.0 * root), &r.high, &r.low);
    return r;
}

// Scale a direction to length 1. Each component has the rounding errors of one quotient and one sum.
static void unit_of(const grz_direction *direction, double unit[3])
{
    const dd length = length_of(direction->at);
    assert(length.high >= 0.99);
    const double excess = length.low / length.high;
    for (int k = 0; k < 3; k++) {
        const double quotient = direction->at[k].high / length.high;
        unit[k] = quotient + (direction->at[k].low / length.high - quotient * excess);
    }
}

// Fill normal->unit from normal->direction.
static void to_unit(grz_unit_normal *normal)
{
    if (normal->direction.zero)
        normal->unit[0] = normal->unit[1] = normal->unit[2] = 0.0;
    else
        unit_of(&normal->direction, normal->unit);
}

// Lexicographic order: -1, 0, 1.
static int compare_points(const double *p, const double *q)
{
    for (int i = 0; i < 3; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}

// Put two points in lexicographic order. True if they were swapped.
static bool order_points(const double **p, const double **q)
{
    if (compare_points(*p, *q) <= 0)
        return false;
    const double *first = *q;
    *q = *p;
    *p = first;
    return true;
}

void grz_triangle_normal(const double corners[3][3], grz_unit_normal *normal)
{
    const double *p = corners[0], *q = corners[1], *r = corners[2];
    bool odd = order_points(&p, &q);
    odd = order_points(&q, &r) != odd;
    odd = order_points(&p, &q) != odd;
    cross_of_differences(p, q, p, r, odd ? -1.0 : 1.0, &normal->direction);
    to_unit(normal);
}

void grz_edge_normal(const double p[3], const double q[3], const double r[3], const double s[3],
                     grz_unit_normal *normal)
{
    order_points(&p, &q);
    order_points(&r, &s);
    const int order = compare_points(p, r);
    const bool exchange = order > 0 || (order == 0 && compare_points(q, s) > 0);
    if (exchange)
        cross_of_differences(r, s, p, q, -1.0, &normal->direction);
    else
        cross_of_differences(p, q, r, s, 1.0, &normal->direction);
    to_unit(normal);
}

int grz_edge_side(const double p[3], const double q[3], const double r[3], const double s[3], const double a[3],
                  const double b[3])
{
    order_points(&p, &q);
    order_points(&r, &s);
    // The edges cross in a point x. (q - p) × (s - p) has the same direction as (q - p) × (s - x), because p - x is
    // parallel to q - p; and that is the direction of the edges' normal.
    const int sides = grz_orient3d(p, q, s, a) + grz_orient3d(r, s, q, b);
    return (sides > 0) - (sides < 0);
}

// ---- The difference of two normals ----

// Scale a vector to length 1, in doubles. Its largest component must be between 2^-60 and 2 in magnitude.
static void normalise(double v[3])
{
    const double length = sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
    assert(length >= 0x1p-60 && length <= 4.0);
    for (int k = 0; k < 3; k++)
        v[k] = v[k] / length + 0.0; // adding 0 turns -0 into +0
}

// The normal of a triangle in big integers, times 2^(2 · shift).
static void integer_normal(const double t[3][3], int shift, grz_integer n[3])
{
    grz_integer u[3], v[3];
    for (int i = 0; i < 3; i++) {
        grz_integer_difference(t[0][i], t[1][i], shift, &u[i]);
        grz_integer_difference(t[0][i], t[2][i], shift, &v[i]);
    }
    grz_integer_cross(u, v, n);
}

// The direction of the line in which two planes meet: normal A × normal B.
static void line_of_planes(const double a[3][3], const double b[3][3], grz_direction *line)
{
    const double *const points[6] = {a[0], a[1], a[2], b[0], b[1], b[2]};
    const int shift = grz_integer_common_shift(points, 6, 3);
    grz_integer normal_a[3], normal_b[3];
    grz_component component[3];
    integer_normal(a, shift, normal_a);
    integer_normal(b, shift, normal_b);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        grz_integer out;
        grz_integer_determinant2(&normal_a[i], &normal_a[j], &normal_b[i], &normal_b[j], &out);
        component[k] = component_of_integer(&out, -4 * shift);
    }
    align_components(component, 1.0, line);
}

// The direction from unit normal n of A to unit normal m of B, if these are nearly equal. It follows from the direction
// of n × m, which is computed exactly enough: (n × m) × (n + m) = (1 + n·m)(m - n). False if the normals are exactly
// equal.
static bool nearly_equal_normals(const double a[3][3], const double b[3][3], const double n[3], const double m[3],
                                 double unit[3])
{
    grz_direction line;
    double l[3];
    line_of_planes(a, b, &line);
    if (line.zero)
        return false;
    unit_of(&line, l);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        unit[k] = l[i] * (n[j] + m[j]) - l[j] * (n[i] + m[i]);
    }
    normalise(unit);
    return true;
}

bool grz_normal_difference(const double a[3][3], const grz_unit_normal *normal_a, const double b[3][3],
                           const grz_unit_normal *normal_b, double unit[3])
{
    const double *n = normal_a->unit, *m = normal_b->unit;
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        unit[k] = m[k] - n[k];
        square += unit[k] * unit[k];
    }
    if (square > 0.25) { // the normals differ enough; the subtraction loses hardly any digits
        normalise(unit);
        return true;
    }
    const dd length_a = length_of(normal_a->direction.at), length_b = length_of(normal_b->direction.at);
    const double error = 2.0 * (normal_a->direction.error + normal_b->direction.error) + 0x1p-98;
    double largest = 0.0;
    for (int k = 0; k < 3; k++) {
        const dd x = dd_divide(normal_a->direction.at[k], length_a), y = dd_divide(normal_b->direction.at[k], length_b);
        unit[k] = dd_add(y, dd_negate(x)).high;
        largest = fabs(unit[k]) > largest ? fabs(unit[k]) : largest;
    }
    if (largest > 0x1p52 * error) {
        normalise(unit);
        return true;
    }
    if (nearly_equal_normals(a, b, n, m, unit))
        return true;
    for (int k = 0; k < 3; k++)
        unit[k] = m[k];
    return false;
}
