// SPDX-License-Identifier: MIT
// The connected components of a mesh: sets of faces that are connected through common vertex positions.
#ifndef GRZ_MESH_TOPOLOGY_COMPONENTS_H
#define GRZ_MESH_TOPOLOGY_COMPONENTS_H

#include "mesh/mesh.h"

// Number the components from 0, in the order of their lowest vertex. Nearly linear time.
//
// lowest     from grz_weld_current()
// component  receives vertex_count component numbers; UINT32_MAX for a vertex at whose position no face has a corner
// count      receives the number of components
// Returns false if the control says to end.
bool grz_components_find(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control, uint32_t *component,
                         uint32_t *count);

#endif
