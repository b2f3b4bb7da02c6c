// SPDX-License-Identifier: MIT
// Errors that name an edge at which a mesh is not closed.
#ifndef GRZ_MESH_TOPOLOGY_OPEN_EDGE_H
#define GRZ_MESH_TOPOLOGY_OPEN_EDGE_H

#include "mesh/mesh.h"

// Fail with GRZ_ERROR_MESH, and name an edge that an odd number of triangle sides lie on; if the mesh is `closed`, one
// that not as many sides run along in either direction. Of several it is that of the side with the lowest number. Edges
// are the same if their ends' positions are. Without memory or time for the search no edge is named.
//
// name   of the public function, in the message
grz_status grz_mesh_refuse_open(const grz_mesh *mesh, const char *name, bool closed, grz_control *control,
                                grz_error *error);

#endif
