// SPDX-License-Identifier: MIT
// Encloses the distance of two triangles, three pairs of features at a time. Upper bound: the distance of two points,
// one of each triangle; the nearest points of all pairs of corners, of corners and faces, and of edges are tried. Lower
// bound: both triangles are projected onto the line through the best two points, and the gap between the projections is
// never larger than the distance. Both bounds hold whatever the rounding errors of the points are: those errors only
// move the bounds apart (docs/use/distance.md). Source of the nearest points of segments: C. Ericson, "Real-Time
// Collision Detection" (2005), 5.1.9.
#include <math.h>
#include <stdbool.h>

#include "base/lanes.h"
#include "base/rounding.h"
#include "geometry/distance/gap.h"
#include "geometry/vector.h"

// Of the largest coordinate, measured from a corner of A: what rounding can do to either bound.
static const double ROUNDING = 0x1p-47;
// What underflow in a square can do to its root.
static const double UNDERFLOW = 0x1p-530;

// Three vectors; the fourth lane repeats the first.
typedef struct vectors {
    grz_f64x4 x, y, z;
} vectors;

static inline vectors vectors_of(const double v[3][3])
{
    return (vectors){grz_f64x4_of(v[0][0], v[1][0], v[2][0], v[0][0]), grz_f64x4_of(v[0][1], v[1][1], v[2][1], v[0][1]),
                     grz_f64x4_of(v[0][2], v[1][2], v[2][2], v[0][2])};
}

static inline vectors splat(const double v[3])
{
    return (vectors){grz_f64x4_splat(v[0]), grz_f64x4_splat(v[1]), grz_f64x4_splat(v[2])};
}

static inline vectors subtract(vectors a, vectors b)
{
    return (vectors){grz_f64x4_subtract(a.x, b.x), grz_f64x4_subtract(a.y, b.y), grz_f64x4_subtract(a.z, b.z)};
}

// a + s · v
static inline vectors move(vectors a, grz_f64x4 s, vectors v)
{
    return (vectors){grz_f64x4_add(a.x, grz_f64x4_multiply(s, v.x)), grz_f64x4_add(a.y, grz_f64x4_multiply(s, v.y)),
                     grz_f64x4_add(a.z, grz_f64x4_multiply(s, v.z))};
}

static inline grz_f64x4 dot(vectors a, vectors b)
{
    return grz_f64x4_add(grz_f64x4_add(grz_f64x4_multiply(a.x, b.x), grz_f64x4_multiply(a.y, b.y)),
                         grz_f64x4_multiply(a.z, b.z));
}

static inline vectors cross(vectors a, vectors b)
{
    return (vectors){grz_f64x4_subtract(grz_f64x4_multiply(a.y, b.z), grz_f64x4_multiply(a.z, b.y)),
                     grz_f64x4_subtract(grz_f64x4_multiply(a.z, b.x), grz_f64x4_multiply(a.x, b.z)),
                     grz_f64x4_subtract(grz_f64x4_multiply(a.x, b.y), grz_f64x4_multiply(a.y, b.x))};
}

// Also of infinities; 0 for NaN.
static inline grz_f64x4 clamp(grz_f64x4 x)
{
    const grz_f64x4 zero = grz_f64x4_splat(0.0), one = grz_f64x4_splat(1.0);
    return grz_f64x4_if_greater(x, zero, grz_f64x4_if_greater(one, x, x, one), zero);
}

// Which features the nearest points are of.
enum {
    CORNERS = 0,      // + corner of A; the lane is the corner of B
    CORNERS_OF_B = 3, // and the face of A
    CORNERS_OF_A = 4, // and the face of B
    EDGES = 5         // + edge of A; the lane is the edge of B
};

// Two triangles, measured from a corner of A, and the nearest points found so far, in each lane.
typedef struct search {
    double a[3][3], b[3][3];
    double edges_a[3][3], edges_b[3][3]; // edge i: from corner i to the next
    vectors as, bs;                      // the corners
    grz_f64x4 square, features;          // of the nearest points: their distance, and what they are of
    vectors way;                         // from the point of A to that of B
    double error;                        // of either bound
} search;

static inline double larger(double x, double y)
{
    return x > y ? x : y; // fmax() would be a call
}

static inline double smaller(double x, double y)
{
    return x < y ? x : y;
}

// Keep points that are nearer than those before.
static inline void offer(search *s, double features, vectors way)
{
    const grz_f64x4 square = dot(way, way), before = s->square;
    s->square = grz_f64x4_if_greater(before, square, square, before);
    s->features = grz_f64x4_if_greater(before, square, grz_f64x4_splat(features), s->features);
    s->way.x = grz_f64x4_if_greater(before, square, way.x, s->way.x);
    s->way.y = grz_f64x4_if_greater(before, square, way.y, s->way.y);
    s->way.z = grz_f64x4_if_greater(before, square, way.z, s->way.z);
}

static inline void offer_corners(search *s)
{
    s->square = grz_f64x4_splat(HUGE_VAL);
    s->features = grz_f64x4_splat(0.0);
    s->way = s->bs;
    for (int i = 0; i < 3; i++)
        offer(s, CORNERS + i, subtract(s->bs, splat(s->a[i])));
}

// For each of three points p the nearest one x of a face, if p is over its inside, else another one of it: p - x.
static inline vectors from_face(const double c[3][3], const double edges[3][3], vectors p)
{
    const double back[3] = {-edges[2][0], -edges[2][1], -edges[2][2]};
    const vectors corner = splat(c[0]), u = splat(edges[0]), v = splat(back), r = subtract(p, corner), n = cross(u, v);
    const grz_f64x4 nn = dot(n, n), at = clamp(grz_f64x4_divide(dot(cross(r, v), n), nn)),
                    rest = grz_f64x4_subtract(grz_f64x4_splat(1.0), at),
                    to = grz_f64x4_min(clamp(grz_f64x4_divide(dot(cross(u, r), n), nn)), rest);
    const vectors x =
        move((vectors){grz_f64x4_multiply(at, u.x), grz_f64x4_multiply(at, u.y), grz_f64x4_multiply(at, u.z)}, to, v);
    return subtract(p, move(corner, grz_f64x4_splat(1.0), x));
}

// The nearest points of an edge of A and the three edges of B.
static inline void offer_edges(search *s, int i, vectors v, grz_f64x4 vv)
{
    const vectors p = splat(s->a[i]), u = splat(s->edges_a[i]), r = subtract(p, s->bs);
    const grz_f64x4 zero = grz_f64x4_splat(0.0), uu = dot(u, u), uv = dot(u, v), ur = dot(u, r), vr = dot(v, r);
    const grz_f64x4 denominator = grz_f64x4_subtract(grz_f64x4_multiply(uu, vv), grz_f64x4_multiply(uv, uv));
    const grz_f64x4 numerator = grz_f64x4_subtract(grz_f64x4_multiply(uv, vr), grz_f64x4_multiply(ur, vv));
    const grz_f64x4 first =
        grz_f64x4_if_greater(denominator, zero, clamp(grz_f64x4_divide(numerator, denominator)), zero);
    const grz_f64x4 to = clamp(grz_f64x4_divide(grz_f64x4_add(grz_f64x4_multiply(uv, first), vr), vv));
    const grz_f64x4 at = clamp(grz_f64x4_divide(grz_f64x4_subtract(grz_f64x4_multiply(uv, to), ur), uu));
    offer(s, EDGES + i, subtract(move(s->bs, to, v), move(p, at, u)));
}

// The best of all lanes. Returns its distance, squared.
static inline double best_of(const search *s, double way[3], int *features, int *lane)
{
    double squares[4], all[4], ways[3][4];
    grz_f64x4_store(squares, s->square);
    grz_f64x4_store(all, s->features);
    grz_f64x4_store(ways[0], s->way.x);
    grz_f64x4_store(ways[1], s->way.y);
    grz_f64x4_store(ways[2], s->way.z);
    int best = 0;
    for (int i = 1; i < 3; i++)
        best = squares[i] < squares[best] ? i : best;
    for (int k = 0; k < 3; k++)
        way[k] = ways[k][best];
    *features = (int)all[best];
    *lane = best;
    return squares[best];
}

// The gap between the projections onto the line along a direction; 0 if they overlap, or the direction is none.
static inline double gap_along(const search *s, const double direction[3])
{
    double of_a[4], of_b[4];
    const vectors w = splat(direction);
    grz_f64x4_store(of_a, dot(w, s->as));
    grz_f64x4_store(of_b, dot(w, s->bs));
    const double low_a = smaller(smaller(of_a[0], of_a[1]), of_a[2]),
                 high_a = larger(larger(of_a[0], of_a[1]), of_a[2]),
                 low_b = smaller(smaller(of_b[0], of_b[1]), of_b[2]),
                 high_b = larger(larger(of_b[0], of_b[1]), of_b[2]);
    const double square = grz_dot(direction, direction);
    return square > GRZ_PRODUCT_MIN ? larger(0.0, larger(low_b - high_a, low_a - high_b) / sqrt(square)) : 0.0;
}

// The normal of the features that the points are of: if the points are near, rounding turns the way more than it. False
// for corners.
static inline bool normal_of(const search *s, int features, int lane, double normal[3])
{
    if (features < CORNERS_OF_B)
        return false;
    if (features >= EDGES)
        grz_cross(s->edges_a[features - EDGES], s->edges_b[lane], normal);
    else if (features == CORNERS_OF_B)
        grz_cross(s->edges_a[0], s->edges_a[1], normal);
    else
        grz_cross(s->edges_b[0], s->edges_b[1], normal);
    return true;
}

static inline void prepare(search *s, const double a[3][3], const double b[3][3])
{
    double largest[4];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            s->a[i][k] = a[i][k] - a[0][k];
            s->b[i][k] = b[i][k] - a[0][k];
        }
    s->as = vectors_of((const double(*)[3])s->a);
    s->bs = vectors_of((const double(*)[3])s->b);
    const grz_f64x4 of_a = grz_f64x4_max(grz_f64x4_max(grz_f64x4_abs(s->as.x), grz_f64x4_abs(s->as.y)),
                                         grz_f64x4_abs(s->as.z)),
                    of_b = grz_f64x4_max(grz_f64x4_max(grz_f64x4_abs(s->bs.x), grz_f64x4_abs(s->bs.y)),
                                         grz_f64x4_abs(s->bs.z));
    grz_f64x4_store(largest, grz_f64x4_max(of_a, of_b));
    s->error = larger(larger(largest[0], largest[1]), largest[2]) * ROUNDING + UNDERFLOW;
}

// The nearest points of all features, the corners done.
static inline void offer_all(search *s)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            s->edges_a[i][k] = s->a[(i + 1) % 3][k] - s->a[i][k];
            s->edges_b[i][k] = s->b[(i + 1) % 3][k] - s->b[i][k];
        }
    const vectors minus = from_face((const double(*)[3])s->b, (const double(*)[3])s->edges_b, s->as),
                  zero = splat((const double[3]){0.0, 0.0, 0.0}), v = vectors_of((const double(*)[3])s->edges_b);
    const grz_f64x4 vv = dot(v, v);
    offer(s, CORNERS_OF_B, from_face((const double(*)[3])s->a, (const double(*)[3])s->edges_a, s->bs));
    offer(s, CORNERS_OF_A, subtract(zero, minus));
    for (int i = 0; i < 3; i++)
        offer_edges(s, i, v, vv);
}

grz_gap GRZ_OF_WIDTH(grz_triangle_gap_of)(const double a[3][3], const double b[3][3], double limit, double way[3])
{
    search s;
    double normal[3];
    int features, lane;
    prepare(&s, a, b);
    offer_corners(&s); // cheap, and often enough to see that the triangles are far apart
    double square = best_of(&s, way, &features, &lane), lower = gap_along(&s, way);
    if (!(lower >= sqrt(square) - s.error || lower - s.error > limit)) {
        offer_all(&s);
        square = best_of(&s, way, &features, &lane);
        lower = larger(lower, gap_along(&s, way));
        if (normal_of(&s, features, lane, normal))
            lower = larger(lower, gap_along(&s, normal));
    }
    return (grz_gap){larger(lower - s.error, 0.0), sqrt(square) + s.error};
}
