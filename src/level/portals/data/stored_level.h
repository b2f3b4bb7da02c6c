// SPDX-License-Identifier: MIT
// How a level of cells is stored. Its meshes are made of triangles in world coordinates; `faces` tells which face of
// the caller's each of them is a part of.
#ifndef GRZ_LEVEL_PORTALS_DATA_STORED_LEVEL_H
#define GRZ_LEVEL_PORTALS_DATA_STORED_LEVEL_H

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

// A convex piece of a portal. Its corners are off by `off` at most, in all coordinates together; 0: they are exact.
typedef struct grz_portal_piece {
    uint32_t first, count; // corners
    double off;
} grz_portal_piece;

typedef struct grz_portal_corner {
    double at[3];
} grz_portal_corner;

typedef struct grz_portal_polygons {
    GRZ_ARRAY(grz_portal_piece) pieces;
    GRZ_ARRAY(grz_portal_corner) corners;
} grz_portal_polygons;

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
    grz_portal_polygons polygons;
    uint32_t *first_polygon; // of each portal; the others follow, up to the next portal's. portal_count + 1 numbers
    uint32_t *cell_portals;  // of cell after cell; two for each portal
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
    GRZ_ARRAY(uint32_t) straddled; // the portals that the last question about them gave
};

#endif
