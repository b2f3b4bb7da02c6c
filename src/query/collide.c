// SPDX-License-Identifier: MIT
// The queries of one pair, and of one mesh with itself: one job each.
#include "query/query.h"

#include <assert.h>
#include <string.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "mesh/object_check.h"
#include "mesh/source.h"
#include "mesh/topology/topology.h"

enum {
    FINDS = GRZ_FIND_LISTS | GRZ_FIND_CONTAINMENT,
    FINDS_OF_PAIR = FINDS | GRZ_FIND_SOLIDS
};

// Fill the summary of a query with one job.
static grz_status summarise(grz_query *query, bool self, const grz_verdict *verdict)
{
    grz_summary *summary = &query->result->summary;
    const bool touching = verdict->relation == GRZ_COLLIDING;
    assert(!self || touching || verdict->relation == GRZ_APART);
    summary->certainty = GRZ_EXACT;
    summary->relation = verdict->relation;
    summary->colliding = verdict->relation != GRZ_APART;
    summary->containment = self ? GRZ_CONTAINMENT_NOT_ASKED : verdict->containment;
    summary->reason = verdict->reason;
    summary->solids = verdict->solids;
    summary->solids_reason = verdict->solids_reason;
    summary->clearance = verdict->clearance;
    summary->near_count = verdict->near_count;
    summary->pair_count = verdict->pair_count;
    summary->pairs_complete = (query->plan.find & GRZ_FIND_LISTS) != 0 || !touching;
    for (int i = 0; i < GRZ_KIND_COUNT; i++)
        summary->kinds[i] = verdict->kinds[i];
    return query->plan.discrete ? grz_query_label(query) : GRZ_OK;
}

// A discrete answer by the method's own candidates. The predicates need the meshes in memory.
static grz_status sample_pair(grz_query *query, const grz_job_set *set, grz_verdict *verdict)
{
    grz_object here[2];
    grz_job_set set_here = *set;
    assert(set->object_count == 2);
    grz_status status = GRZ_OK;
    for (int i = 0; i < 2 && status == GRZ_OK; i++)
        status = grz_query_in_memory(&set->objects[i], &query->call.control, &here[i], query->call.error);
    set_here.objects = here;
    return status == GRZ_OK ? grz_query_run(query, &query->plan, &set_here, verdict) : status;
}

static grz_status run_pair(grz_query *query, const grz_job_set *set)
{
    grz_verdict verdict;
    grz_status status;
    if (query->plan.discrete && !grz_plan_samples(&query->plan))
        return grz_query_discrete(query, set);
    if (query->plan.discrete)
        status = sample_pair(query, set, &verdict);
    else
        status = grz_query_run_pair(query, &query->plan, set, &verdict);
    return status == GRZ_OK ? summarise(query, false, &verdict) : status;
}

grz_status grz_collide(grz_device *device, const grz_object *a, const grz_object *b, const grz_collide_options *options,
                       grz_result *result, grz_error *error)
{
    static const grz_query_kind kind = {"collide", FINDS_OF_PAIR, GRZ_CAN_PAIR, GRZ_CAN_DISCRETE_PAIR, true};
    grz_query query;
    grz_status status = grz_query_begin(&query, &kind, device, options, result, error);
    if (status == GRZ_OK)
        status = grz_object_check(kind.name, a, "object A", 0, error);
    if (status == GRZ_OK)
        status = grz_object_check(kind.name, b, "object B", 1, error);
    if (status == GRZ_OK) {
        const grz_object objects[2] = {*a, *b};
        const grz_job job = grz_query_job_of_pair(&query, objects);
        const grz_job_set set = {.objects = objects, .object_count = 2, .jobs = &job, .job_count = 1};
        status = run_pair(&query, &set);
    }
    status = grz_query_end(&query, status);
    if (status == GRZ_ERROR_LIMIT && result->summary.colliding && (query.plan.find & GRZ_FIND_SOLIDS) != 0) {
        result->summary.solids = GRZ_SOLIDS_UNDECIDABLE;
        result->summary.solids_reason = "more pairs of faces touch than max_pairs allows, and solids need all of them";
    }
    return status;
}

grz_status grz_collide_self(grz_device *device, const grz_object *object, const grz_collide_options *options,
                            grz_result *result, grz_error *error)
{
    static const grz_query_kind kind = {"collide self", FINDS, GRZ_CAN_SELF, GRZ_CAN_DISCRETE_SELF, false};
    grz_query query;
    grz_object here;
    grz_verdict verdict;
    grz_status status = grz_query_begin(&query, &kind, device, options, result, error);
    if (status == GRZ_OK)
        status = grz_object_check(kind.name, object, "object A", 0, error);
    if (status == GRZ_OK)
        status = grz_query_in_memory(object, &query.call.control, &here, error);
    if (status == GRZ_OK) {
        const grz_job job = grz_query_job(&here, 0, GRZ_SELF, 0.0);
        const grz_job_set set = {.objects = &here, .object_count = 1, .jobs = &job, .job_count = 1};
        status = grz_query_run(&query, &query.plan, &set, &verdict);
    }
    if (status == GRZ_OK)
        status = summarise(&query, true, &verdict);
    return grz_query_end(&query, status);
}

grz_status grz_mesh_prepare(const grz_mesh *mesh, const char *method, grz_error *error)
{
    if (mesh == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "prepare: the mesh is NULL");
    const bool any = method == NULL || strcmp(method, "auto") == 0;
    const grz_filter *filter = any ? grz_filter_choose(GRZ_CAN_PAIR | GRZ_CAN_SELF) : grz_filter_find(method);
    if (filter == NULL)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "no method is called \"%s\" in this build",
                        method);
    grz_call call;
    void *state;
    const grz_topology *topology;
    grz_status status = grz_call_begin(&call, "prepare", mesh->device, NULL, NULL, NULL, error);
    if (status == GRZ_OK)
        status = grz_mesh_in_memory(mesh, &call.control, &mesh, error);
    if (status == GRZ_OK && filter->state != NULL)
        status = grz_mesh_slot_get(mesh, filter->state, &call.control, &state, error);
    if (status == GRZ_OK)
        status = grz_mesh_topology(mesh, &call.control, &topology, error);
    return grz_call_end(&call, status);
}
