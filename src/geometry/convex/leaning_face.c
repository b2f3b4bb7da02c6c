// SPDX-License-Identifier: MIT
// Clipping as Sutherland and Hodgman do it; each corner of the result knows the edges that made it.
#include "geometry/convex/leaning_face.h"

#include <math.h>
#include <string.h>

#include "geometry/functions/functions.h"
#include "geometry/vector.h"

enum {
    RIM = 8,
    MOST_CANDIDATES = GRZ_LEANING_FACE_MAX
};

static const grz_corners_of NONE = {UINT32_MAX, UINT32_MAX};

// A corner that may belong to the face: along u, v, and along the direction in which the set is looked at.
typedef struct candidate {
    double at[3];
    uint32_t corner;
} candidate;

static void project(const grz_frame *frame, int side, const double point[3], double out[3])
{
    out[0] = grz_dot(frame->u, point);
    out[1] = grz_dot(frame->v, point);
    out[2] = side * grz_dot(frame->n, point);
}

static double far_apart(const double p[3], const double q[3])
{
    return grz_length2(q[0] - p[0], q[1] - p[1]);
}

static double turn(const double p[3], const double q[3], const double r[3])
{
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

// The corners that lie below the farthest by no more than they may, that one first. More than there is room for: the
// highest ones stay.
static int find_candidates(const grz_convex *c, const grz_frame *frame, int side, double tangent, double rounding,
                           candidate out[MOST_CANDIDATES])
{
    const double n[3] = {side * frame->n[0], side * frame->n[1], side * frame->n[2]};
    double farthest[3];
    int count = 1;
    out[0].corner = grz_convex_farthest(c, n, farthest);
    project(frame, side, farthest, out[0].at);
    for (uint32_t i = 0; i < c->count; i++) {
        candidate one = {.corner = i};
        project(frame, side, grz_convex_corner(c, i), one.at);
        const double below = out[0].at[2] - one.at[2], away = far_apart(out[0].at, one.at);
        if (i == out[0].corner || below > tangent * away + rounding || (below <= rounding && away <= rounding))
            continue;
        if (count < MOST_CANDIDATES) {
            out[count++] = one;
            continue;
        }
        int lowest = 1;
        for (int k = 2; k < count; k++)
            lowest = out[k].at[2] < out[lowest].at[2] ? k : lowest;
        if (out[lowest].at[2] < one.at[2])
            out[lowest] = one;
    }
    return count;
}

// The plane through the farthest corner and two others that has no candidate above it, and leans least. False: none.
static bool find_plane(const candidate *c, int count, double tangent, double rounding, double slope[2])
{
    double least = tangent;
    bool found = false;
    for (int i = 1; i < count; i++)
        for (int j = 1; j < i; j++) {
            double p[3], q[3];
            for (int k = 0; k < 3; k++) {
                p[k] = c[i].at[k] - c[0].at[k];
                q[k] = c[j].at[k] - c[0].at[k];
            }
            const double area = p[0] * q[1] - p[1] * q[0];
            if (fabs(area) <= rounding * (fabs(p[0]) + fabs(p[1]) + fabs(q[0]) + fabs(q[1])))
                continue;
            const double x = (p[2] * q[1] - p[1] * q[2]) / area, y = (p[0] * q[2] - p[2] * q[0]) / area;
            bool is_above = grz_length2(x, y) > least;
            for (int k = 1; k < count && !is_above; k++)
                is_above = c[k].at[2] - c[0].at[2] >
                           x * (c[k].at[0] - c[0].at[0]) + y * (c[k].at[1] - c[0].at[1]) + 4.0 * rounding;
            if (is_above)
                continue;
            found = true;
            least = grz_length2(x, y);
            slope[0] = x;
            slope[1] = y;
        }
    return found;
}

static void add(grz_leaning_face *face, int side, const double at[3], uint32_t corner)
{
    double *to = face->at[face->count];
    to[0] = at[0];
    to[1] = at[1];
    to[2] = side * at[2];
    face->corner[face->count++] = (grz_corners_of){corner, UINT32_MAX};
}

static bool is_before(const double p[3], const double q[3])
{
    return p[0] < q[0] || (p[0] == q[0] && p[1] < q[1]);
}

// Sort corners into a convex polygon, without those on its edges.
static void make_polygon(grz_leaning_face *face, double rounding)
{
    const grz_leaning_face all = *face;
    int order[GRZ_LEANING_FACE_MAX], chain[GRZ_LEANING_FACE_MAX + 1] = {0}, count = 0;
    for (int i = 0; i < all.count; i++) {
        int to = i;
        for (; to > 0 && is_before(all.at[i], all.at[order[to - 1]]); to--)
            order[to] = order[to - 1];
        order[to] = i;
    }
    for (int pass = 0; pass < 2; pass++) {
        const int base = count;
        for (int i = 0; i < all.count; i++) {
            const int next = order[pass == 0 ? i : all.count - 1 - i];
            while (count >= base + 2 && turn(all.at[chain[count - 2]], all.at[chain[count - 1]], all.at[next]) <=
                                            rounding * far_apart(all.at[chain[count - 2]], all.at[next]))
                count--;
            chain[count++] = next;
        }
        count--;
    }
    face->count = count;
    for (int i = 0; i < count; i++) {
        memcpy(face->at[i], all.at[chain[i]], sizeof face->at[i]);
        face->corner[i] = all.corner[chain[i]];
    }
}

static void face_of_corners(const grz_convex *c, const grz_frame *frame, int side, double tangent, double rounding,
                            grz_leaning_face *face)
{
    candidate candidates[MOST_CANDIDATES];
    const int count = find_candidates(c, frame, side, tangent, rounding, candidates);
    double slope[2];
    if (find_plane(candidates, count, tangent, rounding, slope)) {
        for (int i = 0; i < count; i++) {
            const double *p = candidates[i].at, *top = candidates[0].at;
            if (p[2] - top[2] >= slope[0] * (p[0] - top[0]) + slope[1] * (p[1] - top[1]) - 4.0 * rounding)
                add(face, side, p, candidates[i].corner);
        }
        face->slope[0] = side * slope[0];
        face->slope[1] = side * slope[1];
        return;
    }
    add(face, side, candidates[0].at, candidates[0].corner);
    int best = 0;
    double least = HUGE_VAL;
    for (int i = 1; i < count; i++) {
        const double steep =
            (candidates[0].at[2] - candidates[i].at[2]) / far_apart(candidates[0].at, candidates[i].at);
        if (steep < least || (steep == least && far_apart(candidates[0].at, candidates[i].at) >
                                                    far_apart(candidates[0].at, candidates[best].at))) {
            least = steep;
            best = i;
        }
    }
    if (best > 0)
        add(face, side, candidates[best].at, candidates[best].corner);
}

static void add_unit(const grz_convex *c, const grz_frame *frame, int side, double x, double y, double z,
                     grz_leaning_face *face)
{
    const double unit[3] = {x, y, z};
    double point[3], at[3];
    for (int k = 0; k < 3; k++)
        point[k] = grz_dot(c->matrix[k], unit) + c->middle[k];
    project(frame, side, point, at);
    add(face, side, at, UINT32_MAX);
}

// A base, or an edge along the side. `m`: along it a point of the unit form is the farther out.
static void face_of_round(const grz_convex *c, const grz_frame *frame, int side, double tangent, grz_leaning_face *face)
{
    double m[3], axis[3], farthest[3], at[3];
    const double n[3] = {side * frame->n[0], side * frame->n[1], side * frame->n[2]};
    for (int j = 0; j < 3; j++)
        m[j] = n[0] * c->matrix[0][j] + n[1] * c->matrix[1][j] + n[2] * c->matrix[2][j];
    for (int k = 0; k < 3; k++)
        axis[k] = c->matrix[k][2];
    const double across = grz_length2(m[0], m[1]);
    const bool is_cone = c->form == GRZ_CONVEX_CONE;
    double column[2][3], wide = 0.0;
    for (int j = 0; j < 2; j++) {
        for (int k = 0; k < 3; k++)
            column[j][k] = c->matrix[k][j];
        wide = fmax(wide, sqrt(grz_dot(column[j], column[j])));
    }
    const double half = sqrt(grz_dot(axis, axis)), long_side = is_cone ? grz_length2(2.0 * half, wide) : 2.0 * half;
    const double lean_of_side = is_cone ? fabs(across - 2.0 * m[2]) : 2.0 * fabs(m[2]);
    if (c->form != GRZ_CONVEX_ELLIPSOID && across <= tangent * wide && (!is_cone || m[2] < 0.0)) {
        const double z = is_cone || m[2] < 0.0 ? -1.0 : 1.0;
        const double x = across > 0.0 ? m[0] / across : 1.0, y = across > 0.0 ? m[1] / across : 0.0;
        for (int i = 0; i < RIM; i++) { // the farthest point is one of them
            double sine, cosine;
            grz_sines(6.283185307179586 * i / RIM, &sine, &cosine);
            add_unit(c, frame, side, cosine * x - sine * y, sine * x + cosine * y, z, face);
        }
        double rise[3];
        grz_cross(column[0], column[1], rise);
        const double up = grz_dot(rise, frame->n);
        face->slope[0] = -grz_dot(rise, frame->u) / up;
        face->slope[1] = -grz_dot(rise, frame->v) / up;
    } else if (c->form != GRZ_CONVEX_ELLIPSOID && across > 0.0 && lean_of_side <= tangent * long_side) {
        add_unit(c, frame, side, m[0] / across, m[1] / across, -1.0, face);
        add_unit(c, frame, side, is_cone ? 0.0 : m[0] / across, is_cone ? 0.0 : m[1] / across, 1.0, face);
    } else {
        grz_convex_farthest(c, n, farthest);
        project(frame, side, farthest, at);
        add(face, side, at, UINT32_MAX);
    }
}

void grz_convex_find_leaning_face(const grz_convex *c, const grz_frame *frame, int side, double tangent,
                                  grz_leaning_face *face)
{
    const double rounding = GRZ_CONVEX_FLAT * c->extent;
    face->count = 0;
    face->slope[0] = face->slope[1] = 0.0;
    if (c->form == GRZ_CONVEX_CORNERS)
        face_of_corners(c, frame, side, tangent, rounding, face);
    else
        face_of_round(c, frame, side, tangent, face);
    if (face->count > 2)
        make_polygon(face, rounding);
    for (int i = 0; i < face->count; i++) {
        const uint32_t from = face->corner[i].first, to = face->corner[(i + 1) % face->count].first;
        face->edge[i] = from == UINT32_MAX || to == UINT32_MAX
                            ? NONE
                            : (grz_corners_of){from < to ? from : to, from < to ? to : from};
    }
}

// ---- Clipping ------------------------------------------------------------------------------------------------------

// A corner on its way: which part of the face that is clipped has it, and which of the polygon that clips.
typedef struct clipping {
    double at[2];
    grz_corners_of own, other;
    grz_corners_of edge; // of the face's edge on which the edge from here to the next corner lies, if `along` is -1
    int along;           // the clipping polygon's edge on which it lies, or -1
} clipping;

// The corner between two edges of a polygon.
static grz_corners_of corner_between(const grz_leaning_face *polygon, int one, int other)
{
    const int next = (one + 1) % polygon->count;
    return next == other ? polygon->corner[other] : polygon->corner[one];
}

// Keep what lies to the left of edge e of the polygon.
static int clip(const grz_leaning_face *polygon, int e, clipping *list, int count, bool closed)
{
    const double *p = polygon->at[e], *q = polygon->at[(e + 1) % polygon->count];
    clipping kept[GRZ_CLIPPED_MAX] = {{.along = -1}};
    int kept_count = 0;
    for (int i = 0; i < count; i++) {
        const clipping *from = &list[i], *to = &list[(i + 1) % count];
        const double here = (q[0] - p[0]) * (from->at[1] - p[1]) - (q[1] - p[1]) * (from->at[0] - p[0]);
        const double there = (q[0] - p[0]) * (to->at[1] - p[1]) - (q[1] - p[1]) * (to->at[0] - p[0]);
        if (here >= 0.0 && kept_count < GRZ_CLIPPED_MAX)
            kept[kept_count++] = *from;
        if ((closed || i + 1 < count) && ((here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0)) &&
            kept_count < GRZ_CLIPPED_MAX) {
            clipping *cut = &kept[kept_count++];
            const double part = here / (here - there);
            *cut = *from; // an edge that comes in goes on as it is
            for (int k = 0; k < 2; k++)
                cut->at[k] = from->at[k] + part * (to->at[k] - from->at[k]);
            cut->own = from->along < 0 ? from->edge : NONE;
            cut->other = from->along < 0 ? polygon->edge[e] : corner_between(polygon, from->along, e);
            if (here > 0.0) { // one that goes out is followed by the polygon's
                cut->edge = NONE;
                cut->along = e;
            }
        }
    }
    memcpy(list, kept, (size_t)kept_count * sizeof *list);
    return kept_count;
}

static double height_at(const grz_leaning_face *face, const double at[2])
{
    const double *p = face->at[0];
    if (face->count >= 3)
        return p[2] + face->slope[0] * (at[0] - p[0]) + face->slope[1] * (at[1] - p[1]);
    if (face->count == 1)
        return p[2];
    const double *q = face->at[1], x = q[0] - p[0], y = q[1] - p[1];
    const double part = ((at[0] - p[0]) * x + (at[1] - p[1]) * y) / (x * x + y * y);
    return p[2] + fmin(fmax(part, 0.0), 1.0) * (q[2] - p[2]);
}

int grz_convex_clip_faces(const grz_leaning_face *a, const grz_leaning_face *b, grz_clipped out[GRZ_CLIPPED_MAX])
{
    const bool b_clips = b->count >= 3;
    const grz_leaning_face *polygon = b_clips ? b : a, *face = b_clips ? a : b;
    clipping list[GRZ_CLIPPED_MAX];
    int count = face->count;
    if (polygon->count < 3)
        return 0;
    for (int i = 0; i < count; i++)
        list[i] = (clipping){.at = {face->at[i][0], face->at[i][1]},
                             .own = face->corner[i],
                             .other = NONE,
                             .edge = face->edge[i],
                             .along = -1};
    for (int e = 0; e < polygon->count; e++)
        count = clip(polygon, e, list, count, face->count > 2);
    for (int i = 0; i < count; i++) {
        grz_clipped *to = &out[i];
        memcpy(to->at, list[i].at, sizeof to->at);
        to->height_a = height_at(a, to->at);
        to->height_b = height_at(b, to->at);
        to->a = b_clips ? list[i].own : list[i].other;
        to->b = b_clips ? list[i].other : list[i].own;
    }
    return count;
}
