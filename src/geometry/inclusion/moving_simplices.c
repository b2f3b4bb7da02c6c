// SPDX-License-Identifier: MIT
// Moving differences, and the one proof of absence that the search uses: a direction d such that d·(a_i - b_j) is above
// 0 for all i, j at two times t0, t1 separates A and B at all times between, because each product is linear in t.
// docs/use/move_deforming.md ("The bounds") derives SEPARATION_BOUND.
#include "geometry/inclusion/moving_simplices.h"

#include "base/rounding.h"

#include <math.h>
#include <string.h>

// Rounding of d·((1-t)·x + t·y) is at most this times the sum of |d_j|·most_j, and UNDERFLOW_BOUND more if a product
// underflows.
static const double SEPARATION_BOUND = 8.0 * 0x1p-53, UNDERFLOW_BOUND = 0x1p-1000;

static void set_edges(const double (*const *corners)[3], int count, double scale, double edge[2][3][3], double most[3])
{
    for (int time = 0; time < 2; time++) {
        for (int i = 0; i < 3; i++) {
            const int from = i < count ? i : 0, to = i < count ? (i + 1) % count : 0;
            for (int axis = 0; axis < 3; axis++) {
                const double e = (corners[time][to][axis] - corners[time][from][axis]) * scale;
                edge[time][i][axis] = e;
                most[axis] = fabs(e) > most[axis] ? fabs(e) : most[axis];
            }
        }
    }
}

void grz_feature_pair_init(grz_feature_pair *m, const double (*const a[2])[3], int count_a,
                           const double (*const b[2])[3], int count_b, double separation)
{
    const int count = count_a * count_b;
    m->count_a = count_a;
    m->count_b = count_b;
    m->hull = count <= 4 ? 4 : GRZ_HULL_MOST;
    m->scale = 1.0;
    m->separation = separation;
    for (int time = 0; time < 2; time++) {
        m->a[time] = a[time];
        m->b[time] = b[time];
        for (int axis = 0; axis < 3; axis++) {
            double *const row = m->difference[time][axis];
            for (int i = 0; i < count_a; i++)
                for (int j = 0; j < count_b; j++)
                    row[i * count_b + j] = a[time][i][axis] - b[time][j][axis];
            for (int k = count; k < m->hull; k++)
                row[k] = row[count - 1];
        }
    }
}

void grz_feature_pair_prepare(grz_feature_pair *m)
{
    double largest = m->separation;
    for (int axis = 0; axis < 3; axis++) {
        double most = 0.0;
        for (int time = 0; time < 2; time++) {
            for (int k = 0; k < m->hull; k++) {
                const double size = fabs(m->difference[time][axis][k]);
                most = size > most ? size : most;
            }
        }
        m->most[axis] = most;
        m->most_edge[axis] = 0.0;
        largest = most > largest ? most : largest;
    }
    // Chosen: between these, products of three are far from the bounds of underflow here and in proof.c.
    if (largest > 0.0 && (largest < 0x1p-20 || largest > 0x1p20)) {
        const int exponent = ilogb(largest);
        m->scale = ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
        for (int time = 0; time < 2; time++)
            for (int axis = 0; axis < 3; axis++)
                for (int k = 0; k < m->hull; k++)
                    m->difference[time][axis][k] *= m->scale;
        for (int axis = 0; axis < 3; axis++)
            m->most[axis] *= m->scale;
        m->separation *= m->scale;
    }
    set_edges(m->a, m->count_a, m->scale, m->edge_a, m->most_edge);
    set_edges(m->b, m->count_b, m->scale, m->edge_b, m->most_edge);
}

static void blend(const double (*from)[3], const double (*to)[3], int count, double s, double t, double (*out)[3])
{
    for (int i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++)
            out[i][axis] = s * from[i][axis] + t * to[i][axis];
}

void grz_feature_pair_at(const grz_feature_pair *m, double t, grz_moment *out)
{
    const double s = 1.0 - t;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < m->count_a * m->count_b; k++)
            out->difference[k][axis] = s * m->difference[0][axis][k] + t * m->difference[1][axis][k];
    blend(m->edge_a[0], m->edge_a[1], 3, s, t, out->edge_a);
    blend(m->edge_b[0], m->edge_b[1], 3, s, t, out->edge_b);
}

bool grz_feature_pair_apart_by_axis(const grz_feature_pair *m)
{
    // A rounded difference has the exact sign, and is within a relative 2^-53 of the exact difference.
    const double need = m->separation > 0.0 ? m->separation * GRZ_MORE(8) + UNDERFLOW_BOUND : 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double *const x = m->difference[0][axis], *const y = m->difference[1][axis];
        double least = x[0], most = x[0];
        for (int k = 0; k < m->hull; k++) {
            const double low = x[k] < y[k] ? x[k] : y[k], high = x[k] < y[k] ? y[k] : x[k];
            least = low < least ? low : least;
            most = high > most ? high : most;
        }
        if (least > need || most < -need)
            return true;
    }
    return false;
}

double grz_feature_pair_separated_until(const grz_feature_pair *m, const double direction[3], double from, double to)
{
    const double size = fmax(fmax(fabs(direction[0]), fabs(direction[1])), fabs(direction[2]));
    if (!(size > GRZ_PRODUCT_MIN && size < GRZ_PRODUCT_MAX))
        return -1.0;
    double d[3], bound = 0.0, square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        d[axis] = direction[axis] / size;
        bound += fabs(d[axis]) * m->most[axis];
        square += d[axis] * d[axis];
    }
    bound = SEPARATION_BOUND * bound + UNDERFLOW_BOUND;
    // |d| is at least 1 and rounded by a few units in the last place.
    double need = m->separation > 0.0 ? m->separation * sqrt(square) * GRZ_MORE(16) + bound : bound;

    double start[GRZ_HULL_MOST], end[GRZ_HULL_MOST];
    const double s_from = 1.0 - from, s_to = 1.0 - to;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int k = 0; k < m->hull; k++) {
        const double x = d[0] * m->difference[0][0][k] + d[1] * m->difference[0][1][k] + d[2] * m->difference[0][2][k];
        const double y = d[0] * m->difference[1][0][k] + d[1] * m->difference[1][1][k] + d[2] * m->difference[1][2][k];
        start[k] = x;
        end[k] = y;
        const double value = s_from * x + from * y;
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    const double sign = least > need ? 1.0 : -1.0;
    if (!(least > need) && !(most < -need))
        return -1.0;
    // Where the first product comes down to the bound; aim at half as much again, so that the proof below succeeds.
    double part = 1.0;
    for (int k = 0; k < m->hull; k++) {
        const double here = sign * (s_from * start[k] + from * end[k]);
        const double there = sign * (s_to * start[k] + to * end[k]);
        if (!(there > need))
            part = fmin(part, (here - (need + 0.5 * bound)) / (here - there));
    }
    double t = to;
    for (int tries = 0; tries < 3; tries++) {
        if (part < 1.0)
            t = from + (to - from) * part;
        if (!(t > from))
            return from;
        t = t < to ? t : to;
        bool separated = true;
        for (int k = 0; k < m->hull; k++)
            separated = separated && sign * ((1.0 - t) * start[k] + t * end[k]) > need;
        if (separated)
            return t;
        part = part * (1.0 - 0x1p-20); // chosen
    }
    return from;
}
