// SPDX-License-Identifier: MIT
// The bound. Let P be the pose's linear part, t its translation, and L any matrix, meant to be the inverse of P. Let x
// be a point of the surface, e the rounding of its world position, and w = P·x + t + e + d with |d| <= reach. Then
//     L·(w - t) = L·P·x + L·(e + d) = x + E·x + L·(e + d)   with E = L·P - 1,
// so that |L·(w - t) - x| <= |E|·|x| + |L|·(|e| + reach), and the rounding of L·(w - t) itself comes on top. E is
// computed in doubles, with its rounding. Nothing depends on how good an inverse L is: a bad one only makes the slack
// large.
#include "filter/lookup/seen_from.h"

#include <math.h>

#include "geometry/pose.h"

// Bounds of the rounding of a few operations, relative to the sum of the magnitudes; and of underflows.
static const double ROUNDING = 0x1p-50, UNDERFLOW = 0x1p-1060;
static const double LARGEST_SLACK = 0x1p900;

grz_seen_from grz_seen_from_object(const grz_object *object, double reach, const double largest[3])
{
    const grz_pose *pose = &object->pose;
    const double *size = object->mesh->max_abs;
    grz_seen_from seen;
    double columns[3][3], moved[3]; // moved: a bound of |e| + reach
    for (int i = 0; i < 3; i++) {
        seen.at[i] = pose->m[i][3];
        seen.slack[i] = HUGE_VAL;
    }
    const bool has_inverse = grz_pose_invert_linear(pose, columns);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            seen.back[i][j] = has_inverse ? columns[j][i] : (double)(i == j);
    if (!has_inverse)
        return seen;
    for (int j = 0; j < 3; j++) {
        const double *m = pose->m[j];
        const double sum = fabs(m[0]) * size[0] + fabs(m[1]) * size[1] + fabs(m[2]) * size[2] + fabs(m[3]);
        moved[j] = reach + sum * ROUNDING + UNDERFLOW;
    }
    for (int i = 0; i < 3; i++) {
        double slack = UNDERFLOW;
        for (int j = 0; j < 3; j++) {
            const double *l = seen.back[i];
            const double p[3] = {pose->m[0][j], pose->m[1][j], pose->m[2][j]};
            const double wrong = fabs(((l[0] * p[0] + l[1] * p[1]) + l[2] * p[2]) - (double)(i == j));
            const double terms = fabs(l[0] * p[0]) + fabs(l[1] * p[1]) + fabs(l[2] * p[2]) + 1.0;
            slack += (wrong + terms * ROUNDING + UNDERFLOW) * size[j]; // |E| · |x|
            slack += fabs(l[j]) * moved[j];
            slack += fabs(l[j]) * (largest[j] + fabs(seen.at[j])) * ROUNDING + fabs(l[j]) * UNDERFLOW;
        }
        slack *= 1.0 + 0x1p-40;
        // Below this the points are finite as well. What is no number becomes infinite, too.
        seen.slack[i] = slack < LARGEST_SLACK ? slack : HUGE_VAL;
    }
    return seen;
}

void grz_seen_from_point(const grz_seen_from *seen, const double world[3], double point[3])
{
    double from[3];
    for (int j = 0; j < 3; j++)
        from[j] = world[j] - seen->at[j];
    for (int i = 0; i < 3; i++)
        point[i] = (seen->back[i][0] * from[0] + seen->back[i][1] * from[1]) + seen->back[i][2] * from[2];
}
