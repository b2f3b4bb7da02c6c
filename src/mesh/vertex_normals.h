// SPDX-License-Identifier: MIT
// Normals at vertices.
#ifndef GRZ_MESH_VERTEX_NORMALS_H
#define GRZ_MESH_VERTEX_NORMALS_H

#include "mesh/mesh.h"

// For each vertex the unit normal of the surface there, three floats: the sum of its triangles' unit normals, each by its angle at the
// vertex; outwards where faces are wound so. Vertices that are one corner and lie together have one. Zero where there is none: no triangle,
// or none with area, or they cancel. GRZ_ERROR_MEMORY, or what the control says.
grz_status grz_vertex_normals(const grz_mesh *mesh, grz_control *control, float *normals);

#endif
