// SPDX-License-Identifier: MIT
// Internal interface between the files of the polygon triangulation. All of them work on the projection in
// scratch->points.
#ifndef GRZ_GEOMETRY_POLYGON_POLYGON_PARTS_H
#define GRZ_GEOMETRY_POLYGON_POLYGON_PARTS_H

#include <assert.h>
#include <math.h>

#include "base/control.h"
#include "geometry/exact/predicates.h"
#include "geometry/polygon/polygon.h"

// Polygons of more corners (40 GB each) do without the structures that number ends of edges and lists.
#define GRZ_POLYGON_NUMBERED (UINT32_C(1) << 30)

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
// an error below 2^-51. False if there is no memory.
bool grz_polygon_rotate(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count);

// A box of rotated corners, enlarged by this margin, contains the exact positions; 2^-51 of it is left for rounding.
#define GRZ_ROTATED_MARGIN 0x1p-50

// A k-d tree over the corners that are left of a polygon, stored as a complete binary tree.
typedef struct grz_corner_tree {
    const double *rotated;
    const grz_polygon_corner *ring;
    uint32_t *order;        // the corners, leaf after leaf
    uint32_t *leaves;       // the leaf of each corner of the tree
    uint32_t *listed;       // how many corners of each node are listed
    grz_polygon_box *boxes; // node 1 is the root, node n has the children 2n and 2n + 1, the last leaf_count are leaves
    size_t count, leaf_count;
    int orientation;
    uint64_t steps; // boxes and corners that searches visited
} grz_corner_tree;

// Allocate room for a polygon of `corners` corners. False if there is no memory.
bool grz_corner_tree_reserve(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t corners);

// Build the tree over the first `count` corners in scratch->order. `tree` is zeroed or was built before.
void grz_corner_tree_build(const grz_polygon_scratch *scratch, uint32_t count, int orientation, grz_corner_tree *tree);

// The corner's entry `listed` in the ring has changed to this.
void grz_corner_tree_list(grz_corner_tree *tree, uint32_t corner, bool listed);

typedef bool grz_corner_test(uint32_t corner, const void *context);

// True if `test` returns true for some listed corner in the triangle. `test` may also be
// called for corners near the triangle. The triangle must have the tree's orientation.
bool grz_corner_tree_find(grz_corner_tree *tree, const uint32_t triangle[3], uint32_t random, grz_corner_test *test,
                          const void *context);

typedef bool grz_number_after(uint32_t x, uint32_t y, const void *context);

// Sort numbers; equal ones keep their order. `after` says whether x comes after y. Returns the array that holds the
// result, `numbers` or `spare`, or NULL if the control says to end.
uint32_t *grz_polygon_sort(const grz_polygon_scratch *scratch, uint32_t *numbers, uint32_t *spare, size_t count,
                           grz_number_after *after, const void *context);

// True if the interiors of two edges cross in one point. Edge i goes from corner i to the next one.
static inline bool grz_polygon_edges_cross(const double *points, uint32_t count, uint32_t first, uint32_t second)
{
    const double *a = points + 2 * (size_t)first, *b = points + 2 * (size_t)(first + 1 < count ? first + 1 : 0);
    const double *c = points + 2 * (size_t)second, *d = points + 2 * (size_t)(second + 1 < count ? second + 1 : 0);
    return grz_orient2d(a, b, c) * grz_orient2d(a, b, d) < 0 && grz_orient2d(c, d, a) * grz_orient2d(c, d, b) < 0;
}

// Set *crosses if the interiors of two edges cross in one point. Needs scratch->rotated. False if there is no memory,
// or if the control says to end.
bool grz_polygon_crosses(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count, bool *crosses);

// The same by another algorithm, for at most GRZ_POLYGON_NUMBERED corners.
bool grz_polygon_sweep_crosses(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count,
                               bool *crosses);

// Clip ears of a polygon that is counter-clockwise (orientation 1) or clockwise (-1). *complete becomes true if the
// whole polygon was cut into triangles; with the wrong orientation that never happens, unless the area is zero.
// `fold_first` removes doubled edges before anything else. False if there is no memory, or if the control says to end.
bool grz_polygon_clip_ears(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count,
                           int orientation, bool fold_first, uint32_t *triangles, bool *complete);

#endif
