// SPDX-License-Identifier: MIT
// A box around a mesh that is turned with it.
#ifndef GRZ_MESH_ORIENTED_BOX_H
#define GRZ_MESH_ORIENTED_BOX_H

#include "mesh/mesh.h"

// The box along the main directions of the vertices that faces use: all points centre + Σ tᵢ·edges[i], |tᵢ| ≤ 1, in mesh coordinates.
// It holds every such vertex but for rounding: a few last bits of the mesh's size. Edges are at right angles and may be 0.
void grz_oriented_box(const grz_mesh *mesh, double centre[3], double edges[3][3]);

#endif
