// SPDX-License-Identifier: MIT
// Collision volumes in an object's own coordinates, by the adjugate of its pose. Source: J. Dinerstein, P. Egbert, section 3.2.
#include <graze/slices.h>

#include <math.h>

#include "base/fail.h"
#include "base/fp_guard.h"

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// The inverse of a pose's linear part, its columns. Rows, then columns are brought to size 1 first, so that what stretches one axis
// much more than another has one, too. False: it has none, as far as doubles tell.
static bool invert(const grz_pose *pose, double columns[3][3])
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
        cross(m[(i + 1) % 3], m[(i + 2) % 3], columns[i]);
    const double determinant = (m[0][0] * columns[0][0] + m[0][1] * columns[0][1]) + m[0][2] * columns[0][2];
    if (!(fabs(determinant) > 0x1p-40)) // NaN where a row or a column is zero
        return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            columns[i][j] = columns[i][j] / determinant / column[j] / row[i];
    return true;
}

static void apply(double columns[3][3], const double v[3], double out[3])
{
    for (int j = 0; j < 3; j++)
        out[j] = (columns[0][j] * v[0] + columns[1][j] * v[1]) + columns[2][j] * v[2];
}

grz_status grz_volume_in_object(const grz_volume *volume, const grz_object *object, grz_volume *out, grz_error *error)
{
    double columns[3][3], from[3];
    if (volume == NULL || object == NULL || out == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "volume: the volume, the object or the place for the answer is NULL");
    const grz_fp_state fp = grz_fp_enter();
    const grz_volume world = *volume;
    const bool invertible = invert(&object->pose, columns);
    if (invertible) {
        for (int i = 0; i < 3; i++)
            from[i] = world.corner[i] - object->pose.m[i][3];
        apply(columns, from, out->corner);
        for (int edge = 0; edge < 3; edge++)
            apply(columns, world.edge[edge], out->edge[edge]);
        out->cells = world.cells;
    }
    grz_fp_leave(fp);
    return invertible ? GRZ_OK : grz_fail(error, GRZ_ERROR_POSE, GRZ_NO_ELEMENT, "volume: the object's pose has no inverse");
}
