// SPDX-License-Identifier: MIT
// The bound. Let P be the pose's linear part, t its translation, and L any matrix, meant to be the inverse of P. Let x
// be a point of the surface, e the rounding of its world position, and w = P·x + t + e + d with |d| <= reach. Then
//     L·(w - t) = L·P·x + L·(e + d) = x + E·x + L·(e + d)   with E = L·P - 1,
// so that |L·(w - t) - x| <= |E|·|x| + |L|·(|e| + reach), and the rounding of L·(w - t) itself comes on top. E is
// computed in doubles, with its rounding. Nothing depends on how good an inverse L is: a bad one only makes the slack
// large.
#include "filter/lookup/seen_from.h"

#include <math.h>

#include "base/rounding.h"
#include "geometry/pose.h"

// Bounds of the rounding of a few operations, relative to the sum of the magnitudes; and of underflows.
static const double ROUNDING = 0x1p-50, UNDERFLOW = 0x1p-1060;
// Chosen: with a smaller slack all points are finite, too.
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
        slack *= GRZ_MORE(8192);
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

// As above, with w = Q·z + u + f, the rounded world position of a point z of the other surface: then L·(w - t) is
// (L·Q)·z + L·(u - t) + L·f. Each of what is rounded there, f, L·Q, L·(u - t) and the sum, is off by at most 2^-50 of
// |L|·(|Q|·|z| + |u| + |t|), or by an underflow; there is room for more.
bool grz_seen_mesh_from(const grz_object *object, const grz_object *moved, double reach, grz_seen_mesh *seen)
{
    static const double MORE_ROUNDING = 0x1p-45;
    const double *size = moved->mesh->max_abs;
    double sum[3];
    for (int j = 0; j < 3; j++) {
        const double *q = moved->pose.m[j];
        sum[j] = fabs(q[0]) * size[0] + fabs(q[1]) * size[1] + fabs(q[2]) * size[2] + fabs(q[3]);
    }
    const grz_seen_from from = grz_seen_from_object(object, reach, sum);
    for (int i = 0; i < 3; i++) {
        double numbers = object->mesh->max_abs[i], lost = 1.0;
        for (int j = 0; j < 3; j++) {
            const double l = fabs(from.back[i][j]);
            numbers += l * (sum[j] + fabs(from.at[j]));
            lost += l + size[j];
            seen->matrix[i][j] = 0.0;
            for (int k = 0; k < 3; k++)
                seen->matrix[i][j] += from.back[i][k] * moved->pose.m[k][j];
        }
        seen->at[i] = 0.0;
        for (int j = 0; j < 3; j++)
            seen->at[i] += from.back[i][j] * (moved->pose.m[j][3] - from.at[j]);
        seen->slack[i] = from.slack[i] + numbers * MORE_ROUNDING + lost * UNDERFLOW;
        if (!(numbers < LARGEST_SLACK && seen->slack[i] < LARGEST_SLACK))
            return false;
    }
    return true;
}
