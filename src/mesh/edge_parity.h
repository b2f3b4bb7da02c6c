// SPDX-License-Identifier: MIT
// Whether every edge of a mesh lies on an even number of its triangles.
#ifndef GRZ_MESH_EDGE_PARITY_H
#define GRZ_MESH_EDGE_PARITY_H

#include "mesh/mesh.h"

// Edges are taken by position: `lowest` has vertex_count numbers as grz_weld() gives them; NULL: no two vertices are at one place.
// A diagonal of a face lies on two triangles, so the answer for faces is the same. Near linear in time; ends at the first odd edge.
//
// control  working memory comes from its allocator
// Returns GRZ_OK or GRZ_ERROR_MEMORY.
grz_status grz_edges_are_even(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control, bool *even);

#endif
