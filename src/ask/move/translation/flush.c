// SPDX-License-Identifier: MIT
// Two triangles in one plane: their insides meet unless all corners of one are beyond an edge of the other. Seen along
// an axis, this is a matter of signs of orient2d, here in doubles with bounds for what is rounded in the positions and
// in the determinants.
#include "ask/move/translation/flush.h"

#include <math.h>

#include "geometry/triangle/triangle.h"

static const double POSITION = 0x1p-50;    // relative error of a moved coordinate, and of a difference of two
static const double DETERMINANT = 0x1p-48; // of a 2 x 2 determinant, relative to the product of its largest entries
// Of v · (u × w), likewise: 46 roundings with those of u, w and v. 128 are taken.
static const double ACROSS = 0x1p-46;
// Differences above these have products of three, or of two, of which underflow is no part.
static const double SMALL_OF_THREE = 0x1p-200, SMALL_OF_TWO = 0x1p-400;

// Is v in the plane of a triangle? Exactly.
static bool is_along(const double c[3][3], const grz_translation *motion)
{
    const double *const points[3] = {c[0], c[1], c[2]};
    const int shift = grz_integer_common_shift(points, 3, 3);
    grz_integer u[3], w[3], result;
    for (int k = 0; k < 3; k++) {
        grz_integer_difference(c[0][k], c[1][k], shift, &u[k]);
        grz_integer_difference(c[0][k], c[2][k], shift, &w[k]);
    }
    grz_integer_determinant3(u, w, motion->exact, &result);
    return result.sign == 0;
}

// Is v certainly not in the plane? In doubles: most motions are settled here.
static bool is_across(const double c[3][3], const double v[3])
{
    double u[3], w[3], size = 0.0, way = 0.0;
    for (int k = 0; k < 3; k++) {
        u[k] = c[1][k] - c[0][k];
        w[k] = c[2][k] - c[0][k];
        size = fmax(size, fmax(fabs(u[k]), fabs(w[k])));
        way = fmax(way, fabs(v[k]));
    }
    const double value =
        v[0] * (u[1] * w[2] - u[2] * w[1]) + v[1] * (u[2] * w[0] - u[0] * w[2]) + v[2] * (u[0] * w[1] - u[1] * w[0]);
    return size > SMALL_OF_THREE && way > SMALL_OF_THREE && fabs(value) > ACROSS * size * size * way &&
           fabs(value) < HUGE_VAL;
}

bool grz_slides_in_plane(const double a[3][3], const double b[3][3], const grz_translation *motion)
{
    for (int i = 0; i < 3; i++)
        if (grz_orient3d(b[0], b[1], b[2], a[i]) != 0)
            return false;
    return !is_across(b, motion->v) && grz_triangle_dimension(a) == 2 && grz_triangle_dimension(b) == 2 &&
           is_along(b, motion);
}

// True if a corner of `other` is certainly on the inner side of each edge of a triangle, which is seen with this turn.
static bool reaches_over_edges(const double c[3][2], int turn, const double other[3][2], double bound)
{
    for (int edge = 0; edge < 3; edge++) {
        const double *p = c[edge], *q = c[(edge + 1) % 3];
        bool reaches = false;
        for (int i = 0; i < 3 && !reaches; i++)
            reaches = turn * ((q[0] - p[0]) * (other[i][1] - p[1]) - (q[1] - p[1]) * (other[i][0] - p[0])) > bound;
        if (!reaches)
            return false;
    }
    return true;
}

bool grz_flush_certainly(const double a[3][3], const double b[3][3], const double v[3], double t)
{
    int turn_a = 0, turn_b = 0;
    const int axis = grz_projection_axis(b, &turn_b), x = (axis + 1) % 3, y = (axis + 2) % 3;
    turn_a = grz_orient_projected(axis, a[0], a[1], a[2]);
    double seen[2][3][2], size[2] = {0.0, 0.0}, most[2] = {0.0, 0.0}; // along each axis: they may be very different
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            const int of = k == 0 ? x : y;
            seen[0][i][k] = (a[i][of] + t * v[of]) - b[0][of];
            seen[1][i][k] = b[i][of] - b[0][of];
            most[k] = fmax(most[k], fmax(fabs(a[i][of]) + fabs(t * v[of]), fabs(b[i][of])));
            size[k] = fmax(size[k], 2.0 * fmax(fabs(seen[0][i][k]), fabs(seen[1][i][k]))); // of a difference
        }
    const double bound = DETERMINANT * size[0] * size[1] + 16.0 * POSITION * (size[0] * most[1] + size[1] * most[0]);
    if (!(size[0] > SMALL_OF_TWO) || !(size[1] > SMALL_OF_TWO) || !(bound < HUGE_VAL))
        return false;
    return reaches_over_edges((const double(*)[2])seen[0], turn_a, (const double(*)[2])seen[1], bound) &&
           reaches_over_edges((const double(*)[2])seen[1], turn_b, (const double(*)[2])seen[0], bound);
}
