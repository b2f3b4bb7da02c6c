// SPDX-License-Identifier: MIT
// Triangulates a polygon in space. The result depends on the coordinates only, and on nothing else. The polygon is
// projected along the largest axis of its Newell normal. If the projection is strictly convex, the triangles are a fan
// from corner 0. Otherwise ears are clipped with exact signs. A polygon that is not simple (its edges cross) becomes a
// fan, too. Multiplying all coordinates by a power of two does not change the triangles.
#ifndef GRZ_GEOMETRY_POLYGON_POLYGON_H
#define GRZ_GEOMETRY_POLYGON_POLYGON_H

#include "base/control_type.h"
#include "geometry/polygon/balanced.h"

typedef enum grz_polygon_shape {
    GRZ_POLYGON_CONVEX,    // the projection is strictly convex: a fan
    GRZ_POLYGON_SIMPLE,    // ears clipped: each point is covered as often as the projection winds around it
    GRZ_POLYGON_COLLINEAR, // all corners on one line: a fan without area; does not count as crossing itself
    GRZ_POLYGON_NONSIMPLE  // two edges cross, or ear clipping failed: a fan, whose triangles may overlap
} grz_polygon_shape;

// One edge of the polygon, as the crossing test sorts it.
typedef struct grz_polygon_span {
    double low; // the smaller coordinate of its ends along the sweep axis
    uint32_t edge;
} grz_polygon_span;

typedef struct grz_polygon_box {
    double min[2], max[2];
} grz_polygon_box;

// A corner in the linked ring from which ear clipping removes corners.
typedef struct grz_polygon_corner {
    uint32_t previous, next; // neighbours in the ring, those that are not removed
    uint32_t due;            // the round in which this corner is tested next
    bool convex, removed;
    bool listed; // searches take it into account: it can block triangles (clipper.h)
} grz_polygon_corner;

// A point at which many corners meet.
typedef struct grz_polygon_hub {
    uint32_t corner;   // one of them, which stands for all in searches
    uint32_t left;     // how many are left
    uint32_t blocking; // how many of these are not convex
    uint32_t root;     // the tree of the edges there
} grz_polygon_hub;

// A place in a list of the corners that one thing keeps from being ears.
typedef struct grz_polygon_watcher {
    uint32_t list, previous, next; // GRZ_NO_NODE where there is none
    uint32_t blocker;              // the corner that blocked last
} grz_polygon_watcher;

// Working memory, reused from polygon to polygon. Zero it before first use.
typedef struct grz_polygon_scratch {
    GRZ_ARRAY(double) points;  // the projection, two coordinates per corner
    GRZ_ARRAY(double) rotated; // the same points, rotated and rounded, for sorting only (polygon_frame.c)
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
    GRZ_ARRAY(uint32_t) leaves;
    GRZ_ARRAY(uint32_t) listed;
    // For polygons that need them only.
    GRZ_ARRAY(uint32_t) ends;
    GRZ_ARRAY(uint32_t) sorted_ends;
    GRZ_ARRAY(grz_balanced_node) nodes;
    GRZ_ARRAY(grz_polygon_hub) hubs;
    GRZ_ARRAY(uint32_t) hub_of;
    GRZ_ARRAY(uint32_t) targets;
    GRZ_ARRAY(grz_polygon_watcher) watchers;
    GRZ_ARRAY(uint32_t) heads;
    GRZ_ARRAY(uint64_t) due_words;
    bool eager;           // for tests: use all structures from the start, however small the polygon is
    uint64_t steps;       // edges, corners, boxes and cells visited so far; tests compare it with the number of corners
    grz_control *control; // may be NULL. Looked at now and then: large polygons can take seconds
} grz_polygon_scratch;

// Cut a polygon into count - 2 triangles. Together they use every corner, and they have the orientation of the polygon.
//
// A polygon may touch itself without crossing: a hole joined to the outline by a doubled edge, repeated points, slits.
// Such polygons are ear-clipped like simple ones. A polygon that goes twice around the same path may succeed as well;
// it is then covered twice. Triangles without area occur where points repeat or where doubled edges stick out, and
// rarely elsewhere. Cost: O(n) for convex polygons, close to O(n log n) for others, also if thousands of corners or
// edges coincide. Polygons that cover parts of the plane many times can still take O(n²).
//
// corners    count × 3 coordinates, finite, up to 2^300 in magnitude
// count      at least 3
// triangles  receives (count - 2) × 3 corner numbers, each below `count`
// Returns false if there is no memory, or if the control in `scratch` says to end.
bool grz_polygon_triangulate(const grz_allocator *allocator, grz_polygon_scratch *scratch, const double *corners,
                             uint32_t count, uint32_t *triangles, grz_polygon_shape *shape);

// Release the working memory.
void grz_polygon_scratch_finish(const grz_allocator *allocator, grz_polygon_scratch *scratch);

#endif
