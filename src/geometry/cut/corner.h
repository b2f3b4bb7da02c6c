// SPDX-License-Identifier: MIT
// Points where three planes meet, and the side of a fourth one on which they lie, exactly. A plane is given by three
// points.
#ifndef GRZ_GEOMETRY_CUT_CORNER_H
#define GRZ_GEOMETRY_CUT_CORNER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct grz_parts_plane {
    double at[3][3]; // not on one line
} grz_parts_plane;

// A number and how far off it is at most.
typedef struct grz_parts_rough {
    double at, off;
} grz_parts_rough;

typedef struct grz_parts_corner {
    bool given; // it is `at`; else it is where the planes meet
    double at[3];
    uint32_t planes[3];           // UINT32_MAX if there are none
    grz_parts_rough sum[3], base; // not given: it is nearly the first plane's first point + sum / base
} grz_parts_corner;

// The corner of three planes that meet in one point.
grz_parts_corner grz_parts_meet(const grz_parts_plane *planes, uint32_t a, uint32_t b, uint32_t c);

// Where a corner is, off by some 2^-40 of its distance to the first plane's first point at most.
void grz_parts_near(const grz_parts_plane *planes, const grz_parts_corner *corner, double out[3]);

// 1 if the corner lies on the side of the plane from which its points are counter-clockwise, 0 in it, -1 below.
int grz_parts_side(const grz_parts_plane *planes, const grz_parts_corner *corner, uint32_t plane);

// The coordinates, each rounded to the nearest double.
void grz_parts_round(const grz_parts_plane *planes, const grz_parts_corner *corner, double out[3]);

#endif
