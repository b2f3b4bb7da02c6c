// SPDX-License-Identifier: MIT
// Posed positions. grz_world_position() *defines* the world position of a vertex, and every code path uses it (or the
// same operations in the same order), so all of them get the same bits. See docs/reference/numbers.md, "Positions and
// poses".
#ifndef GRZ_GEOMETRY_POSE_H
#define GRZ_GEOMETRY_POSE_H

#include <assert.h>
#include <graze/object.h>

#include "geometry/box.h"

// For each row: fl(fl(fl(fl(m0·x) + fl(m1·y)) + fl(m2·z)) + t), where fl rounds to the nearest double. No fused
// multiply-add.
static inline void grz_world_position(const grz_pose *pose, const double p[3], double world[3])
{
    for (int i = 0; i < 3; i++) {
        const double *m = pose->m[i];
        world[i] = ((m[0] * p[0] + m[1] * p[1]) + m[2] * p[2]) + m[3];
    }
}

// The smallest and largest value of one world coordinate over all points of a box: one row of grz_world_box(). The box
// is not empty.
static inline void grz_world_range(const grz_pose *pose, int axis, const grz_box *box, double *min, double *max)
{
    const double *m = pose->m[axis];
    double low[3], high[3];
    for (int j = 0; j < 3; j++) {
        assert(box->min[j] <= box->max[j]);
        const double at_min = m[j] * box->min[j], at_max = m[j] * box->max[j];
        low[j] = at_min < at_max ? at_min : at_max;
        high[j] = at_min < at_max ? at_max : at_min;
    }
    *min = ((low[0] + low[1]) + low[2]) + m[3];
    *max = ((high[0] + high[1]) + high[2]) + m[3];
}

// An AABB that contains the world position of every point of `box`, rounding included. No margin is needed: every
// rounded operation is monotone in its operands, so the same operations on the ends of the box bound all results in
// between.
grz_box grz_world_box(const grz_pose *pose, const grz_box *box);

// Check a pose for a mesh whose coordinates are at most max_abs[] in magnitude. GRZ_ERROR_POSE if the pose is not
// finite or could move the mesh beyond 2^300.
grz_status grz_pose_check(const grz_pose *pose, const double max_abs[3], grz_error *error);

// Set the linear part to the rotation by a quaternion x, y, z, w of length 1: 1 - 2(yy + zz), 2(xy - zw), …
void grz_pose_set_turn(const double quaternion[4], grz_pose *pose);

// The inverse of a pose's linear part, its columns. Rows, then columns are brought to size 1 first, so that what
// stretches one axis much more than another has one, too. False where the determinant is 2^-40 or less after that, or
// no number: few digits of the inverse would be right.
bool grz_pose_invert_linear(const grz_pose *pose, double columns[3][3]);

// An object's pose seen from another object's coordinates: the inverse of `of`, then `pose`. False: `of` has no
// inverse.
bool grz_pose_relative(const grz_pose *of, const grz_pose *pose, grz_pose *relative);

// True if a pose turns a mesh inside out, so that the faces seen from outside are wound clockwise.
bool grz_pose_mirrors(const grz_pose *pose);

#endif
