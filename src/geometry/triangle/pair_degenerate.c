// SPDX-License-Identifier: MIT
// The intersection of two triangles, at least one of which is degenerate (a segment or a point). Each triangle is
// treated as the simplex that its corners span: a point, a segment between its two outermost corners, or the triangle
// itself. The nodes are found on the simplices. On a segment, a point between the outermost corners belongs to the
// feature "edge between the outermost corners". If the third corner of a segment lies at such a node, the node is
// renamed to that corner.
#include <assert.h>

#include "geometry/triangle/triangle.h"

// A triangle, reduced to the simplex that its corners span.
typedef struct grz_simplex {
    const double (*corners)[3];
    int dimension;
    int end[2]; // dimension 0 and 1: the outermost corners (equal for a point); of equal corners the lowest index
    int middle; // dimension 1: the third corner, or GRZ_NOWHERE if it lies at an end
    int edge;   // dimension 1: the edge between the ends
} grz_simplex;

// True if p is in the bounding box of the two ends.
static bool between(const double p[3], const double ends[2][3])
{
    for (int i = 0; i < 3; i++) {
        double low = ends[0][i] < ends[1][i] ? ends[0][i] : ends[1][i],
               high = ends[0][i] < ends[1][i] ? ends[1][i] : ends[0][i];
        if (p[i] < low || p[i] > high)
            return false;
    }
    return true;
}

static bool collinear(const double a[3], const double b[3], const double c[3])
{
    return grz_orient_projected(0, a, b, c) == 0 && grz_orient_projected(1, a, b, c) == 0 &&
           grz_orient_projected(2, a, b, c) == 0;
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
    grz_simplex simplex = {
        .corners = corners, .dimension = grz_triangle_dimension(corners), .middle = GRZ_NOWHERE, .edge = GRZ_FACE};
    if (simplex.dimension == 2)
        return simplex;
    // Collinear points have the same order along their line as in lexicographic comparison.
    for (int i = 1; i < 3; i++) {
        if (lexicographic(corners[i], corners[simplex.end[0]]) < 0)
            simplex.end[0] = i;
        if (lexicographic(corners[i], corners[simplex.end[1]]) > 0)
            simplex.end[1] = i;
    }
    if (simplex.dimension == 1) {
        int other = 3 - simplex.end[0] - simplex.end[1];
        simplex.edge = GRZ_EDGE_0 + (simplex.end[1] == (simplex.end[0] + 1) % 3 ? simplex.end[0] : simplex.end[1]);
        if (!grz_same_point(corners[other], corners[simplex.end[0]]) &&
            !grz_same_point(corners[other], corners[simplex.end[1]]))
            simplex.middle = other;
    }
    return simplex;
}

// The feature of a simplex that contains p, or GRZ_NOWHERE. The middle corner of a segment is ignored.
static int locate(const grz_simplex *simplex, const double p[3])
{
    const double(*c)[3] = simplex->corners;
    if (simplex->dimension == 2)
        return grz_orient3d(c[0], c[1], c[2], p) == 0 ? grz_locate_in_plane(c, p) : GRZ_NOWHERE;
    for (int i = 0; i < 2; i++)
        if (grz_same_point(p, c[simplex->end[i]]))
            return GRZ_CORNER_0 + simplex->end[i];
    const double ends[2][3] = {{c[simplex->end[0]][0], c[simplex->end[0]][1], c[simplex->end[0]][2]},
                               {c[simplex->end[1]][0], c[simplex->end[1]][1], c[simplex->end[1]][2]}};
    if (simplex->dimension == 1 && between(p, ends) && collinear(ends[0], ends[1], p))
        return simplex->edge;
    return GRZ_NOWHERE;
}

static int corner_count(const grz_simplex *simplex)
{
    return simplex->dimension + 1;
}

static int corner(const grz_simplex *simplex, int i)
{
    return simplex->dimension == 2 ? i : simplex->end[i];
}

// Add the node of features `a` and `b`, unless one is GRZ_NOWHERE. `swapped` exchanges them, so that A comes first
// again.
static void add(grz_intersection *out, bool swapped, int a, int b)
{
    if (a != GRZ_NOWHERE && b != GRZ_NOWHERE)
        grz_add_node(out, swapped ? b : a, swapped ? a : b);
}

// True if the segments p-q and r-s cross in one point in the interior of both.
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

// Add the node where the interior of a segment meets a triangle with area.
static void cross_segment_triangle(const grz_simplex *segment, const grz_simplex *triangle, bool swapped,
                                   grz_intersection *out)
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

// Rename the nodes at which the middle corner of `simplex` lies to that corner. `other` is the other simplex, `found`
// holds the nodes before any renaming.
static void name_middle(const grz_simplex *simplex, const grz_simplex *other, bool is_a, const grz_intersection *found,
                        grz_intersection *out)
{
    if (simplex->middle == GRZ_NOWHERE)
        return;
    int other_feature = locate(other, simplex->corners[simplex->middle]);
    for (uint32_t i = 0; i < found->node_count; i++) {
        int own = is_a ? found->nodes[i].a : found->nodes[i].b, others = is_a ? found->nodes[i].b : found->nodes[i].a;
        if (own != simplex->edge || others != other_feature)
            continue;
        if (is_a)
            out->nodes[i].a = (uint8_t)(GRZ_CORNER_0 + simplex->middle);
        else
            out->nodes[i].b = (uint8_t)(GRZ_CORNER_0 + simplex->middle);
    }
}

void grz_intersect_degenerate(const double a[3][3], const double b[3][3], grz_intersection *out)
{
    const grz_simplex simplex_a = simplex_of(a), simplex_b = simplex_of(b);
    const bool swapped = simplex_a.dimension > simplex_b.dimension;
    const grz_simplex *low = swapped ? &simplex_b : &simplex_a, *high = swapped ? &simplex_a : &simplex_b;
    assert(low->dimension < 2 && low->dimension <= high->dimension);
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
