// SPDX-License-Identifier: MIT
// The second half of --allow-adjacent: objects that touch where they are now, at the reference pose.
#ifndef GRZ_CLI_ASSEMBLY_ADJACENT_H
#define GRZ_CLI_ASSEMBLY_ADJACENT_H

#include "assembly/exclusions.h"

// Let a scene ask only for pairs that are not excluded. The exclusions are sorted, and outlive the scene's queries.
grz_status adjacent_filter(grz_scene *scene, exclusions *excluded, grz_error *error);

// Exclude every pair of objects whose surfaces touch. `parts`: options of the query; what it finds is set
// here. False after a failure, which `error` describes.
bool adjacent_exclude_touching(grz_device *device, grz_scene *scene, const grz_collide_options *parts,
                               grz_result *result, exclusions *out, grz_error *error);

#endif
