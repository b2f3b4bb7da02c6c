// SPDX-License-Identifier: MIT
// Which inside rule GRZ_INSIDE_AUTO stands for.
#ifndef GRZ_INSIDE_RULE_CHOSEN_RULE_H
#define GRZ_INSIDE_RULE_CHOSEN_RULE_H

#include <graze/locate.h>

#include "base/control_type.h"

// The rule for a mesh in main memory: `asked` itself, or, for GRZ_INSIDE_AUTO, the one that grz_mesh_inside_rule()
// tells. The latter is kept in a slot of the mesh.
// Returns GRZ_OK; GRZ_ERROR_MEMORY; the control's status; an error of building the hierarchy.
grz_status grz_choose_rule(const grz_mesh *mesh, grz_inside_rule asked, grz_control *control, grz_inside_rule *rule,
                           grz_error *error);

#endif
