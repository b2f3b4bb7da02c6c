// SPDX-License-Identifier: MIT
// Signs of polynomials of degree 6 and 9 in the coordinates. Most are clear from signs of orient3d; the others are
// computed in doubles with an error bound (turns only), and then in big integers. With coordinates up to 2^300, a
// number of degree 9 has 396 limbs at most.
#include "inside/solids/solids_line.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/exact/determinant.h"
#include "geometry/exact/integer.h"
#include "geometry/triangle/triangle.h"

static int sign_of_difference(int a, int b)
{
    return (a > b) - (a < b);
}

grz_line_point grz_line_see(const grz_line *line, const double at[3])
{
    grz_line_point point;
    memcpy(point.at, at, sizeof point.at);
    for (int i = 0; i < 2; i++)
        point.side[i] = (int8_t)grz_orient3d(line->plane[i][0], line->plane[i][1], line->plane[i][2], at);
    return point;
}

// ---- Big integers ----

// The determinant of orient3d, for coordinates multiplied by 2^shift.
static void distance(const double (*plane)[3], const double *at, int shift, grz_integer *out)
{
    grz_integer u[3], v[3], w[3];
    for (int i = 0; i < 3; i++) {
        grz_integer_difference(plane[0][i], plane[1][i], shift, &u[i]);
        grz_integer_difference(plane[0][i], plane[2][i], shift, &v[i]);
        grz_integer_difference(plane[0][i], at[i], shift, &w[i]);
    }
    grz_integer_determinant3(u, v, w, out);
}

static int exact_turn(const grz_line *line, const double u[3], const double v[3])
{
    const double *points[8] = {u, v};
    for (int i = 0; i < 6; i++)
        points[2 + i] = line->plane[i / 3][i % 3];
    const int shift = grz_integer_common_shift(points, 8, 3);
    grz_integer u_seen[2], v_seen[2], turn;
    for (int i = 0; i < 2; i++) {
        distance(line->plane[i], u, shift, &u_seen[i]);
        distance(line->plane[i], v, shift, &v_seen[i]);
    }
    grz_integer_determinant2(&u_seen[0], &u_seen[1], &v_seen[0], &v_seen[1], &turn);
    return turn.sign;
}

// The sign of the sum of the weights of `one`, each multiplied by its corner's distance from the plane of `other`.
static int exact_side(const grz_line *line, const grz_line_place *one, const double other[3][3])
{
    const double *points[12];
    grz_integer seen[3][2], height, weight, term, sum = {.sign = 0}, next;
    for (int i = 0; i < 12; i++)
        points[i] = i < 6 ? line->plane[i / 3][i % 3] : i < 9 ? one->corner[i - 6].at : other[i - 9];
    const int shift = grz_integer_common_shift(points, 12, 3);
    for (int i = 0; i < 6; i++)
        distance(line->plane[i % 2], one->corner[i / 2].at, shift, &seen[i / 2][i % 2]);
    for (int i = 0; i < 3; i++) {
        const grz_integer *r = seen[(i + 1) % 3], *s = seen[(i + 2) % 3];
        grz_integer_determinant2(&r[0], &r[1], &s[0], &s[1], &weight);
        distance(other, one->corner[i].at, shift, &height);
        grz_integer_multiply(&weight, &height, &term);
        grz_integer_add(&sum, &term, 1, &next);
        grz_integer_copy(&next, &sum);
    }
    return sum.sign;
}

// ---- Turns ----

// 8 roundings: the two products and their difference have one each. Above the second something may have overflowed.
static const double ROUNDING = 0x1p-50, FINITE = 0x1p1000;

// The sign of u[0]·v[1] - u[1]·v[0] from numbers of which each has an error bound; 0 if they do not prove one.
static int certain_turn(const double value[2][2], const double bound[2][2])
{
    const double plus = value[0][0] * value[1][1], minus = value[0][1] * value[1][0], difference = plus - minus;
    // Errors of the factors, and twice the roundings of the two products, of the difference, and of this sum.
    const double error = fabs(value[0][0]) * bound[1][1] + bound[0][0] * (fabs(value[1][1]) + bound[1][1]) +
                         fabs(value[0][1]) * bound[1][0] + bound[0][1] * (fabs(value[1][0]) + bound[1][0]);
    const double most = 2.0 * error + ROUNDING * (fabs(plus) + fabs(minus));
    if (!(fabs(plus) > GRZ_PRODUCT_MIN) || !(fabs(minus) > GRZ_PRODUCT_MIN) || !(fabs(difference) > most) ||
        !(most < FINITE))
        return 0;
    return difference > 0.0 ? 1 : -1;
}

int grz_line_turn(const grz_line *line, const grz_line_point *u, const grz_line_point *v)
{
    const int plus = u->side[0] * v->side[1], minus = u->side[1] * v->side[0];
    if (plus != minus)
        return sign_of_difference(plus, minus);
    if (plus == 0 || grz_same_point(u->at, v->at))
        return 0;
    const double *const points[2] = {u->at, v->at};
    double value[2][2], bound[2][2];
    bool usable = true;
    for (int i = 0; i < 2 && usable; i++) {
        dd distances[2];
        double errors[2];
        const double(*plane)[3] = line->plane[i];
        usable = grz_plane_distances_approximate(plane[0], plane[1], plane[2], points, 2, distances, errors);
        for (int k = 0; k < 2 && usable; k++) {
            value[k][i] = distances[k].high;
            bound[k][i] = fabs(distances[k].low) + errors[k];
        }
    }
    const int turn = usable ? certain_turn((const double(*)[2])value, (const double(*)[2])bound) : 0;
    return turn != 0 ? turn : exact_turn(line, u->at, v->at);
}

// ---- Order ----

int grz_line_order(const grz_line *line, const grz_line_place *one, const grz_line_place *other)
{
    double plane[3][3];
    bool above = false, below = false;
    for (int i = 0; i < 3; i++)
        memcpy(plane[i], other->corner[i].at, sizeof plane[i]);
    for (int i = 0; i < 3; i++) {
        if (one->weight[i] == 0)
            continue;
        const int side = grz_orient3d(plane[0], plane[1], plane[2], one->corner[i].at);
        above = above || side > 0;
        below = below || side < 0;
    }
    if (above != below)
        return above ? other->turn : -other->turn;
    return above ? exact_side(line, one, (const double(*)[3])plane) * one->turn * other->turn : 0;
}

// The doubled area of a triangle as seen along the line is the product of its normal and of the line's direction.
int grz_line_leaves(const grz_line *line, const double plane[3][3])
{
    const double *points[9];
    grz_integer seen[3][2], edge[2][2], area;
    for (int i = 0; i < 9; i++)
        points[i] = i < 6 ? line->plane[i / 3][i % 3] : plane[i - 6];
    const int shift = grz_integer_common_shift(points, 9, 3);
    for (int i = 0; i < 6; i++)
        distance(line->plane[i % 2], plane[i / 2], shift, &seen[i / 2][i % 2]);
    for (int i = 0; i < 4; i++)
        grz_integer_add(&seen[1 + i / 2][i % 2], &seen[0][i % 2], -1, &edge[i / 2][i % 2]);
    grz_integer_determinant2(&edge[0][0], &edge[0][1], &edge[1][0], &edge[1][1], &area);
    return area.sign;
}

grz_line grz_line_of_edge(const double corners[3][3], int edge)
{
    int orientation;
    const int axis = grz_projection_axis(corners, &orientation);
    const double *p = corners[edge], *q = corners[(edge + 1) % 3];
    grz_line line;
    memcpy(line.plane[0], corners, sizeof line.plane[0]); // cppcheck-suppress uninitvar ; filled
    memcpy(line.plane[1][0], p, sizeof line.plane[1][0]);
    memcpy(line.plane[1][1], q, sizeof line.plane[1][1]);
    memcpy(line.plane[1][2], p, sizeof line.plane[1][2]);
    // Any other coordinate along the axis: the triangle's plane is not parallel to it.
    line.plane[1][2][axis] = p[axis] == 0.0 ? 1.0 : 0.0;
    return line;
}
