// SPDX-License-Identifier: MIT
// The work of a query: the meshes' data is brought up to date; candidates are proposed and decided; what was found is
// sorted and made into lists; containment is decided where nothing touches.
#include <assert.h>
#include <string.h>

#include "base/control.h"
#include "base/device.h"
#include "contact/contacts.h"
#include "decide/decide.h"
#include "inside/containment.h"
#include "query/query.h"

enum {
    SHARED_TRIANGLES = 1 << 14 // meshes with fewer triangles in total are prepared before another thread has woken up
};

// How far the progress has come at the end of each stage: preparing, searching, making lists. The rest is containment.
static const double share_prepared = 0.3, share_searched = 0.8, share_listed = 0.9;

// The meshes whose data is out of date, one task each.
typedef struct grz_stale {
    grz_query *query;
    const grz_filter *filter;
    const grz_mesh **meshes;
    size_t count;
    pthread_mutex_t lock;
    grz_status status; // the first failure; protected by the lock, like the error
} grz_stale;

static void prepare_task(size_t index, void *context)
{
    grz_stale *stale = context;
    grz_error error = {.code = GRZ_OK};
    void *state;
    const grz_status status =
        grz_mesh_slot_get(stale->meshes[index], stale->filter->state, &stale->query->call.control, &state, &error);
    if (status == GRZ_OK)
        return;
    pthread_mutex_lock(&stale->lock);
    if (stale->status == GRZ_OK) {
        stale->status = status;
        if (stale->query->call.error != NULL)
            *stale->query->call.error = error;
    }
    pthread_mutex_unlock(&stale->lock);
}

// Add a mesh to the list if its data is out of date. `only`: the set if it has just one job, else NULL.
static void list_stale(grz_stale *stale, const grz_mesh *mesh, const grz_job_set *only)
{
    const grz_filter *filter = stale->filter;
    // Neighbouring jobs often have the same mesh. Other repeats do no harm: the slots handle them.
    if (stale->count > 0 && stale->meshes[stale->count - 1] == mesh)
        return;
    if (only != NULL && filter->needs_state != NULL && !filter->needs_state(only, mesh))
        return;
    if (!grz_mesh_slot_ready(mesh, filter->state))
        stale->meshes[stale->count++] = mesh;
}

// Bring the data of all listed meshes up to date.
static void prepare_stale(grz_stale *stale)
{
    grz_control *control = &stale->query->call.control;
    uint64_t triangles = 0;
    assert(stale->count > 0);
    for (size_t i = 0; i < stale->count; i++)
        triangles += stale->meshes[i]->triangle_count;
    grz_control_stage(control, 0.0, share_prepared);
    pthread_mutex_init(&stale->lock, NULL);
    if (stale->count < 2 || triangles < SHARED_TRIANGLES) {
        for (size_t i = 0; i < stale->count && stale->status == GRZ_OK; i++) {
            grz_control_stage(control, share_prepared * (double)i / (double)stale->count,
                              share_prepared * (double)(i + 1) / (double)stale->count);
            prepare_task(i, stale);
        }
    } else {
        grz_parallel(stale->query->call.device, stale->count, prepare_task, stale);
    }
    pthread_mutex_destroy(&stale->lock);
}

// Bring the data up to date that the filter keeps with the meshes.
static grz_status prepare(grz_query *query, const grz_filter *filter, const grz_job_set *set)
{
    const grz_mesh *few[2];
    const size_t count = set->job_count;
    grz_stale stale = {.query = query, .filter = filter, .meshes = few, .status = GRZ_OK};
    const grz_allocator *allocator = grz_control_allocator(&query->call.control);
    if (filter->state == NULL)
        return GRZ_OK;
    if (count > 1)
        stale.meshes = grz_allocate(allocator, 2 * count, sizeof(const grz_mesh *));
    if (stale.meshes == NULL)
        return grz_control_explain(&query->call.control, GRZ_ERROR_MEMORY, query->kind->name, query->call.error);
    for (size_t i = 0; i < count; i++) {
        const grz_job_set *only = count == 1 ? set : NULL;
        list_stale(&stale, grz_job_object_a(set, &set->jobs[i])->mesh, only);
        if (set->jobs[i].b != GRZ_SELF)
            list_stale(&stale, grz_job_object_b(set, &set->jobs[i])->mesh, only);
    }
    assert(stale.count <= 2 * count);
    if (stale.count > 0)
        prepare_stale(&stale);
    if (count > 1)
        grz_release(allocator, stale.meshes, 2 * count, sizeof(const grz_mesh *));
    grz_control_stage(&query->call.control, stale.count > 0 ? share_prepared : 0.0, share_searched);
    return stale.status;
}

// Make the list of a job's pairs that are near. Those found begin at *next, which moves on to the next job's.
static grz_status build_near_pairs(grz_query *query, size_t job, const grz_found_range *touching, size_t *next,
                                   grz_verdict *verdict)
{
    const grz_found_array *found = &query->result->near_found;
    grz_found_range range = *touching;
    range.first = *next;
    while (*next < found->count && found->items[*next].job == job)
        ++*next;
    range.end = *next;
    return grz_result_build_near_pairs(query->result, &range, &query->call.control, verdict);
}

// Make lists of what was found, job after job.
static grz_status assemble(grz_query *query, const grz_plan *plan, const grz_job_set *set, grz_verdict *verdicts)
{
    grz_result *result = query->result;
    grz_control *control = &query->call.control;
    const bool curves = (plan->find & GRZ_FIND_CURVES) != 0, contacts = curves || (plan->find & GRZ_FIND_CONTACTS) != 0;
    if (!grz_found_sort(result->allocator, &result->found) || !grz_found_sort(result->allocator, &result->near_found))
        return GRZ_ERROR_MEMORY;
    const size_t found_count = result->found.count;
    size_t end = 0, near_end = 0;
    grz_status status = GRZ_OK;
    for (size_t i = 0; i < set->job_count && status == GRZ_OK; i++) {
        const grz_job *job = &set->jobs[i];
        grz_found_range range = {
            .a = grz_job_object_a(set, job), .b = job->b != GRZ_SELF ? grz_job_object_b(set, job) : NULL, .first = end};
        assert(end == found_count || result->found.items[end].job >= i);
        while (end < found_count && result->found.items[end].job == i)
            end++;
        range.end = end;
        range.complete = !plan->discrete;
        status = grz_result_build_pairs(result, &range, control, &verdicts[i]);
        if (status == GRZ_OK && result->near_found.count > 0)
            status = build_near_pairs(query, i, &range, &near_end, &verdicts[i]);
        if (status == GRZ_OK && (result->pairs.count > plan->max_pairs || result->near_pairs.count > plan->max_pairs))
            return GRZ_ERROR_LIMIT;
        if (status == GRZ_OK && contacts)
            status = grz_result_build_contacts(result, &range, curves, control, &verdicts[i]);
        if (status == GRZ_OK && curves)
            status = grz_result_build_curves(result, &range, control, &verdicts[i]);
        grz_control_report_progress(control, found_count > 0 ? (double)end / (double)found_count : 1.0);
    }
    assert(status != GRZ_OK || (end == found_count && near_end == result->near_found.count));
    return status;
}

// Containment of all jobs whose surfaces do not touch, one task each.
typedef struct grz_containment_tasks {
    grz_query *query;
    const grz_job_set *set;
    grz_inside_rule rule;
    grz_verdict *verdicts;
} grz_containment_tasks;

static void containment_task(size_t index, void *context)
{
    const grz_containment_tasks *tasks = context;
    grz_control *control = &tasks->query->call.control;
    const grz_job_set *set = tasks->set;
    const grz_job *job = &set->jobs[index];
    if (tasks->verdicts[index].relation == GRZ_COLLIDING || job->b == GRZ_SELF || grz_control_status(control) != GRZ_OK)
        return;
    grz_device *device = set->job_count == 1 ? tasks->query->call.device : NULL;
    const grz_status status = grz_containment_decide(device, grz_job_object_a(set, job), grz_job_object_b(set, job),
                                                     tasks->rule, control, &tasks->verdicts[index], NULL);
    if (status != GRZ_OK)
        grz_control_fail(control, status);
}

static void decide_containment(grz_query *query, const grz_plan *plan, const grz_job_set *set, grz_verdict *verdicts)
{
    grz_containment_tasks tasks = {query, set, plan->inside_rule, verdicts};
    if (set->job_count == 1)
        containment_task(0, &tasks);
    else
        grz_parallel(query->call.device, set->job_count, containment_task, &tasks);
}

// A witness without triangles: the meshes of the set's only job. mesh_b is NULL for a mesh with itself.
static grz_witness witness_of(const grz_job_set *set)
{
    const grz_job *job = &set->jobs[0];
    assert(set->job_count == 1);
    return (grz_witness){.mesh_a = grz_job_object_a(set, job)->mesh,
                         .mesh_b = job->b != GRZ_SELF ? grz_job_object_b(set, job)->mesh : NULL};
}

// True if the set can have a witness: it has one job, which asks for yes or no.
static bool has_witness(const grz_job_set *set)
{
    return set->job_count == 1 && (set->flags & GRZ_JOBS_FIRST_CONTACT) != 0;
}

// True if the witness of the last query of the same meshes still touches, which answers this query.
static bool last_witness_holds(const grz_query *query, const grz_plan *plan, grz_decider *decider)
{
    const grz_witness *last = &query->result->witness;
    if (!plan->warm_start || plan->discrete || !has_witness(decider->set))
        return false;
    const grz_witness now = witness_of(decider->set);
    return last->mesh_a == now.mesh_a && last->mesh_b == now.mesh_b &&
           grz_decider_try(decider, last->triangle_a, last->triangle_b);
}

static void remember_witness(grz_query *query, const grz_decider *decider)
{
    const unsigned long long witness = atomic_load(&decider->witness);
    if (!has_witness(decider->set) || !grz_decider_touching(decider, 0))
        return;
    query->result->witness = witness_of(decider->set);
    query->result->witness.triangle_a = (uint32_t)(witness >> 32);
    query->result->witness.triangle_b = (uint32_t)(witness & UINT32_MAX);
    assert(query->result->witness.triangle_a < query->result->witness.mesh_a->triangle_count);
}

// Let the filter propose candidates, in the way that the plan says.
static grz_status propose(grz_query *query, const grz_plan *plan, const grz_job_set *set, grz_sink *sink)
{
    if (!grz_plan_samples(plan))
        return plan->filter->propose(query->call.device, set, sink, query->call.error);
    grz_job_set sampled = *set;
    if (set->job_count == 1 && grz_box_is_empty(&set->jobs[0].clip))
        sampled.job_count = 0; // nothing to do, but the filter still checks its options
    return plan->filter->propose_discrete(query->call.device, &sampled, plan->filter_options, sink, &query->discrete,
                                          query->call.error);
}

// Search: prepare the meshes, propose and decide. Adds times and candidates to the summary.
static grz_status search(grz_query *query, const grz_plan *plan, grz_decider *decider)
{
    const grz_job_set *set = decider->set;
    grz_summary *summary = &query->result->summary;
    grz_control *control = &query->call.control;
    grz_status status = GRZ_OK;
    if (grz_control_expired(control))
        return grz_control_status(control);
    const double start = grz_control_seconds(control);
    const bool answered = last_witness_holds(query, plan, decider);
    if (!answered)
        status = prepare(query, plan->filter, set);
    const double prepared = grz_control_seconds(control);
    summary->prepare_ms += 1e3 * (prepared - start);
    if (status == GRZ_OK && !answered)
        status = propose(query, plan, set, &decider->sink);
    const double proposing = 1e3 * (grz_control_seconds(control) - prepared);
    const double deciding = 1e-6 * (double)atomic_load(&decider->decide_ns) / grz_device_threads(query->call.device);
    const double decide_ms = deciding < proposing ? deciding : proposing;
    summary->decide_ms += decide_ms;
    summary->filter_ms += proposing - decide_ms;
    summary->candidates += atomic_load(&decider->candidates);
    if (!plan->discrete)
        remember_witness(query, decider);
    return status;
}

// True if the boxes of the set's only job show that it has no contact.
static bool is_free(const grz_query *query, const grz_plan *plan, const grz_job_set *set)
{
    const grz_job *job = &set->jobs[0];
    if (set->job_count != 1 || grz_box_is_empty(&job->clip))
        return set->job_count == 1;
    return !job->compared && job->b != GRZ_SELF &&
           grz_query_boxes_apart(query, plan, grz_job_object_a(set, job), grz_job_object_b(set, job));
}

// Search, and set in the verdicts which jobs' surfaces touch, and which keep the clearance.
static grz_status search_all(grz_query *query, const grz_plan *plan, const grz_job_set *set, grz_verdict *verdicts)
{
    grz_decider decider;
    grz_status status = GRZ_ERROR_MEMORY;
    const bool asked = set->margin > 0.0, list = (set->flags & GRZ_JOBS_FIRST_CONTACT) == 0;
    grz_result *result = query->result;
    result->found.count = result->near_found.count = 0;
    if (!plan->discrete && is_free(query, plan, set)) {
        verdicts[0].relation = GRZ_APART;
        verdicts[0].clearance = asked ? GRZ_CLEARANCE_MET : GRZ_CLEARANCE_NOT_ASKED;
        return grz_control_expired(&query->call.control) ? grz_control_status(&query->call.control) : GRZ_OK;
    }
    grz_packet_judge *judge = grz_filter_can(plan->filter, GRZ_IS_REFERENCE)
                                  ? NULL
                                  : grz_packet_judge_for(grz_device_simd(query->call.device));
    if (grz_decider_init(&decider, &query->call.control, set, plan->max_pairs, judge,
                         grz_triangle_gap_for(grz_device_simd(query->call.device)), &result->found,
                         asked && list && (plan->find & GRZ_FIND_LISTS) != 0 ? &result->near_found : NULL)) {
        // Filters and meshes write their own error texts. The text for a status of the control is written in
        // grz_query_end().
        status = search(query, plan, &decider);
        for (size_t i = 0; i < set->job_count; i++) {
            const unsigned known = grz_decider_known(&decider, i);
            verdicts[i].relation = (known & GRZ_JOB_TOUCHES) != 0 ? GRZ_COLLIDING : GRZ_APART;
            verdicts[i].clearance = !asked       ? GRZ_CLEARANCE_NOT_ASKED
                                    : known != 0 ? GRZ_CLEARANCE_NOT_MET
                                                 : GRZ_CLEARANCE_MET;
        }
        query->any_touching = query->any_touching || atomic_load(&decider.any_touching);
    }
    grz_decider_finish(&decider);
    return status == GRZ_OK ? grz_control_status(&query->call.control) : status;
}

// True if a search for yes or no ended at a pair that is near, so that it is not known yet whether any touches.
static bool is_open(const grz_verdict *verdict)
{
    return verdict->clearance == GRZ_CLEARANCE_NOT_MET && verdict->relation != GRZ_COLLIDING;
}

// Search the open jobs again, without the clearance.
static grz_status search_open(grz_query *query, const grz_plan *plan, const grz_job_set *set, grz_verdict *verdicts)
{
    const grz_allocator *allocator = grz_control_allocator(&query->call.control);
    grz_plan touch = *plan;
    grz_job_set open = *set;
    size_t room = 0;
    for (size_t i = 0; i < set->job_count; i++)
        room += is_open(&verdicts[i]);
    if (room == 0)
        return GRZ_OK;
    grz_job *jobs = grz_allocate(allocator, room, sizeof *jobs);
    grz_verdict *found = grz_allocate_zeroed(allocator, room, sizeof *found);
    grz_status status = jobs != NULL && found != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
    touch.clearance = open.margin = 0.0;
    open.jobs = jobs;
    open.job_count = 0;
    for (size_t i = 0; i < set->job_count && status == GRZ_OK; i++) {
        const grz_job job = grz_query_job(set->objects, set->jobs[i].a, set->jobs[i].b, 0.0);
        if (is_open(&verdicts[i]) && !grz_box_is_empty(&job.clip))
            jobs[open.job_count++] = job;
    }
    if (status == GRZ_OK && open.job_count > 0)
        status = search_all(query, &touch, &open, found);
    for (size_t i = 0, next = 0; i < set->job_count && next < open.job_count && status == GRZ_OK; i++)
        if (jobs[next].a == set->jobs[i].a && jobs[next].b == set->jobs[i].b)
            verdicts[i].relation = found[next++].relation;
    grz_release(allocator, jobs, room, sizeof *jobs);
    grz_release(allocator, found, room, sizeof *found);
    return status;
}

#ifndef NDEBUG
// True if the jobs are sorted and name objects of the set.
static bool is_sound(const grz_job_set *set)
{
    for (size_t i = 0; i < set->job_count; i++) {
        const grz_job *job = &set->jobs[i], *before = i > 0 ? job - 1 : NULL;
        if (job->a >= set->object_count || (job->b != GRZ_SELF && job->b >= set->object_count))
            return false;
        if (before != NULL && !(before->a < job->a || (before->a == job->a && before->b < job->b)))
            return false;
    }
    return set->job_count < UINT32_MAX;
}
#endif

grz_status grz_query_run(grz_query *query, const grz_plan *plan, const grz_job_set *set, grz_verdict *verdicts)
{
    const bool list = (plan->find & GRZ_FIND_LISTS) != 0, solids = grz_plan_finds_solids(plan);
    grz_job_set flagged = *set;
    memset(verdicts, 0, set->job_count * sizeof *verdicts);
    if (set->job_count == 0)
        return GRZ_OK;
    assert(is_sound(set));
    flagged.flags = list || solids ? 0 : GRZ_JOBS_FIRST_CONTACT;
    flagged.options = plan->filter_options;
    flagged.margin = plan->clearance;
    flagged.reference = plan->reference < UINT32_MAX ? (uint32_t)plan->reference : UINT32_MAX;
    grz_status status = search_all(query, plan, &flagged, verdicts);
    if (status == GRZ_OK && flagged.margin > 0.0 && !list && !solids)
        status = search_open(query, plan, &flagged, verdicts);
    const double start = grz_control_seconds(&query->call.control);
    grz_control_stage(&query->call.control, share_searched, share_listed);
    if (status == GRZ_OK && list)
        status = assemble(query, plan, &flagged, verdicts);
    grz_control_stage(&query->call.control, share_listed, 1.0);
    if (status == GRZ_OK && (plan->find & GRZ_FIND_CONTAINMENT) != 0)
        decide_containment(query, plan, &flagged, verdicts);
    if (status == GRZ_OK)
        status = grz_control_status(&query->call.control);
    if (status == GRZ_OK && solids)
        status = grz_query_solids(query, plan, &flagged, verdicts);
    if (status != GRZ_OK)
        grz_control_fail(&query->call.control, status);
    query->result->summary.decide_ms += 1e3 * (grz_control_seconds(&query->call.control) - start);
    return status;
}
