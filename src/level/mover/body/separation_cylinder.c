// SPDX-License-Identifier: MIT
// A cylinder and a triangle. Pairs of near points are proposed: corners, the nearest points of edges (the distance from
// a convex set is a convex function along an edge, so its slope is halved to 0), and points of the cylinder's surface
// that lie over the face. The nearest pair proposes directions, and the gap along one is the proof.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "level/mover/body/separating.h"

enum {
    // The triangle's corners; of an edge the nearest point, and where it enters and leaves two slabs; over the face.
    MOST_PAIRS = 3 + 3 * 5 + 7,
    HALVINGS = 60
};

typedef struct pairs {
    double c[3][3]; // the triangle's corners in the cylinder's coordinates
    double radius, half;
    grz_near_pair items[MOST_PAIRS];
    int count;
} pairs;

static void at_weights(const pairs *p, const double w[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (w[0] * p->c[0][k] + w[1] * p->c[1][k]) + w[2] * p->c[2][k];
}

// The nearest point of the cylinder.
static void clamp(const pairs *p, const double at[3], double out[3])
{
    const double length = grz_length2(at[0], at[1]), scale = length > p->radius ? p->radius / length : 1.0;
    out[0] = at[0] * scale;
    out[1] = at[1] * scale;
    out[2] = at[2] > p->half ? p->half : (at[2] < -p->half ? -p->half : at[2]);
}

// Offer a point of the triangle, with the nearest of the cylinder.
static void offer(pairs *p, const double weights[3])
{
    double at[3], way[3];
    assert(p->count < MOST_PAIRS);
    grz_near_pair *item = &p->items[p->count++];
    memcpy(item->weights, weights, sizeof item->weights);
    at_weights(p, weights, at);
    clamp(p, at, item->of_core);
    grz_subtract(at, item->of_core, way);
    item->square = grz_dot(way, way);
}

static void offer_on_edge(pairs *p, int edge, double t)
{
    double weights[3] = {0.0, 0.0, 0.0};
    if (!(t > 0.0 && t < 1.0))
        return; // a corner, or none
    weights[edge] = 1.0 - t;
    weights[(edge + 1) % 3] = t;
    offer(p, weights);
}

// How fast half of the squared distance grows along an edge.
static double slope_at(const pairs *p, const double from[3], const double e[3], double t)
{
    double at[3], near[3], way[3];
    for (int k = 0; k < 3; k++)
        at[k] = from[k] + t * e[k];
    clamp(p, at, near);
    grz_subtract(at, near, way);
    return grz_dot(way, e);
}

// An edge: where the slope is 0, and where it enters and leaves the cylinder around the axis, and the slab of the caps:
// the ends of what is as near, if it is parallel to a cap or to the axis.
static void offer_edge(pairs *p, int edge)
{
    const double *from = p->c[edge];
    double e[3], low = 0.0, high = 1.0;
    grz_subtract(p->c[(edge + 1) % 3], from, e);
    if (slope_at(p, from, e, 0.0) < 0.0 && slope_at(p, from, e, 1.0) > 0.0) {
        for (int i = 0; i < HALVINGS && low < high; i++) {
            const double middle = 0.5 * (low + high), slope = slope_at(p, from, e, middle);
            if (slope == 0.0) {
                low = high = middle;
                break;
            }
            *(slope < 0.0 ? &low : &high) = middle;
        }
        offer_on_edge(p, edge, 0.5 * (low + high));
    }
    const double a = e[0] * e[0] + e[1] * e[1], b = from[0] * e[0] + from[1] * e[1],
                 c = from[0] * from[0] + from[1] * from[1] - p->radius * p->radius, d = b * b - a * c;
    if (a > 0.0 && d > 0.0) {
        offer_on_edge(p, edge, (-b - sqrt(d)) / a);
        offer_on_edge(p, edge, (-b + sqrt(d)) / a);
    }
    if (e[2] != 0.0) {
        offer_on_edge(p, edge, (p->half - from[2]) / e[2]);
        offer_on_edge(p, edge, (-p->half - from[2]) / e[2]);
    }
}

// A point of the cylinder's surface, if it lies over the face.
static void offer_over_face(pairs *p, const double at[3], const double u[3], const double v[3], const double n[3])
{
    double r[3], rv[3], ur[3];
    const double nn = grz_dot(n, n);
    grz_subtract(at, p->c[0], r);
    grz_cross(r, v, rv);
    grz_cross(u, r, ur);
    const double s = grz_dot(rv, n) / nn, t = grz_dot(ur, n) / nn, off = grz_dot(r, n);
    if (!(s >= 0.0 && t >= 0.0 && s + t <= 1.0))
        return;
    assert(p->count < MOST_PAIRS);
    grz_near_pair *item = &p->items[p->count++];
    *item = (grz_near_pair){{at[0], at[1], at[2]}, {1.0 - s - t, s, t}, off * off / nn};
}

// The outermost points of the cylinder towards the face: a rim's, both ends of a side, a cap's middle and four of its
// rim.
static void offer_face(pairs *p)
{
    double u[3], v[3], n[3];
    grz_subtract(p->c[1], p->c[0], u);
    grz_subtract(p->c[2], p->c[0], v);
    grz_cross(u, v, n);
    if (!(grz_dot(n, n) > 0.0))
        return;
    const double side = grz_dot(n, p->c[0]) > 0.0 ? 1.0 : -1.0, // where the plane is, as seen from the middle
        across = grz_length2(n[0], n[1]), cap = (side * n[2] < 0.0 ? -1.0 : 1.0) * p->half;
    const double x = across > 0.0 ? side * p->radius * n[0] / across : 0.0,
                 y = across > 0.0 ? side * p->radius * n[1] / across : 0.0;
    const double points[7][3] = {{x, y, cap},           {x, y, -cap},           {0.0, 0.0, cap},
                                 {p->radius, 0.0, cap}, {-p->radius, 0.0, cap}, {0.0, p->radius, cap},
                                 {0.0, -p->radius, cap}};
    for (int i = 0; i < 7; i++)
        offer_over_face(p, points[i], u, v, n);
}

// A vector of the cylinder's coordinates in the world's.
static void to_world(const grz_core *core, const double own[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (own[0] * core->axes[0][k] + own[1] * core->axes[1][k]) + own[2] * core->axes[2][k];
}

// The directions across the features that have the nearest points. True: one is better.
static bool offer_directions(const grz_core *core, const double c[3][3], const grz_near_pair *nearest,
                             const double way[3], double error, grz_separation *out)
{
    const double *q = nearest->of_core, own_tangent[3] = {-q[1], q[0], 0.0}, own_radial[3] = {q[0], q[1], 0.0};
    double across[3], e[3], tangent[3], radial[3];
    to_world(core, own_tangent, tangent);
    to_world(core, own_radial, radial);
    bool other = grz_separation_offer(core, c, way, error, out);
    other = grz_separation_offer(core, c, radial, error, out) || other;
    if (fabs(q[2]) < core->half[2]) {
        grz_across(way, core->axes[2], across);
        other = grz_separation_offer(core, c, across, error, out) || other;
    }
    for (int i = 0; i < 3; i++) {
        grz_subtract(c[(i + 1) % 3], c[i], e);
        if (nearest->weights[(i + 2) % 3] == 0.0) { // the points are on this edge
            grz_across(way, e, across);
            other = grz_separation_offer(core, c, across, error, out) || other;
            grz_cross(e, tangent, across);
            other = grz_separation_offer(core, c, across, error, out) || other;
        }
        grz_cross(core->axes[2], e, across);
        other = grz_separation_offer(core, c, across, error, out) || other;
    }
    return other;
}

void grz_separation_of_cylinder(const grz_core *core, const double c[3][3], double error, grz_separation *out)
{
    static const double corners[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    pairs p = {.count = 0, .radius = core->half[0], .half = core->half[2]};
    double u[3], v[3], n[3], way[3];
    for (int i = 0; i < 9; i++)
        p.c[i / 3][i % 3] = grz_dot(core->axes[i % 3], c[i / 3]);
    for (int i = 0; i < 3; i++) {
        offer(&p, corners[i]);
        offer_edge(&p, i);
    }
    offer_face(&p);
    const grz_near_pair nearest = grz_near_pairs_mean(p.items, p.count, error);
    *out = (grz_separation){.lower = -HUGE_VAL, .upper = sqrt(nearest.square) + error};
    for (int k = 0; k < 3; k++)
        out->point[k] = (nearest.weights[0] * c[0][k] + nearest.weights[1] * c[1][k]) + nearest.weights[2] * c[2][k];
    to_world(core, nearest.of_core, way);
    grz_subtract(way, out->point, way);
    grz_subtract(c[1], c[0], u);
    grz_subtract(c[2], c[0], v);
    grz_cross(u, v, n);
    out->on_face = grz_separation_offer(core, c, n, 0.0, out);
    bool other = grz_separation_offer(core, c, core->normals[2], error, out);
    other = offer_directions(core, c, &nearest, way, error, out) || other;
    out->on_face = out->on_face && !other;
    out->order = out->lower;
    out->lower -= error;
}
