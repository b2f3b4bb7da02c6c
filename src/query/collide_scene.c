// SPDX-License-Identifier: MIT
// The query of a scene. The broad phase (space/pairs) finds pairs of objects whose boxes overlap. A first pass over
// them looks up which answers of an earlier query are still valid, and asks groups, masks and filter about the others.
// If objects are nested, some pairs are tested first, from which others follow. A second pass runs the remaining pairs
// as jobs, block after block, and lists all answers in order.
#include "base/control.h"
#include "query/scene_query.h"

#include <assert.h>
#include <inttypes.h>

#include "base/fail.h"

enum {
    BLOCK = 1 << 14, // jobs that run together; bounds the memory that they need
    CHECK_BITS = 14  // pairs between two checks of the control, as a power of two
};

// True if the query asks about the pair, and groups, masks and the user's filter allow it.
static bool allowed(const grz_plan *plan, const grz_scene *scene, const grz_sweep_pair *pair)
{
    if (plan->reference != GRZ_ALL_OBJECTS && pair->a != plan->reference && pair->b != plan->reference)
        return false;
    const grz_object *a = &scene->objects.items[pair->a], *b = &scene->objects.items[pair->b];
    return (a->group & b->mask) != 0 && (b->group & a->mask) != 0 &&
           (scene->filter == NULL || scene->filter(pair->a, a, pair->b, b, scene->filter_user));
}

// True if one of the objects has changed since the last successful query.
static bool has_changed(const grz_scene *scene, const grz_sweep_pair *pair)
{
    return scene->entries.items[pair->a].changed > scene->last_answer ||
           scene->entries.items[pair->b].changed > scene->last_answer;
}

// True if a known answer is sufficient for this query.
static bool is_sufficient(const grz_plan *plan, const grz_known *known)
{
    // Solids are not remembered. Only of a pair that is simply apart nothing is said about them.
    if (grz_plan_finds_solids(plan) &&
        (known->relation != GRZ_APART || known->containment == GRZ_CONTAINMENT_UNDECIDABLE))
        return false;
    if (known->relation == GRZ_COLLIDING)
        return (plan->find & GRZ_FIND_LISTS) == 0;
    if (plan->clearance > 0.0) // not remembered
        return false;
    return (plan->find & GRZ_FIND_CONTAINMENT) == 0 ||
           (known->containment != GRZ_CONTAINMENT_NOT_ASKED && known->rule == plan->inside_rule);
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
    return grz_query_in_memory(&scene->objects.items[id], &scene_query->query.call.control,
                               &scene->objects_in_memory.items[id], scene_query->query.call.error);
}

// Note that a pair is asked about.
static grz_status note_asked(grz_scene_query *scene_query, const grz_sweep_pair *pair)
{
    scene_query->asked++;
    scene_query->scene->entries.items[pair->a].asked++;
    scene_query->scene->entries.items[pair->b].asked++;
    const grz_status status = load_mesh(scene_query, pair->a);
    return status == GRZ_OK ? load_mesh(scene_query, pair->b) : status;
}

// True if a pair is listed, because it is not simply apart. Answers may say more than this query asks for.
static bool is_listed(const grz_plan *plan, const grz_known *known)
{
    if (known->relation == GRZ_COLLIDING || (plan->find & GRZ_FIND_CONTAINMENT) == 0)
        return known->relation == GRZ_COLLIDING;
    return known->relation != GRZ_APART || known->containment == GRZ_CONTAINMENT_UNDECIDABLE;
}

// The first pass: fill in the codes of all pairs.
static grz_status look_up_all(grz_scene_query *scene_query)
{
    grz_scene *scene = scene_query->scene;
    const grz_plan *plan = &scene_query->query.plan;
    const bool changed_only = (plan->find & GRZ_FIND_CHANGED) != 0;
    grz_pair_cache_cursor cursor = {.cache = &scene->cache, .row = GRZ_NO_ROW};
    bool sufficient[GRZ_MOST_CODES] = {false}, listed[GRZ_MOST_CODES] = {false};
    grz_status status = GRZ_OK;
    for (unsigned code = GRZ_CODE_UNKNOWN + 1; code < scene->cache.known_count; code++) {
        sufficient[code] = is_sufficient(plan, &scene->cache.known[code]);
        listed[code] = sufficient[code] && is_listed(plan, &scene->cache.known[code]);
    }
    for (size_t i = 0; i < scene->entries.count; i++)
        scene->entries.items[i].asked = 0;
    for (size_t i = 0; i < scene_query->count && status == GRZ_OK; i++) {
        const grz_sweep_pair *pair = &scene_query->pairs[i];
        assert(pair->a < pair->b && pair->b < scene->objects.count);
        if (grz_control_expired_at(&scene_query->query.call.control, i, CHECK_BITS))
            return grz_control_status(&scene_query->query.call.control);
        const bool changed = has_changed(scene, pair);
        unsigned code = changed || plan->discrete ? GRZ_CODE_UNKNOWN : grz_pair_cache_find(&cursor, pair);
        scene_query->same += code != GRZ_CODE_UNKNOWN;
        if ((!changed_only || changed) && allowed(&scene_query->query.plan, scene, pair)) {
            scene_query->listed += listed[code];
            code = GRZ_CODE_WANTED | (sufficient[code] ? code : GRZ_CODE_UNKNOWN);
            if (code == (GRZ_CODE_WANTED | GRZ_CODE_UNKNOWN))
                status = note_asked(scene_query, pair);
        }
        scene_query->codes[i] = (unsigned char)code;
    }
    return status;
}

// Add to the list of clearances. `verdict` NULL: the pair is known to touch.
static bool list_clearance(grz_result *result, const grz_verdict *verdict)
{
    if (!grz_array_add(result->allocator, &result->scene_clearances))
        return false;
    grz_pair_clearance *clearance = &result->scene_clearances.items[result->scene_clearances.count - 1];
    *clearance = (grz_pair_clearance){.clearance = GRZ_CLEARANCE_NOT_MET};
    if (verdict == NULL)
        return true;
    clearance->clearance = verdict->clearance;
    clearance->near_count = verdict->near_count;
    clearance->first_near = verdict->near_count > 0 ? verdict->first_near : 0;
    result->summary.near_count += verdict->near_count;
    return true;
}

// Add a pair to the result, unless it is simply apart. `verdict` NULL: it has no lists.
static bool list_pair(grz_scene_query *scene_query, const grz_sweep_pair *at, const grz_known *known,
                      const grz_verdict *verdict)
{
    grz_result *result = scene_query->query.result;
    const grz_plan *plan = &scene_query->query.plan;
    const bool too_near = plan->clearance > 0.0 && (known->relation == GRZ_COLLIDING ||
                                                    (verdict != NULL && verdict->clearance == GRZ_CLEARANCE_NOT_MET));
    if (!too_near && !is_listed(plan, known))
        return true;
    scene_query->too_near = scene_query->too_near || too_near;
    if (plan->clearance > 0.0 && !list_clearance(result, verdict))
        return false;
    if (!grz_array_add(result->allocator, &result->scene_pairs))
        return false;
    grz_scene_pair *pair = &result->scene_pairs.items[result->scene_pairs.count - 1];
    *pair = scene_query->blank;
    pair->a = at->a;
    pair->b = at->b;
    pair->relation = known->relation;
    pair->containment = known->containment;
    pair->reason = known->reason;
    scene_query->touching = scene_query->touching || known->relation == GRZ_COLLIDING;
    scene_query->contained = scene_query->contained || known->relation != GRZ_APART;
    scene_query->undecidable = scene_query->undecidable || known->containment == GRZ_CONTAINMENT_UNDECIDABLE;
    if (grz_plan_finds_solids(plan)) {
        assert(verdict != NULL);
        if (!grz_array_add(result->allocator, &result->scene_solids))
            return false;
        result->scene_solids.items[result->scene_solids.count - 1] =
            (grz_pair_solids){verdict->solids, verdict->solids_reason};
    }
    if (verdict == NULL)
        return true;
    pair->pair_count = verdict->pair_count;
    result->summary.pair_count += verdict->pair_count;
    for (int i = 0; i < GRZ_KIND_COUNT; i++) {
        pair->kinds[i] = verdict->kinds[i];
        result->summary.kinds[i] += verdict->kinds[i];
    }
    // An empty list starts at 0, whether the answer is new or from the scene's memory.
    pair->first_pair = verdict->pair_count > 0 ? verdict->first_pair : 0;
    pair->first_contact = verdict->contact_count > 0 ? verdict->first_contact : 0;
    pair->contact_count = verdict->contact_count;
    pair->first_curve = verdict->curve_count > 0 ? verdict->first_curve : 0;
    pair->curve_count = verdict->curve_count;
    return true;
}

// List the wanted pairs from `first` to `end` - 1. Those that are not known yet have the verdicts, in order.
static grz_status list_pairs(grz_scene_query *scene_query, size_t first, size_t end)
{
    size_t next = 0; // verdict
    const grz_known *known = scene_query->scene->cache.known;
    for (size_t i = first; i < end; i++) {
        const grz_verdict *verdict = grz_scene_asks(scene_query, i) ? &scene_query->verdicts[next++] : NULL;
        if (grz_control_expired_at(&scene_query->query.call.control, i, CHECK_BITS))
            return grz_control_status(&scene_query->query.call.control);
        if ((scene_query->codes[i] & GRZ_CODE_WANTED) == 0)
            continue;
        if (verdict != NULL)
            scene_query->codes[i] = (unsigned char)(GRZ_CODE_WANTED | grz_scene_code(scene_query, verdict));
        if (!list_pair(scene_query, &scene_query->pairs[i], &known[scene_query->codes[i] & GRZ_CODE_MASK], verdict))
            return GRZ_ERROR_MEMORY;
    }
    return GRZ_OK;
}

// Take the answer of a pair that is asked from the nests, if it follows from them.
static bool follows(grz_scene_query *scene_query, size_t i)
{
    const grz_sweep_pair *pair = &scene_query->pairs[i];
    grz_verdict verdict = {.containment = GRZ_CONTAINMENT_DECIDED};
    if (scene_query->nests.count == 0)
        return false;
    if (grz_nests_inside(&scene_query->nests, pair->a, pair->b))
        verdict.relation = GRZ_A_INSIDE_B;
    else if (grz_nests_inside(&scene_query->nests, pair->b, pair->a))
        verdict.relation = GRZ_B_INSIDE_A;
    else
        return false;
    scene_query->codes[i] = (unsigned char)(GRZ_CODE_WANTED | grz_scene_code(scene_query, &verdict));
    scene_query->scene->work.follow++;
    return true;
}

// The second pass: answer all pairs that are asked, and list all that are wanted.
static grz_status answer_all(grz_scene_query *scene_query)
{
    const size_t count = scene_query->count;
    grz_control *control = &scene_query->query.call.control;
    grz_status status = GRZ_OK;
    size_t listed = 0;
    if (scene_query->asked + scene_query->listed == 0)
        return GRZ_OK;
    if (!grz_array_reserve(scene_query->query.result->allocator, &scene_query->query.result->scene_pairs,
                           scene_query->listed))
        return GRZ_ERROR_MEMORY;
    for (size_t i = 0; i < count && status == GRZ_OK; i++) {
        if (grz_control_expired_at(control, i, CHECK_BITS))
            return grz_control_status(control);
        if (grz_scene_asks(scene_query, i) && !follows(scene_query, i))
            grz_scene_add_job(scene_query, i);
        if (i + 1 < count && (scene_query->room == 0 || scene_query->job_count < scene_query->room))
            continue;
        grz_control_span(control, (double)listed / (double)count, (double)(i + 1) / (double)count);
        status = grz_scene_run_jobs(scene_query, &scene_query->query.plan);
        if (status == GRZ_OK)
            status = list_pairs(scene_query, listed, i + 1);
        listed = i + 1;
    }
    return status;
}

// Answer and list the overlapping pairs.
static grz_status answer(grz_scene_query *scene_query)
{
    const grz_allocator *allocator = grz_control_allocator(&scene_query->query.call.control);
    grz_status status = GRZ_OK;
    size_t room = 0;
    if (scene_query->count == 0)
        return GRZ_OK;
    scene_query->codes = grz_allocate(allocator, scene_query->count, sizeof *scene_query->codes);
    status = scene_query->codes != NULL ? look_up_all(scene_query) : GRZ_ERROR_MEMORY;
    if (status == GRZ_OK && scene_query->asked > 0) {
        room = scene_query->asked < BLOCK ? scene_query->asked : BLOCK;
        scene_query->room = room;
        scene_query->jobs = grz_allocate(allocator, room, sizeof *scene_query->jobs);
        scene_query->verdicts = grz_allocate(allocator, room, sizeof *scene_query->verdicts);
        status = scene_query->jobs != NULL && scene_query->verdicts != NULL ? grz_scene_find_nests(scene_query)
                                                                            : GRZ_ERROR_MEMORY;
    }
    if (status == GRZ_OK)
        status = answer_all(scene_query);
    grz_nests_finish(&scene_query->nests, allocator);
    grz_release(allocator, scene_query->jobs, room, sizeof *scene_query->jobs);
    grz_release(allocator, scene_query->verdicts, room, sizeof *scene_query->verdicts);
    return status;
}

// Remember the answers for the next query, and note that this one has answered. A discrete answer is not remembered.
static grz_status remember(grz_scene_query *scene_query)
{
    grz_scene *scene = scene_query->scene;
    if (scene_query->query.plan.discrete)
        return GRZ_OK;
    const bool nothing_new = scene_query->asked == 0 && scene_query->same == scene->cache.count;
    grz_status status = GRZ_OK;
    if (!nothing_new)
        status = grz_pair_cache_replace(&scene->cache, scene_query->pairs, scene_query->codes, scene_query->count,
                                        (uint32_t)scene->objects.count, &scene_query->query.call.control);
    if (status == GRZ_OK)
        scene->last_answer = ++scene->now;
    return status;
}

static void summarise(grz_scene_query *scene_query)
{
    const grz_plan *plan = &scene_query->query.plan;
    grz_summary *summary = &scene_query->query.result->summary;
    const bool containment = (plan->find & GRZ_FIND_CONTAINMENT) != 0;
    scene_query->query.result->reference = plan->reference;
    summary->certainty = GRZ_EXACT;
    summary->relation = scene_query->touching ? GRZ_COLLIDING : scene_query->contained ? GRZ_OVERLAPPING : GRZ_APART;
    summary->containment = containment ? GRZ_CONTAINMENT_DECIDED : GRZ_CONTAINMENT_NOT_ASKED;
    summary->reason = NULL;
    if (scene_query->undecidable) {
        summary->containment = GRZ_CONTAINMENT_UNDECIDABLE;
        summary->reason = "a pair of objects has an open container: see the pairs";
    }
    summary->colliding = summary->relation != GRZ_APART;
    if (plan->clearance > 0.0)
        summary->clearance = scene_query->too_near ? GRZ_CLEARANCE_NOT_MET : GRZ_CLEARANCE_MET;
    summary->pairs_complete = (plan->find & GRZ_FIND_LISTS) != 0 || !scene_query->touching;
}

static grz_status run(grz_scene_query *scene_query)
{
    grz_scene *scene = scene_query->scene;
    grz_control *control = &scene_query->query.call.control;
    grz_pairs_set_control(scene->pairs, control);
    grz_status status =
        grz_scene_refresh(scene, scene_query->query.plan.clearance, control, scene_query->query.call.error);
    if (status == GRZ_OK && grz_control_expired(control)) // the control also ends a query of a scene without objects
        status = grz_control_status(control);
    if (status == GRZ_OK && !grz_pairs_update(scene->pairs, &scene_query->pairs, &scene_query->count))
        status = grz_control_status(control) != GRZ_OK ? grz_control_status(control) : GRZ_ERROR_MEMORY;
    grz_pairs_set_control(scene->pairs, NULL);
    if (status == GRZ_OK)
        status = choose_objects(scene_query);
    if (status == GRZ_OK)
        status = answer(scene_query);
    if (status == GRZ_OK)
        status = remember(scene_query);
    grz_release(grz_control_allocator(control), scene_query->codes, scene_query->count, sizeof *scene_query->codes);
    if (status != GRZ_OK)
        return status;
    summarise(scene_query);
    return scene_query->query.plan.discrete ? grz_query_label(&scene_query->query) : GRZ_OK;
}

grz_status grz_collide_scene(grz_device *device, grz_scene *scene, const grz_collide_options *options,
                             grz_result *result, grz_error *error)
{
    static const grz_query_kind kind = {"collide scene",
                                        GRZ_FIND_CONTAINMENT | GRZ_FIND_CHANGED | GRZ_FIND_LISTS | GRZ_FIND_SOLIDS,
                                        GRZ_CAN_PAIR | GRZ_CAN_MANY, GRZ_CAN_DISCRETE_SCENE, true};
    grz_scene_query scene_query = {.scene = scene};
    grz_status status = grz_query_begin(&scene_query.query, &kind, device, options, result, error);
    if (status == GRZ_OK && scene == NULL)
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "collide scene: the scene is NULL");
    else if (status == GRZ_OK && scene->device != device)
        status =
            grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "collide scene: the scene belongs to another device");
    else if (status == GRZ_OK && scene_query.query.plan.reference != GRZ_ALL_OBJECTS &&
             (scene_query.query.plan.reference > UINT32_MAX ||
              grz_scene_object(scene, (uint32_t)scene_query.query.plan.reference) == NULL))
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                          "collide scene: options.reference is %" PRIu64 ", but the scene has no object of this number",
                          scene_query.query.plan.reference);
    if (status == GRZ_OK)
        status = run(&scene_query);
    return grz_query_end(&scene_query.query, status);
}
