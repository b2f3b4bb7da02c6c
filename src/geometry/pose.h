// SPDX-License-Identifier: MIT
// Where a posed mesh is. grz_world_position() is the definition of a vertex's place; every path uses it and no other.
#ifndef GRZ_GEOMETRY_POSE_H
#define GRZ_GEOMETRY_POSE_H

#include <graze/object.h>

#include "geometry/box.h"

// fl(fl(fl(fl(m0·x) + fl(m1·y)) + fl(m2·z)) + t) a row, never fused (docs/numbers.md).
static inline void grz_world_position(const grz_pose *pose, const double p[3], double world[3])
{
    for (int i = 0; i < 3; i++) {
        const double *m = pose->m[i];
        world[i] = ((m[0] * p[0] + m[1] * p[1]) + m[2] * p[2]) + m[3];
    }
}

// Bounds of one coordinate of the world positions of a box's points: a row of grz_world_box(). The box is not empty.
static inline void grz_world_range(const grz_pose *pose, int axis, const grz_box *box, double *min, double *max)
{
    const double *m = pose->m[axis];
    double low[3], high[3];
    for (int j = 0; j < 3; j++) {
        const double at_min = m[j] * box->min[j], at_max = m[j] * box->max[j];
        low[j] = at_min < at_max ? at_min : at_max;
        high[j] = at_min < at_max ? at_max : at_min;
    }
    *min = ((low[0] + low[1]) + low[2]) + m[3];
    *max = ((high[0] + high[1]) + high[2]) + m[3];
}

// A box that holds the world position of every point of `box`. No margin is needed: each rounded operation is monotone in its
// operands, so the same operations on the box's ends bound them on everything between.
grz_box grz_world_box(const grz_pose *pose, const grz_box *box);

// GRZ_OK, or GRZ_ERROR_POSE where the pose is not finite or could carry a mesh whose coordinates reach `max_abs` past 2^300.
grz_status grz_pose_check(const grz_pose *pose, const double max_abs[3], grz_error *error);

#endif
