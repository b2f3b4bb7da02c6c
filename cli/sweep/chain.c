// SPDX-License-Identifier: MIT
// Bounds of a chain of joints (docs/use/move_rigid.md, "Joints"). A point moves no faster than the sum of what each
// joint does to it. Its acceleration is a sum over pairs of joints: the outer joint's reach times both rates, if both
// turn; both rates, if the outer one shifts; nothing, if the inner one shifts.
#include "sweep/chain.h"

#include <math.h>
#include <stdlib.h>

static bool moves(const chain_view *view, size_t joint)
{
    return view->from[joint] != view->to[joint];
}

size_t chain_common_link(const grz_io_robot *robot, size_t a, size_t b)
{
    for (size_t above = a;; above = robot->joints[robot->links[above].joint].parent) {
        for (size_t other = b;; other = robot->joints[robot->links[other].joint].parent) {
            if (other == above)
                return above;
            if (robot->links[other].joint == GRZ_IO_NONE)
                break;
        }
        if (robot->links[above].joint == GRZ_IO_NONE)
            return above;
    }
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// How far a point is from an axis of unit length through the origin.
static double away_from(const double axis[3], const double p[3])
{
    const double cross[3] = {axis[1] * p[2] - axis[2] * p[1], axis[2] * p[0] - axis[0] * p[2],
                             axis[0] * p[1] - axis[1] * p[0]};
    return length_of(cross);
}

static bool pose_of(const chain *c, const grz_io_frame *frame, grz_pose *pose)
{
    if (grz_pose_from_quaternion(frame->translation, frame->quaternion, pose, NULL) != GRZ_OK)
        return false;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            pose->m[row][column] *= c->scale[column];
    return true;
}

// From the shape inwards: how far its points can be from each joint.
static void bound(chain *c, const grz_mesh *mesh)
{
    const grz_object whole = grz_object_at_origin(mesh);
    const double grown = 1.0 + 0x1p-40;
    double min[3], max[3], far = 0.0, sum = 0.0, angles = 0.0;
    grz_pose pose;

    if (grz_object_bounds(&whole, min, max, NULL) != GRZ_OK || !(min[0] <= max[0]) || !pose_of(c, &c->last, &pose))
        return; // no points
    for (int i = 0; i < 8; i++) {
        const double corner[3] = {(i & 1) != 0 ? max[0] : min[0], (i & 2) != 0 ? max[1] : min[1],
                                  (i & 4) != 0 ? max[2] : min[2]};
        double at[3];
        grz_pose_apply(pose, corner, at);
        far = fmax(far, length_of(at));
        if (c->count > 0)
            c->joints[c->count - 1].reach =
                fmax(c->joints[c->count - 1].reach, away_from(c->joints[c->count - 1].axis, at));
    }
    far *= grown;
    for (size_t i = c->count; i-- > 0;) { // `far`: from this joint's origin
        chain_joint *joint = &c->joints[i];
        const double most = fmax(fabs(joint->from), fabs(joint->to));
        if (i + 1 < c->count) {
            const double *shift = c->joints[i + 1].before.translation;
            joint->reach = away_from(joint->axis, shift) + far;
            far = (far + length_of(shift)) * grown;
        }
        joint->reach *= grown;
        if (joint->turns)
            angles = fmax(angles, most);
        else
            far += most;
        sum += length_of(joint->before.translation);
    }
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = i; k < c->count; k++) {
            const chain_joint *inner = &c->joints[i], *outer = &c->joints[k];
            if (!inner->turns || (i == k && !outer->turns))
                continue;
            const double part =
                fabs(inner->to - inner->from) * fabs(outer->to - outer->from) * (outer->turns ? outer->reach : 1.0);
            c->acceleration += (i == k ? part : 2.0 * part) * grown;
        }
    c->error = 0x1p-44 * (double)(c->count + 2) * (1.0 + angles) * (far + sum + length_of(c->last.translation));
}

bool chain_make(chain *out, const chain_view *view, const grz_io_collision *shape, const grz_mesh *mesh)
{
    const grz_io_robot *robot = view->robot;
    size_t depth = 0, *way = NULL;

    *out = (chain){.scale = {1.0, 1.0, 1.0}};
    for (size_t link = shape->link; link != view->above; link = robot->joints[robot->links[link].joint].parent)
        depth++;
    out->joints = calloc(depth + 1, sizeof *out->joints);
    way = calloc(depth + 1, sizeof *way);
    if (out->joints == NULL || way == NULL) {
        free(way);
        chain_finish(out);
        return false;
    }
    size_t at = depth;
    for (size_t link = shape->link; at > 0; link = robot->joints[way[at]].parent)
        way[--at] = robot->links[link].joint;
    grz_io_frame fixed = grz_io_frame_identity();
    for (size_t i = 0; i < depth; i++) {
        const grz_io_joint *joint = &robot->joints[way[i]];
        fixed = grz_io_frame_product(fixed, joint->origin);
        if (moves(view, way[i])) {
            out->joints[out->count++] = (chain_joint){.before = fixed,
                                                      .axis = {joint->axis[0], joint->axis[1], joint->axis[2]},
                                                      .turns = joint->kind != GRZ_IO_JOINT_PRISMATIC,
                                                      .from = view->from[way[i]],
                                                      .to = view->to[way[i]]};
            fixed = grz_io_frame_identity();
        } else {
            const grz_io_frame moved = grz_io_joint_motion(joint, view->from[way[i]]);
            fixed = grz_io_frame_product(fixed, moved);
        }
    }
    free(way);
    out->last = grz_io_frame_product(fixed, shape->origin);
    for (int k = 0; k < 3 && shape->kind == GRZ_IO_SHAPE_MESH; k++)
        out->scale[k] = shape->size[k];
    bound(out, mesh);
    return true;
}

void chain_finish(chain *c)
{
    free(c->joints);
    c->joints = NULL;
    c->count = 0;
}

// ---- as a motion

// A turn about the joint's axis, or a shift along it.
static grz_io_frame motion_of(const chain_joint *joint, bool turns, double value)
{
    const grz_io_joint moving = {.kind = turns ? GRZ_IO_JOINT_CONTINUOUS : GRZ_IO_JOINT_PRISMATIC,
                                 .axis = {joint->axis[0], joint->axis[1], joint->axis[2]}};
    return grz_io_joint_motion(&moving, value);
}

static grz_io_frame move_joint(const grz_io_frame *at, const chain_joint *joint, double t)
{
    const double value = t < 1.0 ? joint->from + t * (joint->to - joint->from) : joint->to;
    return grz_io_frame_product(*at, motion_of(joint, joint->turns, value));
}

static void write_pose(void *user, double t, grz_pose *pose)
{
    const chain *c = user;
    grz_io_frame frame = grz_io_frame_identity();
    for (size_t i = 0; i < c->count; i++) {
        frame = grz_io_frame_product(frame, c->joints[i].before);
        frame = move_joint(&frame, &c->joints[i], t);
    }
    frame = grz_io_frame_product(frame, c->last);
    if (!pose_of(c, &frame, pose))
        *pose = grz_pose_identity(); // not reached: the frame is finite
}

static double bound_travel(void *user, double from, double to)
{
    const chain *c = user;
    double sum = 0.0;
    for (size_t i = 0; i < c->count; i++)
        sum += fabs(c->joints[i].to - c->joints[i].from) * (c->joints[i].turns ? c->joints[i].reach : 1.0);
    return sum * (to - from);
}

static void write_velocity(void *user, double t, double velocity[3], double spin[3])
{
    const chain *c = user;
    grz_io_frame frame = grz_io_frame_identity();
    grz_pose pose;

    write_pose(user, t, &pose);
    for (size_t i = 0; i < c->count; i++) {
        const chain_joint *joint = &c->joints[i];
        const double rate = joint->to - joint->from;
        frame = grz_io_frame_product(frame, joint->before);
        const grz_io_frame tip = grz_io_frame_product(frame, motion_of(joint, false, 1.0));
        double axis[3], arm[3]; // the joint's axis, and from it to the shape's origin
        for (int k = 0; k < 3; k++) {
            axis[k] = tip.translation[k] - frame.translation[k];
            arm[k] = pose.m[k][3] - frame.translation[k];
        }
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            spin[k] += joint->turns ? rate * axis[k] : 0.0;
            velocity[k] += rate * (joint->turns ? axis[l] * arm[m] - axis[m] * arm[l] : axis[k]);
        }
        frame = move_joint(&frame, joint, t);
    }
}

grz_motion chain_motion(const chain *c)
{
    const grz_motion_path path = {.pose = write_pose,
                                  .travel = bound_travel,
                                  .velocity = write_velocity,
                                  .acceleration = c->acceleration,
                                  .error = c->error,
                                  .user = (void *)c};
    grz_pose pose;
    if (c->count > 0)
        return grz_motion_along(&path);
    write_pose((void *)c, 0.0, &pose);
    return grz_motion_rest(pose);
}
