// SPDX-License-Identifier: MIT
// grz_move_first_overlap(): when do the insides of two solids begin to have common points? The times of overlap are
// open intervals, and one begins only while the surfaces touch. So each stretch of touching surfaces is gone through,
// from event to event (events.h): between two of them nothing changes, and one time tells. Where two triangles prove an
// overlap (as they cross), the first stretch of that is an end beyond which nothing needs to be looked at; mostly it
// begins with the first contact, and there is nothing to look at.
#include <graze/move.h>

#include <math.h>

#include "ask/penetration/depth.h"
#include "ask/penetration/events.h"
#include "ask/penetration/overlap.h"
#include "ask/penetration/stretches.h"
#include "base/call.h"
#include "base/certainty.h"
#include "base/fail.h"
#include "mesh/triangles.h"

static const grz_overlap_time nothing = {
    .certainty = GRZ_UNDECIDED, .upper = HUGE_VAL, .face_a = GRZ_NO_FACE, .face_b = GRZ_NO_FACE};
static const char too_close[] = "whether the solids overlap between two moments could not be decided";

typedef struct search {
    grz_move_call *call;
    const grz_path *path;
    const grz_overlapping *start;
    grz_stretches touching, proved;
    grz_instant at;            // up to here they do not overlap
    const grz_stretch *begins; // the first proof of an overlap, or NULL
    bool found, known;         // an overlap begins at `at`; false: nothing more is known
} search;

// A time strictly between two that has as few binary digits as may be. False: there is none among doubles.
static bool choose_between(double low, double high, double *time)
{
    int exponent;
    if (!(low < high) || !(nextafter(low, high) < high))
        return false;
    frexp(high - low, &exponent);
    const double step = ldexp(1.0, exponent - 2); // at most half of the way, and more than a quarter
    *time = (floor(low / step) + 1.0) * step;
    if (!(low < *time && *time < high)) // the quotient was rounded
        *time = low + 0.5 * (high - low);
    return low < *time && *time < high;
}

static const grz_instant *earlier(const grz_instant *x, const grz_instant *y)
{
    return grz_instants_compare(x, y) <= 0 ? x : y;
}

// Whether they overlap between `at` and a later time, with no event in between.
static grz_status look_between(const search *s, const grz_instant *later, grz_overlap *overlap)
{
    double time;
    grz_instant between;
    *overlap = GRZ_OVERLAP_UNKNOWN;
    if (!choose_between(s->at.at.upper, later->at.lower, &time))
        return GRZ_OK;
    grz_instant_set(&between, time);
    return grz_overlap_at(s->call, s->path, s->start->surfaces, &between, overlap);
}

// Go through a stretch of touching surfaces. It ends with `found`, with `known` false, or at the stretch's end.
static grz_status follow(search *s, const grz_stretch *stretch)
{
    s->at = stretch->enter;
    while (grz_instants_compare(&s->at, &stretch->leave) < 0) {
        if (grz_control_expired(&s->call->frame.control))
            return grz_call_explain(&s->call->frame, grz_control_status(&s->call->frame.control));
        if (s->begins != NULL && grz_instants_compare(&s->begins->enter, &s->at) <= 0) {
            s->found = true;
            return GRZ_OK;
        }
        grz_instant event;
        bool any;
        grz_overlap overlap;
        grz_status status = grz_event_after(s->call, s->path, &s->at, &event, &any);
        if (status != GRZ_OK)
            return status;
        const grz_instant *next = any ? earlier(&event, &stretch->leave) : &stretch->leave;
        next = s->begins != NULL ? earlier(next, &s->begins->enter) : next;
        status = look_between(s, next, &overlap);
        if (status != GRZ_OK)
            return status;
        s->found = overlap == GRZ_OVERLAP_YES;
        s->known = overlap != GRZ_OVERLAP_UNKNOWN;
        if (s->found || !s->known)
            return GRZ_OK;
        const grz_instant kept = *next; // it may be `event`
        s->at = kept;
    }
    return GRZ_OK;
}

static grz_status find_begin(search *s)
{
    grz_status status = grz_stretches_find(s->call, s->path, NULL, &s->touching);
    if (status == GRZ_OK && s->start->clean)
        status = grz_stretches_find(s->call, s->path, s->start->surfaces, &s->proved);
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
        status = find_begin(&s);
    if (status == GRZ_OK)
        fill_in(&s, answer);
    else if (status == GRZ_ERROR_DEADLINE || status == GRZ_ERROR_CANCELLED)
        answer->first_overlap = answer->lower = s.at.at.lower;
    grz_array_finish(allocator, &s.touching);
    grz_array_finish(allocator, &s.proved);
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
