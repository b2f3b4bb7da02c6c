// SPDX-License-Identifier: MIT
// Projects a pair of triangles onto an axis, in integers.
#include <assert.h>

#include "geometry/sweep/sweep_axes.h"

static void zero(grz_integer *x)
{
    x->sign = 0;
    x->count = 0;
}

void grz_exact_pair_set(const grz_meeting *m, grz_exact_pair *out)
{
    const double *points[6];
    for (int i = 0; i < 3; i++) {
        points[i] = m->a[i];
        points[3 + i] = m->b[i];
    }
    out->a = m->a;
    out->b = m->b;
    out->motion = m->motion;
    out->shift = grz_integer_common_shift(points, 6, 3);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++)
            grz_integer_difference(m->a[0][k], points[i][k], out->shift, &out->corners[i][k]);
}

void grz_exact_way(const grz_exact_pair *pair, int i, int j, grz_integer out[3])
{
    const double *from = i < 3 ? pair->a[i] : pair->b[i - 3], *to = j < 3 ? pair->a[j] : pair->b[j - 3];
    for (int k = 0; k < 3; k++)
        grz_integer_difference(from[k], to[k], pair->shift, &out[k]);
}

// Edge i (0 to 2) of A (side 0) or B.
static void edge_of(const grz_exact_pair *pair, int side, int i, grz_integer out[3])
{
    grz_exact_way(pair, 3 * side + i, 3 * side + (i + 1) % 3, out);
}

static void set_axis(const grz_exact_pair *pair, int axis, grz_integer n[3])
{
    grz_integer u[3], v[3];
    if (axis < GRZ_AXIS_SPATIAL) {
        const int pick = axis - GRZ_AXIS_EDGES;
        edge_of(pair, pick < 0 ? axis : 0, pick < 0 ? 0 : pick / 3, u);
        edge_of(pair, pick < 0 ? axis : 1, pick < 0 ? 1 : pick % 3, v);
        grz_integer_cross(u, v, n);
    } else if (axis < GRZ_AXIS_ACROSS_A) {
        for (int k = 0; k < 3; k++)
            grz_integer_from_double(k == axis - GRZ_AXIS_UNIT ? 1.0 : 0.0, 0, &n[k]);
    } else {
        const int side = axis < GRZ_AXIS_ACROSS_B ? 0 : 1,
                  pick = axis - (side == 0 ? GRZ_AXIS_ACROSS_A : GRZ_AXIS_ACROSS_B);
        const int k = pick % 3, j = (k + 1) % 3, l = (k + 2) % 3;
        edge_of(pair, side, pick / 3, u);
        zero(&n[k]);
        grz_integer_copy(&u[l], &n[j]);
        n[j].sign = -n[j].sign;
        grz_integer_copy(&u[j], &n[l]);
    }
}

// The least and the largest n · c of three corners, and which corners they are of.
static void find_range(const grz_integer n[3], const grz_integer corners[3][3], grz_integer *low, grz_integer *high,
                       uint8_t *of_low, uint8_t *of_high)
{
    *of_low = *of_high = 0;
    for (int i = 0; i < 3; i++) {
        grz_integer value;
        grz_integer_dot(n, corners[i], &value);
        const int to_low = i == 0 ? -1 : grz_integer_compare(&value, low),
                  to_high = i == 0 ? 1 : grz_integer_compare(&value, high);
        if (to_low < 0) {
            grz_integer_copy(&value, low);
            *of_low = 0;
        }
        if (to_high > 0) {
            grz_integer_copy(&value, high);
            *of_high = 0;
        }
        if (to_low <= 0)
            *of_low = (uint8_t)(*of_low | 1 << i);
        if (to_high >= 0)
            *of_high = (uint8_t)(*of_high | 1 << i);
    }
}

bool grz_exact_project(const grz_exact_pair *pair, int axis, grz_exact_slab *out)
{
    grz_integer low_a, high_a, low_b, high_b;
    set_axis(pair, axis, out->n);
    out->is_axis = out->n[0].sign != 0 || out->n[1].sign != 0 || out->n[2].sign != 0;
    if (!out->is_axis)
        return false;
    grz_integer_dot(out->n, pair->motion->exact, &out->along);
    if (out->along.sign < 0) {
        out->along.sign = 1;
        for (int k = 0; k < 3; k++)
            out->n[k].sign = -out->n[k].sign;
    }
    // A is the farthest along n where b - a is the least.
    find_range(out->n, pair->corners, &low_a, &high_a, &out->high_a, &out->low_a);
    find_range(out->n, pair->corners + 3, &low_b, &high_b, &out->low_b, &out->high_b);
    grz_integer_add(&low_b, &high_a, -1, &out->low);
    grz_integer_add(&high_b, &low_a, -1, &out->high);
    return true;
}
