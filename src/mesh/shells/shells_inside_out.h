// SPDX-License-Identifier: MIT
// Meshes, or parts of them, whose faces look inwards by mistake: the order of faces around an edge then has to be read
// the other way round.
#ifndef GRZ_MESH_SHELLS_SHELLS_INSIDE_OUT_H
#define GRZ_MESH_SHELLS_SHELLS_INSIDE_OUT_H

#include "mesh/shells/shell_edges.h"

// Find the faces of groups that are wound inwards and no cavities: as many faces run through each edge one way as the
// other, the volume is below 0, and the group's box stands out of the box around all groups of a volume above 0.
//
// of_faces    the group of each face: what hangs together over edges
// count       how many groups
// inside_out  receives face_count answers
// Returns GRZ_OK, GRZ_ERROR_MEMORY, or the control's status.
grz_status grz_shells_find_inside_out(const grz_shell_edges *edges, const uint32_t *of_faces, uint32_t count,
                                      grz_control *control, bool *inside_out);

#endif
