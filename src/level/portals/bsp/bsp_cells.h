// SPDX-License-Identifier: MIT
// Cells of a level by a tree over the planes of its walls.
#ifndef GRZ_LEVEL_PORTALS_BSP_BSP_CELLS_H
#define GRZ_LEVEL_PORTALS_BSP_BSP_CELLS_H

#include "level/portals/data/cell_pairs.h"
#include "level/portals/data/stored_level.h"

// What a BSP tree is made with.
typedef struct grz_bsp_options {
    double coverage, flatness;
    uint32_t cell_faces, max_cells;
} grz_bsp_options;

// Cut the level's box into cells. Fills in `nodes`, `box`, `cells` (their boxes), `portals`, and the walls in `pairs`.
grz_status grz_bsp_build(grz_portals *level, const grz_bsp_options *options, grz_cell_pairs *pairs,
                         grz_control *control, grz_error *error);

// Called for each leaf of the tree that meets a box, with its cell, and for the outside. False: end.
typedef bool grz_bsp_visitor(void *context, uint32_t cell);

// False: a visitor said to end. A point is a box, too.
bool grz_bsp_visit(const grz_portals *level, const grz_box *box, grz_bsp_visitor *visit, void *context);

#endif
