// SPDX-License-Identifier: MIT
// The nearest points of a corner and a face, or of two edges, in doubles. Nothing is proved by them: they only say
// where to look. Method: C. Ericson, "Real-Time Collision Detection" (2005), 5.1.5 and 5.1.9, by regions of the
// parameters.
#include "geometry/inclusion/nearest_point.h"

#include "geometry/triangle/pair.h"
#include "geometry/vector.h"

#define CORNER_A(i)                                                                                                    \
    {                                                                                                                  \
        false, GRZ_CORNER_0 + (i), GRZ_FACE, 3 * (i), 3, 5, -1.0, 1.0                                                  \
    }
#define CORNER_B(j)                                                                                                    \
    {                                                                                                                  \
        false, GRZ_FACE, GRZ_CORNER_0 + (j), (j), 0, 2, 1.0, -1.0                                                      \
    }
#define EDGES(i, j)                                                                                                    \
    {                                                                                                                  \
        true, GRZ_EDGE_0 + (i), GRZ_EDGE_0 + (j), 3 * (i) + (j), (i), 3 + (j), 1.0, -1.0                               \
    }

static const grz_patch triangles[GRZ_PATCHES_OF_TRIANGLES] = {
    CORNER_A(0), CORNER_A(1), CORNER_A(2), CORNER_B(0), CORNER_B(1), CORNER_B(2), EDGES(0, 0), EDGES(0, 1),
    EDGES(0, 2), EDGES(1, 0), EDGES(1, 1), EDGES(1, 2), EDGES(2, 0), EDGES(2, 1), EDGES(2, 2),
};
static const grz_patch segment_and_face[] = {CORNER_A(0), CORNER_A(1), EDGES(0, 0), EDGES(0, 1), EDGES(0, 2)};
static const grz_patch vertex_face = CORNER_A(0), edges = EDGES(0, 0);

int grz_patches_of(const grz_feature_pair *m, const grz_patch **patches)
{
    if (m->count_a == 3) {
        *patches = triangles;
        return GRZ_PATCHES_OF_TRIANGLES;
    }
    if (m->count_a == 2 && m->count_b == 3) {
        *patches = segment_and_face;
        return (int)(sizeof segment_and_face / sizeof segment_and_face[0]);
    }
    *patches = m->count_a == 1 ? &vertex_face : &edges;
    return 1;
}

int grz_patch_corners(const grz_feature_pair *m, const grz_patch *patch, bool of_a, double out[2][3][3])
{
    const int feature = of_a ? patch->feature_a : patch->feature_b;
    const int corners = of_a ? m->count_a : m->count_b;
    const int count = feature == GRZ_FACE ? 3 : feature >= GRZ_EDGE_0 ? 2 : 1;
    const int first = feature == GRZ_FACE ? 0 : feature >= GRZ_EDGE_0 ? feature - GRZ_EDGE_0 : feature;
    for (int time = 0; time < 2; time++)
        for (int i = 0; i < count; i++)
            for (int axis = 0; axis < 3; axis++)
                out[time][i][axis] = (of_a ? m->a : m->b)[time][(first + i) % corners][axis];
    return count;
}

static void take_edge(const double edge_a[3][3], const double edge_b[3][3], int edge, double sign, double out[3])
{
    const double *const from = edge < 3 ? edge_a[edge] : edge_b[edge - 3];
    for (int axis = 0; axis < 3; axis++)
        out[axis] = sign * from[axis];
}

void grz_patch_at(const grz_patch *patch, const grz_moment *moment, double e[3], double p[3], double q[3])
{
    for (int axis = 0; axis < 3; axis++)
        e[axis] = moment->difference[patch->difference][axis];
    take_edge(moment->edge_a, moment->edge_b, patch->edge_p, patch->sign_p, p);
    take_edge(moment->edge_a, moment->edge_b, patch->edge_q, patch->sign_q, q);
}

void grz_patch_ends(const grz_feature_pair *m, const grz_patch *patch, int time, double e[3], double p[3], double q[3])
{
    for (int axis = 0; axis < 3; axis++)
        e[axis] = m->difference[time][axis][patch->difference];
    take_edge(m->edge_a[time], m->edge_b[time], patch->edge_p, patch->sign_p, p);
    take_edge(m->edge_a[time], m->edge_b[time], patch->edge_q, patch->sign_q, q);
}

static double clamp(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

// The smallest of |e + s·d|, s in [0, 1], for e·d and d·d.
static double along(double ed, double dd)
{
    return dd > 0.0 ? clamp(-ed / dd) : 0.0;
}

typedef struct products {
    double ep, eq, pp, pq, qq;
} products;

// Of |p|²|q|²: below it edges count as parallel, and a triangle as a segment. Chosen: the point is a guess, and what
// follows from it is proved.
static const double PARALLEL_EDGES = 0x1p-40, FLAT_TRIANGLE = 0x1p-44;

// The point of e + u·p + v·q, with u and v from 0 to 1, that is nearest to 0: the nearest points of two segments.
// Returns true if it is not on the border.
static bool nearest_in_square(const products *d, double *u, double *v)
{
    const double area = d->pp * d->qq - d->pq * d->pq;
    if (area > PARALLEL_EDGES * (d->pp * d->qq)) {
        *u = (d->pq * d->eq - d->ep * d->qq) / area;
        *v = (d->pq * d->ep - d->eq * d->pp) / area;
        if (*u > 0.0 && *u < 1.0 && *v > 0.0 && *v < 1.0)
            return true;
        *u = clamp(*u);
    } else {
        *u = 0.0;
    }
    *v = d->qq > 0.0 ? -(d->eq + *u * d->pq) / d->qq : 0.0;
    if (!(*v >= 0.0 && *v <= 1.0)) {
        *v = clamp(*v);
        *u = along(d->ep + *v * d->pq, d->pp);
    }
    return false;
}

// The same with u and v of at least 0 and u + v at most 1: the point of a triangle that is nearest to 0.
static bool nearest_in_triangle(const products *d, double ee, double *u, double *v)
{
    const double area = d->pp * d->qq - d->pq * d->pq;
    if (area > FLAT_TRIANGLE * (d->pp * d->qq)) {
        *u = (d->pq * d->eq - d->ep * d->qq) / area;
        *v = (d->pq * d->ep - d->eq * d->pp) / area;
        if (*u > 0.0 && *v > 0.0 && *u + *v < 1.0)
            return true;
    }
    // |e + u·p + v·q|² on the sides v = 0, u = 0, u + v = 1.
    const double u0 = along(d->ep, d->pp), v1 = along(d->eq, d->qq);
    const double base = d->ep - d->eq + d->pq - d->qq, length = d->pp - 2.0 * d->pq + d->qq;
    const double u2 = along(base, length);
    const double first = ee + u0 * (2.0 * d->ep + u0 * d->pp), second = ee + v1 * (2.0 * d->eq + v1 * d->qq);
    const double third = ee + 2.0 * d->eq + d->qq + u2 * (2.0 * base + u2 * length);
    *u = u0;
    *v = 0.0;
    if (second < first) {
        *u = 0.0;
        *v = v1;
    }
    if (third < first && third < second) {
        *u = u2;
        *v = 1.0 - u2;
    }
    return false;
}

// Take from `vector` what rounding left along `side`: the extent of a feature along it may be much larger than the gap.
static void make_perpendicular(double vector[3], const double side[3])
{
    const double square = grz_dot(side, side);
    if (square > 0.0) {
        const double part = grz_dot(vector, side) / square;
        for (int axis = 0; axis < 3; axis++)
            vector[axis] -= part * side[axis];
    }
}

void grz_nearest_of_patch(const grz_patch *patch, const grz_moment *moment, grz_nearest_point *out)
{
    double e[3], p[3], q[3];
    grz_patch_at(patch, moment, e, p, q);
    const products d = {grz_dot(e, p), grz_dot(e, q), grz_dot(p, p), grz_dot(p, q), grz_dot(q, q)};
    const bool inside = patch->square ? nearest_in_square(&d, &out->u, &out->v)
                                      : nearest_in_triangle(&d, grz_dot(e, e), &out->u, &out->v);
    const double u = out->u, v = out->v;
    for (int axis = 0; axis < 3; axis++)
        out->direction[axis] = out->vector[axis] = e[axis] + u * p[axis] + v * q[axis];
    out->square = grz_dot(out->vector, out->vector);
    if (inside) {
        grz_cross(p, q, out->direction);
    } else if (u > 0.0 && u < 1.0 && (v == 0.0 || v == 1.0)) {
        make_perpendicular(out->direction, p);
    } else if (v > 0.0 && v < 1.0 && (u == 0.0 || u == 1.0)) {
        make_perpendicular(out->direction, q);
    } else if (u > 0.0 && v > 0.0 && !patch->square) {
        const double side[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
        make_perpendicular(out->direction, side);
    }
}
