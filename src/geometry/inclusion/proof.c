// SPDX-License-Identifier: MIT
// Newton's method finds a root (t, u, v) of F = E(t) + u·P(t) + v·Q(t). It is proved with the theorem of Poincaré and
// Miranda: if G = Y·F, Y any matrix, has opposite signs on opposite faces of a box of parameters, each component on its
// own pair of faces, F has a root in the box. G is linear in each parameter, so that the corners of a face decide.
// docs/use/move_deforming.md ("The bounds") derives the constants.
#include "geometry/inclusion/proof.h"

#include <math.h>

#include "base/rounding.h"
#include "geometry/exact/expansion.h"
#include "geometry/triangle/pair.h"
#include "geometry/vector.h"

enum {
    NEWTON_STEPS = 6
};

// Rounding of Y·F(t, u, v) is at most this times the sum of |Y_ij|·(most_j + 2·most_edge_j).
static const double CROSSING_BOUND = 16.0 * 0x1p-53, UNDERFLOW_BOUND = 0x1p-900;

// A patch at two times.
typedef struct path {
    double e[2][3], p[2][3], q[2][3];
} path;

static path path_of(const grz_feature_pair *m, const grz_patch *patch)
{
    path out = {0};
    for (int time = 0; time < 2; time++)
        grz_patch_ends(m, patch, time, out.e[time], out.p[time], out.q[time]);
    return out;
}

static void evaluate(const path *f, double t, double u, double v, double out[3])
{
    const double s = 1.0 - t;
    for (int axis = 0; axis < 3; axis++) {
        const double e = s * f->e[0][axis] + t * f->e[1][axis];
        const double p = s * f->p[0][axis] + t * f->p[1][axis];
        const double q = s * f->q[0][axis] + t * f->q[1][axis];
        out[axis] = e + u * p + v * q;
    }
}

// The inverse of the derivative of F by (t, u, v): rows. False if it is singular, nearly. `normal` receives P × Q.
static bool inverse_at(const path *f, double t, double u, double v, double inverse[3][3], double normal[3])
{
    double dt[3], p[3], q[3];
    const double s = 1.0 - t;
    for (int axis = 0; axis < 3; axis++) {
        dt[axis] =
            (f->e[1][axis] - f->e[0][axis]) + u * (f->p[1][axis] - f->p[0][axis]) + v * (f->q[1][axis] - f->q[0][axis]);
        p[axis] = s * f->p[0][axis] + t * f->p[1][axis];
        q[axis] = s * f->q[0][axis] + t * f->q[1][axis];
    }
    grz_cross(p, q, normal);
    grz_cross(q, dt, inverse[1]);
    grz_cross(dt, p, inverse[2]);
    const double determinant = grz_dot(dt, normal);
    if (!(fabs(determinant) > 0x1p-400)) // chosen: its inverse is finite, and any matrix gives a right proof
        return false;
    for (int axis = 0; axis < 3; axis++) {
        inverse[0][axis] = normal[axis] / determinant;
        inverse[1][axis] /= determinant;
        inverse[2][axis] /= determinant;
    }
    return true;
}

static bool box_is_inside(const grz_patch *patch, const double low[3], const double high[3], double t_max)
{
    return low[0] >= 0.0 && high[0] <= t_max && low[1] >= 0.0 && low[2] >= 0.0 && high[1] <= 1.0 && high[2] <= 1.0 &&
           (patch->square || high[1] + high[2] < 1.0);
}

// The signs of G at the corners of the box prove a root inside.
static bool signs_prove(const path *f, double inverse[3][3], const double bound[3], const double low[3],
                        const double high[3])
{
    for (int corner = 0; corner < 8; corner++) {
        double value[3];
        evaluate(f, corner & 1 ? high[0] : low[0], corner & 2 ? high[1] : low[1], corner & 4 ? high[2] : low[2], value);
        for (int i = 0; i < 3; i++) {
            const double g = grz_dot(inverse[i], value);
            if (!(corner >> i & 1 ? g > bound[i] : g < -bound[i]))
                return false;
        }
    }
    return true;
}

bool grz_prove_crossing(const grz_feature_pair *m, const grz_patch *patch, double t, double u, double v, double t_max,
                        grz_proof *proof)
{
    const path f = path_of(m, patch);
    double at[3] = {t, u, v}, inverse[3][3], value[3], step[3];
    for (int i = 0; i < NEWTON_STEPS; i++) {
        if (!inverse_at(&f, at[0], at[1], at[2], inverse, proof->normal))
            return false;
        evaluate(&f, at[0], at[1], at[2], value);
        double longest = 0.0;
        for (int k = 0; k < 3; k++) {
            step[k] = grz_dot(inverse[k], value);
            at[k] -= step[k];
            longest = fmax(longest, fabs(step[k]));
        }
        // A root far outside is none of ours; Newton may still come back from a small detour.
        if (!(fabs(at[0] - 0.5) < 2.0 && fabs(at[1] - 0.5) < 2.0 && fabs(at[2] - 0.5) < 2.0))
            return false;
        if (longest < 0x1p-46) // chosen: 128 roundings of a parameter
            break;
    }
    if (!inverse_at(&f, at[0], at[1], at[2], inverse, proof->normal))
        return false;
    double bound[3], radius[3];
    for (int i = 0; i < 3; i++) {
        double sum = 0.0;
        for (int axis = 0; axis < 3; axis++)
            sum += fabs(inverse[i][axis]) * (m->most[axis] + 2.0 * m->most_edge[axis]);
        bound[i] = CROSSING_BOUND * sum + UNDERFLOW_BOUND;
        radius[i] = fmax(6.0 * bound[i], 0x1p-48); // chosen: first 32 roundings of a parameter
    }
    for (int tries = 0; tries < 3; tries++) {
        double low[3], high[3];
        for (int i = 0; i < 3; i++) {
            low[i] = at[i] - radius[i];
            high[i] = at[i] + radius[i];
            radius[i] *= 32.0;
        }
        if (!box_is_inside(patch, low, high, t_max))
            return false;
        if (signs_prove(&f, inverse, bound, low, high)) {
            proof->time = high[0];
            proof->feature_a = patch->feature_a;
            proof->feature_b = patch->feature_b;
            return true;
        }
    }
    return false;
}

bool grz_prove_near(const grz_feature_pair *m, const grz_patch *patch, double t, double u, double v)
{
    const path f = path_of(m, patch);
    double value[3], error = 0.0;
    evaluate(&f, t, u, v, value);
    for (int axis = 0; axis < 3; axis++)
        error += 24.0 * 0x1p-53 * // each coordinate has fewer than 16 roundings
                 (m->most[axis] + 2.0 * m->most_edge[axis]);
    return sqrt(grz_dot(value, value)) * GRZ_MORE(8) + error < m->separation;
}

static const double SMALL = 0x1p-400; // products of two larger numbers are normal, and so are their errors

// x0 + t·(x1 - x0), if it is a double.
static bool exact_position(double x0, double x1, double t, double *out)
{
    const double s = 1.0 - t;
    double first, first_tail, second, second_tail, tail;
    if (1.0 - s != t)
        return false;
    // Rounding errors could underflow.
    if ((x0 != 0.0 && fabs(x0) < SMALL) || (x1 != 0.0 && fabs(x1) < SMALL) || (t != 0.0 && t < SMALL))
        return false;
    two_product(s, x0, &first, &first_tail);
    two_product(t, x1, &second, &second_tail);
    two_sum(first, second, out, &tail);
    return first_tail == 0.0 && second_tail == 0.0 && tail == 0.0;
}

static bool exact_corners(const double (*const x[2])[3], int count, double t, double out[3][3])
{
    for (int i = 0; i < 3; i++) {
        const int from = i < count ? i : count - 1;
        for (int axis = 0; axis < 3; axis++) {
            if (t == 0.0 || t == 1.0)
                out[i][axis] = x[t == 1.0][from][axis];
            else if (!exact_position(x[0][from][axis], x[1][from][axis], t, &out[i][axis]))
                return false;
        }
    }
    return true;
}

bool grz_prove_touch(const grz_feature_pair *m, double t)
{
    double a[3][3], b[3][3];
    return exact_corners(m->a, m->count_a, t, a) && exact_corners(m->b, m->count_b, t, b) && grz_triangles_touch(a, b);
}

// The sign of |x, y, z| for rounded differences at a time; 0 if rounding could change it.
static int certain_volume(const double x[3], const double y[3], const double z[3], const double most[3])
{
    double c[3];
    grz_cross(y, z, c);
    const double value = grz_dot(x, c);
    // Each of the six products of three differences: 5 roundings in each difference, 3 in products and sums and more.
    const double bound = 6.0 * 24.0 * 0x1p-53 * (most[0] * most[1] * most[2]) + UNDERFLOW_BOUND;
    return value > bound ? 1 : value < -bound ? -1 : 0;
}

bool grz_prove_piercing(const grz_feature_pair *m, double t, uint8_t *feature_a, uint8_t *feature_b)
{
    if (m->count_a == 1 || m->count_b != 3)
        return false;
    grz_moment now;
    grz_feature_pair_at(m, t, &now);
    double most[3];
    for (int axis = 0; axis < 3; axis++)
        most[axis] = m->most[axis] + 2.0 * m->most_edge[axis];
    // d(i, j) = a_i - b_j. Edge (p, q) of one triangle passes through the other if p and q are on different sides of
    // its plane, and the other's three edges all pass the line (p, q) on the same side.
    for (int which = 0; which < 6; which++) {
        const int i = which % 3, k = (i + 1) % 3;
        const bool of_a = which < 3;
        if (m->count_a == 2 && which > 0) // a segment has one edge, and nothing passes through it
            break;
        double to[2][3][3]; // from the ends of the edge to the corners of the face, but for the sign
        for (int j = 0; j < 3; j++) {
            for (int axis = 0; axis < 3; axis++) {
                to[0][j][axis] = now.difference[of_a ? 3 * i + j : 3 * j + i][axis];
                to[1][j][axis] = now.difference[of_a ? 3 * k + j : 3 * j + k][axis];
            }
        }
        const int near = certain_volume(to[0][0], to[0][1], to[0][2], most);
        const int far = certain_volume(to[1][0], to[1][1], to[1][2], most);
        if (near == 0 || far != -near)
            continue;
        const double *const edge = of_a ? now.edge_a[i] : now.edge_b[i];
        const int side = certain_volume(edge, to[0][0], to[0][1], most);
        if (side != 0 && certain_volume(edge, to[0][1], to[0][2], most) == side &&
            certain_volume(edge, to[0][2], to[0][0], most) == side) {
            *feature_a = (uint8_t)(of_a ? GRZ_EDGE_0 + i : GRZ_FACE);
            *feature_b = (uint8_t)(of_a ? GRZ_FACE : GRZ_EDGE_0 + i);
            return true;
        }
    }
    return false;
}
