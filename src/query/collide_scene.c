// SPDX-License-Identifier: MIT
// The query of a scene. The broad phase (sweep and prune) finds pairs of objects whose boxes overlap. Pairs whose
// answer from an earlier query is still valid are taken from the cache; the others become jobs. The cache and the
// overlapping pairs are both sorted, so one pass goes through them side by side.
#include "query/scene.h"

#include <assert.h>

#include "base/fail.h"
#include "query/query.h"

enum {
    BLOCK = 1 << 14 // jobs that run together; bounds the memory that they need
};

// The query of a scene.
typedef struct grz_scene_query {
    grz_query query;
    grz_scene *scene;
    uint64_t asked;            // the time of this query
    size_t cache_position;     // position of the pass in scene->cache
    const grz_object *objects; // indexed by object number; the objects that jobs name have their meshes in memory
    // Arrays of at most BLOCK items.
    grz_job *jobs;
    grz_verdict *verdicts;
    size_t job_count;
    size_t listed;              // entries of scene->next_cache that are in the result already
    size_t before, done, total; // overlapping pairs: in finished blocks; visited; in total
} grz_scene_query;

// True if groups, masks and the user's filter allow the pair.
static bool allowed(const grz_scene *scene, const grz_sweep_pair *pair)
{
    const grz_object *a = &scene->objects.items[pair->a], *b = &scene->objects.items[pair->b];
    return (a->group & b->mask) != 0 && (b->group & a->mask) != 0 &&
           (scene->filter == NULL || scene->filter(pair->a, a, pair->b, b, scene->filter_user));
}

static uint64_t last_change(const grz_scene *scene, const grz_sweep_pair *pair)
{
    const uint64_t a = scene->entries.items[pair->a].changed, b = scene->entries.items[pair->b].changed;
    return a > b ? a : b;
}

// True if an entry of a cache stands before the place of a pair: both are sorted by (a, b).
static bool stands_before(const grz_cached_pair *entry, const grz_sweep_pair *pair)
{
    return entry->a < pair->a || (entry->a == pair->a && entry->b < pair->b);
}

// The cached answer for a pair, if it is still valid, else NULL. Pairs must come in sorted order.
static const grz_cached_pair *look_up(grz_scene_query *scene_query, const grz_sweep_pair *pair)
{
    const grz_cached_pairs *cache = &scene_query->scene->cache;
    while (scene_query->cache_position < cache->count &&
           stands_before(&cache->items[scene_query->cache_position], pair))
        scene_query->cache_position++;
    if (scene_query->cache_position == cache->count)
        return NULL;
    assert(scene_query->cache_position == 0 || stands_before(&cache->items[scene_query->cache_position - 1], pair));
    const grz_cached_pair *found = &cache->items[scene_query->cache_position];
    return found->a == pair->a && found->b == pair->b && last_change(scene_query->scene, pair) < found->asked ? found
                                                                                                              : NULL;
}

// True if the cached answer is sufficient for this query.
static bool is_sufficient(const grz_scene_query *scene_query, const grz_cached_pair *cached)
{
    const grz_plan *plan = &scene_query->query.plan;
    if (cached->relation == GRZ_COLLIDING)
        return (plan->find & GRZ_FIND_LISTS) == 0;
    return (plan->find & GRZ_FIND_CONTAINMENT) == 0 ||
           (cached->containment != GRZ_CONTAINMENT_NOT_ASKED && cached->rule == plan->inside_rule);
}

// Add a pair to the result, unless it is simply apart. `verdict` NULL: the answer is from the cache.
static bool list_pair(grz_result *result, const grz_cached_pair *cached, const grz_verdict *verdict)
{
    if (cached->relation == GRZ_APART && cached->containment != GRZ_CONTAINMENT_UNDECIDABLE)
        return true;
    if (!grz_array_add(result->allocator, &result->scene_pairs))
        return false;
    grz_scene_pair *pair = &result->scene_pairs.items[result->scene_pairs.count - 1];
    *pair = (grz_scene_pair){.a = cached->a,
                             .b = cached->b,
                             .relation = (grz_relation)cached->relation,
                             .containment = (grz_containment)cached->containment,
                             .reason = cached->reason};
    if (verdict == NULL)
        return true;
    pair->pair_count = verdict->pair_count;
    for (int i = 0; i < GRZ_KIND_COUNT; i++)
        pair->kinds[i] = verdict->kinds[i];
    // An empty list starts at 0, whether the answer is new or from the cache.
    pair->first_pair = verdict->pair_count > 0 ? verdict->first_pair : 0;
    pair->first_contact = verdict->contact_count > 0 ? verdict->first_contact : 0;
    pair->contact_count = verdict->contact_count;
    pair->first_curve = verdict->curve_count > 0 ? verdict->first_curve : 0;
    pair->curve_count = verdict->curve_count;
    return true;
}

// The answer without anything that the options did not ask for.
static grz_cached_pair as_requested(const grz_scene_query *scene_query, const grz_cached_pair *cached)
{
    grz_cached_pair shown = *cached;
    if ((scene_query->query.plan.find & GRZ_FIND_CONTAINMENT) == 0 && shown.relation != GRZ_COLLIDING) {
        shown.relation = GRZ_APART;
        shown.containment = GRZ_CONTAINMENT_NOT_ASKED;
        shown.reason = NULL;
    }
    return shown;
}

// Run the collected jobs, store their verdicts in the cache, and add all pairs visited since the last call to the
// result, in order.
static grz_status run_jobs(grz_scene_query *scene_query)
{
    grz_cached_pairs *cache = &scene_query->scene->next_cache;
    grz_status status = GRZ_OK;
    const grz_job_set set = {.objects = scene_query->objects,
                             .object_count = (uint32_t)scene_query->scene->objects.count,
                             .jobs = scene_query->jobs,
                             .job_count = scene_query->job_count};
    if (scene_query->job_count > 0) {
        grz_control_span(&scene_query->query.control, (double)scene_query->before / (double)scene_query->total,
                         (double)scene_query->done / (double)scene_query->total);
        status = grz_query_run(&scene_query->query, &scene_query->query.plan, &set, scene_query->verdicts);
    }
    for (size_t job = 0; scene_query->listed < cache->count && status == GRZ_OK; scene_query->listed++) {
        grz_cached_pair *entry = &cache->items[scene_query->listed];
        const grz_verdict *verdict = NULL;
        if (entry->use == GRZ_PAIR_NOT_WANTED)
            continue;
        if (entry->use == GRZ_PAIR_ASKED) {
            assert(job < scene_query->job_count);
            verdict = &scene_query->verdicts[job++];
            entry->relation = (uint8_t)verdict->relation;
            entry->containment = (uint8_t)verdict->containment;
            entry->reason = verdict->reason;
        }
        const grz_cached_pair shown = as_requested(scene_query, entry);
        if (!list_pair(scene_query->query.result, &shown, verdict))
            status = GRZ_ERROR_MEMORY;
    }
    scene_query->job_count = 0;
    scene_query->before = scene_query->done;
    return status;
}

// Choose the array of objects for the jobs: the scene's own, or, if some meshes are in the caller's buffers, the one
// with meshes in memory.
static grz_status choose_objects(grz_scene_query *scene_query)
{
    grz_scene *scene = scene_query->scene;
    scene_query->objects = scene->objects.items;
    if (scene->in_buffers_count == 0)
        return GRZ_OK;
    if (!grz_array_reserve(scene->allocator, &scene->objects_in_memory, scene->objects.count))
        return GRZ_ERROR_MEMORY;
    scene->objects_in_memory.count = scene->objects.count;
    scene_query->objects = scene->objects_in_memory.items;
    return GRZ_OK;
}

// Make sure that the mesh of an object is in memory.
static grz_status load_mesh(grz_scene_query *scene_query, uint32_t id)
{
    grz_scene *scene = scene_query->scene;
    if (scene_query->objects == scene->objects.items)
        return GRZ_OK;
    return grz_query_in_memory(&scene->objects.items[id], &scene_query->query.control,
                               &scene->objects_in_memory.items[id], scene_query->query.error);
}

// Visit one pair of objects whose boxes overlap.
static grz_status visit(grz_scene_query *scene_query, const grz_sweep_pair *pair)
{
    grz_scene *scene = scene_query->scene;
    assert(pair->a < pair->b && pair->b < scene->objects.count);
    const grz_cached_pair *cached =
        scene_query->query.plan.discrete ? NULL : look_up(scene_query, pair); // cached answers are exact
    const bool changed = last_change(scene, pair) > scene->last_answer;
    const bool wanted = ((scene_query->query.plan.find & GRZ_FIND_CHANGED) == 0 || changed) && allowed(scene, pair);
    if (!wanted && cached == NULL)
        return GRZ_OK;
    if (!grz_array_add(grz_control_allocator(&scene_query->query.control), &scene->next_cache))
        return GRZ_ERROR_MEMORY;
    grz_cached_pair *next = &scene->next_cache.items[scene->next_cache.count - 1];
    assert(scene->next_cache.count == 1 || stands_before(next - 1, pair));
    if (!wanted) {
        *next = *cached;
        next->use = GRZ_PAIR_NOT_WANTED;
    } else if (cached != NULL && is_sufficient(scene_query, cached)) {
        *next = *cached;
        next->use = GRZ_PAIR_CACHED;
    } else {
        *next = (grz_cached_pair){.a = pair->a,
                                  .b = pair->b,
                                  .asked = scene_query->asked,
                                  .rule = (uint8_t)scene_query->query.plan.inside_rule,
                                  .use = GRZ_PAIR_ASKED};
        grz_status status = load_mesh(scene_query, pair->a);
        if (status == GRZ_OK)
            status = load_mesh(scene_query, pair->b);
        if (status != GRZ_OK)
            return status;
        assert(scene_query->job_count < BLOCK);
        scene_query->jobs[scene_query->job_count++] = grz_query_job(scene_query->objects, pair->a, pair->b);
    }
    return GRZ_OK;
}

static grz_status visit_all(grz_scene_query *scene_query, const grz_sweep_pair *pairs, size_t count)
{
    const grz_allocator *allocator = grz_control_allocator(&scene_query->query.control);
    const size_t room = count < BLOCK ? count : BLOCK;
    grz_status status = GRZ_OK;
    scene_query->total = count;
    if (count == 0)
        return GRZ_OK;
    scene_query->jobs = grz_allocate(allocator, room, sizeof *scene_query->jobs);
    scene_query->verdicts = grz_allocate(allocator, room, sizeof *scene_query->verdicts);
    if (scene_query->jobs == NULL || scene_query->verdicts == NULL)
        status = GRZ_ERROR_MEMORY;
    for (scene_query->done = 0; scene_query->done < count && status == GRZ_OK;) {
        status = visit(scene_query, &pairs[scene_query->done++]);
        if (status == GRZ_OK && (scene_query->job_count == room || scene_query->done == count))
            status = run_jobs(scene_query);
        if (status == GRZ_OK && grz_control_expired_at(&scene_query->query.control, scene_query->done, 10))
            status = grz_control_status(&scene_query->query.control);
    }
    assert(status != GRZ_OK || scene_query->listed == scene_query->scene->next_cache.count);
    grz_release(allocator, scene_query->jobs, room, sizeof *scene_query->jobs);
    grz_release(allocator, scene_query->verdicts, room, sizeof *scene_query->verdicts);
    return status;
}

static void summarise(grz_scene_query *scene_query)
{
    const grz_result *result = scene_query->query.result;
    grz_summary *summary = &scene_query->query.result->summary;
    const bool containment = (scene_query->query.plan.find & GRZ_FIND_CONTAINMENT) != 0;
    bool touching = false;
    summary->certainty = GRZ_EXACT;
    summary->relation = GRZ_APART;
    summary->containment = containment ? GRZ_CONTAINMENT_DECIDED : GRZ_CONTAINMENT_NOT_ASKED;
    summary->reason = NULL;
    for (size_t i = 0; i < result->scene_pairs.count; i++) {
        const grz_scene_pair *pair = &result->scene_pairs.items[i];
        touching = touching || pair->relation == GRZ_COLLIDING;
        if (pair->relation != GRZ_APART)
            summary->relation = GRZ_OVERLAPPING;
        if (pair->containment == GRZ_CONTAINMENT_UNDECIDABLE) {
            summary->containment = pair->containment;
            summary->reason = "a pair of objects has an open container: see the pairs";
        }
        summary->pair_count += pair->pair_count;
        for (int k = 0; k < GRZ_KIND_COUNT; k++)
            summary->kinds[k] += pair->kinds[k];
    }
    if (touching)
        summary->relation = GRZ_COLLIDING;
    summary->colliding = summary->relation != GRZ_APART;
    summary->pairs_complete = (scene_query->query.plan.find & GRZ_FIND_LISTS) != 0 || !touching;
}

static grz_status run(grz_scene_query *scene_query)
{
    grz_scene *scene = scene_query->scene;
    const grz_sweep_pair *pairs = NULL;
    size_t count = 0;
    grz_control *control = &scene_query->query.control;
    grz_sweep_set_control(scene->sweep, control);
    grz_status status = grz_scene_refresh(scene, control, scene_query->query.error);
    if (status == GRZ_OK && grz_control_expired(control)) // the control also ends a query of a scene without objects
        status = grz_control_status(control);
    if (status == GRZ_OK && !grz_sweep_update(scene->sweep, &pairs, &count))
        status = grz_control_status(control) != GRZ_OK ? grz_control_status(control) : GRZ_ERROR_MEMORY;
    grz_sweep_set_control(scene->sweep, NULL);
    scene_query->asked = ++scene->now;
    scene->next_cache.count = 0;
    if (status == GRZ_OK)
        status = choose_objects(scene_query);
    if (status == GRZ_OK)
        status = visit_all(scene_query, pairs, count);
    if (status != GRZ_OK) // the old cache stays valid
        return status;
    if (scene_query->query.plan.discrete) {
        summarise(scene_query);
        return grz_query_label(&scene_query->query);
    }
    const grz_cached_pairs before = scene->cache;
    scene->cache = scene->next_cache;
    scene->next_cache = before;
    scene->last_answer = scene_query->asked;
    summarise(scene_query);
    return GRZ_OK;
}

grz_status grz_collide_scene(grz_device *device, grz_scene *scene, const grz_collide_options *options,
                             grz_result *result, grz_error *error)
{
    static const grz_query_kind kind = {"collide scene", GRZ_FIND_CONTAINMENT | GRZ_FIND_CHANGED | GRZ_FIND_LISTS,
                                        GRZ_CAN_PAIR | GRZ_CAN_MANY, GRZ_CAN_DISCRETE_SCENE};
    grz_scene_query scene_query = {.scene = scene};
    grz_status status = grz_query_begin(&scene_query.query, &kind, device, options, result, error);
    if (status == GRZ_OK && scene == NULL)
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "collide scene: the scene is NULL");
    else if (status == GRZ_OK && scene->device != device)
        status =
            grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "collide scene: the scene belongs to another device");
    if (status == GRZ_OK)
        status = run(&scene_query);
    return grz_query_end(&scene_query.query, status);
}
