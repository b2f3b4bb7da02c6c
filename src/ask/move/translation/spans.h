// SPDX-License-Identifier: MIT
// All times at which the surfaces of two objects touch while one moves: closed intervals, exactly.
#ifndef GRZ_ASK_MOVE_TRANSLATION_SPANS_H
#define GRZ_ASK_MOVE_TRANSLATION_SPANS_H

#include "ask/move/translation/follow.h"
#include "geometry/interval/interval.h"
#include "geometry/sweep/meeting.h"
#include "inside/solids/surface.h"

// Two triangles that touch, for one of the ends of an interval.
typedef struct grz_span_end {
    uint32_t a, b; // triangles; UINT32_MAX at the start and the end of the path
    grz_time_rounded time;
} grz_span_end;

// They touch from one time to the other.
typedef struct grz_span {
    grz_span_end enter, leave;
} grz_span;

typedef struct grz_spans {
    GRZ_ARRAY(grz_span) found; // from the first to the last
    uint64_t compared;
} grz_spans;

// Find the closed intervals in which some pair of triangles touches: all of them. Or, if the surfaces of both where the
// path begins are given, and clean: the open ones in which a pair of triangles proves that the solids overlap, as it
// crosses, or as the two lie on each other with their insides on the same side. There may be more such times.
// Call grz_spans_finish() in any case.
grz_status grz_spans_find(grz_move_call *call, const grz_path *path, const grz_posed_surface surfaces[2],
                          grz_spans *spans);

// The exact time of an end that is a pair's.
void grz_span_end_time(const grz_path *path, const grz_span_end *at, grz_meeting_end end, grz_time *time);

void grz_spans_finish(grz_spans *spans, grz_move_call *call);

#endif
