// SPDX-License-Identifier: MIT
// The intersection of two coplanar triangles with area: a convex polygon with at most six vertices. Both triangles are
// projected along one axis. Every vertex is either a corner of one triangle that lies in the other, or a proper
// crossing of two edges. Neighbours on the polygon are recognised by the edge that contains both, so no coordinates are
// computed.
#include <assert.h>

#include "geometry/triangle/triangle.h"

// The edges of a triangle that contain a feature: bit i for edge i.
static unsigned edges_of_feature(int feature)
{
    switch (feature) {
    case GRZ_CORNER_0:
        return 1u << 0 | 1u << 2;
    case GRZ_CORNER_1:
        return 1u << 1 | 1u << 0;
    case GRZ_CORNER_2:
        return 1u << 2 | 1u << 1;
    case GRZ_FACE:
        return 0;
    default:
        return 1u << (feature - GRZ_EDGE_0);
    }
}

// The edges that contain a node: bits 0 to 2 for A, bits 3 to 5 for B.
static unsigned edges_of_node(grz_node node)
{
    return edges_of_feature(node.a) | edges_of_feature(node.b) << 3;
}

// Put the nodes in cyclic order. Two nodes are neighbours if and only if one of the six edges contains both: the
// polygon lies on one side of that edge's line, and no three of its vertices lie on one line.
static void order_nodes(grz_intersection *out)
{
    for (uint32_t i = 0; i + 2 < out->node_count; i++) {
        uint32_t next = i + 1;
        while (next < out->node_count && (edges_of_node(out->nodes[i]) & edges_of_node(out->nodes[next])) == 0)
            next++;
        assert(next < out->node_count);
        if (next >= out->node_count)
            return;
        grz_node neighbour = out->nodes[next];
        out->nodes[next] = out->nodes[i + 1];
        out->nodes[i + 1] = neighbour;
    }
}

// side[i][j] is 1 if corner j of `points` lies on the inner side of edge i of `triangle`, 0 if on its line, -1 if
// outside. False if all corners lie outside one edge: the triangles are then disjoint.
static bool sides_of_edges(int axis, int orientation, const double triangle[3][3], const double points[3][3],
                           int side[3][3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            side[i][j] = orientation * grz_orient_projected(axis, triangle[i], triangle[(i + 1) % 3], points[j]);
        if (side[i][0] < 0 && side[i][1] < 0 && side[i][2] < 0)
            return false;
    }
    return true;
}

void grz_intersect_coplanar(const double a[3][3], const double b[3][3], grz_intersection *out)
{
    int orientation_a, side_a[3][3], side_b[3][3];
    int axis = grz_projection_axis(a, &orientation_a);
    int orientation_b = grz_orient_projected(axis, b[0], b[1], b[2]);
    assert(orientation_b != 0); // B lies in the same plane and has area
    out->node_count = 0;
    out->kind = GRZ_TOUCHING;
    if (!sides_of_edges(axis, orientation_a, a, b, side_a) || !sides_of_edges(axis, orientation_b, b, a, side_b))
        return;
    for (int j = 0; j < 3; j++) {
        const int in_a[3] = {side_a[0][j], side_a[1][j], side_a[2][j]};
        const int in_b[3] = {side_b[0][j], side_b[1][j], side_b[2][j]};
        int feature_a = grz_feature_of_sides(in_a), feature_b = grz_feature_of_sides(in_b);
        if (feature_a != GRZ_NOWHERE)
            grz_add_node(out, feature_a, GRZ_CORNER_0 + j);
        if (feature_b != GRZ_NOWHERE)
            grz_add_node(out, GRZ_CORNER_0 + j, feature_b);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (side_a[i][j] * side_a[i][(j + 1) % 3] < 0 && side_b[j][i] * side_b[j][(i + 1) % 3] < 0)
                grz_add_node(out, GRZ_EDGE_0 + i, GRZ_EDGE_0 + j);
    if (out->node_count >= 3) {
        out->kind = GRZ_COPLANAR;
        order_nodes(out);
    }
}
