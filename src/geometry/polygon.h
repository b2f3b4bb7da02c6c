// SPDX-License-Identifier: MIT
// Cutting a polygon in space into triangles, by one rule that depends on nothing but its coordinates: a fan from corner 0 where its
// projection along the largest Newell axis is strictly convex, else ear clipping with exact signs; what is not simple is fanned.
// Multiplying all coordinates by a power of two changes nothing.
#ifndef GRZ_GEOMETRY_POLYGON_H
#define GRZ_GEOMETRY_POLYGON_H

#include "base/memory.h"

typedef enum grz_polygon_shape {
    GRZ_POLYGON_CONVEX,    // strictly convex in projection: a fan
    GRZ_POLYGON_SIMPLE,    // ears clipped: the triangles cover each point as often as the projection winds round it, mostly once
    GRZ_POLYGON_COLLINEAR, // all corners on one line or point: a fan of triangles without area; not counted as crossing itself
    GRZ_POLYGON_NONSIMPLE  // two edges cross, or no triangulation covers it: a fan, which may fold and overlap
} grz_polygon_shape;

// One edge of the polygon as the crossing test sorts it.
typedef struct grz_polygon_span {
    double low;
    uint32_t edge;
} grz_polygon_span;

typedef struct grz_polygon_box {
    double min[2], max[2];
} grz_polygon_box;

// A corner in the ring that ear clipping shortens.
typedef struct grz_polygon_corner {
    uint32_t previous, next; // neighbours among those left
    uint32_t due;            // the round in which it is looked at next
    bool convex, removed;
} grz_polygon_corner;

// Working memory, kept between polygons. Zero it to start.
typedef struct grz_polygon_scratch {
    GRZ_ARRAY(double) points; // the projection, two a corner
    GRZ_ARRAY(double) turned; // the same in a frame that sorts them well, rounded
    GRZ_ARRAY(grz_polygon_span) spans;
    GRZ_ARRAY(grz_polygon_span) sorted_spans;
    GRZ_ARRAY(grz_polygon_box) boxes;
    GRZ_ARRAY(grz_polygon_corner) ring;
    GRZ_ARRAY(uint32_t) round;
    GRZ_ARRAY(uint32_t) next_round;
    GRZ_ARRAY(uint32_t) cell_starts;
    GRZ_ARRAY(uint32_t) cell_corners;
    GRZ_ARRAY(uint32_t) corner_cells;
    GRZ_ARRAY(uint32_t) order;
    uint64_t steps; // edges, corners, boxes and cells looked at so far: what tests hold against the number of corners
} grz_polygon_scratch;

// Cut a polygon into count - 2 triangles that together use every corner and run round as the polygon does.
//
// Polygons that touch themselves without crossing (holes bridged by a doubled edge, repeated points, slits) are ear-clipped like
// simple ones; one that runs twice round the same path without crossing it may be, and is covered twice then. Triangles without
// area come out where points repeat or doubled edges lie outside the rest, and hardly anywhere else. Cost: linear for convex ones;
// else close to n·log n for common shapes, at worst quadratic.
//
// corners    count × 3 coordinates, finite, up to 2^300 in magnitude
// count      at least 3
// triangles  receives (count - 2) × 3 corner numbers
// Returns false where memory is short.
bool grz_polygon_triangulate(const grz_allocator *allocator, grz_polygon_scratch *scratch, const double *corners, uint32_t count,
                             uint32_t *triangles, grz_polygon_shape *shape);

void grz_polygon_scratch_finish(const grz_allocator *allocator, grz_polygon_scratch *scratch);

#endif
