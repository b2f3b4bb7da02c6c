// SPDX-License-Identifier: MIT
// How cells are made by a BSP tree: what is kept until the level is done.
#ifndef GRZ_LEVEL_PORTALS_BSP_BSP_WORK_H
#define GRZ_LEVEL_PORTALS_BSP_BSP_WORK_H

#include "geometry/cut/cut.h"
#include "level/portals/bsp/bsp_cells.h"

// Two leaves with so little wall between them that they may be one cell.
typedef struct grz_bsp_bond {
    uint32_t leaves[2];
    double share; // of the larger one's face that is open
} grz_bsp_bond;

// A part of space that is not cut yet.
typedef struct grz_bsp_open {
    grz_parts_node part; // its faces, and the walls inside of it
    uint32_t node;       // of the tree
    int levels;          // above it
} grz_bsp_open;

// Planes through the edges of a triangle, or a little outside of them.
typedef struct grz_bsp_rim {
    uint32_t edges[3];
    int inner[3]; // the side of each that the triangle is on
} grz_bsp_rim;

// A triangle that counts as in a node's plane: moved into it along an axis, along which its rim is, too.
typedef struct grz_bsp_flat {
    uint32_t triangle, plane;
    int axis;
    grz_bsp_rim rim, grown;
    double reach; // how far the grown triangle is from the triangle at most. 0: it is not made; infinite: there is none
} grz_bsp_flat;

// A node's plane, and what of it the node has: the whole polygon, and the walls in it.
typedef struct grz_bsp_seam {
    uint32_t plane;        // UINT32_MAX: a leaf
    uint32_t polygon;      // in `seams`
    uint32_t first, count; // in `flats`
    uint32_t leaf;         // of a leaf
} grz_bsp_seam;

// A portal, and its pieces.
typedef struct grz_bsp_opening {
    grz_portal portal;    // of leaves, numbered from 1; later of cells
    uint32_t first_piece; // in `pieces`; `next_piece` has the others
} grz_bsp_opening;

// Bits of grz_portals::is_portal while the tree is made.
enum {
    GRZ_BSP_MARK = 1, // the caller's portal: it divides as a wall does
    GRZ_BSP_FREE = 2  // a part of it divides nothing
};

typedef struct grz_bsp_spot {
    double at[3];
} grz_bsp_spot;

typedef struct grz_bsp_work {
    grz_portals *level;
    const grz_bsp_options *options;
    grz_control *control;
    const grz_allocator *allocator;
    grz_parts_pool pool;           // its first planes are those of the box
    GRZ_ARRAY(grz_bsp_spot) spots; // of corners: nearly where they are, for choices that nothing depends on
    GRZ_ARRAY(grz_bsp_open) open;
    GRZ_ARRAY(grz_bsp_seam) seams_of; // nodes of the tree
    grz_parts_polygons seams;         // of all nodes
    GRZ_ARRAY(grz_bsp_flat) flats;
    grz_bsp_seam sides[GRZ_PARTS_BOX_PLANES]; // of the box
    GRZ_ARRAY(grz_parts_polygons) leaves;     // the faces of each
    grz_box *flat_boxes;                      // of `flats`, nearly
    GRZ_ARRAY(grz_bsp_opening) openings;
    grz_portal_polygons pieces;
    GRZ_ARRAY(uint32_t) next_piece; // of each piece: the next one of its opening, or UINT32_MAX
    GRZ_ARRAY(grz_bsp_bond) bonds;
    grz_box *leaf_boxes;
    uint32_t *leaf_walls;        // how many each has
    double most_moved;           // how far a triangle may be moved into a plane
    uint32_t wall_planes;        // planes before it are those of the box and of walls
    double *area;                // of each of them: the walls of the node that have it
    GRZ_ARRAY(uint32_t) touched; // planes of which the node has walls
    GRZ_ARRAY(double) areas;     // of each wall of the node; 0 once it counts for a plane
    grz_status status;
} grz_bsp_work;

// Remember a failure. Returns false.
bool grz_bsp_fail(grz_bsp_work *w, grz_status status);

// How a plane is moved to: along an axis.
typedef struct grz_bsp_lift {
    double at[3], normal[3], off; // a point; the normal, and how far each of its entries is off at most
    int axis;
} grz_bsp_lift;

grz_bsp_lift grz_bsp_lift_to(const grz_parts_plane *plane);

// How far a triangle must be moved along the axis, at most; infinite if that cannot be said.
double grz_bsp_lift_of(const grz_bsp_lift *lift, const double c[3][3]);

// Nearly where a corner is. Not for decisions.
const double *grz_bsp_spot_of(grz_bsp_work *w, uint32_t corner);

// The box of a polygon, nearly.
grz_box grz_bsp_rough_box(grz_bsp_work *w, const grz_parts_polygons *list, const grz_parts_polygon *polygon);

// The area of a polygon, nearly.
double grz_bsp_area(grz_bsp_work *w, const grz_parts_polygons *list, const grz_parts_polygon *polygon);

// A box that holds a polygon.
void grz_bsp_add_to_box(const grz_bsp_work *w, const grz_parts_polygons *list, const grz_parts_polygon *polygon,
                        grz_box *box);

// Give the edges of a wall their planes, if they have none yet. False if there is no memory.
bool grz_bsp_need_edges(grz_bsp_work *w, grz_parts_polygons *list, uint32_t polygon);

// Add a plane across an axis. UINT32_MAX if there is no memory.
uint32_t grz_bsp_add_across(grz_bsp_work *w, int axis, double where);

// Make the grown triangle of a wall, unless it would reach too far. False if there is no memory.
bool grz_bsp_grow(grz_bsp_work *w, grz_bsp_flat *flat);

// The plane to cut a part of space by; UINT32_MAX if it is done, or if there is no memory.
uint32_t grz_bsp_choose(grz_bsp_work *w, const grz_parts_node *part);

static inline bool grz_bsp_is_mark(const grz_bsp_work *w, uint32_t triangle)
{
    return (w->level->is_portal[triangle] & GRZ_BSP_MARK) != 0;
}

// Add a polygon to an opening.
bool grz_bsp_add_piece(grz_bsp_work *w, const grz_parts_polygons *list, const grz_parts_polygon *polygon,
                       grz_bsp_opening *opening);

// Sort the openings, and make one of those of a marked face between the same cells.
bool grz_bsp_unite_marks(grz_bsp_work *w);

// Give the openings to the level.
bool grz_bsp_hand_portals_over(grz_bsp_work *w);

// Find the portals between all leaves.
bool grz_bsp_find_portals(grz_bsp_work *w);

// Find the walls of all leaves, as if they were cells; and how many each has.
bool grz_bsp_find_walls(grz_bsp_work *w, grz_cell_pairs *pairs);

// Make cells of leaves: leaves with little wall between them become one. Numbers nodes, portals and pairs anew.
bool grz_bsp_merge(grz_bsp_work *w, grz_cell_pairs *pairs);

#endif
