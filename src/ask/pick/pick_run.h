// SPDX-License-Identifier: MIT
// The rays of a request are followed, and their hits written.
#ifndef GRZ_ASK_PICK_PICK_RUN_H
#define GRZ_ASK_PICK_PICK_RUN_H

#include "ask/pick/pick_request.h"

// The answer of a ray that hits nothing.
extern const grz_ray_hit grz_pick_no_hit;

// Answer all rays of a prepared request, of which there is one at least, on the device's threads.
grz_status grz_pick_run(grz_pick_request *request, grz_error *error);

// Find all that the first ray hits, put them in order and describe the first `capacity`. The search has been
// initialised; it keeps what was found. False: the control says to end.
bool grz_pick_run_all(grz_pick_request *request, grz_pick_search *search, grz_ray_hit *hits, uint64_t capacity);

#endif
