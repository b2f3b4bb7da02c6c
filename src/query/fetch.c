// SPDX-License-Identifier: MIT
// A pair of objects whose meshes may be in buffers of OpenGL: only the triangles that can touch are read back and
// decided. Both meshes are read back whole only if nothing touches and containment is asked for.
#include "base/control.h"
#include "query/query.h"

#include <assert.h>

#include "mesh/source.h"

grz_status grz_query_in_memory(const grz_object *object, grz_control *control, grz_object *here, grz_error *error)
{
    *here = *object;
    const grz_status status = grz_mesh_in_memory(object->mesh, control, &here->mesh, error);
    assert(status != GRZ_OK || here->mesh->source == NULL);
    return status;
}

// True if the world boxes of the set's only two objects overlap: only then there is something to say about containment.
static bool aabbs_overlap(const grz_job_set *set)
{
    const grz_job job = grz_query_job(set->objects, set->jobs[0].a, set->jobs[0].b, 0.0);
    return !grz_box_is_empty(&job.clip);
}

// Decide containment of two objects whose surfaces do not touch.
static grz_status contain(grz_query *query, const grz_plan *plan, const grz_job_set *set, grz_verdict *verdict)
{
    const grz_plan inside = grz_plan_exact_part(plan, GRZ_FIND_CONTAINMENT);
    const grz_job job = {.a = 0, .b = 1, .clip = grz_box_empty()}; // empty: the surfaces are not tested again
    grz_object here[2];
    grz_status status =
        grz_query_in_memory(grz_job_object_a(set, set->jobs), &query->call.control, &here[0], query->call.error);
    if (status == GRZ_OK)
        status =
            grz_query_in_memory(grz_job_object_b(set, set->jobs), &query->call.control, &here[1], query->call.error);
    if (status != GRZ_OK)
        return status;
    const grz_job_set whole = {.objects = here, .object_count = 2, .jobs = &job, .job_count = 1};
    return grz_query_run(query, &inside, &whole, verdict);
}

// Read the triangles that may touch from the meshes in buffers. *joined: the filter itself has found which triangles
// may touch.
static grz_status read_near(grz_query *query, const grz_plan *plan, const grz_job_set *set, grz_mesh *parts[2],
                            bool *joined)
{
    const grz_object *given[2] = {grz_job_object_a(set, set->jobs), grz_job_object_b(set, set->jobs)};
    grz_control *control = &query->call.control;
    grz_status status = GRZ_OK;
    parts[0] = parts[1] = NULL;
    *joined = false;
    if (grz_filter_can(plan->filter, GRZ_CAN_READ_BUFFERS) && given[0]->mesh->source != NULL &&
        given[1]->mesh->source != NULL) {
        grz_job_set asked = *set;
        asked.options = plan->filter_options;
        status = plan->filter->read_near(query->call.device, &asked, control, parts, joined, query->call.error);
    }
    if (status != GRZ_OK || *joined)
        return status;
    for (int i = 0; i < 2 && status == GRZ_OK; i++) {
        const grz_mesh_source *source = given[i]->mesh->source;
        if (source == NULL)
            continue;
        status = source->read_part(given[i], &set->jobs[0].clip, control, &parts[i], query->call.error);
        if (parts[i] == NULL)
            break;
    }
    return status;
}

// Decide whether the surfaces touch, using the parts of both meshes that were read. Containment is left out.
static grz_status touch(grz_query *query, const grz_plan *plan, const grz_job_set *set, grz_verdict *verdict)
{
    const double start = grz_control_seconds(&query->call.control);
    const grz_job job = {.a = 0, .b = 1, .clip = set->jobs[0].clip};
    grz_object near[2] = {*grz_job_object_a(set, set->jobs), *grz_job_object_b(set, set->jobs)};
    grz_mesh *parts[2];
    bool joined, all = true;
    grz_status status = read_near(query, plan, set, parts, &joined);
    query->result->summary.prepare_ms += 1e3 * (grz_control_seconds(&query->call.control) - start);
    for (int i = 0; i < 2; i++) {
        if (near[i].mesh->source != NULL)
            near[i].mesh = parts[i];
        all = all && near[i].mesh != NULL;
    }
    if (status == GRZ_OK && all) {
        assert(near[0].mesh->source == NULL && near[1].mesh->source == NULL);
        const uint32_t find = plan->find & ~(uint32_t)GRZ_FIND_CONTAINMENT;
        grz_plan part = *plan;
        part.find = find;
        if (joined)
            part = grz_plan_exact_part(plan, find);
        const grz_job_set read = {.objects = near, .object_count = 2, .jobs = &job, .job_count = 1};
        status = grz_query_run(query, &part, &read, verdict);
        query->result->witness = (grz_witness){.mesh_a = NULL}; // the parts are destroyed, so the witness's numbers
                                                                // mean nothing later
    }
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy(parts[i]);
    return status;
}

// Solids need both meshes whole; for a clearance, no part has been worked out that would do.
static grz_status run_whole(grz_query *query, const grz_plan *plan, const grz_job_set *set, grz_verdict *verdict)
{
    const grz_plan exact = grz_plan_exact_part(plan, plan->find);
    grz_object here[2];
    grz_status status =
        grz_query_in_memory(grz_job_object_a(set, set->jobs), &query->call.control, &here[0], query->call.error);
    if (status == GRZ_OK)
        status =
            grz_query_in_memory(grz_job_object_b(set, set->jobs), &query->call.control, &here[1], query->call.error);
    if (status != GRZ_OK)
        return status;
    const grz_job job = {.a = 0, .b = 1, .clip = set->jobs[0].clip};
    const grz_job_set whole = {.objects = here, .object_count = 2, .jobs = &job, .job_count = 1};
    return grz_query_run(query, &exact, &whole, verdict);
}

grz_status grz_query_run_pair(grz_query *query, const grz_plan *plan, const grz_job_set *set, grz_verdict *verdict)
{
    const bool containment = (plan->find & GRZ_FIND_CONTAINMENT) != 0;
    const grz_job *job = &set->jobs[0];
    assert(set->job_count == 1 && job->b != GRZ_SELF);
    if (grz_job_object_a(set, job)->mesh->source == NULL && grz_job_object_b(set, job)->mesh->source == NULL)
        return grz_query_run(query, plan, set, verdict);
    if (grz_plan_finds_solids(plan) || plan->clearance > 0.0)
        return run_whole(query, plan, set, verdict);
    *verdict = (grz_verdict){.relation = GRZ_APART,
                             .containment = containment ? GRZ_CONTAINMENT_DECIDED : GRZ_CONTAINMENT_NOT_ASKED};
    if (grz_box_is_empty(&job->clip))
        return containment && aabbs_overlap(set) ? contain(query, plan, set, verdict) : GRZ_OK;
    grz_status status = touch(query, plan, set, verdict);
    if (status == GRZ_OK && containment && verdict->relation == GRZ_APART)
        status = contain(query, plan, set, verdict);
    return status;
}
