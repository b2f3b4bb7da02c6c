// SPDX-License-Identifier: MIT
// grz_distance_poses(): blocks of poses are spread over the device's threads. Within a block, each pose begins with the
// faces of the one before it.
#include <graze/distance.h>

#include "ask/distance/measure.h"
#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "geometry/pose.h"
#include "mesh/object_check.h"
#include "mesh/source.h"
#include "space/bvh/bvh.h"

enum {
    BLOCK = 16 // poses
};

// What was asked, and what is needed to answer it.
typedef struct question {
    grz_call call;
    grz_object objects[2]; // their meshes are in memory; the second has no pose of its own
    const grz_pose *poses;
    uint64_t count;
    grz_distance_options options;
    bool all_pairs;
    grz_distance_answer *answers;
} question;

static void measure_block(size_t block, void *context)
{
    question *q = context;
    const uint64_t first = (uint64_t)block * BLOCK, end = q->count - first < BLOCK ? q->count : first + BLOCK;
    grz_distance_options options = q->options;
    for (uint64_t i = first; i < end && !grz_control_expired(&q->call.control); i++) {
        const grz_object objects[2] = {q->objects[0], {.mesh = q->objects[1].mesh, .pose = q->poses[i]}};
        const grz_status status = grz_distance_measure(q->call.device, objects, &options, q->all_pairs,
                                                       &q->call.control, &q->answers[i], NULL);
        if (status != GRZ_OK) {
            grz_control_fail(&q->call.control, status);
            return;
        }
        options.earlier = &q->answers[i];
    }
}

static grz_status check(const question *q, const grz_object *a, grz_error *error)
{
    if (q->objects[1].mesh == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "distance poses: mesh B is NULL");
    if (q->count > 0 && (q->poses == NULL || q->answers == NULL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "distance poses: the %s are NULL",
                        q->poses == NULL ? "poses" : "answers");
    grz_status status = grz_object_check("distance poses", a, "object A", 0, error);
    for (uint64_t i = 0; i < q->count && status == GRZ_OK; i++) {
        grz_error inner = {.code = GRZ_OK};
        status = grz_pose_check(&q->poses[i], q->objects[1].mesh->max_abs, &inner);
        if (status != GRZ_OK)
            grz_fail(error, status, i, "pose %llu: %s", (unsigned long long)i, inner.message);
    }
    return status;
}

// Bring both meshes into memory, with their trees.
static grz_status prepare(question *q, grz_error *error)
{
    grz_status status = GRZ_OK;
    for (int i = 0; i < 2 && status == GRZ_OK; i++) {
        const grz_bvh *bvh;
        status = grz_mesh_in_memory(q->objects[i].mesh, &q->call.control, &q->objects[i].mesh, error);
        if (status == GRZ_OK && !q->all_pairs)
            status = grz_mesh_bvh(q->objects[i].mesh, &q->call.control, &bvh, error);
    }
    return status;
}

static grz_status measure_all(question *q, const grz_object *a)
{
    grz_status status = check(q, a, q->call.error);
    if (status != GRZ_OK || q->count == 0)
        return status;
    q->objects[0] = *a;
    status = prepare(q, q->call.error);
    if (status != GRZ_OK)
        return grz_call_explain(&q->call, status);
    grz_parallel(q->call.device, (size_t)((q->count - 1) / BLOCK + 1), measure_block, q);
    return grz_call_explain(&q->call, grz_control_status(&q->call.control));
}

grz_status grz_distance_poses(grz_device *device, const grz_object *a, const grz_mesh *b, const grz_pose *poses,
                              uint64_t pose_count, const grz_distance_options *options, grz_distance_answer *answers,
                              grz_error *error)
{
    question q = {.objects = {{.mesh = NULL}, {.mesh = b}}, .poses = poses, .count = pose_count, .answers = answers};
    for (uint64_t i = 0; i < pose_count && answers != NULL; i++)
        answers[i] = grz_distance_nothing;
    grz_status status = grz_distance_begin(&q.call, "distance poses", device, options, &q.options, &q.all_pairs, error);
    if (status == GRZ_OK)
        status = measure_all(&q, a);
    return grz_call_end(&q.call, status);
}
