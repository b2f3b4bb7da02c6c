// SPDX-License-Identifier: MIT
// Vertex normals, for drawing.
#ifndef GRZ_MESH_VERTEX_NORMALS_H
#define GRZ_MESH_VERTEX_NORMALS_H

#include "mesh/mesh.h"

// The unit normal of the surface at each vertex: the sum of the unit normals of its triangles, each weighted by the
// angle at the vertex, normalised. It points outwards if faces are counter-clockwise seen from outside. Vertices that
// are one corner and have equal positions get the same normal. The normal is zero if no triangle with area is there, or
// if the normals cancel.
//
// normals  receives vertex_count × 3 floats
// Returns GRZ_OK, GRZ_ERROR_MEMORY, or the control's status if it says to end.
grz_status grz_vertex_normals(const grz_mesh *mesh, grz_control *control, float *normals);

#endif
