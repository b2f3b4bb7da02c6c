// SPDX-License-Identifier: MIT
// A line in a unit of length that suits what it is looked for in. The parameter t of a ray says how long its direction
// is: with a direction of 1e60, a triangle at 1e-300 is at a t that no double holds. s does not: it is measured in
// units of length, times a number from 1 to 2, along the axis on which the line goes farthest. All searches through
// trees and structures that need places along a ray, and not just fractions to compare, have them from here.
#ifndef GRZ_GEOMETRY_RAY_LINE_UNIT_H
#define GRZ_GEOMETRY_RAY_LINE_UNIT_H

#include <float.h>
#include <math.h>

#include "geometry/exact/powers.h"
#include "geometry/ray/line.h"

// The point at t of the line is origin + s · direction · 2^unit, s = t · 2^exponent.
typedef struct grz_line_unit {
    double direction[3]; // rounded to a double; the largest component is from 1 to 2 in magnitude
    int exponent;
} grz_line_unit;

// Of a line whose direction is not 0, in units of 2^unit.
static inline void grz_line_unit_set(grz_line_unit *out, const grz_line *line, int unit)
{
    const int exponent = grz_exponent_of(line->most);
    for (int k = 0; k < 3; k++)
        out->direction[k] = grz_times_power(line->direction[k], -exponent);
    out->exponent = exponent - unit;
}

// A bound of s, which doubles hold but where it under- or overflows: at most (`above` false) or at least s.
static inline double grz_line_unit_bound(const grz_line_unit *unit, double t, bool above)
{
    const double s = grz_times_power(t, unit->exponent), size = fabs(s);
    if (size >= DBL_MIN && size <= DBL_MAX)
        return s;
    if (t == 0.0 || !(fabs(t) <= DBL_MAX))
        return t;
    return nextafter(s, above ? HUGE_VAL : -HUGE_VAL);
}

#endif
