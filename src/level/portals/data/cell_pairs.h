// SPDX-License-Identifier: MIT
// The list of which triangle is in the mesh of which cell, while these meshes are made.
#ifndef GRZ_LEVEL_PORTALS_DATA_CELL_PAIRS_H
#define GRZ_LEVEL_PORTALS_DATA_CELL_PAIRS_H

#include "base/control_type.h"
#include "base/memory.h"

// Pairs of a cell and a triangle: cell · 2^32 + triangle.
typedef struct grz_cell_pairs {
    GRZ_ARRAY(uint64_t) all;
} grz_cell_pairs;

// False: there is no memory, and the control has failed.
bool grz_cell_pairs_add(grz_cell_pairs *pairs, grz_control *control, uint32_t cell, uint32_t triangle);

#endif
