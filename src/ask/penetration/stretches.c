// SPDX-License-Identifier: MIT
#include "ask/penetration/stretches.h"

#include "ask/move/translation/spans.h"
#include "base/call.h"

static void set_instant(const grz_path *path, const grz_span_end *end, grz_meeting_end which, grz_instant *out)
{
    out->at = end->time;
    if (!grz_instant_is_double(out))
        grz_span_end_time(path, end, which, &out->exact);
}

grz_status grz_stretches_find(grz_move_call *call, const grz_path *path, const grz_posed_surface surfaces[2],
                              grz_stretches *out)
{
    const grz_allocator *allocator = grz_control_allocator(&call->frame.control);
    grz_spans spans;
    grz_status status = grz_spans_find(call, path, surfaces, &spans);
    for (size_t i = 0; i < spans.found.count && status == GRZ_OK; i++) {
        const grz_span *span = &spans.found.items[i];
        if (!grz_array_add(allocator, out)) {
            status = grz_call_explain(&call->frame, GRZ_ERROR_MEMORY);
            break;
        }
        grz_stretch *to = &out->items[out->count - 1];
        set_instant(path, &span->enter, GRZ_MEETING_ENTER, &to->enter);
        set_instant(path, &span->leave, GRZ_MEETING_LEAVE, &to->leave);
        to->enter_a = span->enter.a;
        to->enter_b = span->enter.b;
        to->a = span->leave.a;
        to->b = span->leave.b;
    }
    grz_spans_finish(&spans, call);
    return status;
}
