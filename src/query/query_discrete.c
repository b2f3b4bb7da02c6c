// SPDX-License-Identifier: MIT
// Discrete answers that a method gives by itself, labelled as discrete. The predicates are used only if the method's
// options ask for a confirmation.
#include "base/control.h"
#include "query/query.h"

#include <assert.h>

// A box around all collision volumes.
static grz_box box_of(const grz_collision_box_array *volumes)
{
    grz_box box = grz_box_empty();
    for (size_t i = 0; i < volumes->count; i++)
        for (int corner = 0; corner < 8; corner++) {
            const grz_collision_box *volume = &volumes->items[i];
            double at[3];
            for (int j = 0; j < 3; j++)
                at[j] = volume->corner[j] + ((corner & 1) != 0 ? volume->edge[0][j] : 0.0) +
                        ((corner & 2) != 0 ? volume->edge[1][j] : 0.0) + ((corner & 4) != 0 ? volume->edge[2][j] : 0.0);
            grz_box_add_point(&box, at);
        }
    return box;
}

// Confirm the answer: decide exactly what lies in the box around the volumes.
static grz_status confirm(grz_query *query, const grz_job_set *set)
{
    const grz_box box = box_of(&query->result->boxes);
    const grz_plan plan =
        grz_plan_exact_part(&query->plan, query->plan.find & ~(uint32_t)(GRZ_FIND_CONTAINMENT | GRZ_FIND_SOLIDS));
    grz_job clipped = set->jobs[0];
    grz_job_set within = *set;
    grz_summary *summary = &query->result->summary;
    grz_verdict verdict = {.relation = GRZ_APART};
    grz_status status = GRZ_OK;
    assert(query->result->boxes.count > 0);
    clipped.clip = grz_box_intersection(&clipped.clip, &box);
    within.jobs = &clipped;
    if (!grz_box_is_empty(&clipped.clip))
        status = grz_query_run_pair(query, &plan, &within, &verdict);
    summary->relation = verdict.relation;
    summary->colliding = verdict.relation == GRZ_COLLIDING;
    summary->may_invent = false;
    summary->pair_count = verdict.pair_count;
    for (int i = 0; i < GRZ_KIND_COUNT; i++)
        summary->kinds[i] = verdict.kinds[i];
    return status;
}

grz_status grz_query_discrete(grz_query *query, const grz_job_set *set)
{
    const grz_plan *plan = &query->plan;
    grz_summary *summary = &query->result->summary;
    grz_discrete *answer = &query->discrete;
    grz_job_set flagged = *set;
    bool wants_confirmation = false;
    assert(set->job_count == 1);
    flagged.flags = (plan->find & GRZ_FIND_LISTS) != 0 ? 0 : GRZ_JOBS_FIRST_CONTACT;
    const double start = grz_control_seconds(&query->call.control);
    grz_status status = plan->filter->discrete(query->call.device, &flagged, plan->filter_options, &query->call.control,
                                               &wants_confirmation, answer, query->call.error);
    if (status != GRZ_OK)
        return status;
    summary->relation = answer->colliding ? GRZ_COLLIDING : GRZ_APART;
    summary->colliding = answer->colliding;
    status = grz_query_label(query);
    if (query->call.control.times) {
        summary->prepare_ms = answer->prepare_ms;
        summary->filter_ms = 1e3 * (grz_control_seconds(&query->call.control) - start) - answer->prepare_ms;
    }
    return status == GRZ_OK && wants_confirmation && answer->colliding ? confirm(query, set) : status;
}
