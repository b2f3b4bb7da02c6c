// SPDX-License-Identifier: MIT
// Poses: made from translations and quaternions, checked against the coordinates' range, applied to boxes.
#include "geometry/pose.h"

#include <math.h>

#include "base/fail.h"
#include "base/fp_guard.h"

grz_pose grz_pose_identity(void)
{
    return grz_pose_from_translation(0.0, 0.0, 0.0);
}

grz_pose grz_pose_from_translation(double x, double y, double z)
{
    return (grz_pose){{{1.0, 0.0, 0.0, x}, {0.0, 1.0, 0.0, y}, {0.0, 0.0, 1.0, z}}};
}

// The quaternion scaled so that its largest component lies in [1/2, 1): its squares neither overflow nor vanish.
static void scale_quaternion(const double quaternion[4], double largest, double out[4])
{
    int exponent;
    frexp(largest, &exponent);
    for (int i = 0; i < 4; i++)
        out[i] = ldexp(quaternion[i], -exponent);
}

static void rotation_from_quaternion(const double quaternion[4], double largest, grz_pose *pose)
{
    double q[4];
    scale_quaternion(quaternion, largest, q);
    const double length = sqrt(((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3]);
    const double x = q[0] / length, y = q[1] / length, z = q[2] / length, w = q[3] / length;
    pose->m[0][0] = 1.0 - 2.0 * (y * y + z * z);
    pose->m[0][1] = 2.0 * (x * y - z * w);
    pose->m[0][2] = 2.0 * (x * z + y * w);
    pose->m[1][0] = 2.0 * (x * y + z * w);
    pose->m[1][1] = 1.0 - 2.0 * (x * x + z * z);
    pose->m[1][2] = 2.0 * (y * z - x * w);
    pose->m[2][0] = 2.0 * (x * z - y * w);
    pose->m[2][1] = 2.0 * (y * z + x * w);
    pose->m[2][2] = 1.0 - 2.0 * (x * x + y * y);
}

// The whole of grz_pose_from_quaternion(), under the floating-point guard: even comparing a subnormal number leaves a mark in the
// environment.
static grz_status pose_from_quaternion(const double translation[3], const double quaternion[4], grz_pose *pose, grz_error *error)
{
    double largest = 0.0;
    for (int i = 0; i < 4; i++) {
        if (!isfinite(quaternion[i]))
            return grz_fail(error, GRZ_ERROR_POSE, GRZ_NO_ELEMENT, "pose: quaternion component %d is not finite", i);
        largest = fabs(quaternion[i]) > largest ? fabs(quaternion[i]) : largest;
    }
    if (largest == 0.0)
        return grz_fail(error, GRZ_ERROR_POSE, GRZ_NO_ELEMENT, "pose: the quaternion is zero, which is no rotation");
    for (int i = 0; i < 3; i++)
        if (!isfinite(translation[i]))
            return grz_fail(error, GRZ_ERROR_POSE, GRZ_NO_ELEMENT, "pose: translation component %d is not finite", i);
    rotation_from_quaternion(quaternion, largest, pose);
    for (int i = 0; i < 3; i++)
        pose->m[i][3] = translation[i];
    return GRZ_OK;
}

grz_status grz_pose_from_quaternion(const double translation[3], const double quaternion[4], grz_pose *pose, grz_error *error)
{
    if (translation == NULL || quaternion == NULL || pose == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "pose: a NULL argument");
    const grz_fp_state fp = grz_fp_enter();
    const grz_status status = pose_from_quaternion(translation, quaternion, pose, error);
    grz_fp_leave(fp);
    return status;
}

grz_object grz_object_at_origin(const grz_mesh *mesh)
{
    return (grz_object){.mesh = mesh, .pose = grz_pose_identity(), .user = NULL, .group = 1, .mask = UINT32_MAX};
}

grz_box grz_world_box(const grz_pose *pose, const grz_box *box)
{
    grz_box world;
    if (grz_box_is_empty(box))
        return grz_box_empty();
    for (int i = 0; i < 3; i++)
        grz_world_range(pose, i, box, &world.min[i], &world.max[i]);
    return world;
}

grz_status grz_pose_check(const grz_pose *pose, const double max_abs[3], grz_error *error)
{
    for (int i = 0; i < 3; i++) {
        const double *m = pose->m[i];
        double reach = fabs(m[3]);
        for (int j = 0; j < 3; j++) {
            if (!isfinite(m[j]))
                return grz_fail(error, GRZ_ERROR_POSE, GRZ_NO_ELEMENT, "pose: row %d, column %d is not finite", i, j);
            reach += fabs(m[j]) * max_abs[j];
        }
        if (!(reach <= GRZ_MAX_COORDINATE))
            return grz_fail(error, GRZ_ERROR_POSE, GRZ_NO_ELEMENT, "pose: row %d carries coordinates past 2^300 (or is not finite)",
                            i);
    }
    return GRZ_OK;
}
