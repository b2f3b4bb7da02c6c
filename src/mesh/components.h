// SPDX-License-Identifier: MIT
// The connected components of a mesh: sets of faces joined through shared vertex positions.
#ifndef GRZ_MESH_COMPONENTS_H
#define GRZ_MESH_COMPONENTS_H

#include "mesh/mesh.h"

// Number the components from 0, by the lowest vertex at one of their positions. Near linear in time.
//
// lowest     from grz_weld_present()
// component  receives vertex_count numbers; UINT32_MAX for vertices at a position where no face has a corner
// count      receives the number of components
// False: the control says to end.
bool grz_components_find(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control, uint32_t *component, uint32_t *count);

#endif
