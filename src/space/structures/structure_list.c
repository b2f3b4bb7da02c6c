// SPDX-License-Identifier: MIT
// The table of all structures.
#include "space/structures/structure.h"

const grz_structure_type *const grz_structures[GRZ_STRUCTURES] = {&grz_structure_grid,    &grz_structure_octree,
                                                                  &grz_structure_kdtree,  &grz_structure_bsp,
                                                                  &grz_structure_obbtree, &grz_structure_kdop};
