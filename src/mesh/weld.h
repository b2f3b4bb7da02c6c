// SPDX-License-Identifier: MIT
// Which vertices lie at the same position.
#ifndef GRZ_MESH_WELD_H
#define GRZ_MESH_WELD_H

#include "mesh/mesh.h"

// For every vertex the lowest one at the same position; -0 equals +0. Near linear in time.
//
// positions   vertex_count × 3, finite
// control     working memory comes from its allocator
// lowest      receives vertex_count numbers
// duplicates  receives how many vertices are not the lowest at their position
// Returns GRZ_OK, GRZ_ERROR_MEMORY, or what the control says.
grz_status grz_weld(const double *positions, uint32_t vertex_count, grz_control *control, uint32_t *lowest, uint32_t *duplicates);

// The same for a mesh's present positions; a copy of its identity where they are still those of its creation.
grz_status grz_weld_present(const grz_mesh *mesh, grz_control *control, uint32_t *lowest, uint32_t *duplicates);

#endif
