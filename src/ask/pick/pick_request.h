// SPDX-License-Identifier: MIT
// What is asked by the calls of <graze/pick.h>, checked and prepared.
#ifndef GRZ_ASK_PICK_PICK_REQUEST_H
#define GRZ_ASK_PICK_PICK_REQUEST_H

#include <graze/pick.h>

#include "ask/pick/pick_search.h"
#include "ask/pick/targets.h"
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

// What the calls have in common that follow rays.
typedef struct grz_pick_request {
    grz_call call;
    grz_target_list list;
    const grz_ray *rays;
    uint64_t ray_count;
    grz_pick_aim aim;
    const grz_filter *filter;
    grz_pick_options options;
    grz_object *here; // objects with their meshes in memory, one for each target
    grz_pick_target *targets;
    uint32_t room; // of both
    grz_crowd crowd;
    grz_pick_question question;
    size_t block_size;
    // One of these receives the answers.
    grz_ray_hit *hits;
    bool *any;
} grz_pick_request;

// Check the rays and the targets, and prepare the objects. The call has begun, and the options are read. Call
// grz_pick_request_finish() in any case.
grz_status grz_pick_request_prepare(grz_pick_request *request, grz_targets targets);
void grz_pick_request_finish(grz_pick_request *request);

#endif
