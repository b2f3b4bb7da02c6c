// SPDX-License-Identifier: MIT
// grz_footsteps_correct(): each foot is raised by the reach and comes down until it touches a floor. That is one exact
// motion for each floor, and it tells both how deep the foot is and how high it hovers.
#include <graze/footsteps.h>

#include <graze/motion.h>

#include <math.h>
#include <string.h>

#include "base/certainty.h"
#include "base/clock.h"
#include "base/control.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/fp_guard.h"
#include "base/options.h"
#include "geometry/vector.h"
#include "level/footsteps/smooth.h"
#include "level/vector_check.h"

static const double LARGEST = 0x1p100;
static const double ROUNDING = 0x1p-50; // of the numbers of a motion: what its ends are off by

static const grz_options_type options_type = {"grz_footsteps_options", "grz_default_footsteps_options()",
                                              sizeof(grz_footsteps_options),
                                              GRZ_MEMBER_END(grz_footsteps_options, reach)};
static const grz_footsteps_options defaults = {
    .size = sizeof(grz_footsteps_options), .up = {0.0, 0.0, 1.0}, .slope = HUGE_VAL};

void grz_footsteps_options_init(grz_footsteps_options *options, size_t size)
{
    grz_options_init(&options_type, &defaults, options, size);
}

static grz_status refuse(grz_error *error, const char *what)
{
    return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "footsteps: %s", what);
}

static grz_status read_options(const grz_footsteps_options *given, grz_footsteps_options *o, grz_error *error)
{
    *o = defaults;
    const grz_status status =
        given != NULL ? grz_options_read(&options_type, "footsteps", "options", given, o, error) : GRZ_OK;
    if (status != GRZ_OK)
        return status;
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
    if (!(o->deadline >= 0.0))
        return refuse(error, "options.deadline is negative or not a number");
    return GRZ_OK;
}

typedef struct walk {
    grz_device *device;
    const grz_footsteps_options *options;
    grz_control *control;
    grz_error *error;
} walk;

// An object of the caller's, named by its number in errors.
static grz_status name_element(const walk *w, grz_status status, uint64_t number)
{
    if (status != GRZ_OK && w->error != NULL)
        w->error->element = number;
    return status;
}

static grz_move_options move_options(const walk *w)
{
    grz_move_options options = grz_default_move_options();
    options.cancel = w->options->cancel;
    options.memory_limit = w->options->memory_limit;
    options.deadline = grz_control_time_left(w->control);
    return options;
}

// Let a foot come down on one floor.
static grz_status come_down(const walk *w, const grz_object *foot, uint64_t frame, const grz_object *floor,
                            uint32_t number, grz_footstep *step)
{
    const double reach = w->options->reach;
    const grz_move_options options = move_options(w);
    grz_object raised = *foot;
    grz_move_answer answer;
    double to[3], size = reach;
    for (int k = 0; k < 3; k++) {
        raised.pose.m[k][3] += reach * w->options->up[k];
        to[k] = foot->pose.m[k][3] - reach * w->options->up[k];
        size = fmax(size, fmax(fabs(raised.pose.m[k][3]), fabs(to[k])));
    }
    const grz_status status = grz_move(w->device, &raised, to, floor, NULL, &options, &answer, w->error);
    if (status != GRZ_OK) // grz_move() names A, the foot, by 0 and B by 1
        return name_element(w, status, w->error != NULL && w->error->element == 1 ? number : frame);
    if (!answer.contact)
        return GRZ_OK;
    if (answer.lower == 0.0)
        return grz_fail(
            w->error, GRZ_ERROR_ARGUMENT, frame,
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

static grz_status find_steps(const walk *w, const grz_object *feet, uint64_t count, const grz_object *floors,
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
            if (grz_control_expired(w->control))
                return grz_control_explain(w->control, grz_control_status(w->control), "the footsteps", w->error);
            const grz_status status = come_down(w, &feet[i], i, &floors[j], j, &steps[i]);
            if (status != GRZ_OK)
                return status;
        }
    }
    return GRZ_OK;
}

// `steps` and `corrections` are working memory.
static grz_status correct(const walk *w, const grz_object *feet, uint64_t count, const grz_object *floors,
                          uint32_t floor_count, grz_footstep *steps, double *corrections)
{
    const uint8_t *planted = w->options->planted;
    const grz_status status = find_steps(w, feet, count, floors, floor_count, steps);
    if (status != GRZ_OK)
        return status;
    for (uint64_t i = 0; i < count; i++) {
        const bool stands = planted != NULL && planted[i] != 0 && steps[i].upper > -HUGE_VAL;
        corrections[i] = stands ? steps[i].upper : fmax(steps[i].upper, 0.0);
    }
    grz_footsteps_smooth(corrections, planted, count, w->options->slope, w->options->cyclic);
    for (uint64_t i = 0; i < count; i++)
        steps[i].correction = corrections[i] + 0.0; // no -0
    return GRZ_OK;
}

static grz_status allocate_and_correct(const walk *w, const grz_object *feet, uint64_t count, const grz_object *floors,
                                       uint32_t floor_count, grz_footstep *steps)
{
    const grz_allocator *allocator = grz_control_allocator(w->control);
    grz_footstep *made = grz_allocate(allocator, count, sizeof *made);
    double *corrections = grz_allocate(allocator, count, sizeof *corrections);
    grz_status status = GRZ_ERROR_MEMORY;
    if (made != NULL && corrections != NULL)
        status = correct(w, feet, count, floors, floor_count, made, corrections);
    else
        grz_control_explain(w->control, status, "the footsteps", w->error);
    if (status == GRZ_OK)
        memcpy(steps, made, count * sizeof *steps);
    grz_release(allocator, made, count, sizeof *made);
    grz_release(allocator, corrections, count, sizeof *corrections);
    return status;
}

static grz_status check_and_correct(grz_device *device, const grz_object *feet, uint64_t count,
                                    const grz_object *floors, uint32_t floor_count, const grz_footsteps_options *given,
                                    grz_footstep *steps, grz_error *error)
{
    grz_footsteps_options options;
    grz_control control;
    const walk w = {device, &options, &control, error};
    const double start = grz_clock_seconds();
    if (device == NULL || (count > 0 && (feet == NULL || steps == NULL)) || (floor_count > 0 && floors == NULL))
        return refuse(error, device == NULL               ? "the device is NULL"
                             : count > 0 && feet == NULL  ? "the feet are NULL"
                             : count > 0 && steps == NULL ? "the steps are NULL"
                                                          : "the floors are NULL");
    const grz_status status = read_options(given, &options, error);
    if (status != GRZ_OK || count == 0)
        return status;
    grz_control_init(&control, grz_device_allocator(device), start);
    control.cancel = options.cancel;
    control.deadline = options.deadline;
    control.memory_limit = options.memory_limit;
    const grz_status ended = allocate_and_correct(&w, feet, count, floors, floor_count, steps);
    return grz_control_name_deadline(&control, ended, error);
}

grz_status grz_footsteps_correct(grz_device *device, const grz_object *feet, uint64_t count, const grz_object *floors,
                                 uint32_t floor_count, const grz_footsteps_options *options, grz_footstep *steps,
                                 grz_error *error)
{
    const grz_fp_state fp = grz_fp_enter();
    const grz_status status = check_and_correct(device, feet, count, floors, floor_count, options, steps, error);
    grz_fp_leave(fp);
    return status;
}
