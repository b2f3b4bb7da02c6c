// SPDX-License-Identifier: MIT
// Errors that name an edge at which a mesh is not closed.
#ifndef GRZ_MESH_TOPOLOGY_OPEN_EDGE_H
#define GRZ_MESH_TOPOLOGY_OPEN_EDGE_H

#include "mesh/mesh.h"

// Return GRZ_ERROR_MESH, with a message that names a bad edge: one with an odd number of triangles or, if the mesh is
// `closed`, one where not as many triangles run in one direction as in the other. Edges are the same if their ends'
// positions are. If memory or time do not suffice for the search, the message names none.
//
// name   of the public function, in the message
grz_status grz_mesh_refuse_open(const grz_mesh *mesh, const char *name, bool closed, grz_control *control,
                                grz_error *error);

#endif
