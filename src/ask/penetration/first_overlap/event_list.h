// SPDX-License-Identifier: MIT
// A moves, B rests: all events (events.h) of a part of the path at once, in order, each with the pairs of triangles in
// which something changes then.
#ifndef GRZ_ASK_PENETRATION_FIRST_OVERLAP_EVENT_LIST_H
#define GRZ_ASK_PENETRATION_FIRST_OVERLAP_EVENT_LIST_H

#include "ask/move/translation/follow.h"
#include "ask/penetration/moment/instant.h"
#include "base/memory.h"
#include "inside/solids/surface.h"

// Two triangles, features of which begin or end to touch at event number `event`.
typedef struct grz_event_pair {
    uint32_t event, a, b;
} grz_event_pair;

typedef struct grz_event {
    grz_time_rounded at;
    // The time as a fraction of small numbers, if it is one: numerator / denominator · 2^exponent; else both are 0.
    uint32_t numerator, denominator;
    int exponent;
    uint32_t a, b; // the triangles of whose features the time is an end of the meeting
    uint8_t feature_a, feature_b, end;
    uint32_t number; // while the list is made
} grz_event;

typedef struct grz_event_list {
    GRZ_ARRAY(grz_event) events;     // sorted by time, no two at the same
    GRZ_ARRAY(grz_event_pair) pairs; // sorted by event, each once
} grz_event_list;

// Find the events at `from` and later, before `until`. surfaces: both clean, or NULL.
// *full: there are more than max_pairs pairs; the list is then incomplete. grz_event_list_finish() is due in any case.
grz_status grz_event_list_find(grz_move_call *call, const grz_path *path, const grz_posed_surface surfaces[2],
                               const grz_instant *from, double until, size_t max_pairs, grz_event_list *list,
                               bool *full);
void grz_event_list_finish(const grz_allocator *allocator, grz_event_list *list);

// The exact time of an event.
void grz_event_instant(const grz_path *path, const grz_event *event, grz_instant *instant);

#endif
