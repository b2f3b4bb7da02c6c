// SPDX-License-Identifier: MIT
// Transforms a collision box into an object's own coordinates, by the inverse of its pose. Source: J. Dinerstein, P.
// Egbert, "Practical collision detection in rendering hardware for two complex 3D polygon objects" (2002), section 3.2.
#include <graze/slices.h>

#include "base/fail.h"
#include "base/fp_guard.h"
#include "geometry/pose.h"

static void apply(double columns[3][3], const double v[3], double out[3])
{
    for (int j = 0; j < 3; j++)
        out[j] = (columns[0][j] * v[0] + columns[1][j] * v[1]) + columns[2][j] * v[2];
}

grz_status grz_collision_box_in_object(const grz_collision_box *box, const grz_object *object, grz_collision_box *out,
                                       grz_error *error)
{
    double columns[3][3], from[3];
    if (box == NULL || object == NULL || out == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "collision box: the box, the object or the place for the answer is NULL");
    const grz_fp_state fp = grz_fp_enter();
    const grz_collision_box world = *box;
    const bool invertible = grz_pose_invert_linear(&object->pose, columns);
    if (invertible) {
        for (int i = 0; i < 3; i++)
            from[i] = world.corner[i] - object->pose.m[i][3];
        apply(columns, from, out->corner);
        for (int edge = 0; edge < 3; edge++)
            apply(columns, world.edge[edge], out->edge[edge]);
        out->cells = world.cells;
    }
    grz_fp_leave(fp);
    return invertible
               ? GRZ_OK
               : grz_fail(error, GRZ_ERROR_POSE, GRZ_NO_ELEMENT, "collision box: the object's pose has no inverse");
}
