// SPDX-License-Identifier: MIT
// Batches: one object against one mesh at many poses. Poses whose boxes do not overlap are answered at once. The others
// become jobs, which run in blocks so that memory stays bounded. If a block has more pairs than one pose may have, its
// poses are run one by one to find which pose it is.
#include <graze/batch.h>

#include <assert.h>

#include "base/control.h"
#include "base/device.h"
#include "base/fail.h"
#include "geometry/pose.h"
#include "mesh/object_check.h"
#include "mesh/source.h"
#include "query/query.h"

enum {
    BLOCK = 1024 // jobs that run together
};

// A batch.
typedef struct grz_batch {
    grz_query query;
    const grz_object *a;
    const grz_mesh *mesh_b;
    const grz_pose *poses;
    grz_pose_answer *answers;
    uint64_t first_limited; // the first pose with more than max_pairs pairs, or GRZ_NO_ELEMENT
    // Arrays of `room` items, at most BLOCK; `objects` has one more: objects[0] is A.
    grz_object *objects;
    grz_job *jobs;
    grz_verdict *verdicts;
    uint64_t *numbers; // the pose of each job
    size_t room;
} grz_batch;

static bool wants_containment(const grz_batch *batch)
{
    return (batch->query.plan.find & GRZ_FIND_CONTAINMENT) != 0;
}

static void answer_pose(grz_batch *batch, uint64_t pose, const grz_verdict *verdict)
{
    grz_pose_answer *answer = &batch->answers[pose];
    *answer = (grz_pose_answer){.relation = verdict->relation,
                                .colliding = verdict->relation != GRZ_APART,
                                .certainty = GRZ_EXACT,
                                .containment = verdict->containment,
                                .clearance = verdict->clearance,
                                .pairs_complete = verdict->relation != GRZ_COLLIDING ||
                                                  (batch->query.plan.find & GRZ_FIND_PAIRS) != 0,
                                .pair_count = verdict->pair_count};
    for (int i = 0; i < GRZ_KIND_COUNT; i++)
        answer->kinds[i] = verdict->kinds[i];
}

// `count` jobs of the block, from job `first`.
static grz_job_set jobs_from(const grz_batch *batch, size_t first, size_t count)
{
    assert(first + count <= batch->room);
    return (grz_job_set){.objects = batch->objects,
                         .object_count = (uint32_t)batch->room + 1,
                         .jobs = batch->jobs + first,
                         .job_count = count};
}

static void forget_lists(grz_result *result)
{
    result->found.count = result->pairs.count = result->near_pairs.count = 0;
}

// Run one pose of a block that had too many pairs.
static grz_status run_alone(grz_batch *batch, size_t job)
{
    const uint64_t pose = batch->numbers[job];
    const grz_job_set alone = jobs_from(batch, job, 1);
    forget_lists(batch->query.result);
    grz_status status = grz_query_run(&batch->query, &batch->query.plan, &alone, &batch->verdicts[job]);
    if (status == GRZ_OK) {
        answer_pose(batch, pose, &batch->verdicts[job]);
    } else if (status == GRZ_ERROR_LIMIT) {
        grz_plan yes_or_no = batch->query.plan;
        yes_or_no.find &= ~(uint32_t)GRZ_FIND_LISTS;
        if (batch->first_limited == GRZ_NO_ELEMENT)
            batch->first_limited = pose;
        grz_control_clear(&batch->query.call.control, GRZ_ERROR_LIMIT);
        status = grz_query_run(&batch->query, &yes_or_no, &alone, &batch->verdicts[job]);
        if (status == GRZ_OK) {
            answer_pose(batch, pose, &batch->verdicts[job]);
            batch->answers[pose].pairs_complete = false;
        }
    }
    return status;
}

static grz_status run_block(grz_batch *batch, size_t count)
{
    const grz_job_set all = jobs_from(batch, 0, count);
    forget_lists(batch->query.result);
    grz_status status = grz_query_run(&batch->query, &batch->query.plan, &all, batch->verdicts);
    if (status == GRZ_OK) {
        for (size_t i = 0; i < count; i++)
            answer_pose(batch, batch->numbers[i], &batch->verdicts[i]);
    } else if (status == GRZ_ERROR_LIMIT) {
        grz_control_clear(&batch->query.call.control, GRZ_ERROR_LIMIT);
        status = GRZ_OK;
        for (size_t i = 0; i < count && status == GRZ_OK; i++)
            status = run_alone(batch, i);
    }
    return status;
}

static grz_status run_poses(grz_batch *batch, uint64_t pose_count)
{
    grz_control *control = &batch->query.call.control;
    grz_status status = GRZ_OK;
    size_t count = 0;
    uint64_t before = 0; // number of poses in finished blocks
    batch->objects[0] = *batch->a;
    for (uint64_t pose = 0; pose < pose_count && status == GRZ_OK; pose++) {
        assert(count < batch->room);
        grz_object *object = &batch->objects[count + 1];
        *object = grz_object_at_origin(batch->mesh_b);
        object->pose = batch->poses[pose];
        batch->jobs[count] = grz_query_job(batch->objects, 0, (uint32_t)count + 1, batch->query.plan.clearance);
        batch->numbers[count] = pose;
        if (grz_box_is_empty(&batch->jobs[count].clip)) {
            const grz_verdict apart = {
                .relation = GRZ_APART,
                .containment = wants_containment(batch) ? GRZ_CONTAINMENT_DECIDED : GRZ_CONTAINMENT_NOT_ASKED,
                .clearance = batch->query.plan.clearance > 0.0 ? GRZ_CLEARANCE_MET : GRZ_CLEARANCE_NOT_ASKED};
            answer_pose(batch, pose, &apart);
        } else {
            count++;
        }
        if (count == BLOCK || (pose + 1 == pose_count && count > 0)) {
            grz_control_span(control, (double)before / (double)pose_count, (double)(pose + 1) / (double)pose_count);
            status = run_block(batch, count);
            count = 0;
            before = pose + 1;
        }
        if (status == GRZ_OK && grz_control_expired_at(control, pose, 8))
            status = grz_control_status(control);
    }
    return status;
}

static grz_status check_poses(const grz_batch *batch, uint64_t pose_count, grz_error *error)
{
    if (batch->mesh_b == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "collide poses: mesh B is NULL");
    if (pose_count > 0 && (batch->poses == NULL || batch->answers == NULL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "collide poses: the %s are NULL",
                        batch->poses == NULL ? "poses" : "answers");
    for (uint64_t pose = 0; pose < pose_count; pose++) {
        grz_error inner = {.code = GRZ_OK};
        const grz_status status = grz_pose_check(&batch->poses[pose], batch->mesh_b->max_abs, &inner);
        if (status != GRZ_OK)
            return grz_fail(error, status, pose, "pose %llu: %s", (unsigned long long)pose, inner.message);
    }
    return GRZ_OK;
}

// Read meshes that are in the caller's buffers: a batch needs them whole.
static grz_status load_meshes(grz_batch *batch, grz_object *a_here, grz_error *error)
{
    grz_status status = grz_query_in_memory(batch->a, &batch->query.call.control, a_here, error);
    if (status == GRZ_OK)
        status = grz_mesh_in_memory(batch->mesh_b, &batch->query.call.control, &batch->mesh_b, error);
    batch->a = a_here;
    return status;
}

static grz_status run_batch(grz_batch *batch, uint64_t pose_count, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(&batch->query.call.control);
    const size_t room = pose_count < BLOCK ? (size_t)pose_count : BLOCK;
    grz_status status = GRZ_ERROR_MEMORY;
    batch->room = room;
    batch->objects = grz_allocate(allocator, room + 1, sizeof *batch->objects);
    batch->jobs = grz_allocate(allocator, room, sizeof *batch->jobs);
    batch->verdicts = grz_allocate(allocator, room, sizeof *batch->verdicts);
    batch->numbers = grz_allocate(allocator, room, sizeof *batch->numbers);
    if (batch->objects != NULL && batch->jobs != NULL && batch->verdicts != NULL && batch->numbers != NULL)
        status = run_poses(batch, pose_count);
    grz_release(allocator, batch->objects, room + 1, sizeof *batch->objects);
    grz_release(allocator, batch->jobs, room, sizeof *batch->jobs);
    grz_release(allocator, batch->verdicts, room, sizeof *batch->verdicts);
    grz_release(allocator, batch->numbers, room, sizeof *batch->numbers);
    status = grz_query_end(&batch->query, status);
    if (status == GRZ_OK && batch->first_limited != GRZ_NO_ELEMENT)
        return grz_fail(error, GRZ_ERROR_LIMIT, batch->first_limited, "pose %llu: more than %llu pairs",
                        (unsigned long long)batch->first_limited, (unsigned long long)batch->query.plan.max_pairs);
    return status;
}

grz_status grz_collide_poses(grz_device *device, const grz_object *a, const grz_mesh *b, const grz_pose *poses,
                             uint64_t pose_count, const grz_collide_options *options, grz_pose_answer *answers,
                             grz_error *error)
{
    static const grz_query_kind kind = {"collide poses", GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT,
                                        GRZ_CAN_PAIR | GRZ_CAN_MANY, 0, true};
    grz_object a_here;
    grz_batch batch = {.a = a, .mesh_b = b, .poses = poses, .answers = answers, .first_limited = GRZ_NO_ELEMENT};
    grz_result result; // not on the heap, because nothing would count its memory there
    for (uint64_t pose = 0; answers != NULL && pose < pose_count; pose++)
        answers[pose] = (grz_pose_answer){.relation = GRZ_APART, .certainty = GRZ_UNDECIDED};
    if (device == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "collide poses: the device is NULL");
    grz_result_init(&result, grz_device_allocator(device));
    grz_status status = grz_query_begin(&batch.query, &kind, device, options, &result, error);
    if (status == GRZ_OK)
        status = grz_object_check(kind.name, a, "object A", 0, error);
    if (status == GRZ_OK)
        status = check_poses(&batch, pose_count, error);
    if (status == GRZ_OK && pose_count > 0)
        status = load_meshes(&batch, &a_here, error);
    if (status == GRZ_OK && pose_count > 0)
        status = run_batch(&batch, pose_count, error);
    else
        status = grz_query_end(&batch.query, status);
    grz_result_finish(&result);
    return status;
}
