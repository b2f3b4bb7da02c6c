// SPDX-License-Identifier: MIT
// A point of the contact at the time of entering. Of a corner, or of two edges that cross, it is rounded once.
// Where an edge or a face lies along the other, both features are placed exactly at that time, measured from a corner
// of B and rounded; the rest is clipping in doubles (I. Sutherland, G. Hodgman, "Reentrant polygon clipping", 1974).
#include "geometry/sweep/contact_point.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"

enum {
    MOST_CORNERS = 6
};

// A point, a segment or a polygon.
typedef struct shape {
    int count;
    double p[MOST_CORNERS + 1][3];
} shape;

// Which corners a feature has, and how many.
static int corners_of(uint8_t feature, int corners[3])
{
    const int first = feature <= GRZ_CORNER_2 ? feature - GRZ_CORNER_0
                      : feature <= GRZ_EDGE_2 ? feature - GRZ_EDGE_0
                                              : 0;
    for (int i = 0; i < 3; i++)
        corners[i] = (first + i) % 3;
    return feature <= GRZ_CORNER_2 ? 1 : feature <= GRZ_EDGE_2 ? 2 : 3;
}

// ---- Exact points -------------------------------------------------------------------------------------------------

// p + t · v - origin at the time of entering, rounded once.
static void place(const grz_meeting *m, const grz_exact_pair *pair, const double p[3], const double origin[3],
                  double out[3])
{
    const grz_time *enter = &m->ends[GRZ_MEETING_ENTER];
    for (int k = 0; k < 3; k++) {
        grz_integer start, scaled, moved, sum;
        grz_integer_difference(origin[k], p[k], pair->shift, &start);
        grz_integer_multiply(&start, &enter->denominator, &scaled);
        grz_integer_multiply(&enter->numerator, &pair->motion->exact[k], &moved);
        grz_integer_add(&scaled, &moved, 1, &sum);
        out[k] = grz_integer_quotient(&sum, &enter->denominator, -pair->shift);
    }
}

// Where edge i of A, moving, crosses edge j of B. False if they are parallel.
static bool cross_edges(const grz_meeting *m, const grz_exact_pair *pair, int i, int j, double out[3])
{
    grz_integer u[3], v[3], r[3], swept[3], along, below;
    grz_exact_way(pair, i, (i + 1) % 3, u);
    grz_exact_way(pair, 3 + j, 3 + (j + 1) % 3, v);
    grz_exact_way(pair, 3 + j, i, r);
    grz_integer_cross(u, pair->motion->exact, swept); // the normal of the plane that the edge of A sweeps
    grz_integer_dot(swept, v, &below);
    if (below.sign == 0)
        return false;
    grz_integer_dot(swept, r, &along);
    for (int k = 0; k < 3; k++) {
        grz_integer start, scaled, moved, sum;
        grz_integer_from_double(m->b[j][k], pair->shift, &start);
        grz_integer_multiply(&start, &below, &scaled);
        grz_integer_multiply(&along, &v[k], &moved);
        grz_integer_add(&scaled, &moved, 1, &sum);
        out[k] = grz_integer_quotient(&sum, &below, -pair->shift);
    }
    return true;
}

// ---- Clipping in doubles ------------------------------------------------------------------------------------------

static int compare_points(const double p[3], const double q[3])
{
    for (int k = 0; k < 3; k++)
        if (p[k] != q[k])
            return p[k] < q[k] ? -1 : 1;
    return 0;
}

// The corners of a feature in the order of their coordinates.
static int sorted_corners(const double c[3][3], uint8_t feature, int corners[3])
{
    const int count = corners_of(feature, corners);
    for (int i = 1; i < count; i++)
        for (int at = i; at > 0 && compare_points(c[corners[at - 1]], c[corners[at]]) > 0; at--) {
            const int before = corners[at - 1];
            corners[at - 1] = corners[at];
            corners[at] = before;
        }
    return count;
}

static void mix(const double p[3], const double q[3], double s, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = p[k] + s * (q[k] - p[k]);
}

// The side of the line from p to q, in the plane with this normal, that `inner` is on: above 0 there.
static double side_of(const double normal[3], const double p[3], const double q[3], const double inner[3],
                      const double x[3])
{
    double way[3], across[3], to_inner[3], to_x[3];
    for (int k = 0; k < 3; k++) {
        way[k] = q[k] - p[k];
        to_inner[k] = inner[k] - p[k];
        to_x[k] = x[k] - p[k];
    }
    grz_cross(normal, way, across);
    return grz_dot(across, to_inner) < 0.0 ? -grz_dot(across, to_x) : grz_dot(across, to_x);
}

// The part of the segment from p to q within a triangle: from parameter *from to *to. Rounding may leave *from > *to.
static void clip_segment(const double p[3], const double q[3], const shape *triangle, const double normal[3],
                         double *from, double *to)
{
    *from = 0.0;
    *to = 1.0;
    for (int i = 0; i < 3; i++) {
        const double *x = triangle->p[i], *y = triangle->p[(i + 1) % 3], *inner = triangle->p[(i + 2) % 3];
        const double at_p = side_of(normal, x, y, inner, p), at_q = side_of(normal, x, y, inner, q);
        if (at_p < 0.0 && at_q > at_p)
            *from = fmax(*from, fmin(at_p / (at_p - at_q), 1.0));
        else if (at_q < 0.0 && at_p > at_q)
            *to = fmin(*to, fmax(at_p / (at_p - at_q), 0.0));
    }
}

static double length_along(const shape *segment, int k)
{
    return fabs(segment->p[1][k] - segment->p[0][k]);
}

// The middle of the common part of two segments on one line. The longer one is measured along: beside it, the other may
// be rounded to a point.
static void middle_of_segments(const shape *x, const shape *y, double out[3])
{
    int k = 0;
    for (int i = 1; i < 3; i++)
        if (fmax(length_along(x, i), length_along(y, i)) > fmax(length_along(x, k), length_along(y, k)))
            k = i;
    const shape *longer = length_along(x, k) >= length_along(y, k) ? x : y, *other = longer == x ? y : x;
    const double *p = longer->p[0], length = longer->p[1][k] - p[k], first = (other->p[0][k] - p[k]) / length,
                 last = (other->p[1][k] - p[k]) / length;
    mix(p, longer->p[1], 0.5 * (fmax(0.0, fmin(first, last)) + fmin(1.0, fmax(first, last))), out);
}

static void middle_of_segment(const shape *segment, const shape *triangle, const double normal[3], double out[3])
{
    double from, to;
    clip_segment(segment->p[0], segment->p[1], triangle, normal, &from, &to);
    mix(segment->p[0], segment->p[1], 0.5 * (from + to), out);
}

// Keep the part of a polygon on the inner side of a line.
static void clip_polygon(shape *polygon, const double normal[3], const double p[3], const double q[3],
                         const double inner[3])
{
    shape out = {.count = 0};
    for (int i = 0; i < polygon->count; i++) {
        const double *x = polygon->p[i], *y = polygon->p[(i + 1) % polygon->count];
        const double at_x = side_of(normal, p, q, inner, x), at_y = side_of(normal, p, q, inner, y);
        if (at_x >= 0.0 && out.count < MOST_CORNERS)
            memcpy(out.p[out.count++], x, sizeof out.p[0]);
        if ((at_x < 0.0) != (at_y < 0.0) && out.count < MOST_CORNERS)
            mix(x, y, at_x / (at_x - at_y), out.p[out.count++]);
    }
    *polygon = out;
}

// The mean of the corners of what two triangles have in common. Rounding may leave nothing of a narrow strip: then the
// middle of the edge that has the most of it.
static void middle_of_polygon(const shape *x, const shape *y, const double normal[3], double out[3])
{
    shape common = *x;
    for (int i = 0; i < 3; i++)
        clip_polygon(&common, normal, y->p[i], y->p[(i + 1) % 3], y->p[(i + 2) % 3]);
    if (common.count > 0) {
        for (int k = 0; k < 3; k++) {
            out[k] = 0.0;
            for (int i = 0; i < common.count; i++)
                out[k] += common.p[i][k] / common.count;
        }
        return;
    }
    double best = -HUGE_VAL;
    for (int i = 0; i < 6; i++) {
        const shape *of = i < 3 ? x : y, *other = i < 3 ? y : x;
        const double *p = of->p[i % 3], *q = of->p[(i + 1) % 3];
        double from, to;
        clip_segment(p, q, other, normal, &from, &to);
        if (to - from > best) {
            best = to - from;
            mix(p, q, 0.5 * (from + to), out);
        }
    }
}

static void middle_of_contact(const shape *x, const shape *y, const double normal[3], double out[3])
{
    if (x->count == 2 && y->count == 2)
        middle_of_segments(x, y, out);
    else if (x->count == 2)
        middle_of_segment(x, y, normal, out);
    else if (y->count == 2)
        middle_of_segment(y, x, normal, out);
    else
        middle_of_polygon(x, y, normal, out);
}

// ---- The point ----------------------------------------------------------------------------------------------------

// Scale coordinates so that their products neither overflow nor underflow.
static int bring_to_one(shape *x, shape *y)
{
    double most = 0.0;
    int exponent;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, fmax(i < x->count ? fabs(x->p[i][k]) : 0.0, i < y->count ? fabs(y->p[i][k]) : 0.0));
    (void)frexp(most, &exponent);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            x->p[i][k] = ldexp(x->p[i][k], -exponent);
            y->p[i][k] = ldexp(y->p[i][k], -exponent);
        }
    return exponent;
}

static void meet_along(const grz_meeting *m, const grz_exact_pair *pair, grz_meeting_contact *out)
{
    shape of_a = {.count = 0}, of_b = {.count = 0};
    int corners_a[3], corners_b[3];
    of_a.count = sorted_corners(m->a, out->a, corners_a);
    of_b.count = sorted_corners(m->b, out->b, corners_b);
    const double *origin = m->b[corners_b[0]];
    for (int i = 0; i < of_a.count; i++)
        place(m, pair, m->a[corners_a[i]], origin, of_a.p[i]);
    for (int i = 0; i < of_b.count; i++)
        for (int k = 0; k < 3; k++)
            of_b.p[i][k] = m->b[corners_b[i]][k] - origin[k];
    const int exponent = bring_to_one(&of_a, &of_b);
    middle_of_contact(&of_a, &of_b, out->normal, out->point);
    for (int k = 0; k < 3; k++)
        out->point[k] = ldexp(out->point[k], exponent) + origin[k] + 0.0; // no -0
}

void grz_meeting_contact_point(const grz_meeting *m, const grz_exact_pair *pair, grz_meeting_contact *out)
{
    static const double zero[3] = {0.0, 0.0, 0.0};
    int corners_a[3], corners_b[3];
    const int count_a = corners_of(out->a, corners_a), count_b = corners_of(out->b, corners_b);
    if (count_b == 1) {
        for (int k = 0; k < 3; k++)
            out->point[k] = m->b[corners_b[0]][k] + 0.0; // no -0
    } else if (count_a == 1) {
        place(m, pair, m->a[corners_a[0]], zero, out->point);
    } else if (count_a > 2 || count_b > 2 || !cross_edges(m, pair, corners_a[0], corners_b[0], out->point)) {
        meet_along(m, pair, out);
    }
}
