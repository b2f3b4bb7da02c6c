// SPDX-License-Identifier: MIT
// The inverse of a pose, by the adjugate of its linear part after scaling. Rounded: no query uses it to decide
// anything.
#include <math.h>

#include "base/fail.h"
#include "base/fp_guard.h"
#include "geometry/pose.h"
#include "geometry/vector.h"

bool grz_pose_invert_linear(const grz_pose *pose, double columns[3][3])
{
    double m[3][3], row[3], column[3];
    for (int i = 0; i < 3; i++) {
        row[i] = fmax(fmax(fabs(pose->m[i][0]), fabs(pose->m[i][1])), fabs(pose->m[i][2]));
        for (int j = 0; j < 3; j++)
            m[i][j] = pose->m[i][j] / row[i];
    }
    for (int j = 0; j < 3; j++) {
        column[j] = fmax(fmax(fabs(m[0][j]), fabs(m[1][j])), fabs(m[2][j]));
        for (int i = 0; i < 3; i++)
            m[i][j] /= column[j];
    }
    for (int i = 0; i < 3; i++)
        grz_cross(m[(i + 1) % 3], m[(i + 2) % 3], columns[i]);
    const double determinant = (m[0][0] * columns[0][0] + m[0][1] * columns[0][1]) + m[0][2] * columns[0][2];
    if (!(fabs(determinant) > 0x1p-40)) // NaN where a row or a column is zero
        return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            columns[i][j] = columns[i][j] / determinant / column[j] / row[i];
    return true;
}

// False: it has none, or one with numbers that are not finite.
static bool invert(const grz_pose *pose, grz_pose *inverse)
{
    double columns[3][3];
    if (!grz_pose_invert_linear(pose, columns))
        return false;
    bool finite = true;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            inverse->m[i][j] = columns[j][i];
        const double *m = inverse->m[i];
        inverse->m[i][3] = -((m[0] * pose->m[0][3] + m[1] * pose->m[1][3]) + m[2] * pose->m[2][3]);
        for (int j = 0; j < 4; j++) {
            inverse->m[i][j] += 0.0; // no -0
            finite = finite && isfinite(m[j]);
        }
    }
    return finite;
}

grz_status grz_pose_inverse(const grz_pose *pose, grz_pose *inverse, grz_error *error)
{
    grz_pose found;
    if (pose == NULL || inverse == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "pose inverse: %s is NULL",
                        pose == NULL ? "pose" : "inverse");
    const grz_fp_state fp = grz_fp_enter();
    const bool has_one = invert(pose, &found);
    grz_fp_leave(fp);
    if (!has_one)
        return grz_fail(error, GRZ_ERROR_POSE, GRZ_NO_ELEMENT,
                        "pose inverse: the pose is singular, nearly so, or not finite, and has no inverse");
    *inverse = found;
    return GRZ_OK;
}

bool grz_pose_relative(const grz_pose *of, const grz_pose *pose, grz_pose *relative)
{
    double columns[3][3];
    bool finite = true;
    if (!grz_pose_invert_linear(of, columns))
        return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++)
                sum += columns[k][i] * (j < 3 ? pose->m[k][j] : pose->m[k][3] - of->m[k][3]);
            relative->m[i][j] = sum;
            finite = finite && isfinite(sum);
        }
    return finite;
}

bool grz_pose_mirrors(const grz_pose *pose)
{
    double across[3];
    grz_cross(pose->m[1], pose->m[2], across);
    return grz_dot(pose->m[0], across) < 0.0;
}
