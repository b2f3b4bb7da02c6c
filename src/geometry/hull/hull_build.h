// SPDX-License-Identifier: MIT
// The convex hull of points, exactly: every sign comes from orient2d and orient3d. Any finite points up to 2^300 in
// magnitude: one, many equal ones, all on a line, all in a plane, many in one plane of the hull.
#ifndef GRZ_GEOMETRY_HULL_HULL_BUILD_H
#define GRZ_GEOMETRY_HULL_HULL_BUILD_H

#include <stdint.h>

#include "base/control_type.h"

enum {
    GRZ_HULL_SHAPE_MAX_POINTS = 1 << 30
};

// A hull. Only true corners are vertices: points inside a face or an edge are left out. Everything but `points` depends
// on the set of positions only, not on their order: vertices ascend by x, then y, then z; a face begins with its lowest
// corner; faces ascend by their first two corners.
typedef struct grz_hull_shape {
    int dimension;          // 0: a point, 1: a segment, 2: a polygon, 3: a solid
    uint32_t vertex_count;  // at least 1
    double *positions;      // vertex_count × 3; never -0
    uint32_t *points;       // vertex_count: the lowest input point at this position
    uint32_t face_count;    // dimension 3: at least 4; 2: 1; else 0
    uint32_t *face_offsets; // face_count + 1 offsets into corners
    uint32_t *corners;      // vertices, face after face, counter-clockwise from outside
    uint32_t corner_count;
    uint32_t triangle_count;
    uint32_t
        *triangles; // triangle_count × 3 vertices: the faces cut into fans from their first corners, in their order
} grz_hull_shape;

// Build the hull of points. O(n log n) in practice.
//
// points   positions, packed, finite, at most 2^300 in magnitude
// members  the `count` points that count; NULL: points 0 to count - 1
// count    1 to GRZ_HULL_SHAPE_MAX_POINTS
// control  may end it; memory comes from its allocator
// out      receives the hull; empty on failure. Release it with grz_hull_shape_finish() and the same base allocator
// Returns GRZ_OK, GRZ_ERROR_MEMORY, or the control's status if it says to end.
grz_status grz_hull_build(const double *points, const uint32_t *members, uint32_t count, grz_control *control,
                          grz_hull_shape *out);

// Zeroed memory is an empty hull.
void grz_hull_shape_finish(const grz_allocator *allocator, grz_hull_shape *shape);

#endif
