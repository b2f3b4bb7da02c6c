// SPDX-License-Identifier: MIT
// What the calls of <graze/pick.h> check in the same way.
#ifndef GRZ_QUERY_PICK_REQUEST_H
#define GRZ_QUERY_PICK_REQUEST_H

#include <graze/pick.h>

// Read the options that the caller gave; NULL: the defaults. *all_triangles: the method uses no tree.
grz_status grz_pick_options_read(const grz_pick_options *given, grz_pick_options *options, bool *all_triangles,
                                 grz_error *error);

// True if the options name a method, where none can be chosen.
bool grz_pick_names_a_method(const grz_pick_options *options);

// Check ray number `number` of the caller's.
grz_status grz_pick_ray_check(const grz_ray *ray, uint64_t number, grz_error *error);

// Check the scene of a call: it is there, and of this device.
grz_status grz_pick_scene_check(const grz_device *device, const grz_scene *scene, grz_error *error);

#endif
