// SPDX-License-Identifier: MIT
// Exact questions about one triangle: its dimension, a plane to project it to, and where in it a point lies. Shared by the files of
// the triangle-triangle test.
#ifndef GRZ_GEOMETRY_TRIANGLE_H
#define GRZ_GEOMETRY_TRIANGLE_H

#include <stdbool.h>

#include "geometry/predicates.h"
#include "geometry/triangle_pair.h"

enum {
    GRZ_NOWHERE = -1 // no feature
};

static inline bool grz_same_point(const double p[3], const double q[3])
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

// orient2d of three points with one coordinate left out; the others in cyclic order.
static inline int grz_orient_projected(int axis, const double a[3], const double b[3], const double c[3])
{
    int x = (axis + 1) % 3, y = (axis + 2) % 3;
    const double a2[2] = {a[x], a[y]}, b2[2] = {b[x], b[y]}, c2[2] = {c[x], c[y]};
    return grz_orient2d(a2, b2, c2);
}

// 0: a point, 1: a segment, 2: a triangle with area.
int grz_triangle_dimension(const double corners[3][3]);

// An axis along which the triangle projects to one with area, and that projection's orientation; the triangle has area.
int grz_projection_axis(const double corners[3][3], int *orientation);

// The smallest feature of a triangle with area that holds p, a point of its plane; GRZ_NOWHERE if p lies outside.
int grz_locate_in_plane(const double corners[3][3], const double p[3]);

// The feature of a triangle that three signs name: side[i] is the side of edge i that the point lies on (1 inside, 0 on, -1
// outside).
int grz_feature_of_sides(const int side[3]);

// Add a node unless it is there.
void grz_add_node(grz_intersection *out, int a, int b);

// The intersection of two triangles with area in one plane.
void grz_intersect_coplanar(const double a[3][3], const double b[3][3], grz_intersection *out);

// The intersection of two triangles, at least one of them degenerate.
void grz_intersect_degenerate(const double a[3][3], const double b[3][3], grz_intersection *out);

#endif
