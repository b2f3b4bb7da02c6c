// SPDX-License-Identifier: MIT
// The queries of one pair, and of one mesh with itself: one job each.
#include "query/query.h"

#include "base/clock.h"
#include "base/device.h"
#include "base/fail.h"
#include "mesh/source.h"
#include "mesh/topology.h"

enum {
    FINDS = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT
};

// The summary of a query with one job.
static void summarise(grz_query *query, bool self, const grz_verdict *verdict)
{
    grz_summary *summary = &query->result->summary;
    const bool touching = verdict->relation == GRZ_COLLIDING;
    const bool list = (query->options.find & (GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES)) != 0;
    summary->certainty = GRZ_EXACT;
    summary->relation = verdict->relation;
    summary->colliding = verdict->relation != GRZ_APART;
    summary->containment = self ? GRZ_CONTAINMENT_NOT_ASKED : verdict->containment;
    summary->reason = verdict->reason;
    summary->pair_count = verdict->pair_count;
    summary->pairs_complete = list || !touching;
    for (int i = 0; i < GRZ_KIND_COUNT; i++)
        summary->kinds[i] = verdict->kinds[i];
    if (query->sampled)
        grz_query_label(query);
}

// By samples; the predicates need meshes that are in memory.
static grz_status sample_pair(grz_query *query, const grz_job *job, grz_verdict *verdict)
{
    grz_object a, b;
    grz_status status = grz_query_here(job->a, &query->control, &a, query->error);
    if (status == GRZ_OK)
        status = grz_query_here(job->b, &query->control, &b, query->error);
    const grz_job here = {.a = &a, .b = &b, .clip = job->clip};
    return status == GRZ_OK ? grz_query_run(query, &here, 1, verdict) : status;
}

grz_status grz_collide(grz_device *device, const grz_object *a, const grz_object *b, const grz_collide_options *options,
                       grz_result *result, grz_error *error)
{
    static const grz_query_kind kind = {"collide", FINDS, GRZ_CAN_PAIR, true, true};
    grz_query query;
    grz_verdict verdict;
    grz_status status = grz_query_begin(&query, &kind, device, options, result, error);
    if (status == GRZ_OK)
        status = grz_query_check_object(kind.name, a, "object A", 0, error);
    if (status == GRZ_OK)
        status = grz_query_check_object(kind.name, b, "object B", 1, error);
    if (status == GRZ_OK) {
        const grz_job job = grz_query_job(a, b);
        if (query.options.answer == GRZ_ANSWER_DISCRETE && !query.sampled)
            return grz_query_end(&query, grz_query_discrete(&query, &job));
        status = query.sampled ? sample_pair(&query, &job, &verdict) : grz_query_run_pair(&query, &job, &verdict);
    }
    if (status == GRZ_OK)
        summarise(&query, false, &verdict);
    return grz_query_end(&query, status);
}

grz_status grz_collide_self(grz_device *device, const grz_object *object, const grz_collide_options *options, grz_result *result,
                            grz_error *error)
{
    static const grz_query_kind kind = {"collide self", FINDS, GRZ_CAN_SELF, false, true};
    grz_query query;
    grz_object here;
    grz_verdict verdict;
    grz_status status = grz_query_begin(&query, &kind, device, options, result, error);
    if (status == GRZ_OK)
        status = grz_query_check_object(kind.name, object, "object A", 0, error);
    if (status == GRZ_OK)
        status = grz_query_here(object, &query.control, &here, error);
    if (status == GRZ_OK) {
        const grz_job job = grz_query_job(&here, NULL);
        status = grz_query_run(&query, &job, 1, &verdict);
    }
    if (status == GRZ_OK)
        summarise(&query, true, &verdict);
    return grz_query_end(&query, status);
}

grz_status grz_mesh_prepare(const grz_mesh *mesh, const char *method, grz_error *error)
{
    if (mesh == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "prepare: the mesh is NULL");
    const grz_filter *filter = grz_filter_find(method, GRZ_ANSWER_EXACT);
    if (filter == NULL)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "no method is called \"%s\" in this build", method);
    const grz_fp_state fp = grz_fp_enter();
    grz_control control;
    void *state;
    const grz_topology *topology;
    grz_control_init(&control, grz_device_allocator(mesh->device), grz_clock_seconds());
    grz_status status = grz_mesh_here(mesh, &control, &mesh, error);
    if (status == GRZ_OK && filter->state != NULL)
        status = grz_mesh_slot_get(mesh, filter->slot, filter->state, &control, &state, error);
    if (status == GRZ_OK)
        status = grz_mesh_topology(mesh, &control, &topology, error);
    grz_fp_leave(fp);
    return status;
}
