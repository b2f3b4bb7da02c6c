// SPDX-License-Identifier: MIT
// An oriented bounding box (OBB) of a mesh: usually smaller than the axis-aligned one.
#ifndef GRZ_MESH_ORIENTED_BOX_H
#define GRZ_MESH_ORIENTED_BOX_H

#include "mesh/mesh.h"

// The box along the principal axes of the vertices that faces use. It is the set of all points centre + Σ tᵢ·edges[i]
// with |tᵢ| ≤ 1, in mesh coordinates. The edges are perpendicular to each other and may be 0. The box contains all
// these vertices except for rounding errors of a few last bits of the mesh's size.
void grz_oriented_box(const grz_mesh *mesh, double centre[3], double edges[3][3]);

#endif
