// SPDX-License-Identifier: MIT
// grz_penetration_along(): checks what was asked, classifies the solids, and turns the time that frees A into a length.
#include <graze/penetration.h>

#include <math.h>
#include <string.h>

#include "ask/penetration/depth.h"
#include "base/call.h"
#include "base/fail.h"

static grz_status check_direction(const double direction[3], grz_error *error)
{
    bool zero = true;
    for (int k = 0; k < 3; k++) {
        if (!(fabs(direction[k]) <= 0x1p300)) // so that squares do not overflow
            return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                            "penetration along: the direction is not finite, or beyond 2^300");
        zero = zero && direction[k] == 0.0;
    }
    if (zero)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "penetration along: the direction is zero");
    return GRZ_OK;
}

static grz_status find(grz_move_call *call, const grz_object *a, const grz_object *b, const double direction[3],
                       grz_penetration_answer *answer)
{
    grz_object here[2];
    grz_overlapping start = {.reason = NULL};
    uint32_t parting[2];
    grz_status status = check_direction(direction, call->frame.error);
    if (status == GRZ_OK)
        status = grz_move_check(call, a, NULL, "A", 0, &here[0]);
    if (status == GRZ_OK)
        status = grz_move_check(call, b, NULL, "B", 1, &here[1]);
    if (status == GRZ_OK)
        status = grz_overlapping_find(call, &here[0], &here[1], &start);
    if (status == GRZ_OK && grz_solids_overlap(start.solids))
        status = grz_overlapping_find_surfaces(call, &here[0], &here[1], &start);
    if (status == GRZ_OK)
        status = grz_depth_along(call, &here[0], &here[1], &start, direction, HUGE_VAL, answer, parting);
    grz_overlapping_finish(call, &start);
    return status;
}

grz_status grz_penetration_along(grz_device *device, const grz_object *a, const grz_object *b,
                                 const double direction[3], const grz_move_options *options,
                                 grz_penetration_answer *answer, grz_error *error)
{
    grz_move_call call;
    if (answer != NULL)
        *answer = grz_penetration_nothing;
    if (answer == NULL || direction == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "penetration along: the %s is NULL",
                        answer == NULL ? "answer" : "direction");
    grz_status status = grz_move_begin(&call, "penetration along", device, options, error);
    if (status == GRZ_OK)
        status = find(&call, a, b, direction, answer);
    if (status != GRZ_OK)
        *answer = grz_penetration_nothing;
    return grz_call_end(&call.frame, status);
}
