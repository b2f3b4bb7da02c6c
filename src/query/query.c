// SPDX-License-Identifier: MIT
// The course of a query: states of the meshes brought up to date, candidates proposed and decided, what was found sorted and turned
// into lists, and where nothing touches, inside told from apart.
#include "query/query.h"

#include <string.h>

#include <graze/layers.h>

#include "base/clock.h"
#include "base/device.h"
#include "base/fail.h"
#include "geometry/pose.h"
#include "query/containment.h"

// How the stages share the progress: trees, search, lists, containment.
enum {
    SHARED_TRIANGLES = 1 << 14 // of all meshes to prepare: fewer are done before another thread has woken up
};

static const double share_prepared = 0.3, share_searched = 0.8, share_listed = 0.9;

grz_collide_options grz_default_collide_options(void)
{
    return (grz_collide_options){.size = sizeof(grz_collide_options),
                                 .method = NULL,
                                 .answer = GRZ_ANSWER_EXACT,
                                 .find = GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT,
                                 .max_pairs = UINT64_C(1) << 28};
}

static const char *described(uint32_t needs)
{
    return (needs & GRZ_CAN_SELF) != 0 ? "a mesh with itself" : "a pair of objects";
}

static grz_status check_capabilities(const grz_query *query)
{
    if ((query->filter->capabilities & query->kind->needs) != query->kind->needs)
        return grz_fail(query->error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "method %s cannot test %s", query->filter->name,
                        described(query->kind->needs));
    return GRZ_OK;
}

// Of a discrete answer: whether there is one, and how.
static grz_status check_discrete(grz_query *query)
{
    const grz_filter *filter = query->filter;
    query->sampled = filter->sample != NULL;
    query->asks_inside = (query->options.find & GRZ_FIND_CONTAINMENT) != 0;
    const grz_layers_options *layers = query->options.layers;
    if (query->sampled)
        query->options.find &= ~(uint32_t)GRZ_FIND_CONTAINMENT;
    if (query->sampled && layers != NULL && layers->size == sizeof *layers && layers->untested) // sets are no pairs that touch
        query->options.find &= (uint32_t)GRZ_FIND_CHANGED;
    if (filter->discrete == NULL && filter->sample == NULL)
        return grz_fail(query->error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "method %s has no discrete answer", filter->name);
    if (query->sampled ? !query->kind->sampled : !query->kind->discrete)
        return grz_fail(query->error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "%s: method %s has a discrete answer for %s only",
                        query->kind->name, filter->name, query->sampled ? "single queries" : "two objects");
    return check_capabilities(query);
}

static grz_status check_options(grz_query *query)
{
    const char *name = query->kind->name;
    const grz_collide_options *options = &query->options;
    grz_error *error = query->error;
    if (options->size != sizeof *options)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "%s: options.size is %zu, start from grz_default_collide_options()", name, options->size);
    if ((options->find & ~query->kind->allowed) != 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: bits in options.find that it does not take: 0x%x", name,
                        options->find & ~query->kind->allowed);
    if (!(options->deadline >= 0.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: options.deadline is negative or not a number", name);
    if (options->inside_rule != GRZ_EVEN_ODD && options->inside_rule != GRZ_NONZERO)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: options.inside_rule is %d", name,
                        (int)options->inside_rule);
    if (options->answer != GRZ_ANSWER_EXACT && options->answer != GRZ_ANSWER_DISCRETE)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: options.answer is %d", name, (int)options->answer);
    query->filter = grz_filter_find(options->method, options->answer);
    const bool any = options->method == NULL || strcmp(options->method, "auto") == 0;
    if (any && options->answer == GRZ_ANSWER_DISCRETE && !query->kind->discrete && query->kind->sampled)
        query->filter = &grz_filter_layers;
    if (query->filter == NULL)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "no method is called \"%s\" in this build", options->method);
    if (options->answer == GRZ_ANSWER_EXACT && query->filter->propose == NULL)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "method %s has a discrete answer only, in this version",
                        query->filter->name);
    if (options->answer == GRZ_ANSWER_DISCRETE)
        return check_discrete(query);
    return check_capabilities(query);
}

grz_status grz_query_begin(grz_query *query, const grz_query_kind *kind, grz_device *device, const grz_collide_options *options,
                           grz_result *result, grz_error *error)
{
    query->fp = grz_fp_enter();
    const double start = grz_clock_seconds();
    query->kind = kind;
    query->device = device;
    query->result = result;
    query->error = error;
    query->filter = NULL;
    query->begun = query->any_touching = query->sampled = false;
    query->worth = (grz_discrete){.may_miss = true};
    if (result != NULL)
        grz_result_reset(result);
    if (device == NULL || result == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: the device or the result is NULL", kind->name);
    query->options = options != NULL ? *options : grz_default_collide_options();
    grz_status status = check_options(query);
    if (status != GRZ_OK)
        return status;
    grz_control_init(&query->control, grz_device_allocator(device), start);
    query->control.cancel = query->options.cancel;
    query->control.deadline = query->options.deadline;
    query->control.memory_limit = query->options.memory_limit;
    query->control.progress = query->options.progress;
    query->control.progress_user = query->options.progress_user;
    result->allocator = grz_control_allocator(&query->control);
    result->summary.method = query->filter->name;
    result->summary.device = query->filter->gl ? "gl" : "cpu";
    query->begun = true;
    return GRZ_OK;
}

grz_status grz_query_check_object(const char *name, const grz_object *object, const char *what, uint64_t element, grz_error *error)
{
    if (object == NULL || object->mesh == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, element, "%s: %s or its mesh is NULL", name, what);
    grz_error inner = {.code = GRZ_OK};
    grz_status status = grz_pose_check(&object->pose, object->mesh->max_abs, &inner);
    if (status != GRZ_OK)
        return grz_fail(error, status, element, "%s: %s", what, inner.message);
    return GRZ_OK;
}

grz_job grz_query_job(const grz_object *a, const grz_object *b)
{
    grz_job job = {.a = a, .b = b, .clip = a->mesh->bounds};
    if (b != NULL) {
        const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds), box_b = grz_world_box(&b->pose, &b->mesh->bounds);
        job.clip = grz_box_intersection(&box_a, &box_b);
    }
    return job;
}

typedef struct grz_stale_mesh {
    const grz_mesh *mesh;
} grz_stale_mesh;

// Meshes whose state is to be brought up to date, one task each.
typedef struct grz_stale {
    grz_query *query;
    grz_stale_mesh *meshes;
    size_t count;
    pthread_mutex_t lock;
    grz_status status; // under the lock, with the error
} grz_stale;

static grz_status prepare_mesh(const grz_filter *filter, const grz_mesh *mesh, grz_control *control, grz_error *error)
{
    void *state;
    return filter->state != NULL ? grz_mesh_slot_get(mesh, filter->slot, filter->state, control, &state, error) : GRZ_OK;
}

static void prepare_task(size_t index, void *context)
{
    grz_stale *stale = context;
    grz_error error = {.code = GRZ_OK};
    const grz_status status = prepare_mesh(stale->query->filter, stale->meshes[index].mesh, &stale->query->control, &error);
    if (status == GRZ_OK)
        return;
    pthread_mutex_lock(&stale->lock);
    if (stale->status == GRZ_OK) {
        stale->status = status;
        if (stale->query->error != NULL)
            *stale->query->error = error;
    }
    pthread_mutex_unlock(&stale->lock);
}

// `only` is the query's job where it has no other, else NULL.
static void list_stale(grz_stale *stale, const grz_mesh *mesh, const grz_job *only)
{
    const grz_filter *filter = stale->query->filter;
    // The same mesh in neighbouring jobs is common; the slots sort out the rest.
    if (mesh == NULL || (stale->count > 0 && stale->meshes[stale->count - 1].mesh == mesh))
        return;
    if (only != NULL && filter->needs != NULL && !filter->needs(only, mesh))
        return;
    if (!grz_mesh_slot_ready(mesh, filter->slot))
        stale->meshes[stale->count++] = (grz_stale_mesh){mesh};
}

static grz_status prepare(grz_query *query, const grz_job *jobs, size_t count)
{
    grz_stale_mesh few[2];
    grz_stale stale = {.query = query, .meshes = few, .status = GRZ_OK};
    const grz_allocator *allocator = grz_control_allocator(&query->control);
    if (query->filter->state == NULL)
        return GRZ_OK;
    if (count > 1)
        stale.meshes = grz_allocate(allocator, 2 * count, sizeof *stale.meshes);
    if (stale.meshes == NULL)
        return grz_control_explain(&query->control, GRZ_ERROR_MEMORY, query->kind->name, query->error);
    for (size_t i = 0; i < count; i++) {
        const grz_job *only = count == 1 ? &jobs[0] : NULL;
        list_stale(&stale, jobs[i].a->mesh, only);
        list_stale(&stale, jobs[i].b != NULL ? jobs[i].b->mesh : NULL, only);
    }
    uint64_t triangles = 0;
    for (size_t i = 0; i < stale.count; i++)
        triangles += stale.meshes[i].mesh->triangle_count;
    grz_control_stage(&query->control, 0.0, stale.count > 0 ? share_prepared : 0.0);
    pthread_mutex_init(&stale.lock, NULL);
    if (stale.count < 2 || triangles < SHARED_TRIANGLES) {
        for (size_t i = 0; i < stale.count && stale.status == GRZ_OK; i++) {
            grz_control_stage(&query->control, share_prepared * (double)i / (double)stale.count,
                              share_prepared * (double)(i + 1) / (double)stale.count);
            prepare_task(i, &stale);
        }
    } else {
        grz_parallel(query->device, stale.count, prepare_task, &stale);
    }
    pthread_mutex_destroy(&stale.lock);
    if (count > 1)
        grz_release(allocator, stale.meshes, 2 * count, sizeof *stale.meshes);
    grz_control_stage(&query->control, stale.count > 0 ? share_prepared : 0.0, share_searched);
    return stale.status;
}

// Turn what was found into lists, job after job.
static grz_status assemble(grz_query *query, const grz_job *jobs, size_t count, grz_verdict *verdicts)
{
    grz_result *result = query->result;
    grz_control *control = &query->control;
    const uint32_t find = query->options.find;
    const bool curves = (find & GRZ_FIND_CURVES) != 0, contacts = curves || (find & GRZ_FIND_CONTACTS) != 0;
    if (!grz_found_sort(result->allocator, &result->found))
        return GRZ_ERROR_MEMORY;
    const size_t found_count = result->found.count;
    size_t end = 0;
    grz_status status = GRZ_OK;
    for (size_t i = 0; i < count && status == GRZ_OK; i++) {
        grz_found_range range = {.job = &jobs[i], .first = end};
        while (end < found_count && result->found.items[end].job == i)
            end++;
        range.end = end;
        status = grz_result_build_pairs(result, &range, control, &verdicts[i]);
        if (status == GRZ_OK && result->pairs.count > query->options.max_pairs)
            return GRZ_ERROR_LIMIT;
        if (status == GRZ_OK && contacts)
            status = grz_result_build_contacts(result, &range, curves, control, &verdicts[i]);
        if (status == GRZ_OK && curves)
            status = grz_result_build_curves(result, &range, control, &verdicts[i]);
        grz_control_tell(control, found_count > 0 ? (double)end / (double)found_count : 1.0);
    }
    return status;
}

// Containment of all jobs whose surfaces do not touch, one task each.
typedef struct grz_containment_tasks {
    grz_query *query;
    const grz_job *jobs;
    size_t count;
    grz_verdict *verdicts;
} grz_containment_tasks;

static void containment_task(size_t index, void *context)
{
    const grz_containment_tasks *tasks = context;
    grz_query *query = tasks->query;
    const grz_job *job = &tasks->jobs[index];
    if (tasks->verdicts[index].relation == GRZ_COLLIDING || job->b == NULL || grz_control_status(&query->control) != GRZ_OK)
        return;
    grz_device *device = tasks->count == 1 ? query->device : NULL;
    const grz_status status =
        grz_containment_decide(device, job->a, job->b, query->options.inside_rule, &query->control, &tasks->verdicts[index], NULL);
    if (status != GRZ_OK)
        grz_control_fail(&query->control, status);
}

// Whether the pair of triangles that answered the last query of the same meshes answers this one.
static bool last_witness_holds(const grz_query *query, grz_decider *decider)
{
    const grz_job *job = &decider->jobs[0];
    const grz_witness *last = &query->result->witness;
    return query->options.warm_start && !decider->list && decider->job_count == 1 && last->mesh_a == job->a->mesh &&
           last->mesh_b == (job->b != NULL ? job->b->mesh : NULL) && grz_decider_try(decider, last->triangle_a, last->triangle_b);
}

static void remember_witness(grz_query *query, const grz_decider *decider)
{
    const grz_job *job = &decider->jobs[0];
    const unsigned long long witness = atomic_load(&decider->witness);
    if (!decider->list && decider->job_count == 1 && grz_decider_touching(decider, 0))
        query->result->witness = (grz_witness){.mesh_a = job->a->mesh,
                                               .mesh_b = job->b != NULL ? job->b->mesh : NULL,
                                               .triangle_a = (uint32_t)(witness >> 32),
                                               .triangle_b = (uint32_t)(witness & UINT32_MAX)};
}

static grz_status search(grz_query *query, grz_decider *decider)
{
    grz_summary *summary = &query->result->summary;
    grz_control *control = &query->control;
    const bool overlap = decider->job_count > 1 || !grz_box_is_empty(&decider->jobs[0].clip);
    grz_status status = GRZ_OK;
    if (grz_control_expired(control) || (!overlap && !query->sampled))
        return grz_control_status(control);
    const double start = grz_clock_seconds();
    const bool answered = !query->sampled && last_witness_holds(query, decider);
    if (!answered)
        status = prepare(query, decider->jobs, decider->job_count);
    const double prepared = grz_clock_seconds();
    summary->prepare_ms += 1e3 * (prepared - start);
    if (status == GRZ_OK && query->sampled)
        status = query->filter->sample(query->device, decider->jobs, overlap ? decider->job_count : 0, &query->options,
                                       &decider->sink, &query->worth, query->error);
    else if (status == GRZ_OK && !answered)
        status = query->filter->propose(query->device, decider->jobs, decider->job_count, &decider->sink, query->error);
    const double proposing = 1e3 * (grz_clock_seconds() - prepared);
    const double deciding = 1e-6 * (double)atomic_load(&decider->decide_ns) / grz_device_threads(query->device);
    const double decide_ms = deciding < proposing ? deciding : proposing;
    summary->decide_ms += decide_ms;
    summary->filter_ms += proposing - decide_ms;
    summary->candidates += atomic_load(&decider->candidates);
    if (!query->sampled)
        remember_witness(query, decider);
    return status;
}

grz_status grz_query_run(grz_query *query, const grz_job *jobs, size_t count, grz_verdict *verdicts)
{
    const uint32_t find = query->options.find;
    const bool list = (find & (GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES)) != 0;
    grz_decider decider;
    memset(verdicts, 0, count * sizeof *verdicts);
    if (count == 0)
        return GRZ_OK;
    query->result->found.count = 0;
    grz_status status = GRZ_ERROR_MEMORY;
    grz_packet_judge *judge = query->filter->plain ? NULL : grz_packet_judge_for(grz_device_simd(query->device));
    if (grz_decider_init(&decider, &query->control, jobs, count, list, query->options.max_pairs, judge, &query->result->found)) {
        // The filter and the meshes' states say themselves what was wrong; a verdict of the control's is worded in grz_query_end().
        status = search(query, &decider);
        for (size_t i = 0; i < count; i++)
            verdicts[i].relation = grz_decider_touching(&decider, i) ? GRZ_COLLIDING : GRZ_APART;
        query->any_touching = query->any_touching || atomic_load(&decider.any_touching);
    }
    grz_decider_finish(&decider);
    if (status == GRZ_OK)
        status = grz_control_status(&query->control);
    const double start = grz_clock_seconds();
    grz_control_stage(&query->control, share_searched, share_listed);
    if (status == GRZ_OK && list)
        status = assemble(query, jobs, count, verdicts);
    grz_control_stage(&query->control, share_listed, 1.0);
    if (status == GRZ_OK && (find & GRZ_FIND_CONTAINMENT) != 0) {
        grz_containment_tasks tasks = {query, jobs, count, verdicts};
        if (count == 1)
            containment_task(0, &tasks);
        else
            grz_parallel(query->device, count, containment_task, &tasks);
    }
    if (status == GRZ_OK)
        status = grz_control_status(&query->control);
    if (status != GRZ_OK)
        grz_control_fail(&query->control, status);
    query->result->summary.decide_ms += 1e3 * (grz_clock_seconds() - start);
    return status;
}

void grz_query_label(grz_query *query)
{
    grz_summary *summary = &query->result->summary;
    summary->certainty = GRZ_DISCRETE;
    summary->may_miss = query->worth.may_miss;
    summary->may_invent = query->worth.may_invent;
    summary->resolution = query->worth.resolution;
    summary->slices = query->worth.slices;
    summary->cells = query->worth.cells;
    summary->pairs_complete = false;
    summary->containment = GRZ_CONTAINMENT_NOT_ASKED;
    summary->reason = NULL;
    if (!summary->colliding && query->asks_inside) {
        summary->containment = GRZ_CONTAINMENT_UNDECIDABLE;
        summary->reason = "a discrete answer does not tell inside from apart";
    }
}

static const char *failure_reason(grz_status status, bool touching)
{
    if (status == GRZ_ERROR_LIMIT)
        return "more pairs touch than options.max_pairs allows: none are listed";
    return touching ? "the query failed, but a touching pair had been found: none are listed" : "the query failed";
}

// Leave nothing half-written, but what is known for certain: that something touches.
static void give_up(const grz_query *query, grz_status status)
{
    grz_result *result = query->result;
    grz_result_reset(result);
    result->summary.method = query->filter->name;
    result->summary.device = query->filter->gl ? "gl" : "cpu";
    result->summary.reason = failure_reason(status, query->any_touching);
    if (query->any_touching) {
        result->summary.relation = GRZ_COLLIDING;
        result->summary.colliding = true;
        result->summary.certainty = GRZ_EXACT;
    }
}

grz_status grz_query_end(grz_query *query, grz_status status)
{
    grz_error *error = query->error;
    if (query->begun) {
        query->result->allocator = query->control.base;
        if (status == GRZ_ERROR_LIMIT)
            grz_fail(error, status, GRZ_NO_ELEMENT, "more than %llu pairs", (unsigned long long)query->options.max_pairs);
        else if (status == GRZ_ERROR_CANCELLED || status == GRZ_ERROR_DEADLINE || status == GRZ_ERROR_MEMORY)
            grz_control_explain(&query->control, status, query->kind->name, error);
        if (status != GRZ_OK) {
            give_up(query, status);
        } else { // a stage with nothing to do tells nothing
            grz_control_span(&query->control, 0.0, 1.0);
            grz_control_stage(&query->control, 0.0, 1.0);
            if (query->control.told < 1.0)
                grz_control_tell(&query->control, 1.0);
        }
        query->result->summary.total_ms = 1e3 * (grz_clock_seconds() - query->control.start);
    }
    grz_fp_leave(query->fp);
    return status;
}
