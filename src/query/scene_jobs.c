// SPDX-License-Identifier: MIT
// Pairs of a scene as jobs: they are collected and run together; each answer becomes the code under which the scene
// remembers it.
#include "query/scene_query.h"

#include <assert.h>

void grz_scene_add_job(grz_scene_query *scene_query, size_t pair)
{
    const grz_sweep_pair *at = &scene_query->pairs[pair];
    assert(scene_query->job_count < scene_query->room);
    scene_query->jobs[scene_query->job_count++] =
        grz_query_job(scene_query->objects, at->a, at->b, scene_query->query.plan.clearance);
}

grz_status grz_scene_run_jobs(grz_scene_query *scene_query, const grz_plan *plan)
{
    const grz_job_set set = {.objects = scene_query->objects,
                             .object_count = (uint32_t)scene_query->scene->objects.count,
                             .jobs = scene_query->jobs,
                             .job_count = scene_query->job_count};
    scene_query->scene->work.jobs += set.job_count;
    scene_query->job_count = 0;
    return set.job_count > 0 ? grz_query_run(&scene_query->query, plan, &set, scene_query->verdicts) : GRZ_OK;
}

unsigned grz_scene_code(grz_scene_query *scene_query, const grz_verdict *verdict)
{
    const grz_known known = {.relation = verdict->relation,
                             .containment = verdict->containment,
                             .rule = scene_query->query.plan.inside_rule,
                             .reason = verdict->reason};
    return grz_pair_cache_code(&scene_query->scene->cache, &known);
}
