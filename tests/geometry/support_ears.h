// SPDX-License-Identifier: MIT
// Ear clipping as it was first written, in integers and without any structure: each test of a corner looks at all
// corners left. The library must find the same triangles.
#ifndef SUPPORT_EARS_H
#define SUPPORT_EARS_H

#include <stdbool.h>
#include <stdint.h>

#define EAR_POINT_LIMIT (INT64_C(1) << 29)

// A corner; below EAR_POINT_LIMIT in magnitude.
typedef struct ear_point {
    int64_t x, y;
} ear_point;

// Triangulate a polygon of at least five corners that is neither strictly convex nor all on one line. Cost: O(n²) a
// round, O(n³) in all.
//
// triangles  receives 3 × (count - 2) corner numbers
// Returns true if ears were clipped, false if the triangles are a fan, because edges cross or no ear was left.
bool ears_triangulate(const ear_point *points, uint32_t count, uint32_t *triangles);

// True if the interiors of two edges cross in one point: each edge against each other one.
bool ears_cross(const ear_point *points, uint32_t count);

#endif
