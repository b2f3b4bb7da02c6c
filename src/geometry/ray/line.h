// SPDX-License-Identifier: MIT
// The line of a ray: all points origin + t · direction. The direction is the exact sum of two doubles for each
// component, so that it can be the exact difference of two points.
#ifndef GRZ_GEOMETRY_RAY_LINE_H
#define GRZ_GEOMETRY_RAY_LINE_H

#include <stdbool.h>

typedef struct grz_line {
    double origin[3];
    double direction[3], tail[3]; // the direction is direction + tail exactly, |tail| at most half an ulp of direction
    double most;                  // the largest component of `direction`, in magnitude
    bool in_range;                // in a range in which doubles can tell something
} grz_line;

// Set a line from finite numbers, at most 2^301 in magnitude. False if the direction is exactly 0.
bool grz_line_set(grz_line *line, const double origin[3], const double direction[3], const double tail[3]);

// True: the line goes through this point exactly, at parameter *t, never -0. False: it does not, or products of doubles
// cannot prove it. They can where t is a double and the direction has no tails, or where t is a power of two, such as 1
// at the end of a ray between two points.
bool grz_line_passes(const grz_line *line, const double point[3], double *t);

// True: the point at parameter t is exactly `point`, whose coordinates are doubles, never -0. False: it has other
// coordinates, or products of doubles cannot prove it.
bool grz_line_has_doubles_at(const grz_line *line, double t, double point[3]);

#endif
