// SPDX-License-Identifier: MIT
// Which vertices lie at the same position.
#ifndef GRZ_MESH_WELD_H
#define GRZ_MESH_WELD_H

#include "mesh/mesh.h"

// For every vertex the lowest one at the same position; -0 equals +0. Near linear in time.
//
// positions   vertex_count × 3, finite
// lowest      receives vertex_count numbers
// duplicates  receives how many vertices are not the lowest at their position
// Returns false where memory is short.
bool grz_weld(const grz_allocator *allocator, const double *positions, uint32_t vertex_count, uint32_t *lowest,
              uint32_t *duplicates);

// The same for a mesh's present positions; a copy of its identity where they are still those of its creation.
bool grz_weld_present(const grz_mesh *mesh, uint32_t *lowest, uint32_t *duplicates);

#endif
