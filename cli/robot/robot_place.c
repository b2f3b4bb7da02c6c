// SPDX-License-Identifier: MIT
// Where the links are: each in its joint's frame on the link above it, from the root outwards.
#include "robot/robot.h"

static bool follows(const robot_model *r, size_t joint)
{
    return r->joints[joint].mimic != ROBOT_NONE;
}

// The reading has seen that nobody follows itself.
static double value_of(const robot_model *r, const double *values, size_t joint)
{
    double factor = 1, sum = 0;
    for (; follows(r, joint); joint = r->joints[joint].mimic) {
        sum += factor * r->joints[joint].offset;
        factor *= r->joints[joint].multiplier;
    }
    return factor * values[joint] + sum;
}

robot_frame robot_joint_motion(const robot_joint *joint, double value)
{
    switch (joint->kind) {
    case ROBOT_REVOLUTE:
    case ROBOT_CONTINUOUS:
        return frame_about(joint->axis, value);
    case ROBOT_PRISMATIC:
        return frame_along(joint->axis, value);
    case ROBOT_FIXED:
    case ROBOT_FLOATING:
    case ROBOT_PLANAR:
    case ROBOT_SPHERICAL:
        break;
    }
    return frame_identity();
}

void robot_place(const robot_model *r, double *values, robot_frame *links)
{
    for (size_t i = 0; i < r->joint_count; i++)
        if (!follows(r, i) && (r->joints[i].kind == ROBOT_FIXED || r->joints[i].kind > ROBOT_PRISMATIC))
            values[i] = 0;
    for (size_t i = 0; i < r->joint_count; i++)
        if (follows(r, i))
            values[i] = value_of(r, values, i);
    for (size_t i = 0; i < r->link_count; i++) {
        const size_t link = r->order[i], above = r->links[link].joint;
        if (above == ROBOT_NONE) {
            links[link] = frame_identity();
            continue;
        }
        const robot_joint *joint = &r->joints[above];
        const robot_frame at_zero = frame_combine(&links[joint->parent], &joint->origin);
        const robot_frame moved = robot_joint_motion(joint, values[above]);
        links[link] = frame_combine(&at_zero, &moved);
    }
}
