// SPDX-License-Identifier: MIT
// One-sided Jacobi: a turn of two columns of the matrix among each other leaves the ellipsoid as it is; the turn is
// chosen so that the two are at right angles afterwards. Columns that are so already stay to the bit.
//
// Source: J. Demmel, K. Veselić, "Jacobi's method is more accurate than QR" (1992).
#include "geometry/convex/depth/half_axes.h"

#include <math.h>
#include <string.h>

#include "geometry/functions/functions.h"
#include "geometry/vector.h"

enum {
    MOST_ROUNDS = 12
};

// A cosine that four roundings of a product of two columns leave: smaller ones are not turned away.
static const double RIGHT_ANGLE = 0x1p-51;
// A turn has 6 roundings for each coordinate, the length of an axis 3.
static const double OF_TURN = 0x1p-50, OF_LENGTH = 0x1p-51;

static double length_of(const double v[3])
{
    const double most = grz_largest(v);
    if (most == 0.0)
        return 0.0;
    const double u[3] = {v[0] / most, v[1] / most, v[2] / most};
    return most * sqrt(grz_dot(u, u));
}

// Turn two columns. False: they are at right angles, as far as roundings go.
static bool turn(double p[3], double q[3])
{
    const double pp = grz_dot(p, p), qq = grz_dot(q, q), pq = grz_dot(p, q);
    if (!(fabs(pq) > RIGHT_ANGLE * sqrt(pp) * sqrt(qq)))
        return false;
    const double cotangent = (qq - pp) / (2.0 * pq);
    const double tangent = (cotangent < 0.0 ? -1.0 : 1.0) / (fabs(cotangent) + grz_hypotenuse(1.0, cotangent));
    const double c = 1.0 / grz_hypotenuse(1.0, tangent), s = c * tangent;
    for (int k = 0; k < 3; k++) {
        const double one = c * p[k] - s * q[k], other = s * p[k] + c * q[k];
        p[k] = one;
        q[k] = other;
    }
    return true;
}

void grz_half_axes_of_columns(double column[3][3], grz_half_axes *out)
{
    double size = 0.0;
    int turns = 0;
    for (int j = 0; j < 3; j++)
        size += length_of(column[j]);
    for (int round = 0, more = 1; round < MOST_ROUNDS && more > 0; round++) {
        more = 0;
        for (int j = 0; j < 3; j++)
            more += turn(column[j], column[(j + 1) % 3]);
        turns += more;
    }
    out->off = OF_TURN * turns * size;
    for (int j = 0; j < 3; j++) {
        out->length[j] = length_of(column[j]);
        for (int k = 0; k < 3; k++)
            out->axis[j][k] = out->length[j] > 0.0 ? column[j][k] / out->length[j] : 0.0;
    }
    for (int j = 0; j < 3; j++) { // what is left of the angles moves the shorter of two
        const int i = (j + 1) % 3;
        const double shorter = fmin(out->length[i], out->length[j]);
        out->off += 4.0 * shorter * fabs(grz_dot(out->axis[i], out->axis[j])) + OF_LENGTH * out->length[j];
    }
    for (int j = 0; j < 3; j++)
        if (out->length[j] == 0.0) {
            grz_cross(out->axis[(j + 1) % 3], out->axis[(j + 2) % 3], out->axis[j]);
            grz_make_unit(out->axis[j]);
        }
}

void grz_half_axes_of(const grz_convex *ellipsoid, grz_half_axes *out)
{
    double column[3][3];
    for (int i = 0; i < 9; i++)
        column[i % 3][i / 3] = ellipsoid->matrix[i / 3][i % 3];
    grz_half_axes_of_columns(column, out);
}
