// SPDX-License-Identifier: MIT
// The intersection of two triangles of which at least one is a segment or a point. Each is taken as the simplex that its corners
// span: a point, a segment between its two outermost corners, or the triangle. Nodes are found on the simplices; a middle corner
// that lies at a node then gives it its name. A segment's points between corners are named by the edge between its outermost
// corners.
#include <assert.h>

#include "geometry/triangle.h"

// A triangle as the simplex that its corners span.
typedef struct grz_simplex {
    const double (*corners)[3];
    int dimension;
    int end[2]; // dimension 0 and 1: the outermost corners (the same for a point), the lowest index where several are equal
    int middle; // dimension 1: the corner that is no end, or GRZ_NOWHERE where it lies at an end
    int edge;   // dimension 1: the feature between the ends
} grz_simplex;

static bool between(const double p[3], const double ends[2][3])
{
    for (int i = 0; i < 3; i++) {
        double low = ends[0][i] < ends[1][i] ? ends[0][i] : ends[1][i], high = ends[0][i] < ends[1][i] ? ends[1][i] : ends[0][i];
        if (p[i] < low || p[i] > high)
            return false;
    }
    return true;
}

static bool collinear(const double a[3], const double b[3], const double c[3])
{
    return grz_orient_projected(0, a, b, c) == 0 && grz_orient_projected(1, a, b, c) == 0 && grz_orient_projected(2, a, b, c) == 0;
}

static int lexicographic(const double p[3], const double q[3])
{
    for (int i = 0; i < 3; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}

static grz_simplex simplex_of(const double corners[3][3])
{
    grz_simplex s = {.corners = corners, .dimension = grz_triangle_dimension(corners), .middle = GRZ_NOWHERE, .edge = GRZ_FACE};
    if (s.dimension == 2)
        return s;
    // Collinear points lie along their line as they compare.
    for (int i = 1; i < 3; i++) {
        if (lexicographic(corners[i], corners[s.end[0]]) < 0)
            s.end[0] = i;
        if (lexicographic(corners[i], corners[s.end[1]]) > 0)
            s.end[1] = i;
    }
    if (s.dimension == 1) {
        int other = 3 - s.end[0] - s.end[1];
        s.edge = GRZ_EDGE_0 + (s.end[1] == (s.end[0] + 1) % 3 ? s.end[0] : s.end[1]);
        if (!grz_same_point(corners[other], corners[s.end[0]]) && !grz_same_point(corners[other], corners[s.end[1]]))
            s.middle = other;
    }
    return s;
}

// The feature of a simplex that holds p, middle corners left aside.
static int locate(const grz_simplex *s, const double p[3])
{
    const double(*c)[3] = s->corners;
    if (s->dimension == 2)
        return grz_orient3d(c[0], c[1], c[2], p) == 0 ? grz_locate_in_plane(c, p) : GRZ_NOWHERE;
    for (int i = 0; i < 2; i++)
        if (grz_same_point(p, c[s->end[i]]))
            return GRZ_CORNER_0 + s->end[i];
    const double ends[2][3] = {{c[s->end[0]][0], c[s->end[0]][1], c[s->end[0]][2]},
                               {c[s->end[1]][0], c[s->end[1]][1], c[s->end[1]][2]}};
    if (s->dimension == 1 && between(p, ends) && collinear(ends[0], ends[1], p))
        return s->edge;
    return GRZ_NOWHERE;
}

static int corner_count(const grz_simplex *s)
{
    return s->dimension + 1;
}

static int corner(const grz_simplex *s, int i)
{
    return s->dimension == 2 ? i : s->end[i];
}

// Add a node with the features of the two simplices in the caller's order.
static void add(grz_intersection *out, bool swapped, int a, int b)
{
    if (a != GRZ_NOWHERE && b != GRZ_NOWHERE)
        grz_add_node(out, swapped ? b : a, swapped ? a : b);
}

// Two segments, p-q and r-s: do they cross in one point inside both?
static bool segments_cross(const double p[3], const double q[3], const double r[3], const double s[3])
{
    if (grz_orient3d(p, q, r, s) != 0)
        return false;
    for (int axis = 0; axis < 3; axis++) {
        int side_r = grz_orient_projected(axis, p, q, r), side_s = grz_orient_projected(axis, p, q, s);
        int side_p = grz_orient_projected(axis, r, s, p), side_q = grz_orient_projected(axis, r, s, q);
        if (side_r * side_s < 0 && side_p * side_q < 0)
            return true;
    }
    return false;
}

static void cross_segment_triangle(const grz_simplex *segment, const grz_simplex *triangle, bool swapped, grz_intersection *out)
{
    const double *p = segment->corners[segment->end[0]], *q = segment->corners[segment->end[1]];
    const double(*t)[3] = triangle->corners;
    int side_p = grz_orient3d(t[0], t[1], t[2], p), side_q = grz_orient3d(t[0], t[1], t[2], q);
    if (side_p * side_q < 0) {
        int turn[3], positive = 0, negative = 0;
        for (int i = 0; i < 3; i++) {
            turn[i] = grz_orient3d(p, q, t[i], t[(i + 1) % 3]);
            positive += turn[i] > 0;
            negative += turn[i] < 0;
        }
        const int side[3] = {turn[0] != 0, turn[1] != 0, turn[2] != 0};
        if (positive == 0 || negative == 0)
            add(out, swapped, segment->edge, grz_feature_of_sides(side));
    } else if (side_p == 0 && side_q == 0) {
        for (int i = 0; i < 3; i++)
            if (segments_cross(p, q, t[i], t[(i + 1) % 3]))
                add(out, swapped, segment->edge, GRZ_EDGE_0 + i);
    }
}

// Where the middle corner of `s` lies at a node, the node is that corner's. `other` is the other simplex, `named` its nodes as
// found.
static void name_middle(const grz_simplex *s, const grz_simplex *other, bool is_a, const grz_intersection *found,
                        grz_intersection *out)
{
    if (s->middle == GRZ_NOWHERE)
        return;
    int there = locate(other, s->corners[s->middle]);
    for (uint32_t i = 0; i < found->node_count; i++) {
        int own = is_a ? found->nodes[i].a : found->nodes[i].b, others = is_a ? found->nodes[i].b : found->nodes[i].a;
        if (own != s->edge || others != there)
            continue;
        if (is_a)
            out->nodes[i].a = (uint8_t)(GRZ_CORNER_0 + s->middle);
        else
            out->nodes[i].b = (uint8_t)(GRZ_CORNER_0 + s->middle);
    }
}

void grz_intersect_degenerate(const double a[3][3], const double b[3][3], grz_intersection *out)
{
    const grz_simplex simplex_a = simplex_of(a), simplex_b = simplex_of(b);
    const bool swapped = simplex_a.dimension > simplex_b.dimension;
    const grz_simplex *low = swapped ? &simplex_b : &simplex_a, *high = swapped ? &simplex_a : &simplex_b;
    assert(low->dimension < 2);
    out->node_count = 0;
    out->kind = GRZ_TOUCHING;
    for (int i = 0; i < corner_count(low); i++)
        add(out, swapped, GRZ_CORNER_0 + corner(low, i), locate(high, low->corners[corner(low, i)]));
    for (int i = 0; i < corner_count(high); i++)
        add(out, swapped, locate(low, high->corners[corner(high, i)]), GRZ_CORNER_0 + corner(high, i));
    if (low->dimension == 1 && high->dimension == 2)
        cross_segment_triangle(low, high, swapped, out);
    else if (low->dimension == 1 && segments_cross(low->corners[low->end[0]], low->corners[low->end[1]],
                                                   high->corners[high->end[0]], high->corners[high->end[1]]))
        add(out, swapped, low->edge, high->edge);
    assert(out->node_count <= 2);
    const grz_intersection found = *out;
    name_middle(&simplex_a, &simplex_b, true, &found, out);
    name_middle(&simplex_b, &simplex_a, false, &found, out);
}
