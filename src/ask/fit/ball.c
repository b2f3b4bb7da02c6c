// SPDX-License-Identifier: MIT
// The smallest ball around points. A ball on at most four points grows: the point farthest outside joins, and the
// smallest ball around these five at most is found by trying their subsets. Its radius grows at each step: it ends.
// The bounds do not rest on this: the radius is measured, and for any weights λ of sum 1 no ball around the points has
// a radius below sqrt(Σ λᵢ|yᵢ|² - |Σ λᵢyᵢ|²), y being the points as seen from anywhere (docs/use/fit.md).
// Source of the scheme: E. Welzl (1991), B. Gärtner (1999); of the bound: the dual quadratic program.
#include <string.h>

#include "ask/fit/fit_parts.h"
#include "base/certainty.h"
#include "geometry/functions/functions.h"
#include "geometry/vector.h"

enum {
    MOST_STEPS = 1000
};

static double square_between(const double a[3], const double b[3])
{
    double w[3];
    for (int k = 0; k < 3; k++)
        w[k] = a[k] - b[k];
    return grz_dot(w, w);
}

// The ball through all `count` points whose centre is their affine combination: weights solve 2·G·x = diagonal of G,
// with G the products of the differences from the first. False if the points are dependent.
static bool through(const double (*at)[3], const uint32_t *points, int count, grz_fit_ball *ball)
{
    double m[3][4], way[3][3];
    const int n = count - 1;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            way[i][k] = at[points[i + 1]][k] - at[points[0]][k];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            m[i][j] = 2.0 * grz_dot(way[i], way[j]);
        m[i][n] = grz_dot(way[i], way[i]);
    }
    for (int i = 0; i < n; i++) { // elimination with row pivots
        int best = i;
        for (int r = i + 1; r < n; r++)
            best = fabs(m[r][i]) > fabs(m[best][i]) ? r : best;
        if (!(fabs(m[best][i]) > 1e-28))
            return false;
        for (int k = 0; k <= n; k++) {
            const double swap = m[i][k];
            m[i][k] = m[best][k];
            m[best][k] = swap;
        }
        for (int r = 0; r < n; r++) {
            const double factor = r != i ? m[r][i] / m[i][i] : 0.0;
            for (int k = i; k <= n && r != i; k++)
                m[r][k] -= factor * m[i][k];
        }
    }
    ball->count = count;
    ball->weight[0] = 1.0;
    memcpy(ball->centre, at[points[0]], sizeof ball->centre);
    for (int i = 0; i < n; i++) {
        const double x = m[i][n] / m[i][i];
        ball->weight[i + 1] = x;
        ball->weight[0] -= x;
        for (int k = 0; k < 3; k++)
            ball->centre[k] += x * way[i][k];
    }
    ball->square = 0.0;
    for (int i = 0; i < count; i++) {
        ball->support[i] = points[i];
        ball->square = fmax(ball->square, square_between(at[points[i]], ball->centre));
    }
    return true;
}

// The smallest ball around up to five points: the smallest of those through subsets that hold all.
static bool smallest_of_few(const double (*at)[3], const uint32_t *few, int count, grz_fit_ball *best)
{
    bool found = false;
    for (unsigned subset = 1; subset < 1u << count; subset++) {
        uint32_t points[5] = {0};
        int n = 0;
        for (int i = 0; i < count; i++)
            if ((subset >> i & 1) != 0)
                points[n++] = few[i];
        grz_fit_ball ball;
        if (n > 4 || !through(at, points, n, &ball))
            continue;
        bool holds = true;
        for (int i = 0; i < count && holds; i++)
            holds = square_between(at[few[i]], ball.centre) <= ball.square * (1.0 + 1e-13) + 1e-30;
        if (holds && (!found || ball.square < best->square)) {
            *best = ball;
            found = true;
        }
    }
    return found;
}

void grz_fit_find_ball(const double (*at)[3], uint32_t count, grz_control *control, grz_fit_ball *ball)
{
    const uint32_t first = 0;
    (void)through(at, &first, 1, ball);
    for (int step = 0; step < MOST_STEPS; step++) {
        double most = ball->square;
        uint32_t farthest = UINT32_MAX, few[5];
        for (uint32_t i = 0; i < count; i++) {
            if (grz_fit_ended(control, i))
                return;
            const double square = square_between(at[i], ball->centre);
            if (square > most) {
                most = square;
                farthest = i;
            }
        }
        if (farthest == UINT32_MAX)
            return;
        memcpy(few, ball->support, (size_t)ball->count * sizeof *few);
        few[ball->count] = farthest;
        grz_fit_ball next;
        if (!smallest_of_few(at, few, ball->count + 1, &next) || !(next.square > ball->square))
            return;
        *ball = next;
    }
}

// A radius that no ball around the points can be below. The products and sums of the weights' points are off by a few u
// of their parts; the means by 8u of the largest part.
static double least_radius(const grz_fit_points *points, const grz_fit_ball *ball, const double centre[3])
{
    double total = 0.0, squares = 0.0, mean[3] = {0.0}, size = 0.0;
    for (int i = 0; i < ball->count; i++) {
        const double weight = fmax(ball->weight[i], 0.0);
        double y[3];
        grz_fit_way(points, ball->support[i], centre, y);
        total += weight;
        squares += weight * grz_dot(y, y);
        for (int k = 0; k < 3; k++) {
            mean[k] += weight * y[k];
            size = fmax(size, fabs(y[k]));
        }
    }
    if (!(total > 0.5))
        return 0.0;
    double away = 0.0;
    for (int k = 0; k < 3; k++) {
        const double most = fabs(mean[k]) / total + 32.0 * GRZ_FIT_U * size;
        away += most * most;
    }
    const double square = squares / total * (1.0 - 64.0 * GRZ_FIT_U) - away * (1.0 + 64.0 * GRZ_FIT_U);
    // Chosen: less is left of roundings only, and 0 is a bound, too.
    return square > 0x1p-100 ? sqrt(square) * (1.0 - 4.0 * GRZ_FIT_U) : 0.0;
}

void grz_fit_sphere_around(const grz_fit_points *points, grz_sphere_fit *sphere)
{
    grz_fit_ball ball;
    *sphere = (grz_sphere_fit){.ratio = HUGE_VAL, .certainty = GRZ_EXACT}; // of one point
    memcpy(sphere->centre, points->shape->positions, sizeof sphere->centre);
    if (points->extent == 0.0)
        return;
    grz_fit_find_ball((const double(*)[3])points->at, points->count, points->control, &ball);
    grz_fit_place(points, ball.centre, sphere->centre);
    double most = 0.0;
    for (uint32_t i = 0; i < points->count && !grz_fit_ended(points->control, i); i++) {
        double y[3];
        grz_fit_way(points, i, sphere->centre, y);
        most = fmax(most, grz_dot(y, y));
    }
    // Half of the extent is in `most` at least, so 2^-1074 is nothing; the sum and the root are off by 8u at most.
    const double radius = sqrt(most) * GRZ_FIT_MORE;
    sphere->radius = grz_fit_length_up(points, radius);
    sphere->least = fmin(grz_fit_length_down(points, least_radius(points, &ball, sphere->centre)), sphere->radius);
    sphere->certainty = grz_certainty_of_estimate(sphere->least, sphere->radius);
    sphere->ratio = 4.0 / 3.0 * GRZ_PI * radius * radius * radius / points->volume;
}
