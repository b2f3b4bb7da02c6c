// SPDX-License-Identifier: MIT
// From the start on it is proved, step by step, that the solids overlap: while two triangles prove it; while one solid
// is wholly inside the other; near a time at which some point is deep inside both; between two events (events.h). The
// end is where this is disproved. docs/use/penetration.md has the proof.
#include "ask/penetration/along.h"

#include <assert.h>
#include <math.h>

#include "ask/penetration/events.h"
#include "ask/penetration/overlap.h"
#include "ask/penetration/stretches.h"
#include "ask/penetration/witness.h"
#include "base/call.h"
#include "base/rounding.h"

enum {
    MOST_LEAPS = 64 // without anything else in between
};

static const double SHORT = 0x1p-40; // a leap that is shorter, relative to the time, ends the leaps

typedef struct search {
    grz_move_call *call;
    const grz_path *path;
    const grz_posed_surface *surfaces; // of A and of B
    grz_stretches touching;            // the surfaces touch: closed intervals
    grz_stretches proved;              // two triangles prove that the solids overlap: open intervals
    // The solids overlap at all times before `at`, and at `at` itself if `at_itself`.
    grz_instant at;
    bool at_itself;
    bool clean; // neither surface meets itself
    size_t leaps;
    bool ended, exact; // at `at` they do not overlap; or nothing more is known
} search;

// The stretch of touching surfaces that holds `at`, or the first one after it; its number is `count` if there is none.
static size_t touching_at(const search *s)
{
    size_t i = 0;
    while (i < s->touching.count && grz_instants_compare(&s->touching.items[i].leave, &s->at) < 0)
        i++;
    return i;
}

// Do they overlap after a stretch of touching surfaces, until the next?
static grz_status look_after(const search *s, size_t i, grz_overlap *overlap)
{
    *overlap = GRZ_OVERLAP_UNKNOWN;
    if (s->touching.items[i].leave.at.upper >= s->path->end)
        return GRZ_OK;
    if (i + 1 == s->touching.count) { // if the path had no end, they would be far apart in the end
        *overlap = s->path->end == HUGE_VAL ? GRZ_OVERLAP_NO : GRZ_OVERLAP_UNKNOWN;
        if (s->path->end < HUGE_VAL)
            return grz_overlap_between(s->call, s->path, s->surfaces, s->touching.items[i].leave.at.upper, s->path->end,
                                       overlap);
        return GRZ_OK;
    }
    return grz_overlap_between(s->call, s->path, s->surfaces, s->touching.items[i].leave.at.upper,
                               s->touching.items[i + 1].enter.at.lower, overlap);
}

static void advance(search *s, const grz_instant *to, bool at_itself)
{
    s->at = *to;
    s->at_itself = at_itself;
}

// While triangles prove an overlap. True if that leads further.
static bool follow_proved(search *s)
{
    for (size_t i = 0; i < s->proved.count; i++) {
        const grz_stretch *one = &s->proved.items[i];
        if (grz_instants_compare(&one->leave, &s->at) <= 0)
            continue;
        const int order = grz_instants_compare(&one->enter, &s->at);
        if (order > 0 || (order == 0 && !s->at_itself))
            return false;
        advance(s, &one->leave, false);
        s->leaps = 0;
        return true;
    }
    return false;
}

// `at` is not certain: find out what holds there. The last time of a stretch of touching surfaces is decided by what
// comes after it: the times of overlap are open, so before times without overlap there is none.
static grz_status settle(search *s)
{
    const size_t i = touching_at(s);
    grz_overlap overlap = GRZ_OVERLAP_UNKNOWN;
    grz_status status = GRZ_OK;
    if (s->at.at.upper >= s->path->end)
        ; // what comes then was not asked
    else if (i < s->touching.count && grz_instants_compare(&s->touching.items[i].leave, &s->at) == 0)
        status = look_after(s, i, &overlap);
    if (status == GRZ_OK && overlap == GRZ_OVERLAP_UNKNOWN && s->at.at.upper < s->path->end)
        status = grz_overlap_at(s->call, s->path, s->surfaces, &s->at, &overlap);
    s->at_itself = overlap == GRZ_OVERLAP_YES;
    s->ended = !s->at_itself;
    s->exact = overlap == GRZ_OVERLAP_NO;
    return status;
}

// A point that is inside both stays there for a while. *led: that led further, by more than a little.
static grz_status leap(search *s, bool *led)
{
    double depth, speed = 0.0;
    const double from = s->at.at.upper;
    *led = false;
    if (s->leaps++ >= MOST_LEAPS)
        return GRZ_OK;
    const grz_status status = grz_witness_find(s->call, s->path, s->at.at.lower, from, &depth);
    if (status != GRZ_OK || !(depth > 0.0))
        return status;
    for (int k = 0; k < 3; k++)
        speed += fabs(s->path->motion.v[k]); // at least
    const double to = (from + depth / speed) * GRZ_LESS(8);
    if (!(to > from))
        return GRZ_OK;
    *led = to - from > SHORT * to;
    grz_instant next;
    grz_instant_set(&next, to);
    advance(s, &next, true);
    return GRZ_OK;
}

// They overlap at `at`, and so soon afterwards: up to the next event.
static grz_status follow_event(search *s)
{
    grz_instant event;
    bool any;
    const grz_status status = grz_event_after(s->call, s->path, &s->at, &event, &any);
    if (status == GRZ_OK && any)
        advance(s, &event, false);
    s->leaps = 0;
    s->ended = !any;
    return status;
}

// They overlap at `at`, and no triangles prove it just afterwards, as far as is known.
static grz_status follow_overlap(search *s)
{
    const size_t i = touching_at(s);
    bool led;
    const bool touching = i < s->touching.count && grz_instants_compare(&s->touching.items[i].enter, &s->at) <= 0;
    if (touching && grz_instants_compare(&s->touching.items[i].leave, &s->at) != 0) {
        const grz_status status = leap(s, &led);
        return status != GRZ_OK || led ? status : follow_event(s);
    }
    // The surfaces do not touch: one solid is inside the other until they do.
    const size_t next = touching ? i + 1 : i;
    if (next == s->touching.count)
        s->ended = true; // for a closed mesh this cannot be
    else
        advance(s, &s->touching.items[next].enter, true);
    return GRZ_OK;
}

static grz_status prove(search *s)
{
    grz_status status = GRZ_OK;
    while (status == GRZ_OK && !s->ended) {
        if (grz_control_expired(&s->call->frame.control))
            return grz_call_explain(&s->call->frame, grz_control_status(&s->call->frame.control));
        if (follow_proved(s))
            continue;
        status = s->at_itself ? follow_overlap(s) : settle(s);
    }
    return status;
}

// Nothing more is known after `at`, until a stretch of touching surfaces after which the solids do not overlap.
static grz_status find_upper(const search *s, grz_free_time *found)
{
    for (size_t i = touching_at(s); i < s->touching.count; i++) {
        grz_overlap overlap;
        const grz_status status = look_after(s, i, &overlap);
        if (status != GRZ_OK)
            return status;
        if (overlap != GRZ_OVERLAP_NO)
            continue;
        found->upper = s->touching.items[i].leave;
        found->a = s->touching.items[i].a;
        found->b = s->touching.items[i].b;
        return GRZ_OK;
    }
    return GRZ_OK;
}

// The triangles that part where both bounds are.
static void find_parting(const search *s, grz_free_time *found)
{
    const grz_stretches *lists[2] = {&s->touching, &s->proved};
    for (int k = 0; k < 2 && found->a == UINT32_MAX; k++)
        for (size_t i = 0; i < lists[k]->count && found->a == UINT32_MAX; i++)
            if (grz_instants_compare(&lists[k]->items[i].leave, &s->at) == 0) {
                found->a = lists[k]->items[i].a;
                found->b = lists[k]->items[i].b;
            }
}

grz_status grz_free_time_find(grz_move_call *call, const grz_path *path, const grz_posed_surface surfaces[2],
                              bool clean, grz_free_time *found)
{
    const grz_allocator *allocator = grz_control_allocator(&call->frame.control);
    search s = {.call = call, .path = path, .surfaces = surfaces, .at_itself = true, .clean = clean};
    grz_instant_set(&s.at, 0.0);
    found->a = found->b = UINT32_MAX;
    grz_status status = grz_stretches_find(call, path, NULL, &s.touching);
    if (status == GRZ_OK && clean)
        status = grz_stretches_find(call, path, surfaces, &s.proved);
    if (status == GRZ_OK)
        status = prove(&s);
    found->lower = found->upper = s.at;
    if (s.exact) {
        find_parting(&s, found);
    } else {
        grz_instant_set(&found->upper, HUGE_VAL);
        if (status == GRZ_OK)
            status = find_upper(&s, found);
    }
    grz_array_finish(allocator, &s.touching);
    grz_array_finish(allocator, &s.proved);
    return status;
}
