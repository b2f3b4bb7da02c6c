// SPDX-License-Identifier: MIT
// grz_flight_motion_between(): the even motion from one pose to another. The rotation between the two is a matrix; its
// antisymmetric part has the axis times the sine of the angle, and near half a turn the symmetric part has the axis.
#include <math.h>

#include "base/fail.h"
#include "base/fp_guard.h"
#include "geometry/functions/functions.h"
#include "geometry/vector.h"
#include "level/flight/flight_target.h"

static const double LARGEST = 0x1p100;   // seconds, as <graze/flight.h> says
static const double TOLERANCE = 0x1p-40; // of 1: how far from a rotation a matrix may be

static bool is_rotation(const double m[3][3])
{
    double across[3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            if (!(fabs(grz_dot(m[i], m[j]) - (i == j)) <= TOLERANCE))
                return false;
    grz_cross(m[0], m[1], across);
    return grz_dot(across, m[2]) > 0.0;
}

// The angle times the axis, the angle from 0 to half a turn.
static void rotation_vector(const double m[3][3], double out[3])
{
    const double sines[3] = {0.5 * (m[2][1] - m[1][2]), 0.5 * (m[0][2] - m[2][0]), 0.5 * (m[1][0] - m[0][1])};
    const double cosine = 0.5 * (((m[0][0] + m[1][1]) + m[2][2]) - 1.0), sine = sqrt(grz_dot(sines, sines)),
                 angle = grz_arctangent(sine, cosine);
    int largest = 0;
    for (int k = 1; k < 3; k++)
        largest = m[k][k] > m[largest][largest] ? k : largest;
    double axis[3] = {sines[0], sines[1], sines[2]};
    if (cosine < 0.0) // column `largest` of the symmetric part: (1 - cosine) · axis · axis[largest], and the cosine
        for (int k = 0; k < 3; k++)
            axis[k] = 0.5 * (m[k][largest] + m[largest][k]) - (k == largest ? cosine : 0.0);
    const double sign = grz_dot(axis, sines) < 0.0 ? -1.0 : 1.0;
    const bool turns = grz_make_unit(axis);
    for (int k = 0; k < 3; k++)
        out[k] = turns ? sign * angle * axis[k] : 0.0;
}

static bool same_linear_part(const grz_pose *a, const grz_pose *b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (a->m[i][j] != b->m[i][j])
                return false;
    return true;
}

static grz_status set_spin(const grz_pose *from, const grz_pose *to, double seconds, grz_flight_motion *motion,
                           grz_error *error)
{
    grz_pose back;
    double m[3][3];
    if (same_linear_part(from, to))
        return GRZ_OK;
    const grz_status status = grz_pose_inverse(from, &back, error);
    if (status != GRZ_OK)
        return status;
    const grz_pose turn = grz_pose_product(*to, back);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] = turn.m[i][j];
    if (!is_rotation((const double(*)[3])m))
        return grz_fail(error, GRZ_ERROR_POSE, 1,
                        "flight: the second pose is not the first one, turned and moved: no motion leads there");
    rotation_vector((const double(*)[3])m, motion->spin);
    for (int k = 0; k < 3; k++)
        motion->spin[k] /= seconds;
    return GRZ_OK;
}

static grz_status between(const grz_pose *from, const grz_pose *to, double since, double arrival,
                          const double centre[3], grz_flight_motion *motion, grz_error *error)
{
    if (from == NULL || to == NULL || motion == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "flight: the %s is NULL",
                        motion == NULL ? "motion" : "pose");
    if (!(fabs(since) <= LARGEST && arrival > since && arrival <= LARGEST))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "flight: a motion from the time %g to %g; both must be at most 2^100 in magnitude, and the "
                        "second later",
                        since, arrival);
    grz_flight_motion found = {.since = since};
    for (int k = 0; k < 3 && centre != NULL; k++)
        found.centre[k] = centre[k];
    grz_status status = set_spin(from, to, arrival - since, &found, error);
    double a[3], b[3];
    grz_pose_apply(*from, found.centre, a);
    grz_pose_apply(*to, found.centre, b);
    for (int k = 0; k < 3; k++)
        found.velocity[k] = (b[k] - a[k]) / (arrival - since);
    if (status == GRZ_OK)
        status = grz_flight_motion_check(&found, 0, error);
    if (status == GRZ_OK)
        *motion = found;
    return status;
}

grz_status grz_flight_motion_between(const grz_pose *from, const grz_pose *to, double since, double arrival,
                                     const double centre[3], grz_flight_motion *motion, grz_error *error)
{
    const grz_fp_state fp = grz_fp_enter();
    const grz_status status = between(from, to, since, arrival, centre, motion, error);
    grz_fp_leave(fp);
    return status;
}
