// SPDX-License-Identifier: MIT
// The part of a query that classifies solids: each job is a task. The surfaces of a set's objects are kept for all
// of its jobs.
#include <assert.h>

#include "base/control.h"
#include "base/device.h"
#include "inside/solids/solids.h"
#include "query/query.h"

typedef struct solids_tasks {
    grz_query *query;
    const grz_job_set *set;
    grz_inside_rule rule;
    grz_surface_cache *cache; // NULL: there is one job
    grz_verdict *verdicts;
} solids_tasks;

// The first entry of a job or of one after it; the entries are sorted.
static size_t first_of_job(const grz_found_array *found, size_t job)
{
    size_t first = 0, end = found->count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (found->items[middle].job < job)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static grz_status decide_job(const solids_tasks *tasks, size_t index, grz_error *error)
{
    const grz_job_set *set = tasks->set;
    const grz_job *job = &set->jobs[index];
    const grz_found_array *found = &tasks->query->result->found;
    const grz_found_range range = {.a = grz_job_object_a(set, job),
                                   .b = grz_job_object_b(set, job),
                                   .first = first_of_job(found, index),
                                   .end = first_of_job(found, index + 1)};
    const grz_cached_pair cached = {tasks->cache, job->a, job->b};
    grz_device *device = tasks->cache == NULL ? tasks->query->call.device : NULL;
    return grz_solids_decide(device, found, &range, &cached, tasks->rule, &tasks->query->call.control,
                             &tasks->verdicts[index], error);
}

static void solids_task(size_t index, void *context)
{
    const solids_tasks *tasks = context;
    grz_control *control = &tasks->query->call.control;
    if (grz_control_status(control) != GRZ_OK)
        return;
    const grz_status status = decide_job(tasks, index, NULL);
    if (status != GRZ_OK)
        grz_control_fail(control, status);
}

grz_status grz_query_solids(grz_query *query, const grz_plan *plan, const grz_job_set *set, grz_verdict *verdicts)
{
    grz_control *control = &query->call.control;
    const grz_allocator *allocator = grz_control_allocator(control);
    grz_surface_cache cache;
    solids_tasks tasks = {.query = query, .set = set, .rule = plan->inside_rule, .verdicts = verdicts};
    if (!grz_found_sort(query->result->allocator, &query->result->found))
        return GRZ_ERROR_MEMORY;
    if (set->job_count == 1)
        return decide_job(&tasks, 0, query->call.error);
    if (!grz_surface_cache_init(allocator, set->object_count, &cache))
        return GRZ_ERROR_MEMORY;
    tasks.cache = &cache;
    grz_parallel(query->call.device, set->job_count, solids_task, &tasks);
    grz_surface_cache_finish(allocator, &cache);
    return grz_control_status(control);
}
