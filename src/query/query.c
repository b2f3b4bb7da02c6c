// SPDX-License-Identifier: MIT
// Begins and ends queries: checks arguments, starts the control, completes the summary. The work in between is in
// run.c.
#include "query/query.h"

#include <assert.h>

#include "base/call.h"
#include "base/clock.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"
#include "geometry/pose.h"
#include "geometry/posed_boxes.h"

static const grz_collide_options defaults = {.size = sizeof(grz_collide_options),
                                             .method = NULL,
                                             .answer = GRZ_ANSWER_EXACT,
                                             .find = GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT,
                                             .max_pairs = UINT64_C(1) << 28,
                                             .reference = GRZ_ALL_OBJECTS};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(collide_options, defaults);

void grz_collide_options_init(grz_collide_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

static void name_method(const grz_query *query)
{
    query->result->summary.method = query->plan.filter->name;
    query->result->summary.device = grz_filter_can(query->plan.filter, GRZ_USES_GL) ? "gl" : "cpu";
}

grz_status grz_query_begin(grz_query *query, const grz_query_kind *kind, grz_device *device,
                           const grz_collide_options *options, grz_result *result, grz_error *error)
{
    grz_collide_options given;
    query->kind = kind;
    query->result = result;
    query->begun = query->any_touching = false;
    if (result != NULL)
        grz_result_reset(result);
    grz_status status = grz_call_begin(&query->call, kind->name, device, &options_type, options, &given, error);
    if (status == GRZ_OK && result == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: the result is NULL", kind->name);
    if (status == GRZ_OK)
        status = grz_plan_make(&query->plan, kind, &given, error);
    if (status != GRZ_OK)
        return status;
    // The clock is read only if somebody asks for it: it takes a fifth of the time of a query of two small meshes.
    query->call.control.times = given.times;
    if (given.times)
        query->call.control.start = grz_clock_seconds();
    query->begun = true;
    result->allocator = grz_control_allocator(&query->call.control);
    if (query->plan.discrete)
        query->discrete = (grz_discrete){.may_miss = true, .boxes = &result->boxes, .allocator = result->allocator};
    name_method(query);
    return GRZ_OK;
}

// The overlap of the world boxes of two objects, each enlarged by `reach`.
static grz_box common_box(const grz_object *a, const grz_object *b, double reach)
{
    const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds), near_a = grz_box_grown(&box_a, reach);
    const grz_box box_b = grz_world_box(&b->pose, &b->mesh->bounds), near_b = grz_box_grown(&box_b, reach);
    // What is within reach of the other box is at most `reach` outside it; two boxes farther apart share nothing here.
    const grz_box in_reach_of_b = grz_box_intersection(&box_a, &near_b);
    return grz_box_is_empty(&in_reach_of_b) ? grz_box_empty() : grz_box_intersection(&near_a, &near_b);
}

grz_job grz_query_job(const grz_object *objects, uint32_t a, uint32_t b, double reach)
{
    assert(a != b && a != GRZ_SELF);
    return (grz_job){
        .a = a, .b = b, .clip = b != GRZ_SELF ? common_box(&objects[a], &objects[b], reach) : objects[a].mesh->bounds};
}

bool grz_query_boxes_apart(const grz_query *query, const grz_plan *plan, const grz_object *a, const grz_object *b)
{
    const grz_posed_box box_a = {&a->pose, &a->mesh->bounds}, box_b = {&b->pose, &b->mesh->bounds};
    if (plan->discrete || plan->clearance > 0.0 || grz_filter_can(plan->filter, GRZ_IS_REFERENCE))
        return false;
    return grz_posed_boxes_test_for(grz_device_simd(query->call.device))(&box_a, &box_b);
}

grz_job grz_query_job_of_pair(const grz_query *query, const grz_object objects[2])
{
    const bool apart = grz_query_boxes_apart(query, &query->plan, &objects[0], &objects[1]);
    return (grz_job){.a = 0,
                     .b = 1,
                     .clip = apart ? grz_box_empty() : common_box(&objects[0], &objects[1], query->plan.clearance),
                     .compared = true};
}

grz_status grz_query_label(grz_query *query)
{
    const grz_discrete *answer = &query->discrete;
    grz_result *result = query->result;
    grz_summary *summary = &result->summary;
    assert(query->plan.discrete && result->statistics.count == 0);
    if (answer->statistic_count == 0 && grz_plan_samples(&query->plan)) { // a scene in which no boxes overlap
        const grz_job_set nothing = {.job_count = 0};
        grz_sink sink = {.control = &query->call.control};
        const grz_status status = query->plan.filter->propose_discrete(
            query->call.device, &nothing, query->plan.filter_options, &sink, &query->discrete, query->call.error);
        if (status != GRZ_OK)
            return status;
    }
    summary->certainty = GRZ_DISCRETE;
    summary->may_miss = answer->may_miss;
    summary->may_invent = answer->may_invent;
    summary->pairs_complete = false;
    summary->containment = GRZ_CONTAINMENT_NOT_ASKED;
    summary->reason = NULL;
    if (!summary->colliding && query->plan.asked_containment) {
        summary->containment = GRZ_CONTAINMENT_UNDECIDABLE;
        summary->reason = "a discrete answer cannot decide whether one object is inside the other";
    }
    for (uint32_t i = 0; i < answer->statistic_count; i++) {
        if (!grz_array_add(result->allocator, &result->statistics))
            return GRZ_ERROR_MEMORY;
        result->statistics.items[i] = answer->statistics[i];
    }
    return GRZ_OK;
}

static const char *failure_reason(grz_status status, bool touching)
{
    if (status == GRZ_ERROR_LIMIT && !touching)
        return "more pairs are nearer than the clearance than max_pairs allows: none are listed";
    if (status == GRZ_ERROR_LIMIT)
        return "more pairs touch or are near than max_pairs allows: none are listed";
    return touching ? "the query failed, but a touching pair had been found: none are listed" : "the query failed";
}

// After a failure: remove everything incomplete. Only the fact that something touches is kept, if it is certain.
static void give_up(const grz_query *query, grz_status status)
{
    grz_result *result = query->result;
    grz_result_reset(result);
    name_method(query);
    result->summary.reason = failure_reason(status, query->any_touching);
    if (query->any_touching) {
        result->summary.relation = GRZ_COLLIDING;
        result->summary.colliding = true;
        result->summary.certainty = GRZ_EXACT;
    }
    if (query->any_touching && query->plan.discrete && query->discrete.may_invent) {
        result->summary.certainty = GRZ_DISCRETE;
        result->summary.may_miss = result->summary.may_invent = true;
    }
}

// True if pairs were asked for and the method names them. One that answers by itself does so only if it was confirmed.
static bool lists_pairs(const grz_query *query)
{
    const grz_plan *plan = &query->plan;
    return (plan->find & GRZ_FIND_LISTS) != 0 &&
           (!plan->discrete || grz_plan_samples(plan) || !query->result->summary.may_invent);
}

grz_status grz_query_end(grz_query *query, grz_status status)
{
    grz_error *error = query->call.error;
    assert(query->begun || status != GRZ_OK);
    if (query->begun) {
        query->result->allocator = query->call.control.base;
        if (status == GRZ_ERROR_LIMIT)
            grz_fail(error, status, GRZ_NO_ELEMENT, "more than %llu pairs", (unsigned long long)query->plan.max_pairs);
        else if (status == GRZ_ERROR_CANCELLED || status == GRZ_ERROR_DEADLINE || status == GRZ_ERROR_MEMORY)
            grz_control_explain(&query->call.control, status, query->kind->name, error);
        if (status != GRZ_OK) {
            give_up(query, status);
        } else
            query->result->summary.pairs_listed = lists_pairs(query);
        if (query->call.control.times)
            query->result->summary.total_ms = 1e3 * (grz_clock_seconds() - query->call.control.start);
    }
    return grz_call_end(&query->call, status);
}
