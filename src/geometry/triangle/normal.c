// SPDX-License-Identifier: MIT
// Precise normals: cross products of differences of points, normalised to length 1. Each component is a 2×2
// determinant. It is computed as an expansion if the differences are exact doubles, otherwise in double-double with the
// error bound of orient2d, and in big integers if that bound is too large. The vector is scaled by a power of two, so
// that squares neither overflow nor underflow. docs/reference/numbers.md, "Accuracy of normals", derives the errors.
#include "geometry/triangle/normal.h"

#include <assert.h>

#include "geometry/exact/integer.h"
#include "geometry/exact/predicates.h"
#include "geometry/triangle/normal_doubles.h"

// ---- One component ----

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
    grz_component out = {{0.0, 0.0}, head.exponent, 0x1p-100}; // 106 bits of a number below 2
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
        if (!grz_minor_in_doubles(left, right, &component[k]))
            component[k] = minor_in_integers(p, q, r, s, i, j);
    }
    grz_direction_align(component, sign, out);
}

// Fill normal->unit from normal->direction.
static void to_unit(grz_unit_normal *normal)
{
    if (normal->direction.zero)
        normal->unit[0] = normal->unit[1] = normal->unit[2] = 0.0;
    else
        grz_direction_unit(&normal->direction, normal->unit);
}

void grz_triangle_normal(const double corners[3][3], grz_unit_normal *normal)
{
    const double *p = corners[0], *q = corners[1], *r = corners[2];
    bool odd = grz_order_points(&p, &q);
    odd = grz_order_points(&q, &r) != odd;
    odd = grz_order_points(&p, &q) != odd;
    cross_of_differences(p, q, p, r, odd ? -1.0 : 1.0, &normal->direction);
    to_unit(normal);
}

void grz_edge_normal(const double p[3], const double q[3], const double r[3], const double s[3],
                     grz_unit_normal *normal)
{
    grz_order_points(&p, &q);
    grz_order_points(&r, &s);
    const int order = grz_compare_points(p, r);
    const bool exchange = order > 0 || (order == 0 && grz_compare_points(q, s) > 0);
    if (exchange)
        cross_of_differences(r, s, p, q, -1.0, &normal->direction);
    else
        cross_of_differences(p, q, r, s, 1.0, &normal->direction);
    to_unit(normal);
}

int grz_edge_side(const double p[3], const double q[3], const double r[3], const double s[3], const double a[3],
                  const double b[3])
{
    grz_order_points(&p, &q);
    grz_order_points(&r, &s);
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
    assert(length >= 0x1p-60 && length <= 4.0); // as said above
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
    grz_direction_align(component, 1.0, line);
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
    grz_direction_unit(&line, l);
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
    const dd length_a = grz_direction_length(normal_a->direction.at),
             length_b = grz_direction_length(normal_b->direction.at);
    // 2^-98: the two lengths are off by 2^-100 each, the quotients and their difference by less.
    const double error = 2.0 * (normal_a->direction.error + normal_b->direction.error) + 0x1p-98;
    double largest = 0.0;
    for (int k = 0; k < 3; k++) {
        const dd x = dd_divide(normal_a->direction.at[k], length_a), y = dd_divide(normal_b->direction.at[k], length_b);
        unit[k] = dd_add(y, dd_negate(x)).high;
        largest = fabs(unit[k]) > largest ? fabs(unit[k]) : largest;
    }
    if (largest > 0x1p52 * error) { // else what is left has too few digits: two units in the last place are allowed
        normalise(unit);
        return true;
    }
    if (nearly_equal_normals(a, b, n, m, unit))
        return true;
    for (int k = 0; k < 3; k++)
        unit[k] = m[k];
    return false;
}
