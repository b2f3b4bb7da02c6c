// SPDX-License-Identifier: MIT
// The calls for shapes alone.
#include "ask/shape/request.h"

#include <math.h>

#include "ask/shape/compare.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/fp_guard.h"
#include "base/options.h"

static const grz_options_type options_type = {"grz_shape_options", "grz_default_shape_options()",
                                              sizeof(grz_shape_options), GRZ_MEMBER_END(grz_shape_options, depth)};
static const grz_shape_options defaults = {.size = sizeof(grz_shape_options), .depth = true};

void grz_shape_options_init(grz_shape_options *options, size_t size)
{
    grz_options_init(&options_type, &defaults, options, size);
}

grz_status grz_shape_request(grz_device *device, const grz_shape_options *given, grz_shape_options *options,
                             grz_control *control, double start, grz_error *error)
{
    *options = defaults;
    if (device == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "shape: the device is NULL");
    const grz_status status =
        given != NULL ? grz_options_read(&options_type, "shape", "options", given, options, error) : GRZ_OK;
    if (status != GRZ_OK)
        return status;
    if (!(options->deadline >= 0.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "shape: options.deadline is negative or not a number");
    grz_control_init(control, grz_device_allocator(device), start);
    control->cancel = options->cancel;
    control->deadline = options->deadline;
    control->memory_limit = options->memory_limit;
    return GRZ_OK;
}

const grz_shape_answer grz_shape_nothing = {
    .relation = GRZ_SHAPES_UNDECIDED, .certainty = GRZ_UNDECIDED, .upper = HUGE_VAL, .depth_upper = HUGE_VAL};

grz_status grz_shapes_compare_two(const grz_shape *a, const grz_shape *b, const grz_shape_options *options,
                                  grz_control *control, grz_shape_answer *answer, grz_error *error)
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

static grz_status compare(grz_device *device, const grz_shape *a, const grz_shape *b, const grz_shape_options *given,
                          grz_shape_answer *answer, grz_error *error)
{
    grz_shape_options options;
    grz_control control;
    const grz_status status = grz_shape_request(device, given, &options, &control, 0.0, error);
    return status == GRZ_OK ? grz_shapes_compare_two(a, b, &options, &control, answer, error) : status;
}

grz_status grz_shapes_compare(grz_device *device, const grz_shape *a, const grz_shape *b,
                              const grz_shape_options *options, grz_shape_answer *answer, grz_error *error)
{
    if (answer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "shape: the answer is NULL");
    *answer = grz_shape_nothing;
    const grz_fp_state fp = grz_fp_enter();
    const grz_status status = compare(device, a, b, options, answer, error);
    grz_fp_leave(fp);
    return status;
}
