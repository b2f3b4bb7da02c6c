// SPDX-License-Identifier: MIT
// The exact intersection of two triangles. Its vertices are found by testing every pair of features that can meet in
// one point (corner with anything, edge with face, edge with edge). Each test is a few signs of orient3d. Two triangles
// in different planes meet in a segment, a point, or not at all, so there are at most two such points. Coplanar and
// degenerate triangles have files of their own. The order of the tests (corners against the other's plane first)
// follows T. Möller, "A fast triangle-triangle intersection test" (1997).
#include "geometry/triangle/pair.h"

#include <assert.h>

#include "geometry/triangle/triangle.h"

// The orient3d signs of a pair, each computed once. edge[i][j], for edge i of A and edge j of B, is computed when
// needed.
typedef struct grz_signs {
    const double (*a)[3];
    const double (*b)[3];
    int corner_a[3]; // the side of B's plane that each corner of A lies on
    int corner_b[3]; // the side of A's plane that each corner of B lies on
    int edge[3][3];
} grz_signs;

enum {
    NOT_COMPUTED = 2 // in place of a sign
};

// True if three corners lie strictly on one side of a plane.
static bool all_on_one_side(const int sign[3])
{
    return sign[0] != 0 && sign[0] == sign[1] && sign[0] == sign[2];
}

static bool all_zero(const int sign[3])
{
    return sign[0] == 0 && sign[1] == 0 && sign[2] == 0;
}

// On which side edge j of B passes edge i of A.
static int edge_sign(grz_signs *signs, int i, int j)
{
    int *sign = &signs->edge[i][j];
    if (*sign == NOT_COMPUTED)
        *sign = grz_orient3d(signs->a[i], signs->a[(i + 1) % 3], signs->b[j], signs->b[(j + 1) % 3]);
    return *sign;
}

// The feature of a triangle that a line meets, or GRZ_NOWHERE. turn[i] is the side on which the line passes edge i. The
// line does not lie in the triangle's plane.
static int feature_of_turns(const int turn[3])
{
    int positive = (turn[0] > 0) + (turn[1] > 0) + (turn[2] > 0),
        negative = (turn[0] < 0) + (turn[1] < 0) + (turn[2] < 0);
    if (positive > 0 && negative > 0)
        return GRZ_NOWHERE;
    const int side[3] = {turn[0] != 0, turn[1] != 0, turn[2] != 0};
    return grz_feature_of_sides(side);
}

// Add the corners that lie in the other triangle's plane, if they lie in the triangle.
static void add_corners(const grz_signs *signs, grz_intersection *out)
{
    for (int i = 0; i < 3; i++) {
        if (signs->corner_a[i] == 0) {
            int feature = grz_locate_in_plane(signs->b, signs->a[i]);
            if (feature != GRZ_NOWHERE)
                grz_add_node(out, GRZ_CORNER_0 + i, feature);
        }
        if (signs->corner_b[i] == 0) {
            int feature = grz_locate_in_plane(signs->a, signs->b[i]);
            if (feature != GRZ_NOWHERE)
                grz_add_node(out, feature, GRZ_CORNER_0 + i);
        }
    }
}

// Add the edges that pass through the other triangle. Their ends lie strictly on both sides of its plane.
static void add_edges(grz_signs *signs, grz_intersection *out)
{
    for (int i = 0; i < 3; i++) {
        if (signs->corner_a[i] * signs->corner_a[(i + 1) % 3] < 0) {
            const int turn[3] = {edge_sign(signs, i, 0), edge_sign(signs, i, 1), edge_sign(signs, i, 2)};
            int feature = feature_of_turns(turn);
            if (feature != GRZ_NOWHERE)
                grz_add_node(out, GRZ_EDGE_0 + i, feature);
        }
        if (signs->corner_b[i] * signs->corner_b[(i + 1) % 3] < 0) {
            const int turn[3] = {edge_sign(signs, 0, i), edge_sign(signs, 1, i), edge_sign(signs, 2, i)};
            int feature = feature_of_turns(turn);
            if (feature != GRZ_NOWHERE)
                grz_add_node(out, feature, GRZ_EDGE_0 + i);
        }
    }
}

static int zeros(const int sign[3])
{
    return (sign[0] == 0) + (sign[1] == 0) + (sign[2] == 0);
}

void grz_triangles_intersect(const double a[3][3], const double b[3][3], grz_intersection *out)
{
    grz_signs signs = {.a = a,
                       .b = b,
                       .edge = {{NOT_COMPUTED, NOT_COMPUTED, NOT_COMPUTED},
                                {NOT_COMPUTED, NOT_COMPUTED, NOT_COMPUTED},
                                {NOT_COMPUTED, NOT_COMPUTED, NOT_COMPUTED}}};
    out->node_count = 0;
    out->kind = GRZ_TOUCHING;
    for (int i = 0; i < 3; i++)
        signs.corner_b[i] = grz_orient3d(a[0], a[1], a[2], b[i]);
    if (all_on_one_side(signs.corner_b))
        return;
    for (int i = 0; i < 3; i++)
        signs.corner_a[i] = grz_orient3d(b[0], b[1], b[2], a[i]);
    if (all_on_one_side(signs.corner_a))
        return;
    // For a triangle without area, orient3d is 0 for every point. So signs that are not all zero prove that it has
    // area.
    if (all_zero(signs.corner_a) || all_zero(signs.corner_b)) {
        if (grz_triangle_dimension(a) < 2 || grz_triangle_dimension(b) < 2)
            grz_intersect_degenerate(a, b, out);
        else
            grz_intersect_coplanar(a, b, out);
        return;
    }
    add_corners(&signs, out);
    add_edges(&signs, out);
    assert(out->node_count <= 2);
    // A segment that lies on no edge passes through the interiors of both triangles.
    if (out->node_count == 2 && zeros(signs.corner_a) < 2 && zeros(signs.corner_b) < 2)
        out->kind = GRZ_CROSSING;
}

bool grz_triangles_touch(const double a[3][3], const double b[3][3])
{
    grz_intersection intersection;
    grz_triangles_intersect(a, b, &intersection);
    return intersection.node_count > 0;
}
