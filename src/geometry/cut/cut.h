// SPDX-License-Identifier: MIT
// A convex cell and the polygons of the mesh that lie in it, and cutting both by a plane.
#ifndef GRZ_GEOMETRY_CUT_CUT_H
#define GRZ_GEOMETRY_CUT_CUT_H

#include "base/memory.h"
#include "geometry/cut/corner.h"

// A convex polygon: corners from .. from + count - 1 of a list, counter-clockwise from its outer side.
typedef struct grz_parts_polygon {
    uint32_t plane, from, count;
    int facing;  // 1: its outer side is the plane's upper one; -1: the lower one
    uint32_t of; // what the caller wants to know it by; cuts keep it
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

enum {
    GRZ_PARTS_BOX_PLANES = 6 // of grz_parts_add_box()
};

// Add a plane through three points that are not on one line. UINT32_MAX if there is no memory.
uint32_t grz_parts_add_plane(grz_parts_pool *pool, const double a[3], const double b[3], const double c[3]);

// Add a plane through a triangle's edge that is not the triangle's. UINT32_MAX if there is no memory.
uint32_t grz_parts_add_plane_along(grz_parts_pool *pool, const double c[3][3], int edge);

// Add a plane through two points along an axis, along which they do not lie. UINT32_MAX if there is no memory.
uint32_t grz_parts_add_plane_across(grz_parts_pool *pool, const double a[3], const double b[3], int axis);

// Add a corner at a point. False if there is no memory.
bool grz_parts_add_given(grz_parts_pool *pool, const double p[3], uint32_t *corner);

// Make a cell of a box that has a volume, in a pool without planes: face `f` is in plane `f`. They are below and above
// x, y, z. `cell` is empty at first. False if there is no memory.
bool grz_parts_add_box(grz_parts_pool *pool, const double min[3], const double max[3], grz_parts_polygons *cell);

void grz_parts_node_finish(const grz_allocator *allocator, grz_parts_node *node);

// Add a polygon without corners; add a corner to the last one. False if there is no memory.
bool grz_parts_begin(const grz_allocator *allocator, grz_parts_polygons *list, uint32_t plane, int facing);
bool grz_parts_add(const grz_allocator *allocator, grz_parts_polygons *list, uint32_t corner, uint32_t along);

// The part of a cell on one side of a plane that has corners of the cell strictly on both sides: side -1 below, 1
// above. `out` is empty at first. False if there is no memory.
bool grz_parts_cut_cell(grz_parts_pool *pool, const grz_parts_polygons *cell, uint32_t plane, int side,
                        grz_parts_polygons *out);

// The part of one polygon on that side of a plane that is not its own; nothing is added if less than a triangle is
// left. `out` is another list.
bool grz_parts_cut_polygon(grz_parts_pool *pool, const grz_parts_polygons *list, const grz_parts_polygon *polygon,
                           uint32_t plane, int side, grz_parts_polygons *out);

// Add a polygon of another list.
bool grz_parts_copy(const grz_allocator *allocator, const grz_parts_polygons *list, const grz_parts_polygon *polygon,
                    grz_parts_polygons *out);

void grz_parts_polygons_finish(const grz_allocator *allocator, grz_parts_polygons *list);

// The parts of polygons on that side, those in the plane left out.
bool grz_parts_cut_surface(grz_parts_pool *pool, const grz_parts_polygons *surface, uint32_t plane, int side,
                           grz_parts_polygons *out);

// The lowest and the highest side of a plane on which a polygon has corners.
void grz_parts_sides(const grz_parts_pool *pool, const grz_parts_polygons *list, const grz_parts_polygon *polygon,
                     uint32_t plane, int *low, int *high);

#endif
