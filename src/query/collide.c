// SPDX-License-Identifier: MIT
// The queries of one pair and of one mesh with itself: check what was asked, let a filter propose, decide, assemble the result.
#include <string.h>

#include "base/clock.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/fp_guard.h"
#include "geometry/pose.h"
#include "query/containment.h"
#include "query/result.h"

grz_collide_options grz_default_collide_options(void)
{
    return (grz_collide_options){.size = sizeof(grz_collide_options),
                                 .method = NULL,
                                 .answer = GRZ_ANSWER_EXACT,
                                 .find = GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT,
                                 .max_pairs = UINT64_C(1) << 28};
}

const char *grz_method_name(size_t index)
{
    const grz_filter *filter = grz_filter_at(index);
    return filter != NULL ? filter->name : NULL;
}

// A query under way.
typedef struct grz_query {
    grz_device *device;
    const grz_object *a, *b; // b NULL: self
    grz_collide_options options;
    const grz_filter *filter;
    grz_result *result;
    grz_error *error;
    double start;
} grz_query;

// `index`: 0 for A, 1 for B.
static grz_status check_object(const grz_object *object, unsigned index, grz_error *error)
{
    const char name = index == 0 ? 'A' : 'B';
    if (object == NULL || object->mesh == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, index, "collide: object %c or its mesh is NULL", name);
    grz_error inner = {.code = GRZ_OK};
    grz_status status = grz_pose_check(&object->pose, object->mesh->max_abs, &inner);
    if (status != GRZ_OK)
        return grz_fail(error, status, index, "object %c: %s", name, inner.message);
    return GRZ_OK;
}

static grz_status check_options(grz_query *query)
{
    const grz_collide_options *options = &query->options;
    const uint32_t all = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT;
    if (options->size != sizeof *options)
        return grz_fail(query->error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "collide: options.size is %zu, start from grz_default_collide_options()", options->size);
    if ((options->find & ~all) != 0)
        return grz_fail(query->error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "collide: unknown bits in options.find: 0x%x",
                        options->find & ~all);
    if (!(options->deadline >= 0.0))
        return grz_fail(query->error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "collide: options.deadline is negative or not a number");
    query->filter = grz_filter_find(options->method);
    if (query->filter == NULL)
        return grz_fail(query->error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "no method is called \"%s\" in this build",
                        options->method);
    if (options->answer != GRZ_ANSWER_EXACT && options->answer != GRZ_ANSWER_DISCRETE)
        return grz_fail(query->error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "collide: options.answer is %d", (int)options->answer);
    if (options->answer == GRZ_ANSWER_DISCRETE)
        return grz_fail(query->error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "method %s has no discrete answer",
                        query->filter->name);
    if ((query->filter->capabilities & (query->b != NULL ? GRZ_CAN_PAIR : GRZ_CAN_SELF)) == 0)
        return grz_fail(query->error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "method %s cannot test %s", query->filter->name,
                        query->b != NULL ? "a pair of objects" : "a mesh with itself");
    return GRZ_OK;
}

// The box that matters: where the objects' boxes overlap; for self the mesh's own, in mesh coordinates.
static grz_box clip_box(const grz_query *query)
{
    if (query->b == NULL)
        return query->a->mesh->bounds;
    const grz_box a = grz_world_box(&query->a->pose, &query->a->mesh->bounds),
                  b = grz_world_box(&query->b->pose, &query->b->mesh->bounds);
    return grz_box_intersection(&a, &b);
}

static grz_status prepare_mesh(const grz_filter *filter, const grz_mesh *mesh, grz_error *error)
{
    void *state;
    return filter->state != NULL ? grz_mesh_slot_get(mesh, filter->slot, filter->state, &state, error) : GRZ_OK;
}

static grz_status prepare(const grz_query *query)
{
    grz_status status = prepare_mesh(query->filter, query->a->mesh, query->error);
    if (status == GRZ_OK && query->b != NULL)
        status = prepare_mesh(query->filter, query->b->mesh, query->error);
    return status;
}

// The text for a status that the sink or the stages met with.
static grz_status explain(const grz_query *query, grz_status status)
{
    switch (status) {
    case GRZ_ERROR_CANCELLED:
        return grz_fail(query->error, status, GRZ_NO_ELEMENT, "cancelled");
    case GRZ_ERROR_DEADLINE:
        return grz_fail(query->error, status, GRZ_NO_ELEMENT, "the deadline of %g s passed", query->options.deadline);
    case GRZ_ERROR_LIMIT:
        return grz_fail(query->error, status, GRZ_NO_ELEMENT, "more than %llu pairs", (unsigned long long)query->options.max_pairs);
    default:
        return grz_fail(query->error, status, GRZ_NO_ELEMENT, "out of memory for the result");
    }
}

static grz_status assemble(const grz_query *query, grz_decider *decider)
{
    grz_result *result = query->result;
    const uint32_t find = query->options.find;
    const bool curves = (find & GRZ_FIND_CURVES) != 0, contacts = curves || (find & GRZ_FIND_CONTACTS) != 0;
    bool room = grz_found_sort(result->allocator, &result->found);
    room = room && grz_result_build_pairs(result);
    if (room && result->pairs.count > query->options.max_pairs)
        return GRZ_ERROR_LIMIT;
    if (room && contacts) {
        if (grz_decider_expired(decider))
            return (grz_status)atomic_load(&decider->status);
        room = grz_result_build_contacts(result, query->a, query->b, curves);
    }
    if (room && curves)
        room = grz_result_build_curves(result);
    return room ? GRZ_OK : GRZ_ERROR_MEMORY;
}

// Leave nothing half-written. Past max_pairs the yes/no stands.
static void give_up(const grz_query *query, grz_status status)
{
    const char *method = query->filter->name;
    grz_result_reset(query->result);
    query->result->summary.method = method;
    query->result->summary.reason = "the query failed";
    if (status == GRZ_ERROR_LIMIT) {
        query->result->summary.relation = GRZ_COLLIDING;
        query->result->summary.colliding = true;
        query->result->summary.certainty = GRZ_EXACT;
        query->result->summary.reason = "more pairs touch than options.max_pairs allows: none are listed";
    }
}

static grz_status propose_and_decide(const grz_query *query, grz_decider *decider)
{
    grz_summary *summary = &query->result->summary;
    const grz_job job = {.a = query->a, .b = query->b, .clip = clip_box(query)};
    const bool overlap = !grz_box_is_empty(&job.clip);
    grz_status status = GRZ_OK;
    const double prepare_start = grz_clock_seconds();
    if (grz_decider_expired(decider))
        return explain(query, (grz_status)atomic_load(&decider->status));
    if (overlap)
        status = prepare(query);
    const double filter_start = grz_clock_seconds();
    summary->prepare_ms = 1e3 * (filter_start - prepare_start);
    if (status == GRZ_OK && overlap)
        status = query->filter->propose(query->device, &job, 1, &decider->sink, query->error);
    if (status != GRZ_OK)
        return status;
    status = (grz_status)atomic_load(&decider->status);
    const double decide_start = grz_clock_seconds();
    const double proposing = 1e3 * (decide_start - filter_start);
    const double deciding = 1e-6 * (double)atomic_load(&decider->decide_ns) / grz_device_threads(query->device);
    summary->decide_ms = deciding < proposing ? deciding : proposing;
    summary->filter_ms = proposing - summary->decide_ms;
    summary->candidates = atomic_load(&decider->candidates);
    if (status == GRZ_OK)
        status = assemble(query, decider);
    if (status != GRZ_OK)
        return explain(query, status);
    summary->certainty = GRZ_EXACT;
    summary->reason = NULL;
    summary->colliding = atomic_load(&decider->touching);
    summary->pairs_complete = decider->list || !summary->colliding;
    summary->relation = summary->colliding ? GRZ_COLLIDING : GRZ_APART;
    if (!summary->colliding && query->b != NULL && (query->options.find & GRZ_FIND_CONTAINMENT) != 0) {
        status = grz_containment_decide(decider, query->a, query->b, summary, query->error);
        if (status == GRZ_ERROR_CANCELLED || status == GRZ_ERROR_DEADLINE)
            status = explain(query, status);
        summary->colliding = summary->relation != GRZ_APART;
    }
    summary->decide_ms += 1e3 * (grz_clock_seconds() - decide_start);
    return status;
}

static grz_status run_query(grz_query *query, const grz_collide_options *options)
{
    if (query->result != NULL)
        grz_result_reset(query->result);
    if (query->device == NULL || query->result == NULL)
        return grz_fail(query->error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "collide: the device or the result is NULL");
    query->options = options != NULL ? *options : grz_default_collide_options();
    grz_status status = check_options(query);
    if (status == GRZ_OK)
        status = check_object(query->a, 0, query->error);
    if (status != GRZ_OK)
        return status;
    grz_decider decider;
    grz_decider_init(&decider, query->result->allocator, query->a, query->b, &query->options, query->start, &query->result->found);
    query->result->summary.method = query->filter->name;
    status = propose_and_decide(query, &decider);
    grz_decider_finish(&decider);
    if (status != GRZ_OK)
        give_up(query, status);
    query->result->summary.total_ms = 1e3 * (grz_clock_seconds() - query->start);
    return status;
}

grz_status grz_collide(grz_device *device, const grz_object *a, const grz_object *b, const grz_collide_options *options,
                       grz_result *result, grz_error *error)
{
    const grz_fp_state fp = grz_fp_enter();
    grz_query query = {.device = device, .a = a, .b = b, .result = result, .error = error, .start = grz_clock_seconds()};
    grz_status status = check_object(b, 1, error);
    if (status == GRZ_OK)
        status = run_query(&query, options);
    else if (result != NULL)
        grz_result_reset(result);
    grz_fp_leave(fp);
    return status;
}

grz_status grz_collide_self(grz_device *device, const grz_object *object, const grz_collide_options *options, grz_result *result,
                            grz_error *error)
{
    const grz_fp_state fp = grz_fp_enter();
    grz_query query = {.device = device, .a = object, .b = NULL, .result = result, .error = error, .start = grz_clock_seconds()};
    grz_status status = run_query(&query, options);
    grz_fp_leave(fp);
    return status;
}

grz_status grz_mesh_prepare(const grz_mesh *mesh, const char *method, grz_error *error)
{
    if (mesh == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "prepare: the mesh is NULL");
    const grz_filter *filter = grz_filter_find(method);
    if (filter == NULL)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "no method is called \"%s\" in this build", method);
    const grz_fp_state fp = grz_fp_enter();
    grz_status status = prepare_mesh(filter, mesh, error);
    grz_fp_leave(fp);
    return status;
}
