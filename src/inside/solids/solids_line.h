// SPDX-License-Identifier: MIT
// Space seen along a line. The line is where two planes W and U meet, each given by three points. A point v is seen at
// (W(v), U(v)), where W(v) and U(v) are the determinants of orient3d with the two planes: an affine map to the plane
// that takes the line to the origin. So what lies around the line is a matter of points around the origin. No
// coordinate is ever computed: every answer is the sign of a polynomial in the given points.
#ifndef GRZ_INSIDE_SOLIDS_SOLIDS_LINE_H
#define GRZ_INSIDE_SOLIDS_SOLIDS_LINE_H

#include <stdbool.h>
#include <stdint.h>

// The planes must not be parallel. The line runs along the cross product of their normals.
typedef struct grz_line {
    double plane[2][3][3];
} grz_line;

// A point and the signs of W and U there.
typedef struct grz_line_point {
    double at[3];
    int8_t side[2];
} grz_line_point;

// A place on the line: where it meets the plane of a triangle. Seen along the line, the triangle has area, and the
// origin lies in it or on its border.
typedef struct grz_line_place {
    grz_line_point corner[3];
    // The origin's barycentric coordinates, not normalised: their signs are 0 or `turn`.
    int8_t weight[3];
    int8_t turn; // 1: seen along the line, the corners are counter-clockwise, so the line leaves by the normal's side
} grz_line_place;

grz_line_point grz_line_see(const grz_line *line, const double at[3]);

// orient2d of the origin, u and v, as seen along the line.
int grz_line_turn(const grz_line *line, const grz_line_point *u, const grz_line_point *v);

// Which comes first along the line: -1: `one`, 1: `other`, 0: they are one place. Of `other`, only the plane and
// `turn` matter.
int grz_line_order(const grz_line *line, const grz_line_place *one, const grz_line_place *other);

// 1 if the line leaves the plane of three points by its normal's side, -1 if by the other, 0 if they are parallel.
int grz_line_leaves(const grz_line *line, const double plane[3][3]);

// The line on which edge `edge` of a triangle with area lies, from its first corner. The first plane is the triangle's.
grz_line grz_line_of_edge(const double corners[3][3], int edge);

#endif
