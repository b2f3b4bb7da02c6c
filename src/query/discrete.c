// SPDX-License-Identifier: MIT
// A discrete answer: what the method says, labelled as such, and nothing of the predicates in it.
#include "query/query.h"

#include "base/clock.h"
#include "base/fail.h"

grz_status grz_query_discrete(grz_query *query, const grz_job *job)
{
    grz_result *result = query->result;
    grz_summary *summary = &result->summary;
    grz_discrete answer;
    const double start = grz_clock_seconds();
    grz_status status = query->filter->discrete(query->device, job, &query->options, &query->control, &answer, query->error);
    if (status != GRZ_OK)
        return status;
    if (answer.colliding && !grz_array_add(result->allocator, &result->volumes))
        return GRZ_ERROR_MEMORY;
    if (answer.colliding)
        result->volumes.items[result->volumes.count - 1] = answer.volume;
    summary->certainty = GRZ_DISCRETE;
    summary->reason = NULL;
    summary->relation = answer.colliding ? GRZ_COLLIDING : GRZ_APART;
    summary->colliding = answer.colliding;
    summary->may_miss = answer.may_miss;
    summary->may_invent = answer.may_invent;
    summary->resolution = answer.resolution;
    summary->slices = answer.slices;
    summary->cells = answer.cells;
    summary->prepare_ms = answer.prepare_ms;
    summary->filter_ms = 1e3 * (grz_clock_seconds() - start) - answer.prepare_ms;
    return GRZ_OK;
}
