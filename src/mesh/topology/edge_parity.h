// SPDX-License-Identifier: MIT
// Tests whether a mesh is closed: every edge lies on an even number of triangles.
#ifndef GRZ_MESH_TOPOLOGY_EDGE_PARITY_H
#define GRZ_MESH_TOPOLOGY_EDGE_PARITY_H

#include "mesh/mesh.h"

// Set *even if every edge lies on an even number of triangles. Edges are identified by position, not by index. A
// diagonal of a face lies on two triangles, so faces instead of triangles would give the same answer. Nearly linear
// time; stops at the first odd edge.
//
// lowest   from grz_weld(), vertex_count numbers; NULL if no two vertices have the same position
// control  without cancel flag and deadline; working memory comes from its allocator
// Returns GRZ_OK or GRZ_ERROR_MEMORY.
grz_status grz_edges_are_even(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control, bool *even);

#endif
