// SPDX-License-Identifier: MIT
// A discrete answer: what the method says, labelled as such, and nothing of the predicates in it.
#include "query/query.h"

#include "base/clock.h"
#include "base/fail.h"

// A box around the collision volumes.
static grz_box box_of(const grz_discrete *answer)
{
    grz_box box = grz_box_empty();
    for (uint32_t i = 0; i < answer->volume_count; i++)
        for (int corner = 0; corner < 8; corner++) {
            const grz_volume *volume = &answer->volumes[i];
            double at[3];
            for (int j = 0; j < 3; j++)
                at[j] = volume->corner[j] + ((corner & 1) != 0 ? volume->edge[0][j] : 0.0) +
                        ((corner & 2) != 0 ? volume->edge[1][j] : 0.0) + ((corner & 4) != 0 ? volume->edge[2][j] : 0.0);
            grz_box_add_point(&box, at);
        }
    return box;
}

// Ask the predicates about what was found, within the volumes.
static grz_status confirm(grz_query *query, const grz_job *job, const grz_discrete *answer)
{
    const grz_box box = box_of(answer);
    const grz_job clipped = {job->a, job->b, grz_box_intersection(&job->clip, &box)};
    const grz_filter *filter = query->filter;
    const uint32_t find = query->options.find;
    grz_summary *summary = &query->result->summary;
    grz_verdict verdict = {.relation = GRZ_APART};
    grz_status status = GRZ_OK;
    query->filter = &grz_filter_bvh;
    query->options.find &= ~(uint32_t)GRZ_FIND_CONTAINMENT;
    if (!grz_box_is_empty(&clipped.clip))
        status = grz_query_run_pair(query, &clipped, &verdict);
    query->filter = filter;
    query->options.find = find;
    summary->relation = verdict.relation;
    summary->colliding = verdict.relation == GRZ_COLLIDING;
    summary->may_invent = false;
    summary->pair_count = verdict.pair_count;
    for (int i = 0; i < GRZ_KIND_COUNT; i++)
        summary->kinds[i] = verdict.kinds[i];
    return status;
}

grz_status grz_query_discrete(grz_query *query, const grz_job *job)
{
    grz_result *result = query->result;
    grz_summary *summary = &result->summary;
    grz_discrete answer;
    const double start = grz_clock_seconds();
    grz_status status = query->filter->discrete(query->device, job, &query->options, &query->control, &answer, query->error);
    if (status != GRZ_OK)
        return status;
    for (uint32_t i = 0; i < answer.volume_count; i++) {
        if (!grz_array_add(result->allocator, &result->volumes))
            return GRZ_ERROR_MEMORY;
        result->volumes.items[result->volumes.count - 1] = answer.volumes[i];
    }
    summary->certainty = GRZ_DISCRETE;
    summary->reason = NULL;
    if (!answer.colliding && (query->options.find & GRZ_FIND_CONTAINMENT) != 0) {
        summary->containment = GRZ_CONTAINMENT_UNDECIDABLE;
        summary->reason = "a discrete answer does not tell inside from apart";
    }
    summary->relation = answer.colliding ? GRZ_COLLIDING : GRZ_APART;
    summary->colliding = answer.colliding;
    summary->may_miss = answer.may_miss;
    summary->may_invent = answer.may_invent;
    summary->resolution = answer.resolution;
    summary->slices = answer.slices;
    summary->cells = answer.cells;
    summary->prepare_ms = answer.prepare_ms;
    summary->filter_ms = 1e3 * (grz_clock_seconds() - start) - answer.prepare_ms;
    const bool wish = query->options.slices != NULL && query->options.slices->confirm;
    return wish && answer.colliding ? confirm(query, job, &answer) : GRZ_OK;
}
