// SPDX-License-Identifier: MIT
// The volume E·(P × Q) of a patch is a cubic in t. It lies in the hull of its coefficients in Bernstein form over an
// interval: if all are above 0 by more than rounding, it has no root there. This excludes features that turn fast while
// they are near, which one fixed direction separates only for a short time. docs/use/move_deforming.md ("The bounds")
// derives VOLUME_BOUND.
#include "geometry/inclusion/volume_exclusion.h"

#include <math.h>

#include "geometry/vector.h"

// Rounding of a coefficient is at most this times the sum of |E_i|·|P_j|·|Q_k| over all orders of the coordinates.
static const double VOLUME_BOUND = 24.0 * 0x1p-53, UNDERFLOW_BOUND = 0x1p-900;

static double volume(const double x[3], const double y[3], const double z[3])
{
    double c[3];
    grz_cross(y, z, c);
    return grz_dot(x, c);
}

// The coefficients over an interval, from E, P, Q at its ends.
static void coefficients(double v[2][3][3], double out[4])
{
    out[0] = volume(v[0][0], v[0][1], v[0][2]);
    out[1] =
        (volume(v[1][0], v[0][1], v[0][2]) + volume(v[0][0], v[1][1], v[0][2]) + volume(v[0][0], v[0][1], v[1][2])) /
        3.0;
    out[2] =
        (volume(v[0][0], v[1][1], v[1][2]) + volume(v[1][0], v[0][1], v[1][2]) + volume(v[1][0], v[1][1], v[0][2])) /
        3.0;
    out[3] = volume(v[1][0], v[1][1], v[1][2]);
}

// E, P, Q at a time.
static void vectors_at(double ends[2][3][3], double t, double out[3][3])
{
    const double s = 1.0 - t;
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++)
            out[i][axis] = s * ends[0][i][axis] + t * ends[1][i][axis];
}

double grz_volume_until(const grz_feature_pair *m, const grz_patch *patch, double from, double to)
{
    double ends[2][3][3], most[3][3], v[2][3][3], c[4];
    for (int time = 0; time < 2; time++)
        grz_patch_ends(m, patch, time, ends[time][0], ends[time][1], ends[time][2]);
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++)
            most[i][axis] = fmax(fabs(ends[0][i][axis]), fabs(ends[1][i][axis]));
    double bound = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        bound += most[0][axis] * (most[1][j] * most[2][k] + most[1][k] * most[2][j]);
    }
    bound = VOLUME_BOUND * bound + UNDERFLOW_BOUND;
    vectors_at(ends, from, v[0]);
    double t = to;
    for (int tries = 0; tries < 3 && t > from; tries++) {
        vectors_at(ends, t, v[1]);
        coefficients(v, c);
        const double sign = c[0] > 0.0 ? 1.0 : -1.0;
        if (!(sign * c[0] > bound))
            return from;
        double part = 1.0;
        for (int i = 1; i < 4; i++)
            if (!(sign * c[i] > bound))
                part = fmin(part, (double)i / 3.0 * ((sign * c[0] - 1.5 * bound) / (sign * (c[0] - c[i]))));
        if (part == 1.0)
            return t;
        t = from + (t - from) * part * (1.0 - 0x1p-12); // chosen: a little earlier, where the proof succeeds
    }
    return from;
}
