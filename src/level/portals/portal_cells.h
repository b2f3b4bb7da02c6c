// SPDX-License-Identifier: MIT
// Parts of meshes, cells of marked portals, and cells of a point.
#ifndef GRZ_LEVEL_PORTALS_PORTAL_CELLS_H
#define GRZ_LEVEL_PORTALS_PORTAL_CELLS_H

#include "level/portals/data/cell_pairs.h"
#include "level/portals/data/stored_level.h"

// Make a part of `level->all` from a list of its triangles. Nothing is made of none.
grz_status grz_part_make(const grz_portals *level, const uint32_t *triangles, uint32_t count, uint32_t *scratch,
                         grz_control *control, grz_part *part, grz_error *error);
void grz_part_finish(const grz_allocator *allocator, grz_part *part);

// Find the cells: fill in `sides` and `cell_count`. `all` and `is_portal` are there.
grz_status grz_cells_find(grz_portals *level, bool open_walls, grz_control *control, grz_error *error);

// Make the meshes of all cells, and the portals.
grz_status grz_cells_make(grz_portals *level, grz_control *control, grz_error *error);

// Make the meshes of cells of a BSP tree from their pairs, and give them their portals.
grz_status grz_cells_make_of(grz_portals *level, grz_cell_pairs *pairs, grz_control *control, grz_error *error);

// Refuse walls that end free: some line runs along edges of an odd number of triangles.
grz_status grz_leaks_refuse(const grz_portals *level, grz_control *control, grz_error *error);

// True if a point is in a cell or on its surface. False, too, if the control says to end.
bool grz_cell_has(const grz_cell *cell, bool outside, const double point[3], grz_control *control);

// A cell that has a point.
uint32_t grz_cells_search(const grz_portals *level, const double point[3], grz_control *control, uint32_t *searched);

// Find the cell of a point, the last call's cells first, as the first of `cells`.
void grz_tracker_locate(grz_portals_tracker *tracker, const double point[3], grz_control *control);

// Have the cells of the call before, because this one has failed.
void grz_tracker_undo(grz_portals_tracker *tracker);

// Add all cells that can be reached from the first one through portals in a box.
void grz_tracker_flood(grz_portals_tracker *tracker, const grz_box *box);

#endif
