// SPDX-License-Identifier: MIT
// Where the links are: each in its joint's frame on the link above it, from the root outwards.
#include "arithmetic.h"
#include "robot/frame.h"

#include "control.h"

#include <math.h>
#include <stdio.h>

static bool follows(const grz_io_robot *r, size_t joint)
{
    return r->joints[joint].mimic != GRZ_IO_NONE;
}

static bool stays(const grz_io_joint *joint)
{
    return joint->kind == GRZ_IO_JOINT_FIXED || joint->kind > GRZ_IO_JOINT_PRISMATIC;
}

// The reading has seen that nobody follows itself.
static double value_of(const grz_io_robot *r, const double *values, size_t joint)
{
    double factor = 1, sum = 0;
    for (; follows(r, joint); joint = r->joints[joint].mimic) {
        sum += factor * r->joints[joint].offset;
        factor *= r->joints[joint].multiplier;
    }
    return factor * values[joint] + sum;
}

static void place(const grz_io_robot *r, double *values, grz_io_frame *links)
{
    for (size_t i = 0; i < r->joint_count; i++)
        if (!follows(r, i) && stays(&r->joints[i]))
            values[i] = 0;
    for (size_t i = 0; i < r->joint_count; i++)
        if (follows(r, i))
            values[i] = value_of(r, values, i);
    for (size_t i = 0; i < r->link_count; i++) {
        const size_t link = r->order[i], above = r->links[link].joint;
        if (above == GRZ_IO_NONE) {
            links[link] = grz_io_frame_identity();
            continue;
        }
        const grz_io_joint *joint = &r->joints[above];
        const grz_io_frame at_zero = grz_io_combine_frames(&links[joint->parent], &joint->origin);
        const grz_io_frame moved = grz_io_move_joint(joint, values[above]);
        links[link] = grz_io_combine_frames(&at_zero, &moved);
    }
}

grz_status grz_io_robot_place(const grz_io_robot *robot, double *values, grz_io_frame *links, grz_error *error)
{
    static const char call[] = "place robot";
    if (robot == NULL || links == NULL || (values == NULL && robot->joint_count > 0))
        return grz_io_refuse(call, "robot, values or links is NULL", error);
    for (size_t i = 0; i < robot->joint_count; i++) {
        char reason[REASON_SIZE];
        if (follows(robot, i) || stays(&robot->joints[i]) || isfinite(values[i]))
            continue;
        (void)snprintf(reason, sizeof reason, "the value of joint %.100s is not finite", robot->joints[i].name);
        return grz_io_explain(GRZ_ERROR_ARGUMENT, i, call, reason, error);
    }
    double none[1] = {0}; // of a robot without joints
    const fp_state before = grz_io_fp_enter();
    place(robot, values != NULL ? values : none, links);
    grz_io_fp_leave(before);
    return GRZ_OK;
}
