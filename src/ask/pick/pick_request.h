// SPDX-License-Identifier: MIT
// What the calls of <graze/pick.h> check in the same way.
#ifndef GRZ_ASK_PICK_PICK_REQUEST_H
#define GRZ_ASK_PICK_PICK_REQUEST_H

#include <graze/pick.h>

#include "base/call.h"
#include "filter/filter.h"

// Begin a call that takes grz_pick_options: see grz_call_begin().
grz_status grz_pick_begin(grz_call *call, const char *name, grz_device *device, const grz_pick_options *given,
                          grz_pick_options *options, grz_error *error);

// The method that the options name, or the default one.
grz_status grz_pick_method(const grz_pick_options *options, const grz_filter **filter, grz_error *error);

// True if the options name a method, where none can be chosen.
bool grz_pick_names_a_method(const grz_pick_options *options);

// Check ray number `number` of the caller's.
grz_status grz_pick_ray_check(const grz_ray *ray, uint64_t number, grz_error *error);

#endif
