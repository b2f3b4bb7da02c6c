// SPDX-License-Identifier: MIT
// About the smallest ellipsoid around points. In coordinates in which the points are as wide in all directions, weights
// are looked for whose matrix of inertia has the largest determinant: its ellipsoid, grown to hold all points, is the
// smallest. Few points have weight: the search is among few, which the point farthest outside joins.
// Source: L. Khachiyan (1996); M. Todd and E. Yildirim (2007), for steps that take weight away.
#include <string.h>

#include "ask/fit/fit_parts.h"
#include "base/control.h"
#include "base/rounding.h"
#include "geometry/functions/functions.h"
#include "geometry/vector.h"

enum {
    MOST_FEW = 64,    // points among which weights are looked for
    MOST_ROUNDS = 60, // points that join
    MOST_STEPS = 2000,
    SWEEPS = 16
};

// How far the points may be outside, in squares relative to the number of dimensions, and how thin a solid may be,
// relative to its length, before it is taken for flat.
static const double TOLERANCE = 0x1p-26, THIN = 0x1p-40;

// A half axis across what is flat, relative to what it must hold: the others grow by a factor of 1 + 2^-27 for it.
static const double ACROSS = 0x1p13;

typedef struct search {
    const grz_fit_points *points;
    double axes[3][3], mean[3], scale[3]; // coordinate i of a point: axes[i]·(at - mean) / scale[i]
    int rank;                             // how many of the axes are not flat; these come first
    uint32_t few[MOST_FEW];
    double at[MOST_FEW][3], weights[MOST_FEW]; // of the few
    int count;
    double centre[3], root[3][3]; // of the ellipsoid: centre + root·y with |y| <= 1; `root` is lower triangular
} search;

static void coordinates(const search *s, uint32_t point, double out[3])
{
    double w[3];
    for (int k = 0; k < 3; k++)
        w[k] = s->points->at[point][k] - s->mean[k];
    for (int i = 0; i < s->rank; i++)
        out[i] = grz_dot(s->axes[i], w) / s->scale[i];
}

// Principal axes, the widest first, and how wide the points are along each.
static void set_frame(search *s)
{
    const grz_fit_points *points = s->points;
    double axes[3][3], width[3] = {0.0}, low[3], high[3];
    grz_fit_principal(points, axes);
    for (int i = 0; i < 3; i++) {
        low[i] = HUGE_VAL;
        high[i] = -HUGE_VAL;
    }
    for (uint32_t p = 0; p < points->count && !grz_fit_ended(points->control, p); p++)
        for (int i = 0; i < 3; i++) {
            const double y = grz_dot(points->at[p], axes[i]);
            low[i] = fmin(low[i], y);
            high[i] = fmax(high[i], y);
        }
    for (int i = 0; i < 3; i++)
        width[i] = high[i] - low[i];
    for (int i = 0; i < 3; i++) {
        int widest = 0;
        for (int j = 1; j < 3; j++)
            widest = width[j] > width[widest] ? j : widest;
        memcpy(s->axes[i], axes[widest], sizeof s->axes[i]);
        s->scale[i] = 0.5 * width[widest];
        for (int k = 0; k < 3; k++)
            s->mean[k] += 0.5 * (low[widest] + high[widest]) * axes[widest][k];
        if (i < points->shape->dimension && s->scale[i] > THIN * s->scale[0])
            s->rank = i + 1;
        width[widest] = -1.0;
    }
}

// The ellipsoid that the weights give: its centre is the weighted mean of the points, and `root` maps it to a ball, so
// that the weighted mean of the squared distances from the centre is 1.
// False if they are in a plane or on a line.
static bool set_root(search *s)
{
    const int n = s->rank;
    const double(*y)[3] = (const double(*)[3])s->at;
    double matrix[3][3] = {{0.0}};
    memset(s->centre, 0, sizeof s->centre);
    memset(s->root, 0, sizeof s->root);
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < n; k++)
            s->centre[k] += s->weights[i] * y[i][k];
    for (int i = 0; i < s->count; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k <= j; k++)
                matrix[j][k] += n * s->weights[i] * (y[i][j] - s->centre[j]) * (y[i][k] - s->centre[k]);
    for (int j = 0; j < n; j++) // A. Cholesky's root
        for (int k = 0; k <= j; k++) {
            double rest = matrix[j][k];
            for (int i = 0; i < k; i++)
                rest -= s->root[j][i] * s->root[k][i];
            if (j == k && !(rest > 1e-24))
                return false;
            s->root[j][k] = j == k ? sqrt(rest) : rest / s->root[k][k];
        }
    return true;
}

// The square of a point's distance from the centre, in radii of the ellipsoid.
static double square_at(const search *s, const double y[3])
{
    double z[3], square = 0.0;
    for (int j = 0; j < s->rank; j++) {
        z[j] = y[j] - s->centre[j];
        for (int i = 0; i < j; i++)
            z[j] -= s->root[j][i] * z[i];
        z[j] /= s->root[j][j];
        square += z[j] * z[j];
    }
    return square;
}

// Change the weights of the few until the ellipsoid holds them, and those with weight are on it. With q = n·square + 1,
// which is n + 1 at the optimum, a share (q - n - 1) / ((n + 1)·(q - 1)) for a point makes the determinant largest.
static bool improve(search *s)
{
    const double n = s->rank;
    for (int step = 0; step < MOST_STEPS; step++) {
        int far = 0, near = -1;
        double most = -1.0, least = HUGE_VAL;
        if (!set_root(s))
            return false;
        for (int i = 0; i < s->count; i++) {
            const double square = square_at(s, s->at[i]);
            if (square > most) {
                most = square;
                far = i;
            }
            if (s->weights[i] > 0.0 && square < least) {
                least = square;
                near = i;
            }
        }
        if (most - 1.0 <= TOLERANCE && 1.0 - least <= TOLERANCE)
            return true;
        const bool add = most - 1.0 >= 1.0 - least;
        const int changed = add ? far : near;
        const double q = n * (add ? most : least) + 1.0, weight = s->weights[changed],
                     none = weight < 1.0 ? -weight / (1.0 - weight) : 0.0,
                     best = q > 1.0 ? (q - n - 1.0) / ((n + 1.0) * (q - 1.0)) : none;
        const double share = add ? best : fmax(best, none);
        for (int i = 0; i < s->count; i++)
            s->weights[i] *= 1.0 - share;
        s->weights[changed] = !add && share == none ? 0.0 : s->weights[changed] + share;
    }
    return true;
}

// A point joins the few, in the place of one without weight if there is no room. False if it is among them.
static bool join(search *s, uint32_t point)
{
    int place = s->count;
    for (int i = 0; i < s->count; i++) {
        if (s->few[i] == point)
            return false;
        if (s->count == MOST_FEW && s->weights[i] == 0.0)
            place = i;
    }
    if (place == MOST_FEW)
        return false;
    s->few[place] = point;
    coordinates(s, point, s->at[place]);
    s->weights[place] = 0.0;
    s->count = place < s->count ? s->count : s->count + 1;
    return true;
}

// The first few: the outermost along each axis, and across the last ones.
static void begin(search *s)
{
    const grz_fit_points *points = s->points;
    static const double ways[7][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};
    uint32_t low[7] = {0}, high[7] = {0};
    double least[7], most[7];
    for (int w = 0; w < 7; w++) {
        least[w] = HUGE_VAL;
        most[w] = -HUGE_VAL;
    }
    for (uint32_t p = 0; p < points->count && !grz_fit_ended(points->control, p); p++) {
        double y[3] = {0.0, 0.0, 0.0};
        coordinates(s, p, y);
        for (int w = 0; w < 7; w++) {
            const double t = grz_dot(y, ways[w]);
            if (t < least[w]) {
                least[w] = t;
                low[w] = p;
            }
            if (t > most[w]) {
                most[w] = t;
                high[w] = p;
            }
        }
    }
    for (int w = 0; w < 7; w++) {
        (void)join(s, low[w]);
        (void)join(s, high[w]);
    }
    for (int i = 0; i < s->count; i++)
        s->weights[i] = 1.0 / s->count;
}

// The ball around the box of all points, which is what is left if rounding has made the few flat.
static void take_ball(search *s)
{
    memset(s->centre, 0, sizeof s->centre);
    memset(s->root, 0, sizeof s->root);
    for (int i = 0; i < s->rank; i++)
        s->root[i][i] = sqrt(s->rank);
}

static void find(search *s)
{
    const grz_fit_points *points = s->points;
    begin(s);
    for (int round = 0; round < MOST_ROUNDS; round++) {
        if (!improve(s)) {
            take_ball(s);
            return;
        }
        double most = 1.0 + 2.0 * TOLERANCE;
        uint32_t farthest = UINT32_MAX;
        for (uint32_t p = 0; p < points->count && !grz_fit_ended(points->control, p); p++) {
            double y[3];
            coordinates(s, p, y);
            const double square = square_at(s, y);
            if (square > most) {
                most = square;
                farthest = p;
            }
        }
        if (farthest == UINT32_MAX || !join(s, farthest) || grz_control_expired(points->control))
            return;
    }
}

// The half axes: the rows of scale·root are made perpendicular by turning two of them at a time, and the axes with them
// (one-sided Jacobi, which finds thin ones as well as long ones).
static void set_axes(const search *s, grz_box_fit *e)
{
    double rows[3][3];
    memcpy(e->axes, s->axes, sizeof e->axes);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            rows[i][k] = s->scale[i] * s->root[i][k];
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int p = 0; p + 1 < s->rank; p++)
            for (int q = p + 1; q < s->rank; q++) {
                const double x = grz_dot(rows[p], rows[p]), y = grz_dot(rows[q], rows[q]),
                             z = grz_dot(rows[p], rows[q]);
                if (fabs(z) <= 2.0 * GRZ_FIT_U * sqrt(x * y)) // perpendicular, as doubles go
                    continue;
                const double theta = (y - x) / (2.0 * z),
                             t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0)),
                             c = 1.0 / sqrt(t * t + 1.0);
                for (int k = 0; k < 3; k++) {
                    const double u = rows[p][k], v = rows[q][k], a = e->axes[p][k], b = e->axes[q][k];
                    rows[p][k] = c * (u - t * v);
                    rows[q][k] = c * (t * u + v);
                    e->axes[p][k] = c * (a - t * b);
                    e->axes[q][k] = c * (t * a + b);
                }
            }
    for (int i = 0; i < s->rank; i++)
        e->half[i] = sqrt(grz_dot(rows[i], rows[i]));
}

// Grow the half axes until all points are certainly inside. The coordinate of a point along an axis is off by `error`.
static void grow(const grz_fit_points *points, int rank, grz_box_fit *e)
{
    double size = 0.0, across[3] = {0.0}, most = 0.0;
    bool exactly_flat[3];
    for (int i = 0; i < 3; i++) {
        const int k = grz_fit_lone_axis((const double(*)[3])e->axes, i);
        exactly_flat[i] = i >= rank && k >= 0 && grz_fit_farthest_along(points, e->centre, k) == 0.0;
    }
    for (uint32_t p = 0; p < points->count && !grz_fit_ended(points->control, p); p++) {
        double way[3];
        grz_fit_way(points, p, e->centre, way);
        for (int i = 0; i < 3; i++)
            across[i] = fmax(across[i], fabs(grz_dot(way, e->axes[i])));
        size = fmax(size, grz_largest(way));
    }
    const double error = grz_fit_axes_error((const double(*)[3])e->axes) * size + GRZ_UNDERFLOWS;
    for (int i = rank; i < 3; i++)
        e->half[i] = exactly_flat[i] ? 0.0 : ACROSS * (across[i] + error);
    for (uint32_t p = 0; p < points->count && !grz_fit_ended(points->control, p); p++) {
        double way[3], sum = 0.0;
        grz_fit_way(points, p, e->centre, way);
        for (int i = 0; i < 3; i++) {
            const double share = exactly_flat[i] ? 0.0 : (fabs(grz_dot(way, e->axes[i])) + error) / e->half[i];
            sum += share * share;
        }
        most = fmax(most, sum);
    }
    for (int i = 0; i < 3; i++)
        e->half[i] = grz_fit_length_up(points, e->half[i] * sqrt(most) * GRZ_FIT_MORE);
}

void grz_fit_ellipsoid_around(const grz_fit_points *points, grz_box_fit *ellipsoid)
{
    static const double units[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    search s = {.points = points};
    double centre[3];
    *ellipsoid = (grz_box_fit){.ratio = HUGE_VAL};
    memcpy(ellipsoid->axes, units, sizeof units);
    memcpy(ellipsoid->centre, points->shape->positions, sizeof ellipsoid->centre);
    if (points->extent == 0.0)
        return;
    set_frame(&s);
    find(&s);
    set_axes(&s, ellipsoid);
    memcpy(centre, s.mean, sizeof centre);
    for (int i = 0; i < s.rank; i++)
        for (int k = 0; k < 3; k++)
            centre[k] += s.scale[i] * s.centre[i] * s.axes[i][k];
    grz_fit_place(points, centre, ellipsoid->centre);
    grow(points, s.rank, ellipsoid);
    if (points->volume > 0.0) {
        ellipsoid->ratio = 4.0 / 3.0 * GRZ_PI / points->volume;
        for (int i = 0; i < 3; i++)
            ellipsoid->ratio *= ldexp(ellipsoid->half[i], points->shift);
    }
}
