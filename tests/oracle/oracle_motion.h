// SPDX-License-Identifier: MIT
// An oracle for the first contact of features whose corners move along straight lines at constant speed: exact, in
// GMP's rationals, by another method than the library's. All signs that decide whether two features touch (volume,
// areas in the three projections, order of coordinates) are polynomials in t of degree 3 at most. Between two roots of
// them nothing changes, so that the first contact is at a root, or at 0. Roots are isolated by Sturm's theorem; the
// sign of one polynomial at the root of another is found with their greatest common divisor.
#ifndef GRZ_TESTS_ORACLE_MOTION_H
#define GRZ_TESTS_ORACLE_MOTION_H

#include <stdbool.h>

typedef struct oracle_motion oracle_motion;

oracle_motion *oracle_motion_create(void);
void oracle_motion_destroy(oracle_motion *o);

// True if a point, x[·][0], and a triangle, x[·][1 to 3], touch at a time in [0, t_max]; or two segments, x[·][0, 1]
// and x[·][2, 3]. The first such time is kept. x[0] is at time 0, x[1] at time 1. Finite numbers.
bool oracle_motion_vertex_face(oracle_motion *o, const double x[2][4][3], double t_max);
bool oracle_motion_edges(oracle_motion *o, const double x[2][4][3], double t_max);

// -1, 0 or 1: the first contact that was found last, compared with t.
int oracle_motion_compare(oracle_motion *o, double t);

#endif
