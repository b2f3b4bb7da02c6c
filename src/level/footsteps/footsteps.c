// SPDX-License-Identifier: MIT
// grz_footsteps_correct(): each foot is raised by the reach and comes down until it touches a floor. That is one exact
// motion for each floor, and it tells both how deep the foot is and how high it hovers.
#include <graze/footsteps.h>

#include <graze/move.h>

#include <math.h>
#include <string.h>

#include "base/call.h"
#include "base/certainty.h"
#include "base/control.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"
#include "geometry/vector.h"
#include "level/footsteps/smooth.h"
#include "level/vector_check.h"

static const double LARGEST = 0x1p100;  // of `reach`; chosen, as the largest coordinate of movers
static const double ROUNDING = 0x1p-50; // of the numbers of a motion: what its ends are off by

static const grz_footsteps_options defaults = {
    .size = sizeof(grz_footsteps_options), .up = {0.0, 0.0, 1.0}, .slope = HUGE_VAL};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(footsteps_options, defaults);

void grz_footsteps_options_init(grz_footsteps_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

static grz_status refuse(grz_error *error, const char *what)
{
    return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "footsteps: %s", what);
}

static grz_status check_options(grz_footsteps_options *o, grz_error *error)
{
    if (!(o->reach > 0.0 && o->reach <= LARGEST))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "footsteps: options.reach is %g, must be above 0 and at most 2^100", o->reach);
    const grz_status finite = grz_vector_check("footsteps", "options.up", o->up, error);
    if (finite != GRZ_OK)
        return finite;
    if (!grz_make_unit(o->up))
        return refuse(error, "options.up is (0, 0, 0)");
    if (!(o->slope >= 0.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "footsteps: options.slope is %g, must be 0 or above",
                        o->slope);
    return GRZ_OK;
}

typedef struct walk {
    grz_call call;
    grz_footsteps_options options;
} walk;

// An object of the caller's, named by its number in errors.
static grz_status name_element(walk *w, grz_status status, uint64_t number)
{
    if (status != GRZ_OK && w->call.error != NULL)
        w->call.error->element = number;
    return status;
}

static grz_move_options move_options(walk *w)
{
    grz_move_options options = grz_default_move_options();
    options.limits = grz_control_limits_left(&w->call.control);
    return options;
}

// Let a foot come down on one floor.
static grz_status come_down(walk *w, const grz_object *foot, uint64_t frame, const grz_object *floor, uint32_t number,
                            grz_footstep *step)
{
    const double reach = w->options.reach;
    const grz_move_options options = move_options(w);
    grz_object raised = *foot;
    grz_move_answer answer;
    double to[3], size = reach;
    for (int k = 0; k < 3; k++) {
        raised.pose.m[k][3] += reach * w->options.up[k];
        to[k] = foot->pose.m[k][3] - reach * w->options.up[k];
        size = fmax(size, fmax(fabs(raised.pose.m[k][3]), fabs(to[k])));
    }
    const grz_status status = grz_move(w->call.device, &raised, to, floor, NULL, &options, &answer, w->call.error);
    if (status != GRZ_OK) // grz_move() names A, the foot, by 0 and B by 1
        return name_element(w, status, w->call.error != NULL && w->call.error->element == 1 ? number : frame);
    if (!answer.has_contact)
        return GRZ_OK;
    if (answer.lower == 0.0)
        return grz_fail(
            w->call.error, GRZ_ERROR_ARGUMENT, frame,
            "footsteps: the foot of frame %llu touches floor %u, or is inside, at %g above its place (reach)",
            (unsigned long long)frame, number, reach);
    const double lower = reach - 2.0 * reach * answer.upper - ROUNDING * size,
                 upper = reach - 2.0 * reach * answer.lower + ROUNDING * size;
    if (!(upper > step->upper))
        return GRZ_OK;
    *step = (grz_footstep){.lift = reach - 2.0 * reach * answer.first_contact,
                           .lower = lower,
                           .upper = upper,
                           .certainty = grz_certainty_of_estimate(lower, upper),
                           .object = number,
                           .face_foot = answer.face_a,
                           .face_floor = answer.face_b};
    return GRZ_OK;
}

static grz_status find_steps(walk *w, const grz_object *feet, uint64_t count, const grz_object *floors,
                             uint32_t floor_count, grz_footstep *steps)
{
    for (uint64_t i = 0; i < count; i++) {
        steps[i] = (grz_footstep){.lift = -HUGE_VAL,
                                  .lower = -HUGE_VAL,
                                  .upper = -HUGE_VAL,
                                  .certainty = GRZ_EXACT,
                                  .face_foot = GRZ_NO_FACE,
                                  .face_floor = GRZ_NO_FACE};
        for (uint32_t j = 0; j < floor_count; j++) {
            if (grz_control_expired(&w->call.control))
                return grz_control_explain(&w->call.control, grz_control_status(&w->call.control), "the footsteps",
                                           w->call.error);
            const grz_status status = come_down(w, &feet[i], i, &floors[j], j, &steps[i]);
            if (status != GRZ_OK)
                return status;
        }
    }
    return GRZ_OK;
}

// `steps` and `corrections` are working memory.
static grz_status correct(walk *w, const grz_object *feet, uint64_t count, const grz_object *floors,
                          uint32_t floor_count, grz_footstep *steps, double *corrections)
{
    const uint8_t *planted = w->options.planted;
    const grz_status status = find_steps(w, feet, count, floors, floor_count, steps);
    if (status != GRZ_OK)
        return status;
    for (uint64_t i = 0; i < count; i++) {
        const bool stands = planted != NULL && planted[i] != 0 && steps[i].upper > -HUGE_VAL;
        corrections[i] = stands ? steps[i].upper : fmax(steps[i].upper, 0.0);
    }
    grz_footsteps_smooth(corrections, planted, count, w->options.slope, w->options.cyclic);
    for (uint64_t i = 0; i < count; i++)
        steps[i].correction = corrections[i] + 0.0; // no -0
    return GRZ_OK;
}

static grz_status allocate_and_correct(walk *w, const grz_object *feet, uint64_t count, const grz_object *floors,
                                       uint32_t floor_count, grz_footstep *steps)
{
    const grz_allocator *allocator = grz_control_allocator(&w->call.control);
    grz_footstep *found = grz_allocate(allocator, count, sizeof *found);
    double *corrections = grz_allocate(allocator, count, sizeof *corrections);
    grz_status status = GRZ_ERROR_MEMORY;
    if (found != NULL && corrections != NULL)
        status = correct(w, feet, count, floors, floor_count, found, corrections);
    else
        grz_control_explain(&w->call.control, status, "the footsteps", w->call.error);
    if (status == GRZ_OK)
        memcpy(steps, found, count * sizeof *steps);
    grz_release(allocator, found, count, sizeof *found);
    grz_release(allocator, corrections, count, sizeof *corrections);
    return status;
}

static grz_status check_and_correct(walk *w, const grz_object *feet, uint64_t count, const grz_object *floors,
                                    uint32_t floor_count, grz_footstep *steps)
{
    grz_error *error = w->call.error;
    if ((count > 0 && (feet == NULL || steps == NULL)) || (floor_count > 0 && floors == NULL))
        return refuse(error, count > 0 && feet == NULL    ? "the feet are NULL"
                             : count > 0 && steps == NULL ? "the steps are NULL"
                                                          : "the floors are NULL");
    const grz_status status = check_options(&w->options, error);
    return status == GRZ_OK && count > 0 ? allocate_and_correct(w, feet, count, floors, floor_count, steps) : status;
}

grz_status grz_footsteps_correct(grz_device *device, const grz_object *feet, uint64_t count, const grz_object *floors,
                                 uint32_t floor_count, const grz_footsteps_options *options, grz_footstep *steps,
                                 grz_error *error)
{
    walk w;
    grz_status status = grz_call_begin(&w.call, "footsteps", device, &options_type, options, &w.options, error);
    if (status == GRZ_OK)
        status = check_and_correct(&w, feet, count, floors, floor_count, steps);
    return grz_call_end(&w.call, status);
}
