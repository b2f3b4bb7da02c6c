// SPDX-License-Identifier: MIT
// A walk through two trees finds the pairs of triangles that touch in that part of the path; features of theirs are
// followed. Neighbouring triangles share corners and edges, so each pair of features is followed once and remembered.
// Events at the same time are many where surfaces are flush; most of their times are small fractions, which are
// compared as such.
#include "ask/penetration/first_overlap/event_list.h"

#include <assert.h>
#include <string.h>

#include "ask/move/translation/visit.h"
#include "ask/penetration/events.h"
#include "base/call.h"
#include "base/sort/sort.h"
#include "mesh/index_table.h"
#include "mesh/triangles.h"

enum {
    FIRST_SLOTS = 1024
};

// Two features whose meeting was looked at: their vertices in order, and which events it makes.
typedef struct known_meeting {
    uint32_t vertex[2][3]; // UINT32_MAX: none
    uint32_t first, count; // events
} known_meeting;

typedef struct search {
    const grz_allocator *allocator;
    const grz_path *path;
    const grz_posed_surface *surfaces;
    const grz_instant *from;
    double until;
    size_t max_pairs;
    grz_event_list *list;
    GRZ_ARRAY(known_meeting) known;
    uint32_t *slots; // a hash table of `known`: 0, or a number + 1
    size_t slot_count;
    bool full;
} search;

// ---- Which meetings are known ---------------------------------------------------------------------------------------

static void order(uint32_t *x, uint32_t *y)
{
    const uint32_t least = *x < *y ? *x : *y;
    *y = *x < *y ? *y : *x;
    *x = least;
}

// The vertices of a feature, which all triangles that have it share: as far as that is known.
static void set_vertices(const search *s, int which, uint32_t triangle, int feature, uint32_t vertex[3])
{
    const grz_object *object = which == 0 ? s->path->a : s->path->b;
    const uint32_t *corners = object->mesh->triangles + 3 * (size_t)triangle;
    const int count = grz_feature_corner_count(feature), first = grz_feature_first_corner(feature);
    for (int i = 0; i < 3; i++) {
        const uint32_t v = corners[(first + i) % 3];
        vertex[i] = i >= count ? UINT32_MAX : s->surfaces != NULL ? s->surfaces[which].surface->lowest[v] : v;
    }
    order(&vertex[0], &vertex[1]);
    order(&vertex[1], &vertex[2]);
    order(&vertex[0], &vertex[1]);
}

static uint64_t hash_of(const known_meeting *m)
{
    uint64_t hash = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            hash = grz_mix(hash ^ m->vertex[i][k]);
    return hash;
}

static uint32_t *slot_of(const search *s, const known_meeting *m)
{
    size_t at = (size_t)hash_of(m) & (s->slot_count - 1);
    while (s->slots[at] != 0 && memcmp(s->known.items[s->slots[at] - 1].vertex, m->vertex, sizeof m->vertex) != 0)
        at = (at + 1) & (s->slot_count - 1);
    return &s->slots[at];
}

// Keep the table at most half full. False if there is no memory.
static bool grow_slots(search *s)
{
    const size_t old = s->slot_count;
    if (s->known.count < old / 2)
        return true;
    grz_release(s->allocator, s->slots, old, sizeof *s->slots);
    s->slot_count = old > 0 ? 2 * old : FIRST_SLOTS;
    s->slots = grz_allocate_zeroed(s->allocator, s->slot_count, sizeof *s->slots);
    for (uint32_t i = 0; i < s->known.count && s->slots != NULL; i++)
        *slot_of(s, &s->known.items[i]) = i + 1;
    return s->slots != NULL;
}

// ---- Events of two features -----------------------------------------------------------------------------------------

static bool is_in_part(const search *s, grz_meeting *m, grz_meeting_end end, const grz_time_rounded *at)
{
    grz_instant time = {.at = *at};
    if (!(at->lower < s->until))
        return false;
    if (!grz_instant_is_double(&time))
        grz_meeting_time(m, end, &time.exact);
    return grz_instants_compare(&time, s->from) >= 0;
}

static void set_fraction(grz_meeting *m, grz_meeting_end end, grz_event *event)
{
    grz_time time;
    if (event->at.lower == event->at.upper)
        return;
    grz_meeting_time(m, end, &time);
    grz_time_shorten(&time);
    if (time.numerator.count != 1 || time.denominator.count != 1 || time.numerator.sign < 0)
        return;
    event->numerator = time.numerator.limb[0];
    event->denominator = time.denominator.limb[0];
    event->exponent = time.exponent;
}

// An end of a meeting, if it lies in this part of the path. False if there is no memory.
static bool add_end(search *s, grz_meeting *m, grz_meeting_end end, const grz_event *template)
{
    const bool enters = end == GRZ_MEETING_ENTER;
    const double low = enters ? m->enter_low : m->leave_low, high = enters ? m->enter_high : m->leave_high;
    if (high < s->from->at.lower || low >= s->until || !grz_meeting_happens(m))
        return true;
    const grz_time_rounded at = grz_meeting_round(m, end);
    if (!is_in_part(s, m, end, &at))
        return true;
    if (s->list->events.count == UINT32_MAX || !grz_array_add(s->allocator, &s->list->events))
        return false; // numbers of events have 32 bits
    grz_event *event = &s->list->events.items[s->list->events.count - 1];
    *event = *template;
    event->at = at;
    event->end = (uint8_t)end;
    event->number = (uint32_t)(s->list->events.count - 1);
    set_fraction(m, end, event);
    return true;
}

static void set_meeting(const grz_path *path, const grz_event *of, grz_meeting *m, bool *meets)
{
    double corners[2][3][3], features[2][3][3];
    grz_world_corners(path->a->mesh, &path->a->pose, of->a, corners[0]);
    grz_world_corners(path->b->mesh, &path->b->pose, of->b, corners[1]);
    grz_feature_set((const double(*)[3])corners[0], of->feature_a, features[0]);
    grz_feature_set((const double(*)[3])corners[1], of->feature_b, features[1]);
    *meets = grz_meeting_set(m, (const double(*)[3])features[0], (const double(*)[3])features[1], &path->motion);
}

// False if there is no memory.
static bool add_events(search *s, const grz_event *template, known_meeting *known)
{
    grz_meeting m;
    bool meets;
    known->first = (uint32_t)s->list->events.count;
    set_meeting(s->path, template, &m, &meets);
    if (meets && !m.always &&
        (!add_end(s, &m, GRZ_MEETING_ENTER, template) || !add_end(s, &m, GRZ_MEETING_LEAVE, template)))
        return false;
    known->count = (uint32_t)s->list->events.count - known->first;
    return true;
}

// Two features of two triangles. False if there is no memory.
static bool follow_features(search *s, uint32_t a, int feature_a, uint32_t b, int feature_b)
{
    known_meeting wanted = {.count = 0};
    const grz_event template = {.a = a, .b = b, .feature_a = (uint8_t)feature_a, .feature_b = (uint8_t)feature_b};
    set_vertices(s, 0, a, feature_a, wanted.vertex[0]);
    set_vertices(s, 1, b, feature_b, wanted.vertex[1]);
    if (!grow_slots(s))
        return false;
    uint32_t *slot = slot_of(s, &wanted);
    if (*slot == 0) {
        if (!add_events(s, &template, &wanted) || !grz_array_add(s->allocator, &s->known))
            return false;
        s->known.items[s->known.count - 1] = wanted;
        *slot = (uint32_t)s->known.count;
    }
    const known_meeting *known = &s->known.items[*slot - 1];
    for (uint32_t i = 0; i < known->count; i++) {
        if (!grz_array_add(s->allocator, &s->list->pairs))
            return false;
        s->list->pairs.items[s->list->pairs.count - 1] = (grz_event_pair){known->first + i, a, b};
    }
    return true;
}

// ---- Pairs of triangles ---------------------------------------------------------------------------------------------

static bool is_other_time(void *context, double enter, double leave)
{
    const search *s = context;
    return s->full || enter >= s->until || leave < s->from->at.lower;
}

static bool compare_triangles(search *s, uint32_t a, uint32_t b)
{
    grz_meeting m;
    bool meets;
    const grz_event whole = {.a = a, .b = b};
    set_meeting(s->path, &whole, &m, &meets);
    if (!meets || m.leave_high < s->from->at.lower || m.enter_low >= s->until)
        return true;
    for (int i = 0; i < GRZ_TRIANGLE_FEATURES; i++)
        for (int j = 0; j < GRZ_TRIANGLE_FEATURES; j++)
            if (grz_features_are_followed(i, j) && !follow_features(s, a, i, b, j))
                return false;
    s->full = s->list->pairs.count > s->max_pairs;
    return true;
}

static bool compare_row(void *context, uint32_t triangle, const uint32_t *others, uint32_t count)
{
    search *s = context;
    for (uint32_t i = 0; i < count && !s->full; i++)
        if (!compare_triangles(s, triangle, others[i]))
            return false;
    return true;
}

// ---- In order -------------------------------------------------------------------------------------------------------

void grz_event_instant(const grz_path *path, const grz_event *event, grz_instant *instant)
{
    grz_meeting m;
    bool meets;
    instant->at = event->at;
    if (grz_instant_is_double(instant))
        return;
    set_meeting(path, event, &m, &meets);
    const bool happens = meets && grz_meeting_happens(&m); // so it was when the event was found
    assert(happens);
    (void)happens;
    grz_meeting_time(&m, (grz_meeting_end)event->end, &instant->exact);
}

static int compare_events(const void *x, const void *y, void *context)
{
    const grz_event *p = x, *q = y;
    const search *s = context;
    if (p->at.lower != q->at.lower || p->at.upper != q->at.upper)
        return p->at.upper <= q->at.lower ? -1 : 1; // a time that is no double is strictly between two
    if (p->at.lower == p->at.upper || (p->denominator != 0 && p->numerator == q->numerator &&
                                       p->denominator == q->denominator && p->exponent == q->exponent))
        return 0;
    grz_instant times[2];
    grz_event_instant(s->path, p, &times[0]);
    grz_event_instant(s->path, q, &times[1]);
    return grz_instants_compare(&times[0], &times[1]);
}

static int compare_pairs(const void *x, const void *y, void *context)
{
    const grz_event_pair *p = x, *q = y;
    (void)context;
    if (p->event != q->event)
        return p->event < q->event ? -1 : 1;
    return p->a != q->a ? (p->a < q->a ? -1 : 1) : (p->b > q->b) - (p->b < q->b);
}

// Number the events anew, by their time; of several at the same time the first is kept.
static void join_events(search *s, uint32_t *new_number)
{
    grz_event *events = s->list->events.items;
    size_t kept = 0;
    for (size_t i = 0; i < s->list->events.count; i++) {
        if (kept == 0 || compare_events(&events[kept - 1], &events[i], s) != 0)
            events[kept++] = events[i];
        new_number[events[i].number] = (uint32_t)(kept - 1);
    }
    s->list->events.count = kept;
    for (size_t i = 0; i < s->list->pairs.count; i++)
        s->list->pairs.items[i].event = new_number[s->list->pairs.items[i].event];
}

static void drop_repeated_pairs(grz_event_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->pairs.count; i++)
        if (kept == 0 || compare_pairs(&list->pairs.items[kept - 1], &list->pairs.items[i], NULL) != 0)
            list->pairs.items[kept++] = list->pairs.items[i];
    list->pairs.count = kept;
}

static grz_status put_in_order(search *s, grz_control *control)
{
    grz_event_list *list = s->list;
    const size_t count = list->events.count;
    if (count == 0)
        return GRZ_OK;
    uint32_t *new_number = grz_allocate(s->allocator, count, sizeof *new_number);
    if (new_number == NULL)
        return GRZ_ERROR_MEMORY;
    grz_status status = grz_sort(list->events.items, count, sizeof *list->events.items, compare_events, s, control);
    if (status == GRZ_OK) {
        join_events(s, new_number);
        status =
            grz_sort(list->pairs.items, list->pairs.count, sizeof *list->pairs.items, compare_pairs, NULL, control);
    }
    if (status == GRZ_OK)
        drop_repeated_pairs(list);
    grz_release(s->allocator, new_number, count, sizeof *new_number);
    return status;
}

grz_status grz_event_list_find(grz_move_call *call, const grz_path *path, const grz_posed_surface surfaces[2],
                               const grz_instant *from, double until, size_t max_pairs, grz_event_list *list,
                               bool *full)
{
    grz_control *control = &call->frame.control;
    search s = {.allocator = grz_control_allocator(control),
                .path = path,
                .surfaces = surfaces,
                .from = from,
                .until = until,
                .max_pairs = max_pairs,
                .list = list};
    const grz_pair_visitor visitor = {.context = &s, .skip = is_other_time, .compare = compare_row};
    list->events.count = list->pairs.count = 0;
    grz_status status = grz_visit_pairs(call, path, &visitor);
    *full = s.full;
    if (status == GRZ_OK && !s.full)
        status = put_in_order(&s, control);
    grz_array_finish(s.allocator, &s.known);
    grz_release(s.allocator, s.slots, s.slot_count, sizeof *s.slots);
    return grz_call_explain(&call->frame, status);
}

void grz_event_list_finish(const grz_allocator *allocator, grz_event_list *list)
{
    grz_array_finish(allocator, &list->events);
    grz_array_finish(allocator, &list->pairs);
}
