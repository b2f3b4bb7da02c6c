// SPDX-License-Identifier: MIT
// grz_overlap_depths(): every pair is a question of its own, so each has the answer of grz_overlap_depth(), bit for
// bit, whatever thread asks it.
#include <graze/overlap.h>

#include <math.h>

#include "ask/overlap/depth/overlap_depth.h"
#include "base/call.h"
#include "base/fail.h"
#include "mesh/object_check.h"
#include "mesh/source.h"

static const grz_overlap_depth_answer nothing_known = {.upper = HUGE_VAL, .certainty = GRZ_UNDECIDED};

typedef struct question {
    grz_call call;
    grz_targets targets;
    const grz_overlap_pair *pairs;
    grz_overlap_depth_options options;
    grz_object *objects; // two of each pair, with their meshes in memory
    grz_overlap_depth_answer *answers;
} question;

static const grz_object *object_of(const question *q, uint32_t number)
{
    if (q->targets.of_scene)
        return grz_scene_object(q->targets.scene, number);
    return number < q->targets.object_count ? &q->targets.objects[number] : NULL;
}

// Also sets the two objects of the pair in question::objects.
static grz_status check_pair(question *q, uint64_t i, grz_error *error)
{
    const grz_overlap_pair *pair = &q->pairs[i];
    const uint32_t numbers[2] = {pair->a, pair->b};
    if (!(pair->deeper_than >= 0.0 && pair->deeper_than < HUGE_VAL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, i,
                        "overlap depths: pairs[%llu].deeper_than is %g, need a depth of 0 or more, finite",
                        (unsigned long long)i, pair->deeper_than);
    for (int k = 0; k < 2; k++) {
        const grz_object *object = object_of(q, numbers[k]);
        if (object == NULL)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, i,
                            "overlap depths: pairs[%llu].%c is %lu: there is no such object", (unsigned long long)i,
                            k == 0 ? 'a' : 'b', (unsigned long)numbers[k]);
        grz_object *here = &q->objects[2 * i + (uint64_t)k];
        grz_status status = grz_object_check("overlap depths", object, "an object", numbers[k], error);
        if (status == GRZ_OK) {
            *here = *object;
            status = grz_mesh_in_memory(object->mesh, &q->call.control, &here->mesh, error);
        }
        if (status != GRZ_OK)
            return status;
    }
    return GRZ_OK;
}

static grz_status check(question *q, uint64_t count, grz_error *error)
{
    if (q->targets.of_scene ? q->targets.scene == NULL : q->targets.objects == NULL && q->targets.object_count > 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "overlap depths: the %s NULL",
                        q->targets.of_scene ? "scene is" : "objects are");
    grz_status status = grz_overlap_depth_check(&q->options, "overlap depths", error);
    for (uint64_t i = 0; i < count && status == GRZ_OK; i++)
        status = check_pair(q, i, error);
    return status;
}

static void ask_pair(size_t i, void *context)
{
    question *q = context;
    grz_overlap_depth_options options = q->options;
    if (grz_control_expired(&q->call.control))
        return;
    options.limits = grz_control_limits_left(&q->call.control);
    options.deeper_than = q->pairs[i].deeper_than;
    if (options.parts != NULL)
        options.parts += i * options.part_capacity;
    const grz_status status =
        grz_overlap_depth(q->call.device, &q->objects[2 * i], &q->objects[2 * i + 1], &options, &q->answers[i], NULL);
    if (status != GRZ_OK)
        grz_control_fail(&q->call.control, status);
}

static grz_status answer_all(question *q, uint64_t count)
{
    const grz_allocator *allocator = grz_control_allocator(&q->call.control);
    grz_error *error = q->call.error;
    q->objects = count <= SIZE_MAX / 2 ? grz_allocate(allocator, 2 * (size_t)count, sizeof *q->objects) : NULL;
    if (q->objects == NULL && count > 0)
        return grz_call_explain(&q->call, GRZ_ERROR_MEMORY);
    grz_status status = check(q, count, error);
    if (status == GRZ_OK) {
        grz_parallel(q->call.device, (size_t)count, ask_pair, q);
        status = grz_control_status(&q->call.control);
    }
    grz_release(allocator, q->objects, 2 * (size_t)count, sizeof *q->objects);
    return grz_call_explain(&q->call, status);
}

grz_status grz_overlap_depths(grz_device *device, grz_targets targets, const grz_overlap_pair *pairs,
                              uint64_t pair_count, const grz_overlap_depth_options *options,
                              grz_overlap_depth_answer *answers, grz_error *error)
{
    question q = {.targets = targets, .pairs = pairs, .answers = answers};
    if (pair_count > 0 && (pairs == NULL || answers == NULL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "overlap depths: the %s are NULL",
                        pairs == NULL ? "pairs" : "answers");
    for (uint64_t i = 0; i < pair_count; i++)
        answers[i] = nothing_known;
    grz_status status =
        grz_call_begin(&q.call, "overlap depths", device, grz_overlap_depth_options_type(), options, &q.options, error);
    return grz_call_end(&q.call, status == GRZ_OK ? answer_all(&q, pair_count) : status);
}
