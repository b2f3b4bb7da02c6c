// SPDX-License-Identifier: MIT
// Exact questions about one triangle: is it degenerate, to which coordinate plane can it be projected, in which of its
// features does a point lie. The files of the triangle-triangle test share them.
#ifndef GRZ_GEOMETRY_TRIANGLE_TRIANGLE_H
#define GRZ_GEOMETRY_TRIANGLE_TRIANGLE_H

#include <assert.h>
#include <stdbool.h>

#include "geometry/exact/predicates.h"
#include "geometry/triangle/pair.h"

enum {
    GRZ_NOWHERE = -1 // in place of a feature: the point lies outside the triangle
};

static inline bool grz_same_point(const double p[3], const double q[3])
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

// orient2d of three points projected along `axis` (0 to 2): that coordinate is left out, the other two are taken in
// cyclic order.
static inline int grz_orient_projected(int axis, const double a[3], const double b[3], const double c[3])
{
    assert(axis >= 0 && axis < 3);
    int x = (axis + 1) % 3, y = (axis + 2) % 3;
    const double a2[2] = {a[x], a[y]}, b2[2] = {b[x], b[y]}, c2[2] = {c[x], c[y]};
    return grz_orient2d(a2, b2, c2);
}

// The dimension of the set of points that three corners span: 0 a point, 1 a segment, 2 a triangle with area.
int grz_triangle_dimension(const double corners[3][3]);

// An axis along which the triangle's projection has area. `orientation` receives the orient2d of that projection, 1 or
// -1. The triangle must have area.
int grz_projection_axis(const double corners[3][3], int *orientation);

// The smallest feature (corner, then edge, then face) of a triangle that contains p, or GRZ_NOWHERE. The triangle must
// have area, and p must lie in its plane.
int grz_locate_in_plane(const double corners[3][3], const double p[3]);

// The smallest feature that contains a point, from its three sides: side[i] is 1 if the point lies on the inner side of
// edge i, 0 if on its line, -1 if outside.
int grz_feature_of_sides(const int side[3]);

// Add the node (a, b) unless the intersection has it already.
void grz_add_node(grz_intersection *out, int a, int b);

// The intersection of two triangles with area in one plane.
void grz_intersect_coplanar(const double a[3][3], const double b[3][3], grz_intersection *out);

// The intersection of two triangles, at least one of them degenerate.
void grz_intersect_degenerate(const double a[3][3], const double b[3][3], grz_intersection *out);

#endif
