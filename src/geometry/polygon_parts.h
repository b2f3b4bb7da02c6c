// SPDX-License-Identifier: MIT
// The parts of the polygon triangulation that are files of their own. They work on the projection in scratch->points.
#ifndef GRZ_GEOMETRY_POLYGON_PARTS_H
#define GRZ_GEOMETRY_POLYGON_PARTS_H

#include <math.h>

#include "geometry/polygon.h"

// A power of two that brings a positive number to [1, 2), as two factors because one can be out of a double's range.
typedef struct grz_power_of_two {
    double first, second;
} grz_power_of_two;

static inline grz_power_of_two grz_normalising_power(double number)
{
    int exponent;
    (void)frexp(number, &exponent);
    int shift = 1 - exponent, half = shift / 2;
    return (grz_power_of_two){ldexp(1.0, half), ldexp(1.0, shift - half)};
}

// The sign of q after p in the order by first coordinate, then second: 1, 0 (the same point) or -1.
static inline int grz_polygon_order(const double p[2], const double q[2])
{
    if (p[0] != q[0])
        return p[0] < q[0] ? 1 : -1;
    return (p[1] < q[1]) - (p[1] > q[1]);
}

// Whether the interiors of two edges cross in one point. Returns false where memory is short.
bool grz_polygon_crosses(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count, bool *crosses);

// Clip ears, taking the polygon to run counter-clockwise where orientation is 1, clockwise where it is -1. *complete tells whether
// it could be cut up entirely; it never can with the wrong orientation, unless the area is zero. `fold_first` takes doubled edges off
// before anything else. False where memory is short.
bool grz_polygon_clip_ears(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count, int orientation,
                           bool fold_first, uint32_t *triangles, bool *complete);

#endif
