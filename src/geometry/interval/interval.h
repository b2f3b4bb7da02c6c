// SPDX-License-Identifier: MIT
// Sets of times: sorted lists of intervals whose ends either all belong to them (closed) or all do not (open). Surfaces
// that touch, touch at closed times; insides overlap at open ones. Two open intervals that share an end do not hold
// that end, so they stay two: at that instant the solids may be free. What is open and what is closed is decided here,
// and nowhere else; docs/internals/intervals.md lists the users.
#ifndef GRZ_GEOMETRY_INTERVAL_INTERVAL_H
#define GRZ_GEOMETRY_INTERVAL_INTERVAL_H

#include "base/memory.h"

typedef enum grz_interval_ends {
    GRZ_ENDS_CLOSED, // from <= t <= to
    GRZ_ENDS_OPEN    // from < t < to
} grz_interval_ends;

typedef struct grz_interval {
    double from, to; // may be infinite
} grz_interval;

// No two parts have a common time, nor do two closed ones share an end.
typedef struct grz_interval_set {
    grz_interval_ends ends;
    GRZ_ARRAY(grz_interval) parts; // sorted
} grz_interval_set;

// Is the union of two intervals one interval? order: the begin of the later one compared with the end of the first, as
// comparison functions return it: below 0, 0 or above 0. This is all that differs between open and closed. It also
// serves where times are not doubles.
static inline bool grz_ends_join(grz_interval_ends ends, int order)
{
    return order < 0 || (order == 0 && ends == GRZ_ENDS_CLOSED);
}

// Add an interval. An open one from a time to the same time is empty. False if there is no memory.
bool grz_interval_set_add(grz_interval_set *set, const grz_allocator *allocator, double from, double to);

// True if one part holds from <= t <= to, and some time before and after as well.
bool grz_interval_set_surrounds(const grz_interval_set *set, double from, double to);

void grz_interval_set_finish(grz_interval_set *set, const grz_allocator *allocator);

#endif
