// SPDX-License-Identifier: MIT
// A moves, B rests: do their insides have common points at a given time?
#ifndef GRZ_MOTION_PENETRATION_OVERLAP_H
#define GRZ_MOTION_PENETRATION_OVERLAP_H

#include "motion/translate/follow.h"

typedef enum grz_overlap {
    GRZ_OVERLAP_NO,     // proved
    GRZ_OVERLAP_YES,    // proved
    GRZ_OVERLAP_UNKNOWN // rounding does not let it be decided
} grz_overlap;

// At one time. It is known to lie between `low` and `high`; these are equal if it is a double.
grz_status grz_overlap_at(grz_move_call *call, const grz_path *path, double low, double high, grz_overlap *overlap);

// At all times between two at which the surfaces touch, and between which they do not; the first is at most `after`,
// the second at least `before`. `clean`: neither surface meets itself.
grz_status grz_overlap_between(grz_move_call *call, const grz_path *path, double after, double before, bool clean,
                               grz_overlap *overlap);

#endif
