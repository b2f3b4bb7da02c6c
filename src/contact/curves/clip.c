// SPDX-License-Identifier: MIT
// Clips a link by the two triangles of a contact, in the plane of each. The ends of the remaining part are corners of
// triangles, or points where the link's line crosses an edge: exact points again.
#include "contact/curves/clip.h"

#include <string.h>

#include "geometry/triangle/triangle.h"

// ---- A link and a triangle ----

// The point where a link crosses the line r-s, which lies in a plane with it.
static grz_exact_point cut_point(const grz_link_shape *link, const double r[3], const double s[3])
{
    if (link->on_edge)
        return grz_exact_on_line(link->line[0], link->line[1], r, s);
    const double(*plane)[3] = (const double(*)[3])link->planes[0];
    if (grz_orient3d(plane[0], plane[1], plane[2], r) == 0 && grz_orient3d(plane[0], plane[1], plane[2], s) == 0)
        plane = (const double(*)[3])link->planes[1];
    return grz_exact_on_plane(r, s, plane);
}

// The two outermost corners of a degenerate triangle, in exact order.
static void outermost(const double corners[3][3], grz_exact_point end[2])
{
    end[0] = end[1] = grz_exact_given(corners[0]);
    for (int i = 1; i < 3; i++) {
        const grz_exact_point corner = grz_exact_given(corners[i]);
        if (grz_exact_compare(&corner, &end[0]) < 0)
            end[0] = corner;
        if (grz_exact_compare(&corner, &end[1]) > 0)
            end[1] = corner;
    }
}

// Narrow an interval of the link to the part inside a degenerate triangle (a segment). False if that is at most a
// point, as far as can be seen here.
static bool clip_by_segment(const grz_link_shape *link, const double corners[3][3], grz_exact_point interval[2])
{
    grz_exact_point end[2];
    outermost(corners, end);
    if (grz_exact_compare(&end[0], &end[1]) == 0)
        return false;
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 2; i++)
            if (grz_exact_orient_projected(axis, end[0].p[0], end[1].p[0], &link->end[i]) != 0)
                return false;
    if (grz_exact_compare(&end[0], &interval[0]) > 0)
        interval[0] = end[0];
    if (grz_exact_compare(&end[1], &interval[1]) < 0)
        interval[1] = end[1];
    return true;
}

// Narrow an interval of the link to the part inside a triangle. `edge` receives the edge along which the link runs, or
// -1. False if at most a point is left, as far as can be seen here.
static bool clip(const grz_link_shape *link, const double corners[3][3], grz_exact_point interval[2], int *edge)
{
    *edge = -1;
    for (int i = 0; i < 2; i++)
        if (grz_rounded_orient3d(corners[0], corners[1], corners[2], link->end[i].rounded) != GRZ_SIGN_UNKNOWN)
            return false;
    if (grz_triangle_dimension(corners) < 2)
        return clip_by_segment(link, corners, interval);
    for (int i = 0; i < 2; i++)
        if (grz_exact_orient3d(corners[0], corners[1], corners[2], &link->end[i]) != 0)
            return false;
    int orientation;
    const int axis = grz_projection_axis(corners, &orientation);
    for (int i = 0; i < 3; i++) {
        const double *p = corners[i], *q = corners[(i + 1) % 3];
        const int first = orientation * grz_exact_orient_projected(axis, p, q, &link->end[0]);
        const int last = orientation * grz_exact_orient_projected(axis, p, q, &link->end[1]);
        if (first == 0 && last == 0)
            *edge = i;
        else if (first <= 0 && last <= 0)
            return false;
        if (first * last >= 0)
            continue;
        const grz_exact_point cut = cut_point(link, p, q);
        const int end = first < 0 ? 0 : 1;
        const int order = grz_exact_compare(&cut, &interval[end]);
        if (end == 0 ? order > 0 : order < 0)
            interval[end] = cut;
    }
    return true;
}

// A line for a link that no edge of its triangles contains, for example through the middle corner of a degenerate
// triangle. False: neither triangle is a segment.
static bool line_of_degenerate(const double triangles[2][3][3], double line[2][3])
{
    for (int half = 0; half < 2; half++) {
        if (grz_triangle_dimension(triangles[half]) != 1)
            continue;
        const double(*c)[3] = triangles[half];
        memcpy(line[0], c[0], sizeof line[0]);
        memcpy(line[1], grz_same_point(c[0], c[1]) ? c[2] : c[1], sizeof line[1]);
        return true;
    }
    return false;
}

void grz_curves_shape(const grz_joiner *joiner, const grz_candidate_link *candidate, grz_link_shape *link)
{
    const size_t node[2] = {candidate->low, candidate->high};
    grz_half_plane half;
    for (int i = 0; i < 2; i++)
        grz_curves_point(joiner, joiner->node_corner[node[i]], &link->end[i]);
    const bool turned = grz_exact_compare(&link->end[0], &link->end[1]) > 0;
    if (turned) {
        const grz_exact_point first = link->end[0];
        link->end[0] = link->end[1];
        link->end[1] = first;
    }
    link->node[0] = node[turned];
    link->node[1] = node[!turned];
    grz_curves_triangles(joiner, candidate->side.contact, link->planes);
    link->on_edge = grz_curves_half_plane(joiner, candidate->side, &half);
    if (link->on_edge) {
        memcpy(link->line[0], half.p, sizeof half.p);
        memcpy(link->line[1], half.q, sizeof half.q);
    } else {
        link->on_edge = line_of_degenerate((const double(*)[3][3])link->planes, link->line);
    }
}

// ---- A link and a contact ----

// True if one of a contact's sides goes from one node to the other.
static bool has_side(const grz_joiner *joiner, size_t low, size_t high, size_t contact)
{
    const grz_contact *c = &joiner->contacts[contact];
    const size_t *node = joiner->node_of + (c->first_point - joiner->first_point);
    for (uint32_t i = 0; i < c->point_count; i++) {
        const size_t next = node[(i + 1) % c->point_count];
        if ((node[i] == low && next == high) || (node[i] == high && next == low))
            return true;
    }
    return false;
}

// True if the places prove that a contact without the link as a side has at most one point in common with it: in some
// projection its corners other than the link's ends lie strictly on one side; of a segment, one of its ends does.
static bool is_off_line(const grz_joiner *joiner, size_t low, size_t high, size_t contact)
{
    const grz_contact *c = &joiner->contacts[contact];
    const size_t first = c->first_point - joiner->first_point;
    const size_t *node = joiner->node_of + first;
    const double *p = joiner->own[joiner->node_corner[low]].at, *q = joiner->own[joiner->node_corner[high]].at;
    for (int axis = 0; axis < 3; axis++) {
        int sides = 0, known = 0, rest = 0; // sum of the sides, how many are known, and of how many corners
        for (uint32_t i = 0; i < c->point_count; i++) {
            if (node[i] == low || node[i] == high)
                continue;
            const int own = grz_rounded_orient_projected(axis, p, q, joiner->own[first + i].at);
            rest++;
            if (own == GRZ_SIGN_UNKNOWN && c->point_count > 2)
                break;
            sides += own == GRZ_SIGN_UNKNOWN ? 0 : own;
            known += own == GRZ_SIGN_UNKNOWN ? 0 : 1;
        }
        if (c->point_count > 2 ? known == rest && (sides == known || sides == -known) : known > 0)
            return true;
    }
    return false;
}

bool grz_curves_is_apart(const grz_joiner *joiner, size_t low, size_t high, size_t contact)
{
    return !has_side(joiner, low, high, contact) && is_off_line(joiner, low, high, contact);
}

bool grz_curves_is_beside(const grz_joiner *joiner, const grz_candidate_link *link, size_t contact)
{
    return has_side(joiner, link->low, link->high, contact) || is_off_line(joiner, link->low, link->high, contact);
}

bool grz_curves_common_part(const grz_joiner *joiner, const grz_link_shape *link, size_t contact, grz_common_part *part)
{
    double triangles[2][3][3];
    int edge[2];
    grz_curves_triangles(joiner, contact, triangles);
    part->end[0] = link->end[0];
    part->end[1] = link->end[1];
    for (int half = 0; half < 2; half++)
        if (!clip(link, (const double(*)[3])triangles[half], part->end, &edge[half]))
            return false;
    if (grz_exact_compare(&part->end[0], &part->end[1]) >= 0)
        return false;
    part->on_side = joiner->contacts[contact].point_count > 2 && (edge[0] >= 0 || edge[1] >= 0);
    if (part->on_side) {
        const int half = edge[0] >= 0 ? 0 : 1;
        memcpy(part->half.p, triangles[half][edge[half]], sizeof part->half.p);
        memcpy(part->half.q, triangles[half][(edge[half] + 1) % 3], sizeof part->half.q);
        memcpy(part->half.w, triangles[half][(edge[half] + 2) % 3], sizeof part->half.w);
    }
    return true;
}

// ---- A point and a contact ----

static bool segment_holds(const double corners[3][3], const grz_exact_point *point)
{
    grz_exact_point end[2];
    outermost(corners, end);
    for (int axis = 0; axis < 3; axis++)
        if (grz_exact_orient_projected(axis, end[0].p[0], end[1].p[0], point) != 0)
            return false;
    return grz_exact_compare(&end[0], point) <= 0 && grz_exact_compare(point, &end[1]) <= 0;
}

static bool triangle_holds(const double corners[3][3], const grz_exact_point *point)
{
    if (grz_rounded_orient3d(corners[0], corners[1], corners[2], point->rounded) != GRZ_SIGN_UNKNOWN)
        return false;
    if (grz_triangle_dimension(corners) < 2)
        return segment_holds(corners, point);
    if (grz_exact_orient3d(corners[0], corners[1], corners[2], point) != 0)
        return false;
    int orientation;
    const int axis = grz_projection_axis(corners, &orientation);
    for (int i = 0; i < 3; i++)
        if (orientation * grz_exact_orient_projected(axis, corners[i], corners[(i + 1) % 3], point) < 0)
            return false;
    return true;
}

bool grz_curves_holds(const grz_joiner *joiner, size_t contact, const grz_exact_point *point)
{
    double triangles[2][3][3];
    grz_curves_triangles(joiner, contact, triangles);
    return triangle_holds((const double(*)[3])triangles[0], point) &&
           triangle_holds((const double(*)[3])triangles[1], point);
}
