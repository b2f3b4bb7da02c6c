// SPDX-License-Identifier: MIT
// An exact time of one path.
#ifndef GRZ_ASK_PENETRATION_MOMENT_INSTANT_H
#define GRZ_ASK_PENETRATION_MOMENT_INSTANT_H

#include <stdlib.h>

#include "geometry/sweep/meeting.h"

typedef struct grz_instant {
    grz_time_rounded at; // all three are equal if it is a double
    grz_time exact;      // set if it is no double
} grz_instant;

static inline bool grz_instant_is_double(const grz_instant *instant)
{
    return instant->at.lower == instant->at.upper;
}

static inline void grz_instant_set(grz_instant *instant, double time)
{
    instant->at = (grz_time_rounded){time, time, time};
}

// Reduce the fraction if it equals one of small numbers. Exact times come with large common factors.
void grz_time_shorten(grz_time *time);

// A time strictly between two: a double of few digits if there is one, else a fraction. The first is before the second.
// False if numbers would be longer than GRZ_MAX_LIMBS.
bool grz_instant_between(const grz_instant *before, const grz_instant *after, grz_instant *between);

// -1, 0 or 1.
static inline int grz_instants_compare(const grz_instant *x, const grz_instant *y)
{
    if (x->at.lower == y->at.lower && x->at.upper == y->at.upper)
        return grz_instant_is_double(x) ? 0 : grz_times_compare(&x->exact, &y->exact);
    return x->at.upper <= y->at.lower ? -1 : 1; // a time that is no double is strictly between two
}

#endif
