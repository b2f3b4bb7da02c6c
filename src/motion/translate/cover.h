// SPDX-License-Identifier: MIT
// Times that are certainly covered: a sorted list of intervals that have no point in common.
#ifndef GRZ_MOTION_TRANSLATE_COVER_H
#define GRZ_MOTION_TRANSLATE_COVER_H

#include "base/memory.h"

typedef struct grz_cover_part {
    double from, to;
} grz_cover_part;

typedef struct grz_cover {
    GRZ_ARRAY(grz_cover_part) parts;
} grz_cover;

// Cover from <= t <= to as well. False if there is no memory.
bool grz_cover_add(grz_cover *cover, const grz_allocator *allocator, double from, double to);

// True if one part holds from <= t <= to, and some time before and after as well.
bool grz_cover_holds(const grz_cover *cover, double from, double to);

#endif
