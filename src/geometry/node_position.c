// SPDX-License-Identifier: MIT
// Coordinates of the points where features of two triangles meet. The features' points are put in lexicographic order first and the
// ratio along the edge comes from determinants that are exact to 2^-50, so the result depends on what meets and on nothing else, and
// is within a few ulp of the edge's box (docs/numbers.md).
#include <math.h>

#include "geometry/determinant.h"
#include "geometry/triangle.h"

static int compare_points(const double *p, const double *q)
{
    for (int i = 0; i < 3; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}

static void order_points(const double **p, const double **q)
{
    if (compare_points(*p, *q) > 0) {
        const double *first = *q;
        *q = *p;
        *p = first;
    }
}

// The point of the segment p-q whose distances to p and q are as |at_p| to |at_q|, taken from the nearer end, clamped to the
// segment's box.
static void divide_segment(const double *p, const double *q, grz_scaled at_p, grz_scaled at_q, double position[3])
{
    int top = at_p.exponent > at_q.exponent ? at_p.exponent : at_q.exponent;
    double weight_p = at_p.mantissa == 0.0 ? 0.0 : fabs(ldexp(at_p.mantissa, at_p.exponent - top));
    double weight_q = at_q.mantissa == 0.0 ? 0.0 : fabs(ldexp(at_q.mantissa, at_q.exponent - top));
    double total = weight_p + weight_q;
    const double *near = weight_p <= weight_q ? p : q, *far = near == p ? q : p;
    double share = (near == p ? weight_p : weight_q) / total;
    for (int i = 0; i < 3; i++) {
        double low = p[i] < q[i] ? p[i] : q[i], high = p[i] < q[i] ? q[i] : p[i];
        double x = near[i] + share * (far[i] - near[i]);
        x = x < low ? low : x;
        position[i] = (x > high ? high : x) + 0.0; // -0 becomes +0
    }
}

static void edge_meets_face(const double *p, const double *q, const double face[3][3], double position[3])
{
    const double *corner[3] = {face[0], face[1], face[2]};
    order_points(&p, &q);
    order_points(&corner[0], &corner[1]);
    order_points(&corner[1], &corner[2]);
    order_points(&corner[0], &corner[1]);
    divide_segment(p, q, grz_orient3d_value(corner[0], corner[1], corner[2], p),
                   grz_orient3d_value(corner[0], corner[1], corner[2], q), position);
}

static void edge_meets_edge(const double *p, const double *q, const double *r, const double *s, double position[3])
{
    order_points(&p, &q);
    order_points(&r, &s);
    int order = compare_points(p, r);
    if (order > 0 || (order == 0 && compare_points(q, s) > 0)) {
        const double *first = r, *second = s;
        r = p;
        s = q;
        p = first;
        q = second;
    }
    // The four points lie in one plane exactly, so every projection that is not edge-on gives the same ratio.
    for (int axis = 0; axis < 3; axis++) {
        int x = (axis + 1) % 3, y = (axis + 2) % 3;
        const double p2[2] = {p[x], p[y]}, q2[2] = {q[x], q[y]}, r2[2] = {r[x], r[y]}, s2[2] = {s[x], s[y]};
        grz_scaled at_p = grz_orient2d_value(r2, s2, p2), at_q = grz_orient2d_value(r2, s2, q2);
        if (at_p.mantissa != 0.0 || at_q.mantissa != 0.0) {
            divide_segment(p, q, at_p, at_q, position);
            return;
        }
    }
    for (int i = 0; i < 3; i++) // not reached: the edges would be on one line
        position[i] = p[i] + 0.0;
}

void grz_node_position(const double a[3][3], const double b[3][3], grz_node node, double position[3])
{
    if (node.a <= GRZ_CORNER_2 || node.b <= GRZ_CORNER_2) {
        const double *corner = node.a <= GRZ_CORNER_2 ? a[node.a] : b[node.b];
        for (int i = 0; i < 3; i++)
            position[i] = corner[i] + 0.0; // -0 becomes +0
        return;
    }
    int i = node.a - GRZ_EDGE_0, j = node.b - GRZ_EDGE_0;
    if (node.b == GRZ_FACE)
        edge_meets_face(a[i], a[(i + 1) % 3], b, position);
    else if (node.a == GRZ_FACE)
        edge_meets_face(b[j], b[(j + 1) % 3], a, position);
    else
        edge_meets_edge(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3], position);
}
