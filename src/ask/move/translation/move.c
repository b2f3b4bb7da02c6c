// SPDX-License-Identifier: MIT
// grz_move(), and what it has in common with the calls that follow many motions: options and checks.
#include <stdio.h>
#include <string.h>

#include "ask/move/translation/follow.h"
#include "ask/move/unknown.h"
#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"
#include "mesh/object_check.h"
#include "mesh/source.h"
#include "query/methods.h"

static const grz_move_options defaults = {.size = sizeof(grz_move_options), .inside = true};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(move_options, defaults);

void grz_move_options_init(grz_move_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

grz_status grz_move_begin(grz_move_call *call, const char *name, grz_device *device, const grz_move_options *given,
                          grz_error *error)
{
    grz_move_options *options = &call->options;
    call->all_pairs = false;
    const grz_status status = grz_call_begin(&call->frame, name, device, &options_type, given, options, error);
    if (status != GRZ_OK)
        return status;
    if ((unsigned)options->inside_rule > GRZ_INSIDE_AUTO)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: options.inside_rule is %d, which is no rule",
                        name, (int)options->inside_rule);
    const grz_filter *filter;
    const grz_status read =
        grz_filter_read(options->method, GRZ_CAN_MOVE, "can neither follow motions nor measure depths", &filter, error);
    if (read == GRZ_OK)
        call->all_pairs = grz_filter_can(filter, GRZ_IS_REFERENCE);
    return read;
}

grz_status grz_move_check(grz_move_call *call, const grz_object *object, const double to[3], const char *which,
                          uint64_t element, grz_object *here)
{
    char what[64];
    snprintf(what, sizeof what, "object %s", which);
    grz_status status = grz_object_check(call->frame.name, object, what, element, call->frame.error);
    if (status == GRZ_OK && to != NULL) { // the end must be a pose, too
        grz_object end = *object;
        for (int k = 0; k < 3; k++)
            end.pose.m[k][3] = to[k];
        snprintf(what, sizeof what, "the end of object %s", which);
        status = grz_object_check(call->frame.name, &end, what, element, call->frame.error);
    }
    if (status != GRZ_OK)
        return status;
    *here = *object;
    return grz_mesh_in_memory(object->mesh, &call->frame.control, &here->mesh, call->frame.error);
}

grz_status grz_move_read_path(grz_move_call *call, const grz_object *a, const double to_a[3], const grz_object *b,
                              const double to_b[3], grz_object here[2], grz_path *path)
{
    grz_status status = grz_move_check(call, a, to_a, "A", 0, &here[0]);
    if (status == GRZ_OK)
        status = grz_move_check(call, b, to_b, "B", 1, &here[1]);
    if (status == GRZ_OK)
        grz_path_set(path, &here[0], to_a, &here[1], to_b);
    return status;
}

// What is proved of one motion, all checks passed.
static grz_status follow_whole(grz_move_call *call, const grz_path *path, grz_move_answer *answer)
{
    bool inside;
    grz_status status = grz_move_follow(call, path, answer);
    if (status != GRZ_OK)
        return status;
    status = grz_move_start(call, path, &inside);
    if (status == GRZ_OK && inside)
        grz_move_start_inside(answer);
    else if (status == GRZ_OK && answer->started_touching)
        status = grz_move_normal_at_start(call, path, answer);
    if (status != GRZ_OK) { // they may overlap at the start
        answer->first_contact = answer->lower = 0.0;
        answer->certainty = GRZ_UNDECIDED;
    }
    return status;
}

grz_status grz_move(grz_device *device, const grz_object *a, const double to_a[3], const grz_object *b,
                    const double to_b[3], const grz_move_options *options, grz_move_answer *answer, grz_error *error)
{
    grz_move_call call;
    grz_object here[2];
    grz_path path;
    if (answer != NULL)
        *answer = grz_move_unknown;
    if (answer == NULL || to_a == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "move: %s is NULL",
                        answer == NULL ? "the answer" : "to_a");
    grz_status status = grz_move_begin(&call, "move", device, options, error);
    if (status == GRZ_OK)
        status = grz_move_read_path(&call, a, to_a, b, to_b, here, &path);
    if (status == GRZ_OK)
        status = follow_whole(&call, &path, answer);
    return grz_call_end(&call.frame, status);
}
