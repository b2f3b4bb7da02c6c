// SPDX-License-Identifier: MIT
// A box and a triangle. Candidates for the nearest points are pairs of features: a corner and a face, two edges, a
// corner and an edge. They only propose directions: of these, and of the 13 axes of the separating axis theorem (S.
// Gottschalk et al., "OBBTree", 1996), the one with the largest gap counts, and its gap is a proof.
#include <math.h>
#include <string.h>

#include "level/mover/body/separating.h"

enum {
    // A triangle's corners, corners and the face, edges of both, corners and edges.
    MOST_PAIRS = 3 + 8 + 36 + 24
};

typedef struct pairs {
    double half[3], c[3][3]; // along the box's axes
    double most[2][3];       // of the triangle's coordinates: the largest of their negatives, and of them
    grz_near_pair items[MOST_PAIRS];
    int count;
} pairs;

static double clamp(double x, double most)
{
    return x > most ? most : (x < -most ? -most : x);
}

static void offer(pairs *p, const double of_box[3], const double weights[3])
{
    grz_near_pair *pair = &p->items[p->count++];
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = of_box[k] - ((weights[0] * p->c[0][k] + weights[1] * p->c[1][k]) + weights[2] * p->c[2][k]);
    memcpy(pair->of_core, of_box, sizeof pair->of_core);
    memcpy(pair->weights, weights, sizeof pair->weights);
    pair->square = grz_dot(d, d);
}

// True if a point of the triangle can be beyond the box's face. A feature of the box is nearest to such points only.
static bool sees(const pairs *p, int axis, int side, double slack)
{
    return p->most[side][axis] >= p->half[axis] - slack;
}

static void offer_corners_of_triangle(pairs *p)
{
    for (int j = 0; j < 3; j++) {
        const double weights[3] = {j == 0, j == 1, j == 2};
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = clamp(p->c[j][k], p->half[k]);
        offer(p, x, weights);
    }
}

static void offer_face(pairs *p, const double corner[3], const double u[3], const double v[3], const double n[3],
                       double nn)
{
    double r[3], rv[3], ur[3];
    grz_subtract(corner, p->c[0], r);
    grz_cross(r, v, rv);
    grz_cross(u, r, ur);
    const double s = grz_dot(rv, n) / nn, t = grz_dot(ur, n) / nn;
    if (s >= 0.0 && t >= 0.0 && s + t <= 1.0)
        offer(p, corner, (const double[3]){1.0 - s - t, s, t});
}

static void set_weights(int edge, double t, double weights[3])
{
    weights[edge] = 1.0 - t;
    weights[(edge + 1) % 3] = t;
    weights[(edge + 2) % 3] = 0.0;
}

// The insides of an edge and of the box's edge along `axis` through `corner`.
static void offer_edges(pairs *p, int axis, const double corner[3], int edge)
{
    const double *a = p->c[edge], *b = p->c[(edge + 1) % 3];
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const double ei = b[i] - a[i], ej = b[j] - a[j],
                 t = ((corner[i] - a[i]) * ei + (corner[j] - a[j]) * ej) / (ei * ei + ej * ej);
    if (!(t >= 0.0 && t <= 1.0)) // NaN, too: they are parallel, and their ends are as near
        return;
    const double along = a[axis] + t * (b[axis] - a[axis]);
    if (!(fabs(along) <= p->half[axis]))
        return;
    double x[3] = {corner[0], corner[1], corner[2]}, weights[3];
    x[axis] = along;
    set_weights(edge, t, weights);
    offer(p, x, weights);
}

static void offer_corner_and_edge(pairs *p, const double corner[3], int edge)
{
    double e[3], r[3], weights[3];
    grz_subtract(p->c[(edge + 1) % 3], p->c[edge], e);
    grz_subtract(corner, p->c[edge], r);
    const double t = grz_dot(r, e) / grz_dot(e, e);
    if (!(t >= 0.0 && t <= 1.0))
        return;
    set_weights(edge, t, weights);
    offer(p, corner, weights);
}

static void offer_corners_of_box(pairs *p, double slack)
{
    double u[3], v[3], n[3];
    grz_subtract(p->c[1], p->c[0], u);
    grz_subtract(p->c[2], p->c[0], v);
    grz_cross(u, v, n);
    const double nn = grz_dot(n, n);
    for (int i = 0; i < 8; i++) {
        const int side[3] = {i & 1, i >> 1 & 1, i >> 2};
        double corner[3];
        bool all = true;
        for (int k = 0; k < 3; k++) {
            corner[k] = side[k] ? p->half[k] : -p->half[k];
            all = all && sees(p, k, side[k], slack);
        }
        if (nn > 0.0)
            offer_face(p, corner, u, v, n, nn);
        for (int edge = 0; edge < 3 && all; edge++)
            offer_corner_and_edge(p, corner, edge);
    }
}

static void offer_edges_of_box(pairs *p, double slack)
{
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 4; i++) {
            const int j = (axis + 1) % 3, k = (axis + 2) % 3;
            double corner[3] = {0.0, 0.0, 0.0};
            corner[j] = i & 1 ? p->half[j] : -p->half[j];
            corner[k] = i & 2 ? p->half[k] : -p->half[k];
            for (int edge = 0; edge < 3 && sees(p, j, i & 1, slack) && sees(p, k, i >> 1, slack); edge++)
                offer_edges(p, axis, corner, edge);
        }
}

// The directions across the features that have the nearest points. True: one is better.
static bool offer_directions(const grz_core *core, const double c[3][3], const grz_near_pair *nearest,
                             const double way[3], double error, grz_separation *out)
{
    bool other = grz_separation_offer(core, c, way, error, out);
    double across[3], e[3];
    for (int i = 0; i < 3; i++) {
        grz_subtract(c[(i + 1) % 3], c[i], e);
        if (nearest->weights[(i + 2) % 3] == 0.0) { // the points are on this edge
            grz_across(way, e, across);
            other = grz_separation_offer(core, c, across, error, out) || other;
        }
        if (fabs(nearest->of_core[i]) < core->half[i]) { // and not at an end of the box along this axis
            grz_across(way, core->axes[i], across);
            other = grz_separation_offer(core, c, across, error, out) || other;
        }
        for (int j = 0; j < 3; j++) {
            grz_cross(core->axes[j], e, across);
            other = grz_separation_offer(core, c, across, error, out) || other;
        }
    }
    return other;
}

void grz_separation_of_box(const grz_core *core, const double c[3][3], double error, grz_separation *out)
{
    pairs p = {.count = 0};
    double u[3], v[3], n[3], way[3] = {0.0, 0.0, 0.0};
    memcpy(p.half, core->half, sizeof p.half);
    for (int i = 0; i < 9; i++)
        p.c[i / 3][i % 3] = grz_dot(core->axes[i % 3], c[i / 3]);
    for (int k = 0; k < 3; k++) {
        p.most[1][k] = grz_larger(grz_larger(p.c[0][k], p.c[1][k]), p.c[2][k]);
        p.most[0][k] = -grz_smaller(grz_smaller(p.c[0][k], p.c[1][k]), p.c[2][k]);
    }
    offer_corners_of_triangle(&p);
    offer_corners_of_box(&p, error);
    offer_edges_of_box(&p, error);
    const grz_near_pair nearest = grz_near_pairs_mean(p.items, p.count, error);
    *out = (grz_separation){.lower = -HUGE_VAL, .upper = sqrt(nearest.square) + error};
    for (int k = 0; k < 3; k++) {
        out->point[k] = (nearest.weights[0] * c[0][k] + nearest.weights[1] * c[1][k]) + nearest.weights[2] * c[2][k];
        for (int i = 0; i < 3; i++)
            way[k] += nearest.of_core[i] * core->axes[i][k];
        way[k] -= out->point[k];
    }
    grz_subtract(c[1], c[0], u);
    grz_subtract(c[2], c[0], v);
    grz_cross(u, v, n);
    out->on_face = grz_separation_offer(core, c, n, 0.0, out);
    bool other = false;
    for (int i = 0; i < 3; i++)
        other = grz_separation_offer(core, c, core->normals[i], error, out) || other;
    other = offer_directions(core, c, &nearest, way, error, out) || other;
    out->on_face = out->on_face && !other;
    out->order = out->lower;
    out->lower -= error;
}
