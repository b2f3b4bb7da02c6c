// SPDX-License-Identifier: MIT
// Joins faces to shells.
#ifndef GRZ_MESH_SHELLS_SHELLS_JOIN_H
#define GRZ_MESH_SHELLS_SHELLS_JOIN_H

#include "mesh/shells/shell_edges.h"

// Number the shells from 0 in the order of their lowest faces.
//
// edges     of the mesh
// of_faces  receives face_count numbers
// count     receives how many shells there are
// Returns GRZ_OK, GRZ_ERROR_MEMORY, or the control's status.
grz_status grz_shells_join(const grz_shell_edges *edges, grz_control *control, uint32_t *of_faces, uint32_t *count);

#endif
