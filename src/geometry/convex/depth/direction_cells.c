// SPDX-License-Identifier: MIT
// Directions are divided into cells, the cones between three of them. Let p be a difference a - b, or a point between
// some: along each direction of the cell, the differences reach at least as far as p, and p reaches at least as far as
// the least of its products with the cell's three directions, which have length 1: a direction between these is a sum
// of multiples of them, and no longer than the sum of the factors. A cell whose bound is below the least reach found so
// far is halved. Unlike facets of a polytope, cells do not wear out by roundings: each bound stands by itself.
//
// Cells begin as the faces of an octahedron, and a new direction is the middle of two on its surface: that is exact, so
// the halves of a cell cover it.
#include "geometry/convex/depth/direction_cells.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/vector.h"

enum {
    MOST_CELLS = 3000,
    MOST_STACKED = 128,
    CORNERS = 3,
    POINTS = 4 // the farthest along the cell's directions, and along its middle
};

// A direction, and the difference that is farthest along it.
typedef struct direction {
    double at[3]; // on the octahedron
    double n[3];  // of length 1
    double far[3];
} direction;

typedef struct cell {
    direction corner[CORNERS];
} cell;

typedef struct search {
    const grz_convex *a, *b;
    double slack;
    grz_convex_depth *depth;
} search;

// Look along a direction. The upper bound is taken on the way.
static void look(const search *s, direction *d)
{
    double on_a[3], on_b[3], back[3];
    memcpy(d->n, d->at, sizeof d->n);
    grz_make_unit(d->n);
    for (int k = 0; k < 3; k++)
        back[k] = -d->n[k];
    grz_convex_farthest(s->a, d->n, on_a);
    grz_convex_farthest(s->b, back, on_b);
    for (int k = 0; k < 3; k++)
        d->far[k] = on_a[k] - on_b[k];
    const double upper = (grz_dot(d->n, d->far) + s->slack) * GRZ_MORE(32);
    if (upper < s->depth->upper) {
        s->depth->upper = fmax(upper, 0.0);
        memcpy(s->depth->along, back, sizeof back);
    }
}

static double least_of(const double product[CORNERS])
{
    return fmin(fmin(product[0], product[1]), product[2]);
}

// The largest least product of a point between two: where two products are equal.
static double best_between(const double p[CORNERS], const double q[CORNERS], double best)
{
    for (int j = 0; j < CORNERS; j++) {
        const int l = (j + 1) % CORNERS;
        const double at_p = p[j] - p[l], at_q = q[j] - q[l], t = at_p / (at_p - at_q);
        if (!(t > 0.0 && t < 1.0))
            continue;
        double mixed[CORNERS];
        for (int i = 0; i < CORNERS; i++)
            mixed[i] = (1.0 - t) * p[i] + t * q[i];
        best = fmax(best, least_of(mixed));
    }
    return best;
}

// The same of a point between three: where all products are equal.
static double best_among(double product[POINTS][CORNERS], double best)
{
    double u[CORNERS], v[CORNERS], weight[CORNERS], mixed[CORNERS], sum = 0.0;
    for (int i = 0; i < CORNERS; i++) {
        u[i] = product[i][0] - product[i][1];
        v[i] = product[i][0] - product[i][2];
    }
    grz_cross(u, v, weight);
    for (int i = 0; i < CORNERS; i++)
        sum += weight[i];
    for (int j = 0; j < CORNERS; j++)
        mixed[j] = 0.0;
    for (int i = 0; i < CORNERS; i++) {
        if (!(weight[i] / sum >= 0.0))
            return best;
        for (int j = 0; j < CORNERS; j++)
            mixed[j] += weight[i] / sum * product[i][j];
    }
    return fmax(best, least_of(mixed));
}

// How far the differences reach at least along each direction of a cell. Ends early above `enough`.
static double bound_of(const search *s, const cell *c, double enough)
{
    double product[POINTS][CORNERS], best = -HUGE_VAL;
    direction middle;
    for (int k = 0; k < 3; k++)
        middle.at[k] = c->corner[0].n[k] + c->corner[1].n[k] + c->corner[2].n[k];
    for (int i = 0; i < POINTS && best < enough; i++) {
        if (i == CORNERS)
            look(s, &middle);
        for (int j = 0; j < CORNERS; j++)
            product[i][j] = grz_dot(c->corner[j].n, i < CORNERS ? c->corner[i].far : middle.far);
        best = fmax(best, least_of(product[i]));
        for (int k = 0; k < i && best < enough; k++)
            best = best_between(product[i], product[k], best);
        if (i == CORNERS - 1 && best < enough)
            best = best_among(product, best);
    }
    return best;
}

// Halve a cell across its longest edge.
static void halve(const search *s, const cell *c, cell *one, cell *other)
{
    int longest = 0;
    double most = -1.0;
    for (int i = 0; i < CORNERS; i++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            const double way = c->corner[i].n[k] - c->corner[(i + 1) % CORNERS].n[k];
            square += way * way;
        }
        if (square > most) {
            most = square;
            longest = i;
        }
    }
    const int next = (longest + 1) % CORNERS;
    direction middle;
    for (int k = 0; k < 3; k++)
        middle.at[k] = 0.5 * (c->corner[longest].at[k] + c->corner[next].at[k]);
    look(s, &middle);
    *one = *other = *c;
    one->corner[next] = middle;
    other->corner[longest] = middle;
}

// Search an eighth of all directions. Returns the least bound; `cells` counts up.
static double search_eighth(const search *s, const cell *whole, double near, int *cells)
{
    cell stack[MOST_STACKED];
    int count = 0;
    double low = HUGE_VAL;
    stack[count++] = *whole;
    while (count > 0 && low - s->slack > s->depth->lower) {
        const cell c = stack[--count];
        const double enough = fmin(low, s->depth->upper - near), bound = bound_of(s, &c, enough);
        if (bound >= fmin(low, s->depth->upper - near) || ++*cells > MOST_CELLS || count + 2 > MOST_STACKED) {
            low = fmin(low, bound);
            continue;
        }
        halve(s, &c, &stack[count], &stack[count + 1]);
        count += 2;
    }
    return low;
}

void grz_convex_search_directions(const grz_convex *a, const grz_convex *b, double slack, double near,
                                  grz_convex_depth *depth)
{
    const search s = {.a = a, .b = b, .slack = slack, .depth = depth};
    double low = HUGE_VAL;
    int cells = 0;
    for (int eighth = 0; eighth < 8 && low - slack > depth->lower; eighth++) {
        cell whole;
        for (int j = 0; j < CORNERS; j++) {
            for (int k = 0; k < 3; k++)
                whole.corner[j].at[k] = j != k ? 0.0 : (eighth >> k & 1) != 0 ? -1.0 : 1.0;
            look(&s, &whole.corner[j]);
        }
        low = fmin(low, search_eighth(&s, &whole, near, &cells));
    }
    depth->lower = fmin(fmax(depth->lower, (low - slack) * GRZ_LESS(32)), depth->upper);
}
