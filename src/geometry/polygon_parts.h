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

// Fill scratch->turned: the corners in a frame of their own, two numbers each, at most 1.5 in magnitude and off by less than 2^-51
// there. False where memory is short.
bool grz_polygon_turn(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count);

// A box of turned corners that is wider by this holds what the corners are exactly, with 2^-51 to spare for rounding.
#define GRZ_TURNED_SLACK 0x1p-50

// The corners left of a polygon, sorted by place.
typedef struct grz_corner_tree {
    const double *turned;
    const grz_polygon_corner *ring;
    uint32_t *order;        // the corners, leaf after leaf
    grz_polygon_box *boxes; // node 1 is the root, n has the children 2n and 2n + 1, the last leaf_count are leaves
    size_t count, leaf_count;
    int orientation;
    uint64_t steps; // boxes and corners that searches looked at
} grz_corner_tree;

// Make room for a polygon of so many corners. False where memory is short.
bool grz_corner_tree_reserve(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t corners);

// Sort the `count` corners that the ring has left, from `first` on. The tree was zeroed or built before.
void grz_corner_tree_build(const grz_polygon_scratch *scratch, uint32_t first, uint32_t count, int orientation,
                           grz_corner_tree *tree);

typedef bool grz_corner_test(uint32_t corner, const void *context);

// Whether `test` holds for any corner in the triangle that is neither convex nor removed. It may be asked of some near by; the
// triangle has to turn as the orientation says.
bool grz_corner_tree_find(grz_corner_tree *tree, const uint32_t triangle[3], grz_corner_test *test, const void *context);

// Whether the interiors of two edges cross in one point. The corners are turned. Returns false where memory is short.
bool grz_polygon_crosses(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count, bool *crosses);

// Clip ears, taking the polygon to run counter-clockwise where orientation is 1, clockwise where it is -1. *complete tells whether
// it could be cut up entirely; it never can with the wrong orientation, unless the area is zero. `fold_first` takes doubled edges
// off before anything else. False where memory is short.
bool grz_polygon_clip_ears(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count, int orientation,
                           bool fold_first, uint32_t *triangles, bool *complete);

#endif
