// SPDX-License-Identifier: MIT
// Exact points: the intersection of a line with a plane or with another line, where lines and planes are given by
// points with double coordinates. The exact coordinates are usually no doubles, so a point is stored by its definition.
// Comparing points and asking for the side of a plane are exact. For output, each coordinate is rounded once, to the
// nearest double. Input coordinates may be up to 2^300 in magnitude.
#ifndef GRZ_GEOMETRY_EXACT_POINT_H
#define GRZ_GEOMETRY_EXACT_POINT_H

typedef enum grz_point_form {
    GRZ_POINT_GIVEN,    // the point p[0]
    GRZ_POINT_ON_PLANE, // line p[0]-p[1] meets plane p[2], p[3], p[4]; the line is not parallel to the plane
    GRZ_POINT_ON_LINE   // line p[0]-p[1] meets line p[2]-p[3]; the two lie in one plane and are not parallel
} grz_point_form;

typedef struct grz_exact_point {
    grz_point_form form;
    double p[5][3];
    double rounded[3]; // the coordinates, each rounded to the nearest double, ties to even; never -0
} grz_exact_point;

// Make a point of each form. On the plane or line: where the line through p and q meets it.
grz_exact_point grz_exact_given(const double p[3]);
grz_exact_point grz_exact_on_plane(const double p[3], const double q[3], const double plane[3][3]);
grz_exact_point grz_exact_on_line(const double p[3], const double q[3], const double r[3], const double s[3]);

// Compare by x, then y, then z: -1, 0 (the same point) or 1. Points of one line compare in their order along the line.
int grz_exact_compare(const grz_exact_point *x, const grz_exact_point *y);

// The sign of grz_orient3d(a, b, c, x) for an exact point x.
int grz_exact_orient3d(const double a[3], const double b[3], const double c[3], const grz_exact_point *x);

// The sign of orient2d(a, b, x) in the projection along `axis` (0 to 2): coordinate `axis` is left out, and the other
// two are taken in cyclic order.
int grz_exact_orient_projected(int axis, const double a[3], const double b[3], const grz_exact_point *x);

enum {
    GRZ_SIGN_UNKNOWN = 2 // in place of a sign: the rounded coordinates do not prove one
};

// As grz_exact_orient3d(), but from rounded coordinates: the sign if they prove it, else GRZ_SIGN_UNKNOWN; never 0.
// Fast.
int grz_rounded_orient3d(const double a[3], const double b[3], const double c[3], const double rounded[3]);

// As grz_exact_orient_projected(), with all three points rounded: the sign for the exact points p, q, x if their
// rounded coordinates prove it, else GRZ_SIGN_UNKNOWN; never 0.
int grz_rounded_orient_projected(int axis, const double p[3], const double q[3], const double x[3]);

#endif
