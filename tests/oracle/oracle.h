// SPDX-License-Identifier: MIT
// Two oracles for the intersection of two triangles, in exact arithmetic. They use other algorithms than the library
// and share no code with it or with each other.
// oracle.c clips one triangle by the other in homogeneous integers. It is fast and checks every pair of the big test.
// oracle_rational.c computes in rationals: common points of the triangles are points of a polytope of barycentric
// weights, and it lists the vertices of that polytope. It is slow and checks a sample.
#ifndef GRZ_TESTS_ORACLE_H
#define GRZ_TESTS_ORACLE_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "geometry/triangle/pair.h"

enum {
    ORACLE_MAX_POINTS = 6
};

// The intersection of two triangles. `points` is the number of its extreme points: 0 apart, 1 a point, 2 a segment, 3
// to 6 a convex polygon.
typedef struct oracle_answer {
    uint32_t points;
    grz_kind kind;      // undefined if points is 0
    bool degenerate[2]; // of a, of b
    // For each extreme point, in cyclic order: the smallest features that contain it. For a degenerate triangle, one of
    // the smallest.
    grz_node nodes[ORACLE_MAX_POINTS];
} oracle_answer;

// Working storage of the clipping oracle. It keeps the exact points of the last intersection. One thread at a time.
typedef struct oracle oracle;

// NULL if there is no memory. (GMP itself ends the program in that case.)
oracle *oracle_create(void);
void oracle_destroy(oracle *o);

void oracle_intersect(oracle *o, const double a[3][3], const double b[3][3], oracle_answer *answer);

// True if a feature of triangle 0 (a) or 1 (b) contains extreme point `point` of the last intersection.
bool oracle_holds(oracle *o, int triangle, int feature, uint32_t point);

// The distance of a position from extreme point `point` along an axis, in units of 2^unit_exponent, to about 15 digits.
double oracle_distance(oracle *o, uint32_t point, int axis, double position, int unit_exponent);

// The exact coordinates of extreme point `point`.
void oracle_point(oracle *o, uint32_t point, mpq_t coordinates[3]);

// The signs that grz_orient2d() and grz_orient3d() must return.
int oracle_orient2d(oracle *o, const double a[2], const double b[2], const double c[2]);
int oracle_orient3d(oracle *o, const double a[3], const double b[3], const double c[3], const double d[3]);

// The rational oracle's storage and answer. answer.nodes is filled only if neither triangle is degenerate. The points
// have no order.
typedef struct oracle_rational {
    oracle_answer answer;
    mpq_t points[ORACLE_MAX_POINTS][3];
    mpq_t matrix[5][7], solution[7], corner[2][3][3], sum[6], temporary[2];
} oracle_rational;

void oracle_rational_init(oracle_rational *o);
void oracle_rational_finish(oracle_rational *o);
void oracle_rational_intersect(oracle_rational *o, const double a[3][3], const double b[3][3]);

#endif
