// SPDX-License-Identifier: MIT
// A pair of objects whose meshes may lie in buffers of OpenGL: what can touch is read back and decided; only where nothing touches and
// containment is asked for, both meshes are wanted whole.
#include "query/query.h"

#include <string.h>

#include "base/clock.h"
#include "mesh/source.h"

grz_status grz_query_here(const grz_object *object, grz_control *control, grz_object *here, grz_error *error)
{
    *here = *object;
    return grz_mesh_here(object->mesh, control, &here->mesh, error);
}

// Whether one mesh lies in the other, where their surfaces do not touch.
static grz_status contain(grz_query *query, const grz_job *job, grz_verdict *verdict)
{
    const uint32_t find = query->options.find;
    grz_object a, b;
    grz_status status = grz_query_here(job->a, &query->control, &a, query->error);
    if (status == GRZ_OK)
        status = grz_query_here(job->b, &query->control, &b, query->error);
    if (status != GRZ_OK)
        return status;
    const grz_job whole = {.a = &a, .b = &b, .clip = grz_box_empty()}; // surfaces are not asked for again
    query->options.find = GRZ_FIND_CONTAINMENT;
    status = grz_query_run(query, &whole, 1, verdict);
    query->options.find = find;
    return status;
}

// Of the objects whose meshes lie elsewhere, what can be reached. *joined: what is left is for `bvh`.
static grz_status reach(grz_query *query, const grz_job *job, grz_mesh *parts[2], bool *joined)
{
    const grz_object *given[2] = {job->a, job->b};
    grz_control *control = &query->control;
    grz_status status = GRZ_OK;
    parts[0] = parts[1] = NULL;
    *joined = false;
    if (query->filter->reach != NULL && given[0]->mesh->source != NULL && given[1]->mesh->source != NULL)
        status = query->filter->reach(query->device, job, control, parts, joined, query->error);
    if (status != GRZ_OK || *joined)
        return status;
    for (int i = 0; i < 2 && status == GRZ_OK; i++) {
        const grz_mesh_source *source = given[i]->mesh->source;
        if (source == NULL)
            continue;
        status = source->read_part(given[i], &job->clip, control, &parts[i], query->error);
        if (parts[i] == NULL)
            break;
    }
    return status;
}

// The surfaces of what can be reached of both.
static grz_status touch(grz_query *query, const grz_job *job, grz_verdict *verdict)
{
    const grz_object *given[2] = {job->a, job->b};
    const grz_filter *filter = query->filter;
    const uint32_t find = query->options.find;
    const double start = grz_clock_seconds();
    grz_object reached[2] = {*job->a, *job->b};
    grz_mesh *parts[2];
    bool joined, all = true;
    grz_status status = reach(query, job, parts, &joined);
    query->result->summary.prepare_ms += 1e3 * (grz_clock_seconds() - start);
    for (int i = 0; i < 2; i++) {
        if (given[i]->mesh->source != NULL)
            reached[i].mesh = parts[i];
        all = all && reached[i].mesh != NULL;
    }
    if (status == GRZ_OK && all) {
        const grz_job part = {.a = &reached[0], .b = &reached[1], .clip = job->clip};
        query->options.find &= ~(uint32_t)GRZ_FIND_CONTAINMENT;
        if (joined)
            query->filter = &grz_filter_bvh;
        status = grz_query_run(query, &part, 1, verdict);
        query->filter = filter;
        query->options.find = find;
        query->result->witness = (grz_witness){.mesh_a = NULL}; // parts go, and their numbers with them
    }
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy(parts[i]);
    return status;
}

grz_status grz_query_run_pair(grz_query *query, const grz_job *job, grz_verdict *verdict)
{
    const bool containment = (query->options.find & GRZ_FIND_CONTAINMENT) != 0;
    if (job->a->mesh->source == NULL && job->b->mesh->source == NULL)
        return grz_query_run(query, job, 1, verdict);
    *verdict =
        (grz_verdict){.relation = GRZ_APART, .containment = containment ? GRZ_CONTAINMENT_DECIDED : GRZ_CONTAINMENT_NOT_ASKED};
    if (grz_box_is_empty(&job->clip))
        return GRZ_OK;
    grz_status status = touch(query, job, verdict);
    if (status == GRZ_OK && containment && verdict->relation == GRZ_APART)
        status = contain(query, job, verdict);
    return status;
}
