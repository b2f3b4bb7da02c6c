// SPDX-License-Identifier: MIT
// grz_move_paths(): paths are spread over the device's threads. Whether the objects overlap at the start is the same
// for all of them.
#include <string.h>

#include "ask/move/translation/follow.h"
#include "ask/move/unknown.h"
#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "geometry/pose.h"
#include "space/bvh/bvh.h"

// What was asked, and what is needed to answer it.
typedef struct question {
    grz_move_call *call; // of the threads: without `error`
    grz_object objects[2];
    const double *to;
    grz_move_answer *answers;
} question;

static void follow_path(size_t index, void *context)
{
    question *q = context;
    grz_control *control = &q->call->frame.control;
    grz_path path;
    if (grz_control_expired(control))
        return;
    grz_path_set(&path, &q->objects[0], q->to + 3 * index, &q->objects[1], NULL);
    const grz_status status = grz_move_follow(q->call, &path, &q->answers[index]);
    if (status != GRZ_OK)
        grz_control_fail(control, status);
}

static grz_status check_ends(const grz_move_call *call, const grz_object *a, const double *to, uint64_t count)
{
    grz_status status = GRZ_OK;
    for (uint64_t i = 0; i < count && status == GRZ_OK; i++) {
        grz_pose end = a->pose;
        grz_error inner = {.code = GRZ_OK};
        for (int k = 0; k < 3; k++)
            end.m[k][3] = to[3 * i + (uint64_t)k];
        status = grz_pose_check(&end, a->mesh->max_abs, &inner);
        if (status != GRZ_OK)
            grz_fail(call->frame.error, status, i, "the end of path %llu: %s", (unsigned long long)i, inner.message);
    }
    return status;
}

// Where the paths begin; and the meshes get their trees, so that threads need not wait for each other.
static grz_status prepare(grz_move_call *call, const question *q, bool *inside)
{
    const double *at = q->to; // the start is the same for all
    grz_status status = GRZ_OK;
    grz_path path;
    for (int i = 0; i < 2 && status == GRZ_OK && !call->all_pairs; i++) {
        const grz_bvh *bvh;
        status = grz_mesh_bvh(q->objects[i].mesh, &call->frame.control, &bvh, call->frame.error);
    }
    grz_path_set(&path, &q->objects[0], at, &q->objects[1], NULL);
    return status == GRZ_OK ? grz_move_start(call, &path, inside) : status;
}

// Of paths whose objects touch at the start, the normal is the same for all.
static grz_status set_normals_at_start(grz_move_call *call, const question *q, uint64_t count)
{
    const grz_move_answer *known = NULL;
    grz_status status = GRZ_OK;
    for (uint64_t i = 0; i < count && status == GRZ_OK; i++) {
        grz_move_answer *answer = &q->answers[i];
        if (!answer->started_touching)
            continue;
        if (known == NULL) {
            grz_path path;
            grz_path_set(&path, &q->objects[0], q->to + 3 * i, &q->objects[1], NULL);
            status = grz_move_normal_at_start(call, &path, answer);
            known = answer;
        }
        memmove(answer->normal, known->normal, sizeof answer->normal);
        answer->reason = known->reason;
    }
    return status;
}

static grz_status follow_all(grz_move_call *call, const grz_object *a, const double *to, uint64_t count,
                             const grz_object *b, grz_move_answer *answers)
{
    question q = {.to = to, .answers = answers};
    bool inside = false;
    grz_status status = grz_move_check(call, a, NULL, "A", 0, &q.objects[0]);
    if (status == GRZ_OK)
        status = grz_move_check(call, b, NULL, "B", 1, &q.objects[1]);
    if (status == GRZ_OK)
        status = check_ends(call, a, to, count);
    if (status == GRZ_OK && count > 0)
        status = prepare(call, &q, &inside);
    if (status != GRZ_OK || count == 0)
        return grz_call_explain(&call->frame, status);
    grz_error *error = call->frame.error;
    call->frame.error = NULL;
    q.call = call;
    grz_parallel(call->frame.device, (size_t)count, follow_path, &q);
    call->frame.error = error;
    for (uint64_t i = 0; i < count && inside; i++)
        grz_move_start_inside(&answers[i]);
    status = grz_call_explain(&call->frame, grz_control_status(&call->frame.control));
    return status == GRZ_OK && !inside ? set_normals_at_start(call, &q, count) : status;
}

grz_status grz_move_paths(grz_device *device, const grz_object *a, const double *to_a, uint64_t count,
                          const grz_object *b, const grz_move_options *options, grz_move_answer *answers,
                          grz_error *error)
{
    grz_move_call call;
    for (uint64_t i = 0; i < count && answers != NULL; i++)
        answers[i] = grz_move_unknown;
    if (count > 0 && (to_a == NULL || answers == NULL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "move paths: the %s are NULL",
                        to_a == NULL ? "ends" : "answers");
    grz_status status = grz_move_begin(&call, "move paths", device, options, error);
    if (status == GRZ_OK)
        status = follow_all(&call, a, to_a, count, b, answers);
    return grz_call_end(&call.frame, status);
}
