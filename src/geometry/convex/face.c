// SPDX-License-Identifier: MIT
#include "geometry/convex/face.h"

#include <math.h>
#include <string.h>

#include "geometry/functions/functions.h"
#include "geometry/vector.h"

enum {
    RIM = 32, // corners of a whole rim
    OUTERMOST = 64
};

grz_frame grz_frame_across(const double n[3])
{
    grz_frame frame;
    double axis[3] = {0.0, 0.0, 0.0};
    const double x = fabs(n[0]), y = fabs(n[1]), z = fabs(n[2]);
    axis[x <= y && x <= z ? 0 : y <= z ? 1 : 2] = 1.0;
    memcpy(frame.n, n, sizeof frame.n);
    grz_cross(axis, n, frame.u);
    grz_make_unit(frame.u);
    grz_cross(n, frame.u, frame.v);
    return frame;
}

static void add(const grz_frame *frame, const double point[3], uint32_t corner, grz_convex_face *face)
{
    double *at = face->at[face->count];
    at[0] = grz_dot(frame->u, point);
    at[1] = grz_dot(frame->v, point);
    memcpy(face->points[face->count], point, sizeof face->points[0]);
    face->corners[face->count++] = corner;
}

// Twice the area of a triangle, above 0 if it runs counterclockwise.
static double turn(const double p[2], const double q[2], const double r[2])
{
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

static double between(const double p[2], const double q[2])
{
    return grz_length2(q[0] - p[0], q[1] - p[1]);
}

static bool is_before(const double p[2], const double q[2])
{
    return p[0] < q[0] || (p[0] == q[0] && p[1] < q[1]);
}

// The numbers of the corners, sorted along u, then along v.
static void sort(const grz_convex_face *face, int order[GRZ_CONVEX_FACE_MAX])
{
    for (int i = 0; i < face->count; i++) {
        int to = i;
        for (; to > 0 && is_before(face->at[i], face->at[order[to - 1]]); to--)
            order[to] = order[to - 1];
        order[to] = i;
    }
}

// Leave the convex hull of the corners, without those that are less than `margin` off the edge between their
// neighbours. Source: A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions" (1979).
static void make_hull(grz_convex_face *face, double margin)
{
    int order[GRZ_CONVEX_FACE_MAX], chain[GRZ_CONVEX_FACE_MAX + 1], count = 0;
    sort(face, order);
    for (int pass = 0; pass < 2; pass++) {
        const int base = count;
        for (int i = 0; i < face->count; i++) {
            const int next = order[pass == 0 ? i : face->count - 1 - i];
            while (count >= base + 2) {
                const double *p = face->at[chain[count - 2]], *q = face->at[chain[count - 1]], *r = face->at[next];
                if (turn(p, q, r) > margin * between(p, r))
                    break;
                count--;
            }
            chain[count++] = next;
        }
        count--; // the last of a chain is the first of the next
    }
    grz_convex_face all; // not as a whole: most of its room is empty
    const size_t old = (size_t)face->count;
    memcpy(all.at, face->at, old * sizeof *all.at);
    memcpy(all.points, face->points, old * sizeof *all.points);
    memcpy(all.corners, face->corners, old * sizeof *all.corners);
    face->count = count;
    for (int i = 0; i < count; i++) {
        memcpy(face->at[i], all.at[chain[i]], sizeof face->at[i]);
        memcpy(face->points[i], all.points[chain[i]], sizeof face->points[i]);
        face->corners[i] = all.corners[chain[i]];
    }
    if (count == 2 && between(face->at[0], face->at[1]) <= margin)
        face->count = 1;
}

// Of more corners than there is room for, those that lie farthest out in the plane.
static void add_outermost(const grz_convex *c, const grz_frame *frame, const double n[3], double least,
                          grz_convex_face *face)
{
    for (int i = 0; i < OUTERMOST; i++) {
        double x, y, most = -HUGE_VAL;
        grz_sines(6.283185307179586 * i / OUTERMOST, &y, &x);
        uint32_t best = 0;
        for (uint32_t k = 0; k < c->count; k++) {
            const double *p = grz_convex_corner(c, k);
            const double out = x * grz_dot(frame->u, p) + y * grz_dot(frame->v, p);
            if (out > most && grz_dot(n, p) >= least) {
                most = out;
                best = k;
            }
        }
        add(frame, grz_convex_corner(c, best), best, face);
    }
}

static void face_of_corners(const grz_convex *c, const grz_frame *frame, const double n[3], double least,
                            grz_convex_face *face)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const double *p = grz_convex_corner(c, i);
        if (grz_dot(n, p) < least)
            continue;
        if (face->count == GRZ_CONVEX_FACE_MAX) {
            face->count = 0;
            add_outermost(c, frame, n, least, face);
            return;
        }
        add(frame, p, i, face);
    }
}

// A point of the unit ball, cylinder or cone, as placed.
static void add_unit(const grz_convex *c, const grz_frame *frame, double x, double y, double z, grz_convex_face *face)
{
    const double unit[3] = {x, y, z};
    double point[3];
    for (int k = 0; k < 3; k++)
        point[k] = grz_dot(c->matrix[k], unit) + c->middle[k];
    add(frame, point, 0, face);
}

// Add the corner of a rim that lies towards a point of the plane, and the opposite one, so that the middle of all stays
// that of the rim. x and y: the rim's half axes, seen along n.
static void add_towards(const grz_convex *c, const grz_frame *frame, double z, const double at[2],
                        grz_convex_face *face)
{
    double x[2] = {0.0, 0.0}, y[2] = {0.0, 0.0}, way[2] = {at[0], at[1]};
    for (int k = 0; k < 3; k++) {
        const double middle = c->middle[k] + z * c->matrix[k][2], axes[2] = {frame->u[k], frame->v[k]};
        for (int i = 0; i < 2; i++) {
            x[i] += axes[i] * c->matrix[k][0];
            y[i] += axes[i] * c->matrix[k][1];
            way[i] -= axes[i] * middle;
        }
    }
    const double determinant = x[0] * y[1] - x[1] * y[0];
    const double a = (way[0] * y[1] - way[1] * y[0]) / determinant, b = (x[0] * way[1] - x[1] * way[0]) / determinant;
    const double length = grz_length2(a, b);
    if (!(length > 0.0 && length < HUGE_VAL) || face->count + 2 > GRZ_CONVEX_FACE_MAX)
        return;
    add_unit(c, frame, a / length, b / length, z, face);
    add_unit(c, frame, -a / length, -b / length, z, face);
}

static void add_rim(const grz_convex *c, const grz_frame *frame, double z, const grz_convex_face *other,
                    grz_convex_face *face)
{
    double mean[2] = {0.0, 0.0};
    for (int i = 0; i < RIM; i++) {
        double x, y;
        grz_sines(6.283185307179586 * i / RIM, &y, &x);
        add_unit(c, frame, x, y, z, face);
    }
    if (other == NULL)
        return;
    for (int i = 0; i < other->count; i++)
        for (int k = 0; k < 2; k++)
            mean[k] += other->at[i][k] / other->count;
    add_towards(c, frame, z, mean, face);
    for (int i = 0; i < other->count; i++)
        add_towards(c, frame, z, other->at[i], face);
}

// The disc or an edge along the side of a cylinder or a cone; nothing where one point is the farthest. The height of a
// point of the unit form along n is m · point.
static void face_of_round(const grz_convex *c, const grz_frame *frame, const double n[3], double margin,
                          const grz_convex_face *other, grz_convex_face *face)
{
    double m[3];
    for (int j = 0; j < 3; j++)
        m[j] = n[0] * c->matrix[0][j] + n[1] * c->matrix[1][j] + n[2] * c->matrix[2][j];
    const double across = grz_length2(m[0], m[1]), apex = m[2], rim = across - m[2];
    const bool is_cone = c->form == GRZ_CONVEX_CONE;
    if (c->form == GRZ_CONVEX_ELLIPSOID)
        return;
    if (2.0 * across <= margin && (!is_cone || rim > apex + margin))
        add_rim(c, frame, is_cone || m[2] < 0.0 ? -1.0 : 1.0, other, face);
    else if (across > 0.0 && (is_cone ? fabs(rim - apex) : 2.0 * fabs(m[2])) <= margin) {
        add_unit(c, frame, m[0] / across, m[1] / across, -1.0, face);
        if (is_cone)
            add_unit(c, frame, 0.0, 0.0, 1.0, face);
        else
            add_unit(c, frame, m[0] / across, m[1] / across, 1.0, face);
    }
}

void grz_convex_find_face(const grz_convex *c, const grz_frame *frame, int side, double margin,
                          const grz_convex_face *other, grz_convex_face *face)
{
    const double n[3] = {side * frame->n[0], side * frame->n[1], side * frame->n[2]};
    double farthest[3];
    const uint32_t corner = grz_convex_farthest(c, n, farthest);
    const double most = grz_dot(n, farthest);
    face->count = 0;
    face->height = side * most;
    if (c->form == GRZ_CONVEX_CORNERS)
        face_of_corners(c, frame, n, most - margin, face);
    else
        face_of_round(c, frame, n, margin, other, face);
    if (face->count == 0)
        add(frame, farthest, corner, face);
    if (face->count > 1)
        make_hull(face, margin);
}

// ---- Where two faces overlap ---------------------------------------------------------------------------------------

static void add_point(grz_convex_overlap *o, double x, double y)
{
    if (o->count == GRZ_CONVEX_OVERLAP_MAX)
        return;
    o->at[o->count][0] = x;
    o->at[o->count++][1] = y;
}

// Keep what lies to the left of an edge. An edge that is clipped has no way back from its second corner to its first.
static void clip(grz_convex_overlap *o, const double p[2], const double q[2])
{
    grz_convex_overlap kept;
    kept.count = 0;
    const int count = o->count, last = count > 2 ? count : count - 1;
    for (int i = 0; i < count; i++) {
        const double *from = o->at[i], *to = o->at[(i + 1) % count];
        const double here = turn(p, q, from), there = turn(p, q, to);
        if (here >= 0.0)
            add_point(&kept, from[0], from[1]);
        if (i < last && ((here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0))) {
            const double part = here / (here - there);
            add_point(&kept, from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1]));
        }
    }
    o->count = kept.count;
    memcpy(o->at, kept.at, (size_t)kept.count * sizeof *o->at);
}

// How far inside a polygon a point lies; below 0 if it is outside.
static double depth_in(const grz_convex_face *polygon, const double at[2])
{
    double least = HUGE_VAL;
    for (int i = 0; i < polygon->count; i++) {
        const double *p = polygon->at[i], *q = polygon->at[(i + 1) % polygon->count];
        const double length = between(p, q);
        if (length > 0.0)
            least = fmin(least, turn(p, q, at) / length);
    }
    return least;
}

// The point of an edge, or of a corner, that is nearest to another point.
static void nearest_on(const double p[2], const double q[2], const double at[2], double out[2])
{
    const double x = q[0] - p[0], y = q[1] - p[1], square = x * x + y * y;
    double part = square > 0.0 ? ((at[0] - p[0]) * x + (at[1] - p[1]) * y) / square : 0.0;
    part = fmin(fmax(part, 0.0), 1.0);
    out[0] = p[0] + part * x;
    out[1] = p[1] + part * y;
}

// Roundings have moved faces past each other: take the point half-way between their nearest ones.
static void take_half_way(const grz_convex_face *a, const grz_convex_face *b, grz_convex_overlap *o)
{
    double least = HUGE_VAL, best[2] = {a->at[0][0], a->at[0][1]};
    for (int swap = 0; swap < 2; swap++) {
        const grz_convex_face *from = swap ? b : a, *to = swap ? a : b;
        for (int i = 0; i < from->count; i++)
            for (int k = 0; k < to->count; k++) {
                double at[2];
                nearest_on(to->at[k], to->at[(k + 1) % to->count], from->at[i], at);
                const double far = between(at, from->at[i]);
                if (far < least) {
                    least = far;
                    for (int d = 0; d < 2; d++) {
                        best[d] = 0.5 * (at[d] + from->at[i][d]);
                        o->way[d] = (swap ? -1.0 : 1.0) * (at[d] - from->at[i][d]);
                    }
                }
            }
    }
    o->count = 0;
    add_point(o, best[0], best[1]);
}

// Two edges, or an edge and a corner. Edges that are nearly parallel overlap along a stretch.
static void overlap_edges(const grz_convex_face *a, const grz_convex_face *b, double margin, grz_convex_overlap *o)
{
    const double *p = a->at[0], *q = a->at[a->count - 1], *r = b->at[0], *s = b->at[b->count - 1];
    const double from = turn(p, q, r), to = turn(p, q, s), long_a = between(p, q), long_b = between(r, s);
    if (a->count == 1 || b->count == 1) {
        take_half_way(a, b, o);
        return;
    }
    if (fabs(to - from) > 4.0 * margin * fmax(long_a, long_b)) { // |a × b|
        const double part = from / (from - to), past = turn(r, s, p), there = turn(r, s, q),
                     other = past / (past - there);
        if (!(part >= 0.0 && part <= 1.0 && other >= 0.0 && other <= 1.0)) {
            take_half_way(a, b, o);
            return;
        }
        add_point(o, r[0] + part * (s[0] - r[0]), r[1] + part * (s[1] - r[1]));
        o->fixed = fmin(from, to) < -margin * long_a && fmax(from, to) > margin * long_a &&
                   fmin(past, there) < -margin * long_b && fmax(past, there) > margin * long_b;
        return;
    }
    const double x = (q[0] - p[0]) / long_a, y = (q[1] - p[1]) / long_a;
    const double one = (r[0] - p[0]) * x + (r[1] - p[1]) * y, other = (s[0] - p[0]) * x + (s[1] - p[1]) * y;
    const double low = fmax(fmin(one, other), 0.0), high = fmin(fmax(one, other), long_a);
    if (!(high >= low)) {
        take_half_way(a, b, o);
        return;
    }
    const double across = from / long_a; // how far to the left of A's edge B's lies
    o->way[0] = -across * y;
    o->way[1] = across * x;
    add_point(o, p[0] + low * x - 0.5 * across * y, p[1] + low * y + 0.5 * across * x);
    if (high - low > margin)
        add_point(o, p[0] + high * x - 0.5 * across * y, p[1] + high * y + 0.5 * across * x);
}

static void find_middle(grz_convex_overlap *o)
{
    double area = 0.0, sum[2] = {0.0, 0.0};
    const double *p = o->at[0];
    for (int i = 1; i + 1 < o->count; i++) {
        const double *q = o->at[i], *r = o->at[i + 1], part = turn(p, q, r);
        area += part;
        for (int k = 0; k < 2; k++)
            sum[k] += part * ((q[k] - p[k]) + (r[k] - p[k])) / 3.0;
    }
    for (int k = 0; k < 2; k++)
        o->middle[k] = area > 0.0 ? p[k] + sum[k] / area : p[k];
    if (area > 0.0)
        return;
    double most = 0.0; // no area: the middle of the longest stretch from the first point
    for (int i = 1; i < o->count; i++)
        if (between(p, o->at[i]) > most) {
            most = between(p, o->at[i]);
            for (int k = 0; k < 2; k++)
                o->middle[k] = 0.5 * (p[k] + o->at[i][k]);
        }
}

void grz_convex_overlap_faces(const grz_convex_face *a, const grz_convex_face *b, double margin,
                              grz_convex_overlap *overlap)
{
    overlap->count = 0;
    overlap->way[0] = overlap->way[1] = 0.0;
    overlap->fixed = false;
    if (a->count < 3 && b->count < 3)
        overlap_edges(a, b, margin, overlap);
    else {
        const grz_convex_face *polygon = b->count >= 3 ? b : a, *other = b->count >= 3 ? a : b;
        overlap->count = other->count;
        memcpy(overlap->at, other->at, (size_t)other->count * sizeof *other->at);
        for (int i = 0; i < polygon->count; i++)
            clip(overlap, polygon->at[i], polygon->at[(i + 1) % polygon->count]);
        if (overlap->count == 0)
            take_half_way(a, b, overlap);
        else {
            find_middle(overlap);
            overlap->fixed = depth_in(polygon, overlap->middle) > margin &&
                             (other->count < 3 || depth_in(other, overlap->middle) > margin);
        }
    }
    find_middle(overlap);
}
