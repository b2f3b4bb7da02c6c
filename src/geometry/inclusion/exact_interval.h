// SPDX-License-Identifier: MIT
// Do two features meet in a short interval of time? Decided by signs of polynomials in exact arithmetic.
#ifndef GRZ_GEOMETRY_INCLUSION_EXACT_INTERVAL_H
#define GRZ_GEOMETRY_INCLUSION_EXACT_INTERVAL_H

#include "geometry/inclusion/nearest_point.h"

typedef enum grz_interval_answer {
    GRZ_INTERVAL_FREE,    // no contact in [from, to]
    GRZ_INTERVAL_CONTACT, // a contact in [from, to]
    GRZ_INTERVAL_OPEN     // the signs do not tell
} grz_interval_answer;

// 0 <= from < to <= 1. Slow (some 10 microseconds), for what rounded arithmetic cannot decide.
grz_interval_answer grz_decide_interval(const grz_feature_pair *m, const grz_patch *patch, double from, double to);

#endif
