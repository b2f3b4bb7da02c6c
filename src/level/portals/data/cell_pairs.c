// SPDX-License-Identifier: MIT
// Adds a pair to the list of which triangle is in the mesh of which cell.
#include "level/portals/data/cell_pairs.h"

#include "base/control.h"

bool grz_cell_pairs_add(grz_cell_pairs *pairs, grz_control *control, uint32_t cell, uint32_t triangle)
{
    if (!grz_array_add(grz_control_allocator(control), &pairs->all)) {
        grz_control_fail(control, GRZ_ERROR_MEMORY);
        return false;
    }
    pairs->all.items[pairs->all.count - 1] = (uint64_t)cell << 32 | triangle;
    return true;
}
