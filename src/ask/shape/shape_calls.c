// SPDX-License-Identifier: MIT
// The calls for shapes alone.
#include "ask/shape/shape_request.h"

#include <math.h>

#include "ask/shape/compare.h"
#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"

static const grz_shape_options defaults = {.size = sizeof(grz_shape_options), .depth = true, .face_angle = 0.1};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(shape_options, defaults);

void grz_shape_options_init(grz_shape_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

grz_status grz_shape_begin(grz_call *call, const char *name, grz_device *device, const grz_shape_options *given,
                           grz_shape_options *options, grz_error *error)
{
    return grz_call_begin(call, name, device, &options_type, given, options, error);
}

const grz_shape_answer grz_shape_nothing = {
    .relation = GRZ_SHAPES_UNDECIDED, .certainty = GRZ_UNDECIDED, .upper = HUGE_VAL, .depth_upper = HUGE_VAL};

grz_status grz_shapes_compare_two(const grz_shape *a, const grz_shape *b, const grz_shape_options *options,
                                  grz_control *control, grz_shape_answer *answer, grz_error *error)
{
    return grz_shapes_compare_and(a, b, options, control, answer, NULL, NULL, error);
}

grz_status grz_shapes_compare_and(const grz_shape *a, const grz_shape *b, const grz_shape_options *options,
                                  grz_control *control, grz_shape_answer *answer, grz_shape_pair_use use, void *context,
                                  grz_error *error)
{
    grz_placed_shape first, second;
    grz_status status = grz_placed_read("shape", a, "shape A", 0, control, &first, error);
    if (status != GRZ_OK)
        return status;
    status = grz_placed_read("shape", b, "shape B", 1, control, &second, error);
    if (status == GRZ_OK) {
        grz_place place;
        if (grz_shapes_choose_place(&first, &second, &place)) {
            grz_shape_pair pair;
            grz_convex_place(&first.convex, place.origin, place.scale);
            grz_convex_place(&second.convex, place.origin, place.scale);
            grz_shapes_join(&first, &second, &place, &pair);
            const grz_shape_relation relation = grz_shapes_relate(&pair, HUGE_VAL, options->depth);
            grz_shapes_describe(&pair, relation, options->exact_distance, options->depth, answer);
            if (use != NULL)
                use(&pair, options, context);
        } else
            status = grz_fail(error, GRZ_ERROR_UNSUPPORTED, first.endless && !second.endless ? 0 : 1,
                              first.endless && second.endless
                                  ? "shape: A and B are so nearly parallel that they are nearest beyond 2^300"
                                  : "shape: the direction of %s, as posed, is too short: the numbers of its pose "
                                    "cancel out",
                              first.endless ? "shape A" : "shape B");
        grz_placed_finish(&second, control);
    }
    grz_placed_finish(&first, control);
    return status;
}

grz_status grz_shapes_compare(grz_device *device, const grz_shape *a, const grz_shape *b,
                              const grz_shape_options *options, grz_shape_answer *answer, grz_error *error)
{
    grz_call call;
    grz_shape_options read;
    if (answer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "shape: the answer is NULL");
    *answer = grz_shape_nothing;
    grz_status status = grz_shape_begin(&call, "shape", device, options, &read, error);
    if (status == GRZ_OK)
        status = grz_shapes_compare_two(a, b, &read, &call.control, answer, error);
    return grz_call_end(&call, status);
}
