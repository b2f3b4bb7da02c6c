// SPDX-License-Identifier: MIT
// Welding: finds the vertices that have the same position. The mesh itself is not changed.
#ifndef GRZ_MESH_WELD_H
#define GRZ_MESH_WELD_H

#include "mesh/mesh.h"

// Find, for every vertex, the lowest vertex at the same position; -0 equals +0. Nearly linear time.
// Example: if vertices 2, 5 and 7 have one position, lowest[2] = lowest[5] = lowest[7] = 2, and they add 2 to
// `duplicates`.
//
// positions   vertex_count × 3, finite
// control     working memory comes from its allocator
// lowest      receives vertex_count numbers
// duplicates  receives how many vertices are not the lowest at their position
// Returns GRZ_OK, GRZ_ERROR_MEMORY, or the control's status if it says to end.
grz_status grz_weld(const double *positions, uint32_t vertex_count, grz_control *control, uint32_t *lowest,
                    uint32_t *duplicates);

// The same for a mesh's current positions. If they are still those of its creation, mesh->identity is copied instead.
grz_status grz_weld_current(const grz_mesh *mesh, grz_control *control, uint32_t *lowest, uint32_t *duplicates);

#endif
