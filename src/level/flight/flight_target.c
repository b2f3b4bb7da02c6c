// SPDX-License-Identifier: MIT
// Where an object is that moves along a parabola and turns evenly about its centre: grz_flight_pose(). Turning is a
// rotation matrix of axis and angle (O. Rodrigues, 1840) applied to the pose's columns. docs/use/flight.md, "Objects
// that move", counts what is rounded.
#include "level/flight/flight_target.h"

#include <math.h>

#include "base/fail.h"
#include "base/fp_guard.h"
#include "base/rounding.h"
#include "geometry/functions/functions.h"
#include "geometry/pose.h"
#include "geometry/vector.h"

static const double LARGEST = 0x1p100; // of what the caller gives, as <graze/flight.h> says

// ---- Checks -------------------------------------------------------------------------------------------------------

static grz_status check_vector(const double v[3], const char *name, uint32_t number, grz_error *error)
{
    for (int k = 0; k < 3; k++)
        if (!(fabs(v[k]) <= LARGEST))
            return grz_fail(error, GRZ_ERROR_ARGUMENT, number,
                            "flight: the %s[%d] of the motion of object %u is %g, must be finite and at most 2^100 in "
                            "magnitude",
                            name, k, number, v[k]);
    return GRZ_OK;
}

grz_status grz_flight_motion_check(const grz_flight_motion *motion, uint32_t number, grz_error *error)
{
    if (!(fabs(motion->since) <= LARGEST))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, number,
                        "flight: the motion of object %u is since %g, must be finite and at most 2^100 in magnitude",
                        number, motion->since);
    grz_status status = check_vector(motion->velocity, "velocity", number, error);
    if (status == GRZ_OK)
        status = check_vector(motion->acceleration, "acceleration", number, error);
    if (status == GRZ_OK)
        status = check_vector(motion->spin, "spin", number, error);
    if (status == GRZ_OK)
        status = check_vector(motion->centre, "centre", number, error);
    return status;
}

static bool is_zero(const double v[3])
{
    return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0;
}

bool grz_flight_motion_is_rest(const grz_flight_motion *motion)
{
    return is_zero(motion->velocity) && is_zero(motion->acceleration) && is_zero(motion->spin);
}

// ---- Making -------------------------------------------------------------------------------------------------------

static double length_of(const double v[3])
{
    return sqrt(grz_dot(v, v));
}

// The distance of the centre from the farthest corner of the mesh's box, posed.
static double radius_of(const grz_flight_target *target, const grz_box *bounds)
{
    double most = 0.0;
    for (int i = 0; i < 8; i++) {
        double corner[3], world[3];
        for (int k = 0; k < 3; k++)
            corner[k] = (i >> k & 1) != 0 ? bounds->max[k] : bounds->min[k];
        grz_world_position(&target->pose, corner, world);
        for (int k = 0; k < 3; k++)
            world[k] -= target->centre[k];
        most = fmax(most, length_of(world));
    }
    return most;
}

void grz_flight_target_set(grz_flight_target *target, uint32_t number, const grz_object *object, const grz_box *bounds,
                           const grz_flight_motion *motion)
{
    *target = (grz_flight_target){.object = number, .motion = *motion, .pose = object->pose, .box = grz_box_empty()};
    grz_world_position(&target->pose, motion->centre, target->centre);
    if (!is_zero(motion->spin)) {
        target->rate = length_of(motion->spin);
        for (int k = 0; k < 3; k++)
            target->axis[k] = motion->spin[k];
        grz_make_unit(target->axis);
    }
    if (bounds == NULL)
        return;
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        const double *m = target->pose.m[i];
        double row = fabs(m[3]);
        for (int j = 0; j < 3; j++)
            row += fabs(m[j]) * fmax(fabs(bounds->min[j]), fabs(bounds->max[j]));
        target->size = fmax(target->size, row);
        sum += row + fabs(target->centre[i]);
    }
    target->box = grz_world_box(&target->pose, bounds);
    if (target->rate == 0.0)
        return;
    target->size = 8.0 * sum; // docs/use/flight.md, "Objects that move"
    // Of the corners' places: 2^-49 of that is 128 roundings of the sum.
    target->radius = radius_of(target, bounds) * GRZ_MORE(8192) + target->size * 0x1p-49;
    target->box = grz_box_empty();
    grz_box_add_point(&target->box, target->centre);
    target->box = grz_box_grown(&target->box, target->radius * GRZ_MORE(8192));
}

// ---- Where and how fast -------------------------------------------------------------------------------------------

void grz_flight_target_displacement(const grz_flight_target *target, double age, double out[3])
{
    const grz_flight_motion *m = &target->motion;
    for (int k = 0; k < 3; k++)
        out[k] = age * (m->velocity[k] + age * (0.5 * m->acceleration[k]));
}

static void turn_about(const double axis[3], double sine, double cosine, const double v[3], double out[3])
{
    double across[3];
    grz_cross(axis, v, across);
    const double along = (1.0 - cosine) * grz_dot(axis, v);
    for (int k = 0; k < 3; k++)
        out[k] = cosine * v[k] + (sine * across[k] + along * axis[k]);
}

void grz_flight_target_turned(const grz_flight_target *target, double age, grz_pose *pose)
{
    double sine, cosine;
    *pose = target->pose;
    if (target->rate == 0.0 || age == 0.0)
        return;
    grz_sines(target->rate * age, &sine, &cosine);
    for (int j = 0; j < 4; j++) {
        double column[3], turned[3];
        for (int i = 0; i < 3; i++)
            column[i] = j == 3 ? target->pose.m[i][3] - target->centre[i] : target->pose.m[i][j];
        turn_about(target->axis, sine, cosine, column, turned);
        for (int i = 0; i < 3; i++)
            pose->m[i][j] = j == 3 ? target->centre[i] + turned[i] : turned[i];
    }
}

void grz_flight_target_pose(const grz_flight_target *target, double age, grz_pose *pose)
{
    double far[3];
    grz_flight_target_turned(target, age, pose);
    grz_flight_target_displacement(target, age, far);
    for (int i = 0; i < 3; i++)
        pose->m[i][3] += far[i];
}

void grz_flight_target_flow(const grz_flight_target *target, double age, const double point[3], double velocity[3],
                            double acceleration[3])
{
    const grz_flight_motion *m = &target->motion;
    double far[3], arm[3], turning[3], inwards[3];
    grz_flight_target_displacement(target, age, far);
    for (int k = 0; k < 3; k++)
        arm[k] = point[k] - (target->centre[k] + far[k]);
    grz_cross(m->spin, arm, turning);
    grz_cross(m->spin, turning, inwards);
    for (int k = 0; k < 3; k++) {
        velocity[k] = m->velocity[k] + age * m->acceleration[k] + turning[k];
        acceleration[k] = m->acceleration[k] + inwards[k];
    }
}

double grz_flight_target_size(const grz_flight_target *target, double age, double clock)
{
    const grz_flight_motion *m = &target->motion;
    const double a = fabs(age), faster = length_of(m->acceleration), first = length_of(m->velocity),
                 turning = target->rate * target->radius;
    return target->size + a * (first + a * faster) + turning * a + (first + a * faster + turning) * clock;
}

// ---- The call -----------------------------------------------------------------------------------------------------

static grz_status pose_at(const grz_object *object, const grz_flight_motion *motion, double time, grz_pose *pose,
                          grz_error *error)
{
    grz_flight_target target;
    if (object == NULL || pose == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "flight: the %s is NULL",
                        object == NULL ? "object" : "pose");
    if (!(fabs(time) <= LARGEST))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "flight: the time is %g, must be finite and at most 2^100 in magnitude", time);
    const grz_status status = motion != NULL ? grz_flight_motion_check(motion, 0, error) : GRZ_OK;
    if (status != GRZ_OK)
        return status;
    if (motion == NULL || grz_flight_motion_is_rest(motion)) {
        *pose = object->pose;
        return GRZ_OK;
    }
    grz_flight_target_set(&target, 0, object, NULL, motion);
    grz_flight_target_pose(&target, time - motion->since, pose);
    return GRZ_OK;
}

grz_status grz_flight_pose(const grz_object *object, const grz_flight_motion *motion, double time, grz_pose *pose,
                           grz_error *error)
{
    const grz_fp_state fp = grz_fp_enter();
    const grz_status status = pose_at(object, motion, time, pose, error);
    grz_fp_leave(fp);
    return status;
}
