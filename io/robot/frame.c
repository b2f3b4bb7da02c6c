// SPDX-License-Identifier: MIT
#include "robot/frame.h"

#include "arithmetic.h"

#include <math.h>

static void normalise(double q[4])
{
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// v + 2w (u × v) + 2 u × (u × v), where u is the quaternion's vector: exact for no turn.
static void turn_vector(const double q[4], const double v[3], double out[3])
{
    double once[3], twice[3];
    cross(q, v, once);
    cross(q, once, twice);
    for (int i = 0; i < 3; i++)
        out[i] = v[i] + 2 * (q[3] * once[i] + twice[i]);
}

grz_io_frame grz_io_combine_frames(const grz_io_frame *outer, const grz_io_frame *inner)
{
    const double *p = outer->quaternion, *q = inner->quaternion;
    grz_io_frame product;
    turn_vector(p, inner->translation, product.translation);
    for (int i = 0; i < 3; i++)
        product.translation[i] += outer->translation[i];
    product.quaternion[0] = p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1];
    product.quaternion[1] = p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0];
    product.quaternion[2] = p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3];
    product.quaternion[3] = p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2];
    normalise(product.quaternion);
    return product;
}

// A turn by `angle` radians about an axis of unit length.
static grz_io_frame turn_about(const double axis[3], double angle)
{
    double s, c;
    grz_io_sines(angle / 2, &s, &c);
    grz_io_frame turned = {.quaternion = {axis[0] * s, axis[1] * s, axis[2] * s, c}};
    normalise(turned.quaternion);
    return turned;
}

static grz_io_frame shift_along(const double axis[3], double way)
{
    grz_io_frame moved = grz_io_frame_identity();
    for (int i = 0; i < 3; i++)
        moved.translation[i] = axis[i] * way;
    return moved;
}

grz_io_frame grz_io_frame_of_origin(const double xyz[3], const double rpy[3])
{
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    grz_io_frame frame = grz_io_frame_identity();
    for (int i = 2; i >= 0; i--) {
        const grz_io_frame turned = turn_about(axes[i], rpy[i]);
        frame = grz_io_combine_frames(&frame, &turned);
    }
    for (int i = 0; i < 3; i++)
        frame.translation[i] = xyz[i];
    return frame;
}

grz_io_frame grz_io_move_joint(const grz_io_joint *joint, double value)
{
    switch (joint->kind) {
    case GRZ_IO_JOINT_REVOLUTE:
    case GRZ_IO_JOINT_CONTINUOUS:
        return turn_about(joint->axis, value);
    case GRZ_IO_JOINT_PRISMATIC:
        return shift_along(joint->axis, value);
    case GRZ_IO_JOINT_FIXED:
    case GRZ_IO_JOINT_FLOATING:
    case GRZ_IO_JOINT_PLANAR:
    case GRZ_IO_JOINT_SPHERICAL:
        break;
    }
    return grz_io_frame_identity();
}

// ---- the public functions, in round-to-nearest whatever the caller has set

grz_io_frame grz_io_frame_product(grz_io_frame outer, grz_io_frame inner)
{
    const fp_state before = grz_io_fp_enter();
    const grz_io_frame product = grz_io_combine_frames(&outer, &inner);
    grz_io_fp_leave(before);
    return product;
}

grz_io_frame grz_io_frame_from_rpy(const double xyz[3], const double rpy[3])
{
    const fp_state before = grz_io_fp_enter();
    const grz_io_frame frame = grz_io_frame_of_origin(xyz, rpy);
    grz_io_fp_leave(before);
    return frame;
}

grz_io_frame grz_io_joint_motion(const grz_io_joint *joint, double value)
{
    const fp_state before = grz_io_fp_enter();
    const grz_io_frame moved = grz_io_move_joint(joint, value);
    grz_io_fp_leave(before);
    return moved;
}
