// SPDX-License-Identifier: MIT
// grz_move_intervals(): checks what was asked, and gives the intervals to the caller.
#include "ask/move/translation/spans.h"
#include "base/call.h"
#include "base/fail.h"

static uint32_t face_of(const grz_object *object, uint32_t triangle)
{
    return triangle == UINT32_MAX ? GRZ_NO_FACE : grz_mesh_triangle_face(object->mesh, triangle);
}

static void set_interval(const grz_path *path, const grz_span *span, grz_contact_interval *out)
{
    const grz_object *a = path->a, *b = path->b;
    *out = (grz_contact_interval){.enter = span->enter.time.nearest,
                                  .leave = span->leave.time.nearest,
                                  .enter_lower = span->enter.time.lower,
                                  .enter_upper = span->enter.time.upper,
                                  .leave_lower = span->leave.time.lower,
                                  .leave_upper = span->leave.time.upper,
                                  .enter_face_a = face_of(a, span->enter.a),
                                  .enter_face_b = face_of(b, span->enter.b),
                                  .leave_face_a = face_of(a, span->leave.a),
                                  .leave_face_b = face_of(b, span->leave.b)};
}

static grz_status find(grz_move_call *call, const grz_path *path, grz_contact_interval *intervals, uint64_t most,
                       uint64_t *found)
{
    grz_spans spans;
    const grz_status status = grz_spans_find(call, path, NULL, &spans);
    for (size_t i = 0; i < spans.found.count && i < most; i++)
        set_interval(path, &spans.found.items[i], &intervals[i]);
    *found = status == GRZ_OK ? spans.found.count : 0;
    grz_spans_finish(&spans, call);
    return status;
}

grz_status grz_move_intervals(grz_device *device, const grz_object *a, const double to_a[3], const grz_object *b,
                              const double to_b[3], const grz_move_options *options, grz_contact_interval *intervals,
                              uint64_t most, uint64_t *found, grz_error *error)
{
    grz_move_call call;
    grz_object here[2];
    grz_path path;
    uint64_t ignored = 0;
    found = found != NULL ? found : &ignored;
    *found = 0;
    if (to_a == NULL || (intervals == NULL && most > 0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "move intervals: %s NULL",
                        to_a == NULL ? "to_a is" : "the intervals are");
    grz_status status = grz_move_begin(&call, "move intervals", device, options, error);
    if (status == GRZ_OK)
        status = grz_move_read_path(&call, a, to_a, b, to_b, here, &path);
    if (status == GRZ_OK)
        status = find(&call, &path, intervals, most, found);
    return grz_call_end(&call.frame, status);
}
