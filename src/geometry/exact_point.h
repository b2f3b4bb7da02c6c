// SPDX-License-Identifier: MIT
// Points that need not be doubles: where a line meets a plane or another line, each given by doubles. Their places are rounded
// once, to the nearest double; comparing them and asking on which side of something they lie is exact. Inputs up to 2^300 in
// magnitude.
#ifndef GRZ_GEOMETRY_EXACT_POINT_H
#define GRZ_GEOMETRY_EXACT_POINT_H

typedef enum grz_point_form {
    GRZ_POINT_GIVEN,    // p[0]
    GRZ_POINT_ON_PLANE, // where line p[0]-p[1] meets plane p[2], p[3], p[4]; the line is neither in it nor parallel to it
    GRZ_POINT_ON_LINE   // where line p[0]-p[1] meets line p[2]-p[3], another line of one plane
} grz_point_form;

typedef struct grz_exact_point {
    grz_point_form form;
    double p[5][3];
    double place[3]; // each coordinate the nearest double to the exact one, ties to even; never -0
} grz_exact_point;

grz_exact_point grz_exact_given(const double p[3]);
grz_exact_point grz_exact_on_plane(const double p[3], const double q[3], const double plane[3][3]);
grz_exact_point grz_exact_on_line(const double p[3], const double q[3], const double r[3], const double s[3]);

// Order by x, then y, then z: -1, 0 (the same point), 1. Along a line this is the order on it.
int grz_exact_compare(const grz_exact_point *x, const grz_exact_point *y);

// grz_orient3d(a, b, c, x).
int grz_exact_orient3d(const double a[3], const double b[3], const double c[3], const grz_exact_point *x);

// orient2d(a, b, x) with coordinate `axis` left out, the others in cyclic order.
int grz_exact_orient_projected(int axis, const double a[3], const double b[3], const grz_exact_point *x);

enum {
    GRZ_UNSURE = 2
};

// As grz_exact_orient3d(), from the places alone: the sign where they leave no doubt, else GRZ_UNSURE (never 0).
int grz_near_orient3d(const double a[3], const double b[3], const double c[3], const double place[3]);

// The side of the line through the places p and q that the place x lies on, projected along `axis`: the sign for the exact points
// wherever each is rounded to its place, or GRZ_UNSURE.
int grz_near_orient_projected(int axis, const double p[3], const double q[3], const double x[3]);

#endif
