// SPDX-License-Identifier: MIT
// grz_move_first_overlap(): when do the insides of two solids begin to have common points? The times of overlap are
// open intervals, and one begins only while the surfaces touch. So each stretch of touching surfaces is gone through,
// from event to event (event_list.h): between two of them nothing changes, and one time tells. Of clean surfaces only
// the contacts that are new need to be looked at (docs/use/move.md). Where two triangles prove an overlap (as they
// cross), the first stretch of that is an end beyond which nothing needs to be looked at; mostly it begins with the
// first contact, and there is nothing to look at.
#include <graze/move.h>

#include <assert.h>
#include <math.h>

#include "ask/penetration/depth.h"
#include "ask/penetration/first_overlap/event_list.h"
#include "ask/penetration/moment/moment_contacts.h"
#include "ask/penetration/overlap.h"
#include "ask/penetration/stretches.h"
#include "base/call.h"
#include "base/certainty.h"
#include "base/fail.h"
#include "mesh/triangles.h"

enum {
    MAX_PAIRS = 1 << 19 // in one list of events: bounds the memory, and what is found in vain if an overlap begins soon
};

static const grz_overlap_time nothing = {
    .certainty = GRZ_UNDECIDED, .upper = HUGE_VAL, .face_a = GRZ_NO_FACE, .face_b = GRZ_NO_FACE};
static const char too_close[] = "whether the solids overlap between two moments could not be decided";

typedef struct search {
    grz_move_call *call;
    const grz_path *path;
    const grz_overlapping *start;
    const grz_posed_surface *surfaces; // both clean; or NULL
    grz_stretches touching, proved;
    grz_instant at;            // up to here they do not overlap
    const grz_stretch *begins; // the first proof of an overlap, or NULL
    bool found, known;         // an overlap begins at `at`; false: nothing more is known
    grz_event_list list;       // of a part of the stretch that is gone through
    double width;              // of such a part
    grz_moment_contacts contacts;
} search;

// ---- Between two events ---------------------------------------------------------------------------------------------

// The pairs of triangles that have an event at `at`. There may be none, as a path may begin while surfaces touch.
typedef struct change {
    const grz_event_pair *pairs;
    size_t count;
} change;

// Clean surfaces: do they overlap next to the contacts of some pairs of triangles?
static grz_overlap look_at_pairs(search *s, const grz_instant *when, const change *changed)
{
    grz_moment moment;
    grz_moment_set(&moment, s->path, when);
    s->contacts.moment = &moment;
    s->contacts.both = false;
    for (size_t i = 0; i < changed->count && !s->contacts.both; i++)
        grz_moment_contacts_look(&s->contacts, changed->pairs[i].a, changed->pairs[i].b);
    s->contacts.moment = NULL;
    return moment.too_long ? GRZ_OVERLAP_UNKNOWN : s->contacts.both ? GRZ_OVERLAP_YES : GRZ_OVERLAP_NO;
}

// Do they overlap between `at` and a later time, with no event in between?
static grz_status look_between(search *s, const grz_instant *later, const change *changed)
{
    grz_instant between;
    grz_overlap overlap = GRZ_OVERLAP_UNKNOWN;
    grz_status status = GRZ_OK;
    s->known = grz_instant_between(&s->at, later, &between);
    if (!s->known)
        return GRZ_OK;
    if (s->surfaces != NULL)
        overlap = look_at_pairs(s, &between, changed);
    if (s->contacts.no_memory)
        return grz_call_explain(&s->call->frame, GRZ_ERROR_MEMORY);
    if (overlap == GRZ_OVERLAP_UNKNOWN)
        status = grz_overlap_at(s->call, s->path, s->start->surfaces, &between, &overlap);
    s->found = overlap == GRZ_OVERLAP_YES;
    s->known = overlap != GRZ_OVERLAP_UNKNOWN;
    return status;
}

// ---- From event to event --------------------------------------------------------------------------------------------

static change change_at(const search *s, size_t event)
{
    const grz_event_pair *pairs = s->list.pairs.items;
    size_t first = 0, last = s->list.pairs.count; // the first pair of the event
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (pairs[middle].event < event)
            first = middle + 1;
        else
            last = middle;
    }
    size_t end = first;
    while (end < s->list.pairs.count && pairs[end].event == event)
        end++;
    return (change){pairs + first, end - first};
}

// Go through the events of the list, of which the first may be at `at`.
static grz_status follow_list(search *s, const grz_instant *end, bool is_last)
{
    change changed = {.count = 0};
    grz_status status = GRZ_OK;
    for (size_t i = 0; i <= s->list.events.count && status == GRZ_OK; i++) {
        grz_instant next = *end;
        if (i == s->list.events.count && !is_last)
            break;
        if (i < s->list.events.count)
            grz_event_instant(s->path, &s->list.events.items[i], &next);
        const bool ends = grz_instants_compare(&next, end) >= 0;
        if (grz_instants_compare(&next, &s->at) > 0) {
            if (grz_control_expired(&s->call->frame.control))
                return grz_call_explain(&s->call->frame, grz_control_status(&s->call->frame.control));
            status = look_between(s, ends ? end : &next, &changed);
            if (status != GRZ_OK || s->found || !s->known)
                return status;
            s->at = ends ? *end : next;
        }
        if (ends)
            break;
        changed = change_at(s, i);
    }
    return status;
}

// Is no event of the list later than `at`?
static bool has_no_later(const search *s)
{
    const size_t count = s->list.events.count;
    grz_instant last;
    if (count != 1)
        return count == 0;
    grz_event_instant(s->path, &s->list.events.items[0], &last);
    return grz_instants_compare(&last, &s->at) <= 0;
}

// Find the events of the next part: not too many, but one later than `at`. *is_last: the part reaches to the end.
static grz_status find_events(search *s, const grz_instant *end, bool *is_last)
{
    const double from = s->at.at.upper, all = nextafter(end->at.upper, HUGE_VAL), least = nextafter(from, HUGE_VAL);
    size_t max_pairs = MAX_PAIRS;
    for (bool narrowed = false;;) {
        bool full;
        const double until = fmin(fmax(from + s->width, least), all);
        *is_last = until >= all;
        const grz_status status =
            grz_event_list_find(s->call, s->path, s->surfaces, &s->at, until, max_pairs, &s->list, &full);
        if (status != GRZ_OK)
            return status;
        if (full) {
            narrowed = true;
            s->width *= 0.25;
            max_pairs = until > least ? MAX_PAIRS : SIZE_MAX;
        } else if (!*is_last && has_no_later(s)) {
            s->width = 2.0 * (until - from);
            max_pairs = narrowed ? SIZE_MAX : MAX_PAIRS;
        } else {
            break;
        }
    }
    if (s->list.pairs.count < MAX_PAIRS / 16)
        s->width *= 2.0;
    return GRZ_OK;
}

// Go through a stretch of touching surfaces. It ends with `found`, with `known` false, or at the stretch's end.
static grz_status follow(search *s, const grz_stretch *stretch)
{
    const bool is_cut = s->begins != NULL && grz_instants_compare(&s->begins->enter, &stretch->leave) < 0;
    const grz_instant *end = is_cut ? &s->begins->enter : &stretch->leave;
    bool is_last = false;
    grz_status status = GRZ_OK;
    s->at = stretch->enter;
    s->width = end->at.upper - s->at.at.lower;
    while (status == GRZ_OK && s->known && !s->found && grz_instants_compare(&s->at, end) < 0) {
        status = find_events(s, end, &is_last);
        if (status == GRZ_OK)
            status = follow_list(s, end, is_last);
    }
    if (status == GRZ_OK && s->known && s->begins != NULL && grz_instants_compare(&s->begins->enter, &s->at) <= 0)
        s->found = true;
    return status;
}

static grz_status find_begin(search *s)
{
    grz_status status = grz_stretches_find(s->call, s->path, NULL, &s->touching);
    if (status == GRZ_OK && s->surfaces != NULL)
        status = grz_stretches_find(s->call, s->path, s->surfaces, &s->proved);
    if (status == GRZ_OK && s->proved.count > 0)
        s->begins = &s->proved.items[0];
    s->known = true;
    for (size_t i = 0; i < s->touching.count && status == GRZ_OK && s->known && !s->found; i++)
        status = follow(s, &s->touching.items[i]);
    return status;
}

static void set_faces(const search *s, grz_overlap_time *answer)
{
    const grz_mesh *mesh_a = s->path->a->mesh, *mesh_b = s->path->b->mesh;
    if (s->begins == NULL || s->begins->enter_a == UINT32_MAX || grz_instants_compare(&s->begins->enter, &s->at) != 0)
        return;
    answer->face_a = grz_mesh_triangle_face(mesh_a, s->begins->enter_a);
    answer->face_b = grz_mesh_triangle_face(mesh_b, s->begins->enter_b);
}

static void fill_in(const search *s, grz_overlap_time *answer)
{
    answer->certainty = GRZ_EXACT;
    if (!s->known) {
        answer->certainty = GRZ_UNDECIDED;
        answer->reason = too_close;
        answer->first_overlap = answer->lower = s->at.at.lower;
        answer->upper = s->begins != NULL ? s->begins->enter.at.upper : HUGE_VAL;
        answer->overlaps = s->begins != NULL;
    } else if (s->found) {
        answer->overlaps = true;
        answer->first_overlap = s->at.at.nearest;
        answer->lower = s->at.at.lower;
        answer->upper = s->at.at.upper;
        answer->certainty = grz_certainty_of_bounds(answer->lower, answer->upper);
        set_faces(s, answer);
    } else {
        answer->first_overlap = answer->lower = answer->upper = HUGE_VAL;
    }
}

static size_t shell_room(const grz_posed_surface *surface)
{
    return (size_t)surface->surface->shell_count + 1;
}

// For clean surfaces.
static grz_status begin_contacts(search *s)
{
    if (!s->start->clean)
        return GRZ_OK;
    s->surfaces = s->start->surfaces;
    s->contacts.control = &s->call->frame.control;
    for (int i = 0; i < 2; i++) {
        s->contacts.surface[i] = &s->surfaces[i];
        s->contacts.in_contact[i] = grz_allocate_zeroed(grz_control_allocator(&s->call->frame.control),
                                                        shell_room(&s->surfaces[i]), sizeof(bool));
        if (s->contacts.in_contact[i] == NULL)
            return grz_call_explain(&s->call->frame, GRZ_ERROR_MEMORY);
    }
    return GRZ_OK;
}

static grz_status find(grz_move_call *call, const grz_path *path, grz_overlap_time *answer)
{
    grz_overlapping start = {.reason = NULL};
    search s = {.call = call, .path = path, .start = &start};
    const grz_allocator *allocator = grz_control_allocator(&call->frame.control);
    grz_instant_set(&s.at, 0.0);
    grz_status status = grz_overlapping_find(call, path->a, path->b, &start);
    if (status == GRZ_OK && start.solids == GRZ_SOLIDS_UNDECIDABLE) {
        answer->reason = start.reason;
        return GRZ_OK;
    }
    if (status == GRZ_OK && grz_solids_overlap(start.solids)) {
        *answer = (grz_overlap_time){.overlaps = true,
                                     .started_inside = true,
                                     .certainty = GRZ_EXACT,
                                     .face_a = GRZ_NO_FACE,
                                     .face_b = GRZ_NO_FACE};
        return GRZ_OK;
    }
    if (status == GRZ_OK)
        status = grz_overlapping_find_surfaces(call, path->a, path->b, &start);
    if (status == GRZ_OK)
        status = begin_contacts(&s);
    if (status == GRZ_OK)
        status = find_begin(&s);
    if (status == GRZ_OK)
        fill_in(&s, answer);
    else if (status == GRZ_ERROR_DEADLINE || status == GRZ_ERROR_CANCELLED)
        answer->first_overlap = answer->lower = s.at.at.lower;
    grz_array_finish(allocator, &s.touching);
    grz_array_finish(allocator, &s.proved);
    grz_event_list_finish(allocator, &s.list);
    for (int i = 0; i < 2 && s.surfaces != NULL; i++)
        grz_release(allocator, s.contacts.in_contact[i], shell_room(&s.surfaces[i]), sizeof(bool));
    grz_overlapping_finish(call, &start);
    return status;
}

grz_status grz_move_first_overlap(grz_device *device, const grz_object *a, const double to_a[3], const grz_object *b,
                                  const double to_b[3], const grz_move_options *options, grz_overlap_time *answer,
                                  grz_error *error)
{
    grz_move_call call;
    grz_object here[2];
    grz_path path;
    if (answer != NULL)
        *answer = nothing;
    if (answer == NULL || to_a == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "first overlap: %s is NULL",
                        answer == NULL ? "the answer" : "to_a");
    grz_status status = grz_move_begin(&call, "first overlap", device, options, error);
    if (status == GRZ_OK)
        status = grz_move_read_path(&call, a, to_a, b, to_b, here, &path);
    if (status == GRZ_OK)
        status = find(&call, &path, answer);
    if (status != GRZ_OK && status != GRZ_ERROR_DEADLINE && status != GRZ_ERROR_CANCELLED)
        *answer = nothing;
    return grz_call_end(&call.frame, status);
}
