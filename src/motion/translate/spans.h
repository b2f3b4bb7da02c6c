// SPDX-License-Identifier: MIT
// All times at which the surfaces of two objects touch while one moves: closed intervals, exactly.
#ifndef GRZ_MOTION_TRANSLATE_SPANS_H
#define GRZ_MOTION_TRANSLATE_SPANS_H

#include "geometry/sweep/meeting.h"
#include "motion/translate/follow.h"

// Two triangles that touch, for one of the ends of an interval.
typedef struct grz_span_end {
    uint32_t a, b; // triangles; UINT32_MAX at the start and the end of the path
    grz_time_rounded time;
} grz_span_end;

// They touch from one time to the other.
typedef struct grz_span {
    grz_span_end enter, leave;
} grz_span;

// Find the intervals, from the first to the last. *spans: `count` of them, in memory of the call's allocator;
// grz_spans_finish() frees it, also after a failure.
typedef struct grz_spans {
    GRZ_ARRAY(grz_span) found;
    uint64_t compared;
} grz_spans;

grz_status grz_spans_find(grz_move_call *call, const grz_path *path, grz_spans *spans);
void grz_spans_finish(grz_spans *spans, grz_move_call *call);

#endif
