// SPDX-License-Identifier: MIT
// How a level of cells is stored. Its meshes are made of triangles in world coordinates; `faces` tells which face of
// the caller's each of them is a part of.
#ifndef GRZ_MOTION_PORTALS_LEVEL_H
#define GRZ_MOTION_PORTALS_LEVEL_H

#include <graze/portals.h>

#include "geometry/box.h"
#include "inside/point_in_mesh.h"

// A mesh of triangles, and the caller's face of each. Zeroed memory is an empty one.
typedef struct grz_part {
    grz_mesh *mesh;  // NULL: it has no triangles
    uint32_t *faces; // of each triangle
    uint32_t count;  // triangles
} grz_part;

typedef struct grz_cell {
    grz_part shell;    // the triangles that have the cell on one side only: a closed mesh
    grz_object object; // the shell
    grz_solid solid;   // the shell, ready for questions
    grz_part walls;    // the triangles of its walls, and of walls near them
    uint32_t first_portal, portal_count;
    grz_box box; // of the shell
    GRZ_ARRAY(uint32_t) contents;
} grz_cell;

typedef struct grz_content {
    grz_object object;
    grz_pose earlier; // where it was, if it has moved
    bool used, moved;
    GRZ_ARRAY(uint32_t) cells;
} grz_content;

// A node of a BSP tree over planes of walls.
typedef struct grz_bsp_node {
    double at[3][3];   // three points of its plane
    uint32_t children; // the one below the plane; the one above (grz_orient3d is 1) comes after it. 0: a leaf
    uint32_t cell;     // of a leaf
} grz_bsp_node;

enum {
    GRZ_BSP_MOST_LEVELS = 200 // nodes from the root to a leaf
};

struct grz_portals {
    grz_device *device;
    const grz_allocator *allocator;
    grz_part all;       // walls and portals
    uint8_t *is_portal; // of each triangle of `all`
    uint32_t *sides;    // of each triangle of `all`: the cells in front of it and behind
    grz_part walls;     // of the whole level
    grz_cell *cells;    // the first is the outside
    uint32_t cell_count;
    grz_portal *portals; // in the order of their faces
    uint32_t portal_count;
    uint32_t *cell_portals; // of cell after cell; two for each portal
    uint32_t useless_portals;
    uint64_t first_useless_portal, wall_faces, free_walls;
    double margin;
    GRZ_ARRAY(grz_bsp_node) nodes; // the root comes first; empty: cells are those of marked portals
    grz_box box;                   // what the tree divides; outside of it is the outside
    double slack;                  // how far walls were moved into planes at most
    GRZ_ARRAY(grz_content) contents;
    uint32_t moved; // contents that have moved
};

struct grz_portals_tracker {
    const grz_portals *level;
    uint32_t *cells, *last; // cell_count numbers each: those of this call, and of the last one
    uint32_t count, last_count;
    uint32_t *seen; // of each cell: the flood in which it was taken
    uint32_t flood, searched;
    bool teleported;
    // What a step is made with: objects, where they were, what the caller calls them, and how it numbers their faces
    // (NULL: as the mesh does).
    GRZ_ARRAY(grz_object) objects;
    GRZ_ARRAY(grz_pose) earlier;
    GRZ_ARRAY(uint32_t) names;
    GRZ_ARRAY(const uint32_t *) faces;
    GRZ_ARRAY(uint32_t) taken; // for each object of the level: the gathering in which it was taken
    uint32_t gathering;
};

// Make a part of `level->all` from a list of its triangles. Nothing is made of none.
grz_status grz_part_make(const grz_portals *level, const uint32_t *triangles, uint32_t count, uint32_t *scratch,
                         grz_control *control, grz_part *part, grz_error *error);
void grz_part_finish(const grz_allocator *allocator, grz_part *part);

// Find the cells: fill in `sides` and `cell_count`. `all` and `is_portal` are there.
grz_status grz_cells_find(grz_portals *level, bool open_walls, grz_control *control, grz_error *error);

// Pairs of a cell and a triangle that belongs into its mesh: cell · 2^32 + triangle.
typedef struct grz_cell_pairs {
    GRZ_ARRAY(uint64_t) all;
} grz_cell_pairs;

bool grz_cell_pairs_add(grz_cell_pairs *pairs, grz_control *control, uint32_t cell, uint32_t triangle);

// Make the meshes of all cells, and the portals.
grz_status grz_cells_make(grz_portals *level, grz_control *control, grz_error *error);

// Make the meshes of cells of a BSP tree from their pairs, and give them their portals.
grz_status grz_cells_make_of(grz_portals *level, grz_cell_pairs *pairs, grz_control *control, grz_error *error);

// Refuse walls that end free: some line runs along edges of an odd number of triangles.
grz_status grz_leaks_refuse(const grz_portals *level, grz_control *control, grz_error *error);

// What a BSP tree is made with.
typedef struct grz_bsp_wishes {
    double coverage, flatness;
    uint32_t cell_faces, most_cells;
} grz_bsp_wishes;

// Cut the level's box into cells. Fills in `nodes`, `box`, `cells` (their boxes), `portals`, and the walls in `pairs`.
grz_status grz_bsp_build(grz_portals *level, const grz_bsp_wishes *wishes, grz_cell_pairs *pairs, grz_control *control,
                         grz_error *error);

// Called for each leaf of the tree that meets a box, with its cell, and for the outside. False: end.
typedef bool grz_bsp_visitor(void *context, uint32_t cell);

// False: a visitor said to end. A point is a box, too.
bool grz_bsp_visit(const grz_portals *level, const grz_box *box, grz_bsp_visitor *visit, void *context);

// Called for each triangle of `all` whose box meets another. False: end.
typedef bool grz_near_visitor(void *context, uint32_t triangle);

// False: a visitor said to end.
bool grz_near_visit(const grz_portals *level, const grz_bvh *bvh, const grz_box *box, grz_near_visitor *visit,
                    void *context);

// True if a point is in a cell or on its surface. False, too, if the control says to end.
bool grz_cell_has(const grz_cell *cell, bool outside, const double point[3], grz_control *control);

// A cell that has a point.
uint32_t grz_cells_search(const grz_portals *level, const double point[3], grz_control *control, uint32_t *searched);

// Find the cell of a point, the last call's cells first, as the first of `cells`.
void grz_tracker_locate(grz_portals_tracker *tracker, const double point[3]);

// Have the cells of the call before, because this one has failed.
void grz_tracker_undo(grz_portals_tracker *tracker);

// Add all cells that can be reached from the first one through portals in a box.
void grz_tracker_flood(grz_portals_tracker *tracker, const grz_box *box);

#endif
