// SPDX-License-Identifier: MIT
// The truth about two triangles, from exact arithmetic and by other algorithms than the library's: two oracles that share no code
// with it nor with each other. oracle.c clips one triangle by the other in homogeneous integers (fast: every pair of the big test);
// oracle_rational.c lists the vertices of the polytope of all common points' barycentric weights in rationals (slow: a sample).
#ifndef GRZ_TESTS_ORACLE_H
#define GRZ_TESTS_ORACLE_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "geometry/triangle_pair.h"

enum {
    ORACLE_MAX_POINTS = 6
};

// Two triangles' intersection. `points` counts its extreme points: 0 apart, 1 a point, 2 a segment, 3 to 6 a convex polygon.
typedef struct oracle_answer {
    uint32_t points;
    grz_kind kind;      // meaningless where points is 0
    bool degenerate[2]; // of a, of b
    // Of each extreme point, in cyclic order: the smallest features that hold it. Of a degenerate triangle, one of the smallest.
    grz_node nodes[ORACLE_MAX_POINTS];
} oracle_answer;

// Working storage of the clipping oracle; holds the exact points of the last intersection. One thread at a time.
typedef struct oracle oracle;

// NULL where memory is short. (GMP itself ends the program where it gets none.)
oracle *oracle_create(void);
void oracle_destroy(oracle *o);

void oracle_intersect(oracle *o, const double a[3][3], const double b[3][3], oracle_answer *answer);

// Whether a feature of triangle 0 (a) or 1 (b) holds extreme point `point` of the last intersection.
bool oracle_holds(oracle *o, int triangle, int feature, uint32_t point);

// How far a position is from extreme point `point` along an axis, in units of 2^unit_exponent, to about 15 digits.
double oracle_distance(oracle *o, uint32_t point, int axis, double position, int unit_exponent);

// Coordinates of extreme point `point`, exactly.
void oracle_point(oracle *o, uint32_t point, mpq_t coordinates[3]);

// Signs as grz_orient2d() and grz_orient3d() define them.
int oracle_orient2d(oracle *o, const double a[2], const double b[2], const double c[2]);
int oracle_orient3d(oracle *o, const double a[3], const double b[3], const double c[3], const double d[3]);

// The rational oracle's storage and answer. `nodes` only where neither triangle is degenerate; the points have no order.
typedef struct oracle_rational {
    oracle_answer answer;
    mpq_t points[ORACLE_MAX_POINTS][3];
    mpq_t matrix[5][7], solution[7], corner[2][3][3], sum[6], temporary[2];
} oracle_rational;

void oracle_rational_init(oracle_rational *o);
void oracle_rational_finish(oracle_rational *o);
void oracle_rational_intersect(oracle_rational *o, const double a[3][3], const double b[3][3]);

#endif
