// SPDX-License-Identifier: MIT
// A convex cell and the polygons of the mesh that lie in it, and cutting both by a plane.
#ifndef GRZ_QUERY_PARTS_CUT_H
#define GRZ_QUERY_PARTS_CUT_H

#include "base/memory.h"
#include "query/parts/corner.h"

// A convex polygon: corners from .. from + count - 1 of a list, counter-clockwise from its outer side.
typedef struct grz_parts_polygon {
    uint32_t plane, from, count;
    int facing; // 1: its outer side is the plane's upper one; -1: the lower one
} grz_parts_polygon;

// A corner of a polygon, and a plane that holds the edge from there to the next one (not the polygon's own).
typedef struct grz_parts_place {
    uint32_t corner, along;
} grz_parts_place;

typedef struct grz_parts_polygons {
    GRZ_ARRAY(grz_parts_polygon) all;
    GRZ_ARRAY(grz_parts_place) places;
} grz_parts_polygons;

// A part of space. `cell`: the faces of a convex polyhedron, facing outwards. `surface`: what the mesh has inside of
// it. `inside`: if that is nothing, whether the cell belongs to the solid.
typedef struct grz_parts_node {
    grz_parts_polygons cell, surface;
    bool inside;
} grz_parts_node;

// Planes and corners. They only grow.
typedef struct grz_parts_pool {
    const grz_allocator *allocator;
    GRZ_ARRAY(grz_parts_plane) planes;
    GRZ_ARRAY(grz_parts_corner) corners;
} grz_parts_pool;

void grz_parts_node_finish(const grz_allocator *allocator, grz_parts_node *node);

// Add a polygon without corners; add a corner to the last one. False if memory is out.
bool grz_parts_begin(const grz_allocator *allocator, grz_parts_polygons *list, uint32_t plane, int facing);
bool grz_parts_add(const grz_allocator *allocator, grz_parts_polygons *list, uint32_t corner, uint32_t along);

// The part of a cell on one side of a plane that has corners of the cell strictly on both sides: side -1 below, 1
// above. `out` is empty at first. False if memory is out.
bool grz_parts_cut_cell(grz_parts_pool *pool, const grz_parts_polygons *cell, uint32_t plane, int side,
                        grz_parts_polygons *out);

// The parts of polygons on that side, those in the plane left out.
bool grz_parts_cut_surface(grz_parts_pool *pool, const grz_parts_polygons *surface, uint32_t plane, int side,
                           grz_parts_polygons *out);

// The lowest and the highest side of a plane on which a polygon has corners.
void grz_parts_sides(const grz_parts_pool *pool, const grz_parts_polygons *list, const grz_parts_polygon *polygon,
                     uint32_t plane, int *low, int *high);

#endif
