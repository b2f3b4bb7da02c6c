// SPDX-License-Identifier: MIT
// What has changed between two answers of a scene: the pairs of the last answer and of this one are sorted lists, which
// are merged. A pair is known by its objects' numbers and serial numbers, since numbers are given again. Pairs that the
// query did not ask about are taken from the last answer. All lists are made before the old ones are given up.
#include "query/scene.h"

#include "base/device.h"
#include "base/fail.h"

typedef struct pair_list {
    GRZ_ARRAY(grz_scene_event) pairs; // `now` is the state; `before` is that of the answer before
} pair_list;

// The lists of one update.
typedef struct event_lists {
    pair_list held; // all pairs that are not apart now
    pair_list of[GRZ_PAIR_STATE_COUNT][GRZ_PAIR_EVENT_COUNT];
} event_lists;

struct grz_scene_events {
    grz_device *device;
    const grz_allocator *allocator;
    const grz_scene *scene;
    event_lists lists;
    event_lists spare;    // of the update before; their memory is used again
    grz_scene_stamp last; // what the last update asked for; scene NULL: there was none
    // The times up to which changes of objects are known: in all pairs, and in those of the last reference.
    uint64_t known, known_of_reference, reference;
};

static void release_lists(const grz_allocator *allocator, event_lists *lists)
{
    grz_array_finish(allocator, &lists->held.pairs);
    for (int state = 0; state < GRZ_PAIR_STATE_COUNT; state++)
        for (int event = 0; event < GRZ_PAIR_EVENT_COUNT; event++)
            grz_array_finish(allocator, &lists->of[state][event].pairs);
}

static void clear_lists(event_lists *lists)
{
    lists->held.pairs.count = 0;
    for (int state = 0; state < GRZ_PAIR_STATE_COUNT; state++)
        for (int event = 0; event < GRZ_PAIR_EVENT_COUNT; event++)
            lists->of[state][event].pairs.count = 0;
}

grz_status grz_scene_events_create(const grz_scene *scene, grz_scene_events **events, grz_error *error)
{
    if (events != NULL)
        *events = NULL;
    if (scene == NULL || events == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "scene events: %s NULL",
                        scene == NULL ? "the scene is" : "the events are");
    grz_scene_events *created = grz_allocate_zeroed(scene->allocator, 1, sizeof *created);
    if (created == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "scene events: out of memory");
    created->device = scene->device;
    created->allocator = scene->allocator;
    created->scene = scene;
    created->reference = GRZ_ALL_OBJECTS;
    grz_device_retain(created->device);
    *events = created;
    return GRZ_OK;
}

void grz_scene_events_destroy(grz_scene_events *events)
{
    if (events == NULL)
        return;
    grz_device *device = events->device;
    release_lists(events->allocator, &events->lists);
    release_lists(events->allocator, &events->spare);
    grz_release(events->allocator, events, 1, sizeof *events);
    grz_device_release(device);
}

const grz_scene_event *grz_scene_events_pairs(const grz_scene_events *events, grz_pair_state state,
                                              grz_pair_event event, uint64_t *count)
{
    const bool is_there = events != NULL && (unsigned)state > GRZ_PAIR_APART &&
                          (unsigned)state < GRZ_PAIR_STATE_COUNT && (unsigned)event < GRZ_PAIR_EVENT_COUNT;
    const pair_list *list = is_there ? &events->lists.of[state][event] : NULL;
    if (count != NULL)
        *count = list != NULL ? list->pairs.count : 0;
    return list != NULL && list->pairs.count > 0 ? list->pairs.items : NULL;
}

// ---- What the answer says -----------------------------------------------------------------------------------------

static grz_pair_state state_of(const grz_scene_pair *pair, const grz_pair_clearance *clearance)
{
    if (pair->relation != GRZ_APART)
        return GRZ_PAIR_COLLIDING;
    if (clearance != NULL && clearance->clearance == GRZ_CLEARANCE_NOT_MET)
        return GRZ_PAIR_NEAR;
    return pair->containment == GRZ_CONTAINMENT_UNDECIDABLE ? GRZ_PAIR_UNDECIDED : GRZ_PAIR_APART;
}

// True if the query asked about all pairs.
static bool is_complete(const grz_result *result)
{
    return !result->stamp.changed_only && result->reference == GRZ_ALL_OBJECTS;
}

static bool asked_alike(const grz_scene_stamp *x, const grz_scene_stamp *y)
{
    return x->clearance == y->clearance && x->inside_rule == y->inside_rule && x->containment == y->containment &&
           x->discrete == y->discrete;
}

// Up to when changes in the pairs that a query asked about are known.
static uint64_t known_until(const grz_scene_events *events, const grz_result *result)
{
    const bool is_last = result->reference != GRZ_ALL_OBJECTS && result->reference == events->reference;
    return is_last && events->known_of_reference > events->known ? events->known_of_reference : events->known;
}

static grz_status check(const grz_scene_events *events, const grz_result *result, grz_error *error)
{
    const char *wrong = NULL;
    if (events == NULL || result == NULL)
        wrong = events == NULL ? "the events are NULL" : "the result is NULL";
    else if (result->stamp.scene == NULL)
        wrong = "the result is not that of a query of a scene that ended with GRZ_OK";
    else if (result->stamp.scene != events->scene)
        wrong = "the result is of another scene";
    else if (result->stamp.answered != events->scene->now)
        wrong = "the scene has changed since the query, or has answered another one";
    else if (result->stamp.changed_only && result->stamp.since > known_until(events, result))
        wrong = "GRZ_FIND_CHANGED: the scene answered a query whose result was not given to the events";
    else if (!is_complete(result) && events->last.scene != NULL && !asked_alike(&events->last, &result->stamp))
        wrong = "not all pairs were asked about, and not with the clearance, inside rule and answer of before";
    return wrong == NULL ? GRZ_OK : grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "scene events: %s", wrong);
}

static bool is_there(const grz_scene *scene, uint32_t id, uint64_t serial)
{
    return grz_scene_object_serial(scene, id) == serial;
}

// True if a pair of the last answer was not asked about, and has its state still.
static bool is_kept(const grz_scene *scene, const grz_result *result, const grz_scene_event *pair)
{
    const uint64_t since = result->stamp.since;
    if (!is_there(scene, pair->a, pair->serial_a) || !is_there(scene, pair->b, pair->serial_b))
        return false;
    if (result->reference != GRZ_ALL_OBJECTS && pair->a != result->reference && pair->b != result->reference)
        return true;
    return result->stamp.changed_only && scene->entries.items[pair->a].changed <= since &&
           scene->entries.items[pair->b].changed <= since;
}

// ---- The merge ----------------------------------------------------------------------------------------------------

static bool add(const grz_allocator *allocator, pair_list *list, const grz_scene_event *pair)
{
    if (!grz_array_add(allocator, &list->pairs))
        return false;
    list->pairs.items[list->pairs.count - 1] = *pair;
    return true;
}

static bool tell(const grz_allocator *allocator, event_lists *lists, const grz_scene_event *pair)
{
    if (pair->now != GRZ_PAIR_APART && !add(allocator, &lists->held, pair))
        return false;
    if (pair->now == pair->before)
        return pair->now == GRZ_PAIR_APART || add(allocator, &lists->of[pair->now][GRZ_PAIR_STAYS], pair);
    return (pair->before == GRZ_PAIR_APART || add(allocator, &lists->of[pair->before][GRZ_PAIR_ENDED], pair)) &&
           (pair->now == GRZ_PAIR_APART || add(allocator, &lists->of[pair->now][GRZ_PAIR_BEGAN], pair));
}

static int compare(const grz_scene_event *x, const grz_scene_event *y)
{
    const uint64_t mine[4] = {x->a, x->b, x->serial_a, x->serial_b}, its[4] = {y->a, y->b, y->serial_a, y->serial_b};
    for (int i = 0; i < 4; i++)
        if (mine[i] != its[i])
            return mine[i] < its[i] ? -1 : 1;
    return 0;
}

static grz_scene_event read_pair(const grz_scene *scene, const grz_result *result, size_t i)
{
    const grz_scene_pair *pair = &result->scene_pairs.items[i];
    const grz_pair_clearance *clearance =
        result->scene_clearances.count > i ? &result->scene_clearances.items[i] : NULL;
    return (grz_scene_event){.a = pair->a,
                             .b = pair->b,
                             .serial_a = grz_scene_object_serial(scene, pair->a),
                             .serial_b = grz_scene_object_serial(scene, pair->b),
                             .before = GRZ_PAIR_APART,
                             .now = state_of(pair, clearance)};
}

static bool merge(const grz_scene_events *events, const grz_result *result, event_lists *lists)
{
    const pair_list *held = &events->lists.held;
    const size_t listed = result->scene_pairs.count;
    size_t i = 0, j = 0;
    while (i < held->pairs.count || j < listed) {
        const grz_scene_event *old = i < held->pairs.count ? &held->pairs.items[i] : NULL;
        grz_scene_event pair = {.now = GRZ_PAIR_APART};
        if (j < listed)
            pair = read_pair(events->scene, result, j);
        const int order = old == NULL ? 1 : j == listed ? -1 : compare(old, &pair);
        if (order < 0) { // only in the last answer
            pair = *old;
            pair.now = is_kept(events->scene, result, old) ? old->now : GRZ_PAIR_APART;
        }
        if (order <= 0)
            pair.before = held->pairs.items[i++].now;
        j += order >= 0;
        if (!tell(events->allocator, lists, &pair))
            return false;
    }
    return true;
}

grz_status grz_scene_events_update(grz_scene_events *events, const grz_result *result, grz_error *error)
{
    const grz_status status = check(events, result, error);
    if (status != GRZ_OK)
        return status;
    clear_lists(&events->spare);
    if (!merge(events, result, &events->spare))
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "scene events: out of memory for %zu pairs",
                        result->scene_pairs.count);
    const event_lists before = events->lists;
    events->lists = events->spare;
    events->spare = before;
    events->last = result->stamp;
    if (result->reference == GRZ_ALL_OBJECTS) {
        events->known = result->stamp.answered;
    } else {
        events->reference = result->reference;
        events->known_of_reference = result->stamp.answered;
    }
    return GRZ_OK;
}
