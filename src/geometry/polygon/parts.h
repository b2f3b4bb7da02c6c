// SPDX-License-Identifier: MIT
// Internal interface between the files of the polygon triangulation. All of them work on the projection in
// scratch->points.
#ifndef GRZ_GEOMETRY_POLYGON_PARTS_H
#define GRZ_GEOMETRY_POLYGON_PARTS_H

#include <assert.h>
#include <math.h>

#include "geometry/polygon/polygon.h"

// A power of two that scales a positive number to [1, 2). It is stored as two factors, because the power itself can be
// outside the range of doubles.
typedef struct grz_power_of_two {
    double first, second;
} grz_power_of_two;

static inline grz_power_of_two grz_normalising_power(double number)
{
    int exponent;
    assert(number > 0.0 && isfinite(number));
    (void)frexp(number, &exponent);
    int shift = 1 - exponent, half = shift / 2;
    return (grz_power_of_two){ldexp(1.0, half), ldexp(1.0, shift - half)};
}

// The direction of the step from p to q in lexicographic order (first coordinate, then second): 1 forward, -1 backward,
// 0 if p and q are the same point.
static inline int grz_polygon_step(const double p[2], const double q[2])
{
    if (p[0] != q[0])
        return p[0] < q[0] ? 1 : -1;
    return (p[1] < q[1]) - (p[1] > q[1]);
}

// True if the control says to end. Looks at it only if the low `bits` bits of `step` are zero.
static inline bool grz_polygon_must_end(const grz_polygon_scratch *scratch, uint64_t step, unsigned bits)
{
    return scratch->control != NULL && grz_control_expired_at(scratch->control, (size_t)step, bits);
}

// Fill scratch->rotated: the corners in a rotated frame, two coordinates each. They are at most 1.5 in magnitude, with
// an error below 2^-51. False if memory is out.
bool grz_polygon_rotate(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count);

// A box of rotated corners, enlarged by this margin, contains the exact positions; 2^-51 of it is left for rounding.
#define GRZ_ROTATED_MARGIN 0x1p-50

// A k-d tree over the corners that are left of a polygon, stored as a complete binary tree.
typedef struct grz_corner_tree {
    const double *rotated;
    const grz_polygon_corner *ring;
    uint32_t *order;        // the corners, leaf after leaf
    grz_polygon_box *boxes; // node 1 is the root, node n has the children 2n and 2n + 1, the last leaf_count are leaves
    size_t count, leaf_count;
    int orientation;
    uint64_t steps; // boxes and corners that searches visited
} grz_corner_tree;

// Allocate room for a polygon of `corners` corners. False if memory is out.
bool grz_corner_tree_reserve(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t corners);

// Build the tree over the `count` corners left in the ring, starting at corner `first`. `tree` is zeroed or was built
// before.
void grz_corner_tree_build(const grz_polygon_scratch *scratch, uint32_t first, uint32_t count, int orientation,
                           grz_corner_tree *tree);

typedef bool grz_corner_test(uint32_t corner, const void *context);

// True if `test` returns true for some corner in the triangle that is neither convex nor removed. `test` may also be
// called for corners near the triangle. The triangle must have the tree's orientation.
bool grz_corner_tree_find(grz_corner_tree *tree, const uint32_t triangle[3], grz_corner_test *test,
                          const void *context);

// Set *crosses if the interiors of two edges cross in one point. Needs scratch->rotated. False if memory is out, or if
// the control says to end.
bool grz_polygon_crosses(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count, bool *crosses);

// Clip ears of a polygon that is counter-clockwise (orientation 1) or clockwise (-1). *complete becomes true if the
// whole polygon was cut into triangles; with the wrong orientation that never happens, unless the area is zero.
// `fold_first` removes doubled edges before anything else. False if memory is out, or if the control says to end.
bool grz_polygon_clip_ears(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count,
                           int orientation, bool fold_first, uint32_t *triangles, bool *complete);

#endif
