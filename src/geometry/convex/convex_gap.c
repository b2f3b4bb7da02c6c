// SPDX-License-Identifier: MIT
// The distance of two convex sets by the algorithm of Gilbert, Johnson and Keerthi: a simplex of up to four points of
// the set of differences b - a, its point nearest to 0, the farthest difference in the opposite direction, and again.
//
// Source: E. G. Gilbert, D. W. Johnson, S. S. Keerthi, "A fast procedure for computing the distance between complex
// objects in three-dimensional space" (1988). Here every answer is enclosed: a point of each set gives an upper bound,
// a direction n gives the lower bound (min n·b - max n·a) / |n|, whatever the search has done. So a search that ends
// too early, by rounding, costs nothing but width.
#include "geometry/convex/convex_gap.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/vector.h"

enum {
    MOST_STEPS = 128,
    MOST_EXCHANGES = 40
};

// Of the upper bound: the search ends when the bounds are as near to each other as 8 roundings and their slacks, one of
// each and a half for the rest, leave them. Chosen.
static const double NO_NEARER = 0x1p-50;

// The point nearest to 0 among those between the chosen corners of a simplex: its weights. False if the chosen corners
// do not span as many dimensions as they should, or if the nearest point of their plane is outside.
static bool nearest_between(const grz_simplex *s, const int chosen[], int count, double weight[4])
{
    const double *p = s->difference[chosen[0]];
    double e[3][3] = {{0.0}};
    if (count == 1) {
        weight[0] = 1.0;
        return true;
    }
    for (int i = 1; i < count; i++)
        for (int k = 0; k < 3; k++)
            e[i - 1][k] = s->difference[chosen[i]][k] - p[k];
    if (count == 4) { // 0 = p + sum of weight · e: by determinants
        double across[3][3];
        for (int i = 0; i < 3; i++)
            grz_cross(e[(i + 1) % 3], e[(i + 2) % 3], across[i]);
        const double whole = grz_dot(e[0], across[0]);
        double rest = 1.0;
        if (whole == 0.0)
            return false;
        for (int i = 0; i < 3; i++) {
            weight[i + 1] = -grz_dot(p, across[i]) / whole;
            rest -= weight[i + 1];
            if (!(weight[i + 1] >= 0.0))
                return false;
        }
        weight[0] = rest;
        return rest >= 0.0;
    }
    if (count == 2) {
        weight[1] = -grz_dot(p, e[0]) / grz_dot(e[0], e[0]);
        weight[0] = 1.0 - weight[1];
        return weight[0] >= 0.0 && weight[1] >= 0.0;
    }
    // Each weight is the area of the triangle that 0 makes with the other two corners, projected along the normal. The
    // usual formula with dot products of the edges loses its digits to cancellation if the triangle is a sliver.
    double normal[3], across[3];
    grz_cross(e[0], e[1], normal);
    const double whole = grz_dot(normal, normal);
    grz_cross(s->difference[chosen[2]], p, across);
    weight[1] = grz_dot(across, normal) / whole;
    grz_cross(p, s->difference[chosen[1]], across);
    weight[2] = grz_dot(across, normal) / whole;
    weight[0] = 1.0 - weight[1] - weight[2];
    return weight[0] >= 0.0 && weight[1] >= 0.0 && weight[2] >= 0.0;
}

static void combine(const double points[4][3], const double weight[4], const int chosen[4], int count, double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = weight[0] * points[chosen[0]][k];
        for (int i = 1; i < count && i < 4; i++)
            out[k] += weight[i] * points[chosen[i]][k];
    }
}

// Keep of the simplex only the corners that span its point nearest to 0. `nearest` was that point before the last
// corner came; if the corner brings nothing nearer, it goes. All ways to choose corners beside the last one are tried:
// that is as good as any cleverer choice, and rounding cannot mislead it.
static void reduce(grz_simplex *s, double nearest[3])
{
    const int last = s->count - 1;
    double best = last > 0 ? grz_dot(nearest, nearest) : HUGE_VAL, best_weight[4] = {1.0};
    int best_chosen[4] = {0}, best_count = 0;
    for (int set = 0; set < 1 << last; set++) {
        int chosen[4] = {0}, count = 0;
        double weight[4], point[3];
        for (int i = 0; i < last; i++)
            if (set >> i & 1)
                chosen[count++] = i;
        chosen[count++] = last;
        if (!nearest_between(s, chosen, count, weight))
            continue;
        combine(s->difference, weight, chosen, count, point);
        const double square = grz_dot(point, point);
        if (square < best || (square == best && count < best_count)) {
            best = square;
            best_count = count;
            memcpy(best_weight, weight, sizeof weight);
            memcpy(best_chosen, chosen, sizeof chosen);
            memcpy(nearest, point, sizeof point);
        }
    }
    if (best_count == 0) {
        s->count = last;
        return;
    }
    grz_simplex kept = {.count = best_count};
    for (int i = 0; i < best_count; i++) {
        const int from = best_chosen[i];
        kept.a[i] = s->a[from];
        kept.b[i] = s->b[from];
        kept.weight[i] = best_weight[i];
        memcpy(kept.on_a[i], s->on_a[from], sizeof kept.on_a[i]);
        memcpy(kept.on_b[i], s->on_b[from], sizeof kept.on_b[i]);
        memcpy(kept.difference[i], s->difference[from], sizeof kept.difference[i]);
    }
    *s = kept;
}

// The direction from 0 to what a simplex spans: an edge's or a triangle's normal keeps digits that the nearest point,
// which is a sum of its far corners, has lost.
static void find_way(const grz_simplex *s, const double nearest[3], double way[3])
{
    double e[2][3] = {{0.0}}, across[3] = {0.0};
    memcpy(way, nearest, 3 * sizeof *way);
    for (int i = 1; i < s->count && i < 3; i++)
        for (int k = 0; k < 3; k++)
            e[i - 1][k] = s->difference[i][k] - s->difference[0][k];
    if (s->count == 3)
        grz_cross(e[0], e[1], across);
    else if (s->count == 2) {
        const double *p = s->difference[0], *q = s->difference[1];
        grz_cross(grz_dot(p, p) < grz_dot(q, q) ? p : q, e[0], way);
        grz_cross(e[0], way, across);
    }
    if ((s->count == 2 || s->count == 3) && grz_make_unit(across)) {
        const double sign = grz_dot(across, nearest) < 0.0 ? -1.0 : 1.0;
        for (int k = 0; k < 3; k++)
            way[k] = sign * across[k];
    } else
        memcpy(way, nearest, 3 * sizeof *way);
}

// Add to the simplex the difference b - a that has the least product with `way`: the point of B that is farthest
// against it, less the point of A that is farthest along it. Returns the difference.
static const double *extend(const grz_convex *a, const grz_convex *b, const double way[3], grz_simplex *s)
{
    const int i = s->count++;
    const double back[3] = {-way[0], -way[1], -way[2]};
    s->a[i] = grz_convex_farthest(a, way, s->on_a[i]);
    s->b[i] = grz_convex_farthest(b, back, s->on_b[i]);
    for (int k = 0; k < 3; k++)
        s->difference[i][k] = s->on_b[i][k] - s->on_a[i][k];
    return s->difference[i];
}

static bool has_already(const grz_simplex *s, const double difference[3])
{
    for (int i = 0; i < s->count - 1; i++)
        if (memcmp(s->difference[i], difference, 3 * sizeof *difference) == 0)
            return true;
    return false;
}

// Points are off by the errors of both sets; sums and products of coordinates by some units in the last place of the
// extents.
static double slack(const grz_convex *a, const grz_convex *b)
{
    return (a->error + b->error + GRZ_CONVEX_ROUNDING * (a->extent + b->extent)) * GRZ_MORE(8192);
}

static void take_upper(const grz_simplex *s, const double nearest[3], double slack, grz_convex_gap *gap)
{
    const double length = sqrt(grz_dot(nearest, nearest)), upper = (length + slack) * GRZ_MORE(32);
    if (upper < gap->upper) {
        static const int IN_TURN[4] = {0, 1, 2, 3};
        gap->upper = upper;
        memcpy(gap->way, nearest, sizeof gap->way);
        combine(s->on_a, s->weight, IN_TURN, s->count, gap->on_a);
        combine(s->on_b, s->weight, IN_TURN, s->count, gap->on_b);
    }
}

// 0 is certainly inside four differences: each of the tetrahedra that it makes with three of them has the volume's
// sign. Fewer than 40 roundings, and points that are off by the slack.
static bool is_inside(const grz_simplex *s, double extent, double slack)
{
    // 512 roundings of products of three.
    const double bound = 0x1p-44 * extent * extent * extent + 16.0 * slack * extent * extent;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int i = 0; i < 4; i++) {
        double across[3];
        grz_cross(s->difference[(i + 1) % 4], s->difference[(i + 2) % 4], across);
        const double volume = grz_dot(across, s->difference[(i + 3) % 4]) * (i % 2 == 0 ? 1.0 : -1.0);
        least = fmin(least, volume);
        most = fmax(most, volume);
    }
    return least > bound || most < -bound;
}

static double take_lower(const double unit[3], const double difference[3], double slack, grz_convex_gap *gap)
{
    const double lower = (grz_dot(unit, difference) - slack) * GRZ_LESS(32);
    if (lower > gap->lower) {
        gap->lower = lower;
        memcpy(gap->along, unit, 3 * sizeof *unit);
    }
    return lower;
}

// The normal of the plane through three differences, on the side of `way`. False: they lie on one line.
static bool normal_beside(const double p[3], const double q[3], const double r[3], const double way[3],
                          double normal[3])
{
    double e[2][3];
    for (int k = 0; k < 3; k++) {
        e[0][k] = q[k] - p[k];
        e[1][k] = r[k] - p[k];
    }
    grz_cross(e[0], e[1], normal);
    if (!grz_make_unit(normal))
        return false;
    const double sign = grz_dot(normal, way) < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++)
        normal[k] *= sign;
    return true;
}

// Copy a corner of a simplex to another one.
static void copy_corner(const grz_simplex *from, int i, grz_simplex *to, int k)
{
    to->a[k] = from->a[i];
    to->b[k] = from->b[i];
    memcpy(to->on_a[k], from->on_a[i], sizeof to->on_a[k]);
    memcpy(to->on_b[k], from->on_b[i], sizeof to->on_b[k]);
    memcpy(to->difference[k], from->difference[i], sizeof to->difference[k]);
}

// Lower the upper bound by the point nearest to 0 between three differences.
static void improve_upper(const grz_simplex *corners, double slack, grz_convex_gap *gap)
{
    for (int last = 0; last < 3; last++) { // reduce() keeps the last one
        grz_simplex turned = {.count = 3};
        double nearest[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
        for (int i = 0; i < 3; i++)
            copy_corner(corners, (last + 1 + i) % 3, &turned, i);
        reduce(&turned, nearest);
        take_upper(&turned, nearest, slack, gap);
    }
}

// Bring the bounds together by a better direction. Two cylinders side by side are nearest along a line; there the
// search finds the distance to the last digit while its direction is still far off, and ends. This goes on as the
// exchange algorithm of Remez does. It keeps three differences, whose plane has the direction as its normal, and finds
// the farthest difference against it. Of the three planes through that one and two of the old ones, the next is the one
// for which the least product of the normal with all four is largest. `way`: the direction at which the search ended.
// `last`: the last differences that were found.
static void improve(const grz_convex *a, const grz_convex *b, const double way[3], const grz_simplex *last,
                    double slack, grz_convex_gap *gap)
{
    grz_simplex corners = gap->simplex;
    double unit[3], best_unit[3];
    memcpy(unit, way, sizeof unit);
    if (corners.count < 3 && grz_make_unit(unit)) {
        extend(a, b, unit, &corners);
        corners.count -= has_already(&corners, corners.difference[corners.count - 1]);
    }
    for (int i = 0; i < last->count && corners.count < 3; i++) {
        copy_corner(last, i, &corners, corners.count++);
        corners.count -= has_already(&corners, last->difference[i]);
    }
    const double(*at)[3] = (const double(*)[3])corners.difference;
    if (corners.count < 3 || !normal_beside(at[0], at[1], at[2], gap->way, unit))
        return;
    for (int step = 0; step < MOST_EXCHANGES; step++) {
        grz_simplex farthest = {.count = 0};
        const double *next = extend(a, b, unit, &farthest);
        const double lower = take_lower(unit, next, slack, gap);
        if (grz_dot(unit, at[0]) - lower <= 2.5 * slack)
            break;
        int best = -1;
        double best_least = -HUGE_VAL;
        for (int i = 0; i < 3; i++) {
            double normal[3];
            if (!normal_beside(at[(i + 1) % 3], at[(i + 2) % 3], next, unit, normal))
                continue;
            const double least = fmin(grz_dot(normal, next), grz_dot(normal, at[i]));
            if (least > best_least) {
                best_least = least;
                best = i;
                memcpy(best_unit, normal, sizeof normal);
            }
        }
        if (best < 0)
            break;
        copy_corner(&farthest, 0, &corners, best);
        memcpy(unit, best_unit, sizeof unit);
    }
    improve_upper(&corners, slack, gap);
}

void grz_convex_measure_gap(const grz_convex *a, const grz_convex *b, double near, double limit, grz_convex_gap *gap)
{
    const double loose = slack(a, b);
    grz_simplex *s = &gap->simplex, last_found = {.count = 0};
    double way[3], nearest[3], middle_a[3], middle_b[3];
    *gap = (grz_convex_gap){.upper = HUGE_VAL};
    grz_convex_middle(a, middle_a);
    grz_convex_middle(b, middle_b);
    for (int k = 0; k < 3; k++)
        way[k] = nearest[k] = middle_b[k] - middle_a[k];
    for (int step = 0; step < MOST_STEPS; step++) {
        double unit[3];
        memcpy(unit, way, sizeof unit);
        if (!grz_make_unit(unit)) { // the middles or the nearest points are the same
            if (step > 0)
                break;
            unit[0] = 1.0;
        }
        const double *difference = extend(a, b, unit, s);
        take_lower(unit, difference, loose, gap);
        copy_corner(s, s->count - 1, &last_found, step % 4);
        last_found.count = step < 3 ? step + 1 : 4;
        const bool again = has_already(s, difference);
        double last[3];
        memcpy(last, nearest, sizeof last);
        reduce(s, nearest);
        take_upper(s, nearest, loose, gap);
        const bool stuck = memcmp(last, nearest, sizeof last) == 0;
        find_way(s, nearest, way);
        if (again || stuck || s->count == 4 || gap->lower > limit || gap->upper <= near ||
            gap->upper - gap->lower <= NO_NEARER * gap->upper + 2.5 * loose)
            break;
    }
    const bool is_round = a->form != GRZ_CONVEX_CORNERS || b->form != GRZ_CONVEX_CORNERS;
    if (is_round && s->count < 4 && gap->lower <= limit && gap->upper > near &&
        gap->upper - gap->lower > NO_NEARER * gap->upper + 2.5 * loose)
        improve(a, b, way, &last_found, loose, gap);
    gap->inside = s->count == 4 && is_inside(s, a->extent + b->extent, loose);
}
