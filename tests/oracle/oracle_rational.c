// SPDX-License-Identifier: MIT
// The rational oracle. A common point of two triangles is a set of weights l, m >= 0 with sum l = sum m = 1 and
// l0 a0 + l1 a1 + l2 a2 = m0 b0 + m1 b1 + m2 b2: a polytope in six unknowns and five equations. Its vertices are the
// basic feasible solutions of linear programming (Dantzig 1963, chapter 7): every choice of unknowns with independent
// columns is solved by elimination in rationals. Their images are the extreme points; which weights are zero names the
// features. No geometry at all.
#include "oracle.h"

#include <string.h>

void oracle_rational_init(oracle_rational *o)
{
    for (int i = 0; i < ORACLE_MAX_POINTS; i++)
        for (int k = 0; k < 3; k++)
            mpq_init(o->points[i][k]);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 7; j++)
            mpq_init(o->matrix[i][j]);
    for (int j = 0; j < 7; j++)
        mpq_init(o->solution[j]);
    for (int n = 0; n < 18; n++)
        mpq_init(o->corner[n / 9][n / 3 % 3][n % 3]);
    for (int j = 0; j < 6; j++)
        mpq_init(o->sum[j]);
    mpq_inits(o->temporary[0], o->temporary[1], NULL);
}

void oracle_rational_finish(oracle_rational *o)
{
    for (int i = 0; i < ORACLE_MAX_POINTS; i++)
        for (int k = 0; k < 3; k++)
            mpq_clear(o->points[i][k]);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 7; j++)
            mpq_clear(o->matrix[i][j]);
    for (int j = 0; j < 7; j++)
        mpq_clear(o->solution[j]);
    for (int n = 0; n < 18; n++)
        mpq_clear(o->corner[n / 9][n / 3 % 3][n % 3]);
    for (int j = 0; j < 6; j++)
        mpq_clear(o->sum[j]);
    mpq_clears(o->temporary[0], o->temporary[1], NULL);
}

// Rows: x, y, z of sum l a − sum m b = 0, sum l = 1, sum m = 1. Columns: the unknowns of the support, then the
// right-hand side.
static int set_up(oracle_rational *o, unsigned support)
{
    int columns = 0;
    for (int n = 0; n < 6; n++) {
        if (!(support >> n & 1))
            continue;
        for (int k = 0; k < 3; k++) {
            mpq_set(o->matrix[k][columns], o->corner[n / 3][n % 3][k]);
            if (n >= 3)
                mpq_neg(o->matrix[k][columns], o->matrix[k][columns]);
        }
        mpq_set_ui(o->matrix[3][columns], n < 3, 1);
        mpq_set_ui(o->matrix[4][columns], n >= 3, 1);
        columns++;
    }
    for (int i = 0; i < 5; i++)
        mpq_set_ui(o->matrix[i][columns], i >= 3, 1);
    return columns;
}

// Reduce row `i` by the pivot row `p` in column `c`, whose pivot is 1.
static void reduce_row(oracle_rational *o, int i, int p, int c, int columns)
{
    if (i == p || mpq_sgn(o->matrix[i][c]) == 0)
        return;
    mpq_set(o->temporary[0], o->matrix[i][c]);
    for (int j = c; j <= columns; j++) {
        mpq_mul(o->temporary[1], o->temporary[0], o->matrix[p][j]);
        mpq_sub(o->matrix[i][j], o->matrix[i][j], o->temporary[1]);
    }
}

// Gauss and Jordan. True where the columns are independent and all unknowns come out positive.
static bool solve(oracle_rational *o, int columns)
{
    for (int c = 0; c < columns; c++) {
        int p = c;
        while (p < 5 && mpq_sgn(o->matrix[p][c]) == 0)
            p++;
        if (p == 5)
            return false;
        for (int j = c; j <= columns && p != c; j++)
            mpq_swap(o->matrix[p][j], o->matrix[c][j]);
        mpq_set(o->temporary[0], o->matrix[c][c]);
        for (int j = c; j <= columns; j++)
            mpq_div(o->matrix[c][j], o->matrix[c][j], o->temporary[0]);
        for (int i = 0; i < 5; i++)
            reduce_row(o, i, c, c, columns);
    }
    for (int i = 0; i < 5; i++) {
        int sign = mpq_sgn(o->matrix[i][columns]);
        if (i < columns ? sign <= 0 : sign != 0)
            return false;
    }
    return true;
}

static int compare_points(mpq_t p[3], mpq_t q[3])
{
    for (int k = 0; k < 3; k++) {
        int order = mpq_cmp(p[k], q[k]);
        if (order != 0)
            return order;
    }
    return 0;
}

// The corner, edge or face whose weights are the ones that are not zero.
static uint8_t feature_of_support(unsigned support)
{
    static const uint8_t features[8] = {GRZ_FACE,     GRZ_CORNER_0, GRZ_CORNER_1, GRZ_EDGE_0,
                                        GRZ_CORNER_2, GRZ_EDGE_2,   GRZ_EDGE_1,   GRZ_FACE};
    return features[support & 7];
}

// Record the point of the solution. A degenerate triangle has many weights for one point, and more than the extreme
// ones; its intersections are no more than segments, whose ends are the first and the last point in the order of
// coordinates.
static void add_point(oracle_rational *o, unsigned support)
{
    oracle_answer *answer = &o->answer;
    for (int k = 0; k < 3; k++)
        mpq_set_ui(o->solution[k], 0, 1);
    for (int n = 0, column = 0; n < 6; n++) {
        if (!(support >> n & 1))
            continue;
        mpq_add(o->sum[n], o->sum[n], o->matrix[column][6]);
        for (int k = 0; k < 3 && n < 3; k++) {
            mpq_mul(o->temporary[0], o->matrix[column][6], o->corner[0][n][k]);
            mpq_add(o->solution[k], o->solution[k], o->temporary[0]);
        }
        column++;
    }
    for (uint32_t i = 0; i < answer->points; i++)
        if (compare_points(o->points[i], o->solution) == 0)
            return;
    uint32_t at = answer->points;
    if ((answer->degenerate[0] || answer->degenerate[1]) && at == 2) {
        bool ordered = compare_points(o->points[0], o->points[1]) < 0;
        uint32_t first = ordered ? 0 : 1, last = ordered ? 1 : 0;
        if (compare_points(o->solution, o->points[first]) < 0)
            at = first;
        else if (compare_points(o->solution, o->points[last]) > 0)
            at = last;
        else
            return;
    } else {
        answer->points++;
    }
    for (int k = 0; k < 3; k++)
        mpq_set(o->points[at][k], o->solution[k]);
    answer->nodes[at] = (grz_node){feature_of_support(support), feature_of_support(support >> 3)};
}

// Three corners on one line: all 2×2 minors of two differences vanish.
static bool is_degenerate(oracle_rational *o, mpq_t t[3][3])
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3;
        mpq_sub(o->solution[0], t[1][k], t[0][k]);
        mpq_sub(o->solution[1], t[2][i], t[0][i]);
        mpq_mul(o->temporary[0], o->solution[0], o->solution[1]);
        mpq_sub(o->solution[0], t[1][i], t[0][i]);
        mpq_sub(o->solution[1], t[2][k], t[0][k]);
        mpq_mul(o->temporary[1], o->solution[0], o->solution[1]);
        if (!mpq_equal(o->temporary[0], o->temporary[1]))
            return false;
    }
    return true;
}

void oracle_rational_intersect(oracle_rational *o, const double a[3][3], const double b[3][3])
{
    o->answer = (oracle_answer){.kind = GRZ_TOUCHING};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            mpq_set_d(o->corner[0][i][k], a[i][k]);
            mpq_set_d(o->corner[1][i][k], b[i][k]);
        }
    for (int n = 0; n < 2; n++)
        o->answer.degenerate[n] = is_degenerate(o, o->corner[n]);
    for (int n = 0; n < 6; n++)
        mpq_set_ui(o->sum[n], 0, 1);
    for (unsigned support = 1; support < 63; support++) {
        if (!(support & 7) || !(support >> 3))
            continue;
        int columns = set_up(o, support);
        if (!solve(o, columns))
            continue;
        for (int i = 0; i < columns; i++)
            mpq_set(o->matrix[i][6], o->matrix[i][columns]);
        add_point(o, support);
    }
    if (o->answer.points == 0 || o->answer.degenerate[0] || o->answer.degenerate[1])
        return;
    // The mean of all vertices of the polytope is in its relative interior: both triangles' interiors hold its point,
    // or no common point is inside both.
    bool inside = true;
    for (int n = 0; n < 6; n++)
        inside = inside && mpq_sgn(o->sum[n]) > 0;
    if (o->answer.points >= 3)
        o->answer.kind = GRZ_COPLANAR;
    else if (o->answer.points == 2 && inside)
        o->answer.kind = GRZ_CROSSING;
}
