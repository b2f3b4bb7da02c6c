// SPDX-License-Identifier: MIT
// Signs of polynomials of degree 6 and 9 in the coordinates. Most are clear from signs of orient3d; the others are
// computed in double-doubles with an error bound, and then in big integers. With coordinates up to 2^300, a
// number of degree 9 has 396 limbs at most.
#include "inside/solids/solids_line.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/exact/bounded.h"
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

// ---- Double-doubles with an error bound ----

// Products beyond this are left to big integers, so that nothing overflows.
static const double FINITE = 0x1p1000;

static bool is_zero(const grz_bounded *x)
{
    return x->at.high == 0.0 && x->error == 0.0;
}

// False if the product may overflow or underflow. dd_multiply() is off by 7u² at most; the bound is twice as large.
static bool near_product(const grz_bounded *x, const grz_bounded *y, grz_bounded *out)
{
    *out = (grz_bounded){{0.0, 0.0}, 0.0};
    if (is_zero(x) || is_zero(y))
        return true;
    const double rough = fabs(x->at.high * y->at.high);
    if (!(rough > GRZ_PRODUCT_MIN) || !(rough < FINITE))
        return false;
    const double most_x = grz_dd_magnitude(x->at), most_y = grz_dd_magnitude(y->at);
    out->at = dd_multiply(x->at, y->at);
    out->error = 2.0 * (most_x * y->error + x->error * (most_y + y->error) + 7.0 * GRZ_UU * most_x * most_y);
    return true;
}

// dd_add() is off by 3u² of what is added up at most; the bound is twice as large.
static grz_bounded near_sum(const grz_bounded *x, const grz_bounded *y)
{
    const double most = grz_dd_magnitude(x->at) + grz_dd_magnitude(y->at);
    return (grz_bounded){dd_add(x->at, y->at), GRZ_MORE(8) * (x->error + y->error) + 6.0 * GRZ_UU * most};
}

// The sign of a number; 0 if it is not certain.
static int near_sign(const grz_bounded *x)
{
    if (!(fabs(x->at.high) > 2.0 * x->error) || !(x->error < FINITE))
        return 0;
    return x->at.high > 0.0 ? 1 : -1;
}

// Distances of up to three points from a plane, all multiplied by the same number. `sides`: their signs; 0 is exact.
static bool near_distances(const double (*plane)[3], const double *const points[], const int sides[], int count,
                           grz_bounded *out)
{
    const double *beside[3];
    dd distances[3];
    double errors[3];
    int others = 0;
    for (int i = 0; i < count; i++)
        if (sides[i] != 0)
            beside[others++] = points[i];
    if (others > 0 && !grz_plane_distances_approximate(plane[0], plane[1], plane[2], beside, others, distances, errors))
        return false;
    for (int i = 0, k = 0; i < count; i++) {
        out[i] = (grz_bounded){{0.0, 0.0}, 0.0};
        if (sides[i] != 0) {
            out[i] = (grz_bounded){distances[k], errors[k]};
            k++;
        }
    }
    return true;
}

// u[0]·v[1] - u[1]·v[0]
static bool near_determinant(const grz_bounded u[2], const grz_bounded v[2], grz_bounded *out)
{
    grz_bounded plus, minus;
    if (!near_product(&u[0], &v[1], &plus) || !near_product(&u[1], &v[0], &minus))
        return false;
    minus.at = dd_negate(minus.at);
    *out = near_sum(&plus, &minus);
    return true;
}

// ---- Turns ----

int grz_line_turn(const grz_line *line, const grz_line_point *u, const grz_line_point *v)
{
    const int plus = u->side[0] * v->side[1], minus = u->side[1] * v->side[0];
    if (plus != minus)
        return sign_of_difference(plus, minus);
    if (plus == 0 || grz_same_point(u->at, v->at))
        return 0;
    const double *const points[2] = {u->at, v->at};
    grz_bounded distances[2], seen[2][2], turn;
    for (int i = 0; i < 2; i++) {
        const int sides[2] = {u->side[i], v->side[i]};
        if (!near_distances(line->plane[i], points, sides, 2, distances))
            return exact_turn(line, u->at, v->at);
        seen[0][i] = distances[0];
        seen[1][i] = distances[1];
    }
    const int sign = near_determinant(seen[0], seen[1], &turn) ? near_sign(&turn) : 0;
    return sign != 0 ? sign : exact_turn(line, u->at, v->at);
}

// ---- Order ----

// The sign of exact_side(), if double-doubles tell it; else 0. `heights`: on which side of `other` each corner is.
static int certain_side(const grz_line *line, const grz_line_place *one, const double other[3][3], const int heights[3])
{
    const double *const points[3] = {one->corner[0].at, one->corner[1].at, one->corner[2].at};
    grz_bounded distances[3], seen[3][2], height[3], weight, term, sum = {{0.0, 0.0}, 0.0};
    for (int k = 0; k < 2; k++) {
        const int sides[3] = {one->corner[0].side[k], one->corner[1].side[k], one->corner[2].side[k]};
        if (!near_distances(line->plane[k], points, sides, 3, distances))
            return 0;
        for (int i = 0; i < 3; i++)
            seen[i][k] = distances[i];
    }
    if (!near_distances(other, points, heights, 3, height))
        return 0;
    for (int i = 0; i < 3; i++) {
        if (one->weight[i] == 0)
            continue;
        if (!near_determinant(seen[(i + 1) % 3], seen[(i + 2) % 3], &weight) ||
            !near_product(&weight, &height[i], &term))
            return 0;
        sum = near_sum(&sum, &term);
    }
    return near_sign(&sum);
}

int grz_line_order(const grz_line *line, const grz_line_place *one, const grz_line_place *other)
{
    double plane[3][3];
    int heights[3] = {0, 0, 0};
    bool above = false, below = false;
    for (int i = 0; i < 3; i++)
        memcpy(plane[i], other->corner[i].at, sizeof plane[i]);
    for (int i = 0; i < 3; i++) {
        if (one->weight[i] == 0)
            continue;
        heights[i] = grz_orient3d(plane[0], plane[1], plane[2], one->corner[i].at);
        above = above || heights[i] > 0;
        below = below || heights[i] < 0;
    }
    if (above != below)
        return above ? other->turn : -other->turn;
    if (!above)
        return 0;
    const int certain = certain_side(line, one, (const double(*)[3])plane, heights);
    const int side = certain != 0 ? certain : exact_side(line, one, (const double(*)[3])plane);
    return side * one->turn * other->turn;
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
