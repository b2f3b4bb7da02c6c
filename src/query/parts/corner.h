// SPDX-License-Identifier: MIT
// Points where three planes meet, and the side of a fourth one on which they lie, exactly. A plane is given by three
// points.
#ifndef GRZ_QUERY_PARTS_CORNER_H
#define GRZ_QUERY_PARTS_CORNER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct grz_parts_plane {
    double at[3][3]; // not on one line
} grz_parts_plane;

typedef struct grz_parts_corner {
    bool given; // it is `at`; else it is where the planes meet
    double at[3];
    uint32_t planes[3]; // UINT32_MAX if given
} grz_parts_corner;

// 1 if the corner lies on the side of the plane from which its points are counter-clockwise, 0 in it, -1 below.
int grz_parts_side(const grz_parts_plane *planes, const grz_parts_corner *corner, uint32_t plane);

// The coordinates, each rounded to the nearest double.
void grz_parts_round(const grz_parts_plane *planes, const grz_parts_corner *corner, double out[3]);

#endif
