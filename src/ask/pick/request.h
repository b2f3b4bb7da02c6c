// SPDX-License-Identifier: MIT
// What the calls of <graze/pick.h> check in the same way.
#ifndef GRZ_ASK_PICK_REQUEST_H
#define GRZ_ASK_PICK_REQUEST_H

#include <graze/pick.h>

#include "filter/filter.h"

// Read the options that the caller gave; NULL: the defaults. *filter: the method that they name, or the usual one.
grz_status grz_pick_options_read(const grz_pick_options *given, grz_pick_options *options, const grz_filter **filter,
                                 grz_error *error);

// True if the options name a method, where none can be chosen.
bool grz_pick_names_a_method(const grz_pick_options *options);

// Check ray number `number` of the caller's.
grz_status grz_pick_ray_check(const grz_ray *ray, uint64_t number, grz_error *error);

// Check the scene of a call: it is there, and of this device.
grz_status grz_pick_scene_check(const grz_device *device, const grz_scene *scene, grz_error *error);

#endif
