// SPDX-License-Identifier: MIT
// The query of a scene: sweep and prune proposes pairs of objects; those whose answer is still known are not asked again, the
// others become jobs of one query. Both lists, of known and of overlapping pairs, are sorted, so one pass goes through them side by
// side.
#include "query/scene.h"

#include "base/fail.h"
#include "query/query.h"

enum {
    BLOCK = 1 << 14, // jobs that are run at once; bounds the memory for them
    LISTS = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES
};

// A scene's query under way.
typedef struct grz_scene_query {
    grz_query query;
    grz_scene *scene;
    uint64_t asked;    // now, by the scene's count
    size_t known_next; // where in scene->known the pass has come to
    // BLOCK of each.
    grz_job *jobs;
    grz_verdict *verdicts;
    size_t job_count;
    size_t listed;              // entries of scene->next_known that were listed already
    size_t before, done, total; // overlapping pairs: in blocks that were run, seen, of all
} grz_scene_query;

static bool allowed(const grz_scene *scene, const grz_sweep_pair *pair)
{
    const grz_object *a = &scene->entries.items[pair->a].object, *b = &scene->entries.items[pair->b].object;
    return (a->group & b->mask) != 0 && (b->group & a->mask) != 0 &&
           (scene->filter == NULL || scene->filter(pair->a, a, pair->b, b, scene->filter_user));
}

static uint64_t last_change(const grz_scene *scene, const grz_sweep_pair *pair)
{
    const uint64_t a = scene->entries.items[pair->a].changed, b = scene->entries.items[pair->b].changed;
    return a > b ? a : b;
}

// What is known of a pair, if it still holds; the pairs must come in order.
static const grz_known_pair *look_up(grz_scene_query *q, const grz_sweep_pair *pair)
{
    const grz_known_array *known = &q->scene->known;
    while (q->known_next < known->count && (known->items[q->known_next].a < pair->a ||
                                            (known->items[q->known_next].a == pair->a && known->items[q->known_next].b < pair->b)))
        q->known_next++;
    if (q->known_next == known->count)
        return NULL;
    const grz_known_pair *found = &known->items[q->known_next];
    return found->a == pair->a && found->b == pair->b && last_change(q->scene, pair) < found->asked ? found : NULL;
}

// Whether what is known answers the question.
static bool answers(const grz_scene_query *q, const grz_known_pair *known)
{
    const grz_collide_options *options = &q->query.options;
    if (known->relation == GRZ_COLLIDING)
        return (options->find & LISTS) == 0;
    return (options->find & GRZ_FIND_CONTAINMENT) == 0 ||
           (known->containment != GRZ_CONTAINMENT_NOT_ASKED && known->rule == options->inside_rule);
}

// Add a pair to the result, unless it is simply apart. `verdict` NULL: known from before.
static bool list_pair(grz_result *result, const grz_known_pair *known, const grz_verdict *verdict)
{
    if (known->relation == GRZ_APART && known->containment != GRZ_CONTAINMENT_UNDECIDABLE)
        return true;
    if (!grz_array_add(result->allocator, &result->scene_pairs))
        return false;
    grz_scene_pair *pair = &result->scene_pairs.items[result->scene_pairs.count - 1];
    *pair = (grz_scene_pair){
        .a = known->a, .b = known->b, .relation = known->relation, .containment = known->containment, .reason = known->reason};
    if (verdict == NULL)
        return true;
    pair->pair_count = verdict->pair_count;
    for (int i = 0; i < GRZ_KIND_COUNT; i++)
        pair->kinds[i] = verdict->kinds[i];
    // Where there is nothing to point at, the same whether the answer is new or known from before.
    pair->first_pair = verdict->pair_count > 0 ? verdict->first_pair : 0;
    pair->first_contact = verdict->contact_count > 0 ? verdict->first_contact : 0;
    pair->contact_count = verdict->contact_count;
    pair->first_curve = verdict->curve_count > 0 ? verdict->first_curve : 0;
    pair->curve_count = verdict->curve_count;
    return true;
}

// What the options did not ask for is not told, although it is known.
static grz_known_pair as_asked(const grz_scene_query *q, const grz_known_pair *known)
{
    grz_known_pair shown = *known;
    if ((q->query.options.find & GRZ_FIND_CONTAINMENT) == 0 && shown.relation != GRZ_COLLIDING) {
        shown.relation = GRZ_APART;
        shown.containment = GRZ_CONTAINMENT_NOT_ASKED;
        shown.reason = NULL;
    }
    return shown;
}

// Run the collected jobs, note their verdicts, and list the pairs seen since the last time in order.
static grz_status run_jobs(grz_scene_query *q)
{
    grz_known_array *known = &q->scene->next_known;
    grz_status status = GRZ_OK;
    if (q->job_count > 0) {
        grz_control_span(&q->query.control, (double)q->before / (double)q->total, (double)q->done / (double)q->total);
        status = grz_query_run(&q->query, q->jobs, q->job_count, q->verdicts);
    }
    for (size_t job = 0; q->listed < known->count && status == GRZ_OK; q->listed++) {
        grz_known_pair *entry = &known->items[q->listed];
        const grz_verdict *verdict = NULL;
        if (entry->use == GRZ_PAIR_KEPT)
            continue;
        if (entry->use == GRZ_PAIR_ASKED) {
            verdict = &q->verdicts[job++];
            entry->relation = verdict->relation;
            entry->containment = verdict->containment;
            entry->reason = verdict->reason;
        }
        const grz_known_pair shown = as_asked(q, entry);
        if (!list_pair(q->query.result, &shown, verdict))
            status = GRZ_ERROR_MEMORY;
    }
    q->job_count = 0;
    q->before = q->done;
    return status;
}

// An entry's object with its mesh in memory.
static grz_status find_here(grz_scene_query *q, grz_scene_entry *entry, const grz_object **object)
{
    const bool elsewhere = entry->object.mesh->source != NULL;
    *object = elsewhere ? &entry->here : &entry->object;
    return elsewhere ? grz_query_here(&entry->object, &q->query.control, &entry->here, q->query.error) : GRZ_OK;
}

// Look at one pair of objects whose boxes overlap.
static grz_status visit(grz_scene_query *q, const grz_sweep_pair *pair)
{
    grz_scene *scene = q->scene;
    const grz_known_pair *known = q->query.sampled ? NULL : look_up(q, pair); // what is known is exact
    const bool changed = last_change(scene, pair) > scene->last_answer;
    const bool wanted = ((q->query.options.find & GRZ_FIND_CHANGED) == 0 || changed) && allowed(scene, pair);
    if (!wanted && known == NULL)
        return GRZ_OK;
    if (!grz_array_add(grz_control_allocator(&q->query.control), &scene->next_known))
        return GRZ_ERROR_MEMORY;
    grz_known_pair *next = &scene->next_known.items[scene->next_known.count - 1];
    if (!wanted) {
        *next = *known;
        next->use = GRZ_PAIR_KEPT;
    } else if (known != NULL && answers(q, known)) {
        *next = *known;
        next->use = GRZ_PAIR_KNOWN;
    } else {
        *next = (grz_known_pair){
            .a = pair->a, .b = pair->b, .asked = q->asked, .rule = q->query.options.inside_rule, .use = GRZ_PAIR_ASKED};
        const grz_object *a, *b;
        grz_status status = find_here(q, &scene->entries.items[pair->a], &a);
        if (status == GRZ_OK)
            status = find_here(q, &scene->entries.items[pair->b], &b);
        if (status != GRZ_OK)
            return status;
        q->jobs[q->job_count++] = grz_query_job(a, b);
    }
    return GRZ_OK;
}

static grz_status visit_all(grz_scene_query *q, const grz_sweep_pair *pairs, size_t count)
{
    const grz_allocator *allocator = grz_control_allocator(&q->query.control);
    const size_t room = count < BLOCK ? count : BLOCK;
    grz_status status = GRZ_OK;
    q->total = count;
    if (count == 0)
        return GRZ_OK;
    q->jobs = grz_allocate(allocator, room, sizeof *q->jobs);
    q->verdicts = grz_allocate(allocator, room, sizeof *q->verdicts);
    if (q->jobs == NULL || q->verdicts == NULL)
        status = GRZ_ERROR_MEMORY;
    for (q->done = 0; q->done < count && status == GRZ_OK;) {
        status = visit(q, &pairs[q->done++]);
        if (status == GRZ_OK && (q->job_count == room || q->done == count))
            status = run_jobs(q);
        if (status == GRZ_OK && grz_control_expired_at(&q->query.control, q->done, 10))
            status = grz_control_status(&q->query.control);
    }
    grz_release(allocator, q->jobs, room, sizeof *q->jobs);
    grz_release(allocator, q->verdicts, room, sizeof *q->verdicts);
    return status;
}

static void summarise(grz_scene_query *q)
{
    const grz_result *result = q->query.result;
    grz_summary *summary = &q->query.result->summary;
    const bool containment = (q->query.options.find & GRZ_FIND_CONTAINMENT) != 0;
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
    summary->pairs_complete = (q->query.options.find & LISTS) != 0 || !touching;
}

static grz_status run(grz_scene_query *q)
{
    grz_scene *scene = q->scene;
    const grz_sweep_pair *pairs = NULL;
    size_t count = 0;
    grz_control *control = &q->query.control;
    grz_sweep_obey(scene->sweep, control);
    grz_status status = grz_scene_refresh(scene, control, q->query.error);
    if (status == GRZ_OK && grz_control_expired(control)) // a scene without objects must not pass either
        status = grz_control_status(control);
    if (status == GRZ_OK && !grz_sweep_update(scene->sweep, &pairs, &count))
        status = grz_control_status(control) != GRZ_OK ? grz_control_status(control) : GRZ_ERROR_MEMORY;
    grz_sweep_obey(scene->sweep, NULL);
    q->asked = ++scene->now;
    scene->next_known.count = 0;
    if (status == GRZ_OK)
        status = visit_all(q, pairs, count);
    if (status != GRZ_OK) // what was known before still holds
        return status;
    if (q->query.sampled) {
        summarise(q);
        grz_query_label(&q->query);
        return GRZ_OK;
    }
    const grz_known_array before = scene->known;
    scene->known = scene->next_known;
    scene->next_known = before;
    scene->last_answer = q->asked;
    summarise(q);
    return GRZ_OK;
}

grz_status grz_collide_scene(grz_device *device, grz_scene *scene, const grz_collide_options *options, grz_result *result,
                             grz_error *error)
{
    static const grz_query_kind kind = {"collide scene", GRZ_FIND_CONTAINMENT | GRZ_FIND_CHANGED | LISTS, GRZ_CAN_PAIR, false,
                                        true};
    grz_scene_query q = {.scene = scene};
    grz_status status = grz_query_begin(&q.query, &kind, device, options, result, error);
    if (status == GRZ_OK && scene == NULL)
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "collide scene: the scene is NULL");
    else if (status == GRZ_OK && scene->device != device)
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "collide scene: the scene belongs to another device");
    if (status == GRZ_OK)
        status = run(&q);
    return grz_query_end(&q.query, status);
}
