// SPDX-License-Identifier: MIT
// Poses: making them from translations and quaternions, checking that they keep coordinates in range, applying them to
// boxes.
#include "geometry/pose.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/fp_guard.h"
#include "base/lanes.h"
#include "geometry/functions/functions.h"

// The order of summation decides about the last bits of a bound. Half the limit is far enough from them.
static const double HALF_MAX = 0.5 * GRZ_MAX_COORDINATE;

grz_pose grz_pose_identity(void)
{
    return grz_pose_from_translation(0.0, 0.0, 0.0);
}

grz_pose grz_pose_from_translation(double x, double y, double z)
{
    return (grz_pose){{{1.0, 0.0, 0.0, x}, {0.0, 1.0, 0.0, y}, {0.0, 0.0, 1.0, z}}};
}

// Scale the quaternion by a power of two so that its largest component is in [1/2, 1). Then no square overflows, and
// the sum of squares does not underflow.
static void scale_quaternion(const double quaternion[4], double largest, double out[4])
{
    int exponent;
    assert(largest > 0.0);
    frexp(largest, &exponent);
    for (int i = 0; i < 4; i++)
        out[i] = ldexp(quaternion[i], -exponent);
}

void grz_pose_set_turn(const double quaternion[4], grz_pose *pose)
{
    const double x = quaternion[0], y = quaternion[1], z = quaternion[2], w = quaternion[3];
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

// The quaternion is normalised here.
static void rotation_from_quaternion(const double quaternion[4], double largest, grz_pose *pose)
{
    double q[4];
    scale_quaternion(quaternion, largest, q);
    const double length = sqrt(((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] /= length;
    grz_pose_set_turn(q, pose);
}

// All of grz_pose_from_quaternion() that must run under the floating-point guard. That includes the comparisons:
// comparing a subnormal number sets an exception flag, and the caller must not see that.
static grz_status pose_from_quaternion(const double translation[3], const double quaternion[4], grz_pose *pose,
                                       grz_error *error)
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

grz_status grz_pose_from_quaternion(const double translation[3], const double quaternion[4], grz_pose *pose,
                                    grz_error *error)
{
    if (translation == NULL || quaternion == NULL || pose == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "pose: a NULL argument");
    const grz_fp_state fp = grz_fp_enter();
    const grz_status status = pose_from_quaternion(translation, quaternion, pose, error);
    grz_fp_leave(fp);
    return status;
}

void grz_sine_cosine(double angle, double *sine, double *cosine)
{
    const grz_fp_state fp = grz_fp_enter();
    double s, c;
    grz_sines(angle, &s, &c);
    if (sine != NULL)
        *sine = s;
    if (cosine != NULL)
        *cosine = c;
    grz_fp_leave(fp);
}

grz_pose grz_pose_product(grz_pose outer, grz_pose inner)
{
    grz_pose product;
    const grz_fp_state fp = grz_fp_enter();
    for (int i = 0; i < 3; i++) {
        const double *m = outer.m[i];
        for (int j = 0; j < 4; j++)
            product.m[i][j] = (m[0] * inner.m[0][j] + m[1] * inner.m[1][j]) + m[2] * inner.m[2][j];
        product.m[i][3] += m[3];
    }
    grz_fp_leave(fp);
    return product;
}

void grz_pose_apply(grz_pose pose, const double point[3], double world[3])
{
    if (point == NULL || world == NULL)
        return;
    const grz_fp_state fp = grz_fp_enter();
    const double from[3] = {point[0], point[1], point[2]};
    grz_world_position(&pose, from, world);
    grz_fp_leave(fp);
}

grz_object grz_object_at_origin(const grz_mesh *mesh)
{
    return (grz_object){.mesh = mesh,
                        .pose = {{{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}}},
                        .group = 1,
                        .mask = UINT32_MAX};
}

grz_object grz_object_at(const grz_mesh *mesh, grz_pose pose)
{
    return (grz_object){.mesh = mesh, .pose = pose, .user = NULL, .group = 1, .mask = UINT32_MAX};
}

static inline grz_f64x4 column_of(const grz_pose *pose, int j)
{
    return grz_f64x4_of(pose->m[0][j], pose->m[1][j], pose->m[2][j], 0.0);
}

// What column j of the pose adds to the smallest and the largest world coordinates of a box.
static inline void range_of_column(const grz_pose *pose, int j, const grz_box *box, grz_f64x4 *low, grz_f64x4 *high)
{
    const grz_f64x4 column = column_of(pose, j);
    const grz_f64x4 at_min = grz_f64x4_multiply(column, grz_f64x4_splat(box->min[j]));
    const grz_f64x4 at_max = grz_f64x4_multiply(column, grz_f64x4_splat(box->max[j]));
    *low = grz_f64x4_min(at_min, at_max);
    *high = grz_f64x4_max(at_min, at_max);
}

// All rows at once, by the operations of grz_world_range().
grz_box grz_world_box(const grz_pose *pose, const grz_box *box)
{
    grz_f64x4 low[3], high[3];
    double min[4], max[4];
    if (grz_box_is_empty(box))
        return grz_box_empty();
    range_of_column(pose, 0, box, &low[0], &high[0]);
    range_of_column(pose, 1, box, &low[1], &high[1]);
    range_of_column(pose, 2, box, &low[2], &high[2]);
    const grz_f64x4 t = column_of(pose, 3);
    grz_f64x4_store(min, grz_f64x4_add(grz_f64x4_add(grz_f64x4_add(low[0], low[1]), low[2]), t));
    grz_f64x4_store(max, grz_f64x4_add(grz_f64x4_add(grz_f64x4_add(high[0], high[1]), high[2]), t));
    return (grz_box){{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
}

// Whether all bytes are zero. Nobody means such a pose: it is a structure that was zeroed and never filled in. (A
// pose with a -0 in it was computed.)
static bool is_zeroed(const grz_pose *pose)
{
    static const grz_pose zeroed;
    return memcmp(pose, &zeroed, sizeof zeroed) == 0;
}

// True if the pose is certainly in order. Every query asks this of every object, so it is short: a number that is not
// finite makes the sum of the bounds of all rows infinite or not a number, and a pose whose first row has a number that
// is not 0 was not just zeroed.
static bool is_ordinary(const grz_pose *pose, const double max_abs[3])
{
    const double *first = pose->m[0];
    const grz_f64x4 sizes =
        grz_f64x4_add(grz_f64x4_add(grz_f64x4_abs(grz_f64x4_load(first)), grz_f64x4_abs(grz_f64x4_load(pose->m[1]))),
                      grz_f64x4_abs(grz_f64x4_load(pose->m[2])));
    double bounds[4];
    grz_f64x4_store(bounds, grz_f64x4_multiply(sizes, grz_f64x4_of(max_abs[0], max_abs[1], max_abs[2], 1.0)));
    return (bounds[0] + bounds[1]) + (bounds[2] + bounds[3]) <= HALF_MAX &&
           (first[0] != 0.0 || first[1] != 0.0 || first[2] != 0.0);
}

grz_status grz_pose_check(const grz_pose *pose, const double max_abs[3], grz_error *error)
{
    if (is_ordinary(pose, max_abs))
        return GRZ_OK;
    if (is_zeroed(pose))
        return grz_fail(
            error, GRZ_ERROR_POSE, GRZ_NO_ELEMENT,
            "pose: all numbers are 0; start from grz_pose_identity(), or make the object by grz_object_at_origin() or "
            "grz_object_at()");
    for (int i = 0; i < 3; i++) {
        const double *m = pose->m[i];
        double bound = fabs(m[3]); // of the magnitude of this world coordinate
        for (int j = 0; j < 3; j++) {
            if (!isfinite(m[j]))
                return grz_fail(error, GRZ_ERROR_POSE, GRZ_NO_ELEMENT, "pose: row %d, column %d is not finite", i, j);
            bound += fabs(m[j]) * max_abs[j];
        }
        if (!(bound <= GRZ_MAX_COORDINATE))
            return grz_fail(error, GRZ_ERROR_POSE, GRZ_NO_ELEMENT,
                            "pose: row %d carries coordinates past 2^300 (or is not finite)", i);
    }
    return GRZ_OK;
}
