// SPDX-License-Identifier: MIT
// Where does a line meet a triangle? At one point or along a segment: from parameter `enter` to `leave`, fractions.
// Triangles may be degenerate (segments, points). All answers are exact; doubles and double-doubles decide where their
// error bounds allow it. The line is met in space, whatever the direction's length: t runs from -infinity to infinity.
#ifndef GRZ_GEOMETRY_RAY_LINE_TRIANGLE_H
#define GRZ_GEOMETRY_RAY_LINE_TRIANGLE_H

#include <stdint.h>

#include "geometry/exact/bounded.h"
#include "geometry/ray/line.h"
#include "geometry/sweep/meeting.h"
#include "geometry/triangle/pair.h"

typedef enum grz_crossing {
    GRZ_CROSSING_NONE,   // proved: no common point
    GRZ_CROSSING_FACE,   // proved: the line goes through the inside of the triangle, at one point, not along it
    GRZ_CROSSING_CORNER, // proved: the line and the triangle have a corner in common, nothing else, and not along it
    GRZ_CROSSING_OPEN    // not known: ask grz_line_meets()
} grz_crossing;

// Where a line crosses a triangle.
typedef struct grz_line_crossing {
    double low, high; // low <= t <= high; CORNER: both are t
    uint8_t feature;  // GRZ_FACE, or the corner
    bool front;       // the line comes from the side that the normal points to
} grz_line_crossing;

// What doubles tell. `out` is set for FACE and CORNER.
grz_crossing grz_line_crosses(const grz_line *line, const double c[3][3], grz_line_crossing *out);

// The parameter of a crossing through the inside, in double-doubles. False: they do not tell enough.
bool grz_line_crossing_at(const grz_line *line, const double c[3][3], grz_bounded *t);

// All points that a line and a triangle have in common.
typedef struct grz_line_meeting {
    grz_time enter, leave; // the same number if the line meets the triangle at one point only
    bool is_point;         // it does
    // The smallest features that hold the two end points, and all that is between them.
    uint8_t at_enter, at_leave, between;
    int side; // 1: the line comes from the side that the normal points to; -1: from the other; 0: it runs along
} grz_line_meeting;

// Exact. False if they do not meet.
bool grz_line_meets(const grz_line *line, const double c[3][3], grz_line_meeting *out);

// The point at a parameter, each coordinate rounded to the nearest double; never -0. `crossing`: t lies inside a
// triangle with these corners, of which equal coordinates are taken; NULL: none.
void grz_line_point(const grz_line *line, const grz_time *t, const double crossing[3][3], double point[3]);

// The same from double-doubles. False: the rounding is not certain.
bool grz_line_point_at(const grz_line *line, const grz_bounded *t, const double crossing[3][3], double point[3]);

// |t · direction|, rounded to nearest, but for numbers within 2^-40 of a unit in the last place of the middle between
// two doubles. First: t is known in double-doubles, and neither over- nor underflows. Second: exactly.
double grz_line_length(const grz_line *line, dd t);
double grz_line_length_at(const grz_line *line, const grz_time *t);

#endif
