// SPDX-License-Identifier: MIT
// The position of an intersection vertex of two triangles. A node names the two features that meet there, for example
// edge 1 of A and the face of B; this file turns that into an exact point and into rounded coordinates.
#include <assert.h>
#include <string.h>

#include "geometry/exact/point.h"
#include "geometry/triangle/triangle.h"

grz_exact_point grz_node_point(const double a[3][3], const double b[3][3], grz_node node)
{
    assert(node.a <= GRZ_FACE && node.b <= GRZ_FACE && (node.a != GRZ_FACE || node.b != GRZ_FACE));
    if (node.a <= GRZ_CORNER_2)
        return grz_exact_given(a[node.a]);
    if (node.b <= GRZ_CORNER_2)
        return grz_exact_given(b[node.b]);
    const int i = node.a - GRZ_EDGE_0, j = node.b - GRZ_EDGE_0;
    if (node.b == GRZ_FACE)
        return grz_exact_on_plane(a[i], a[(i + 1) % 3], b);
    if (node.a == GRZ_FACE)
        return grz_exact_on_plane(b[j], b[(j + 1) % 3], a);
    return grz_exact_on_line(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]);
}

void grz_node_position(const double a[3][3], const double b[3][3], grz_node node, double position[3])
{
    const grz_exact_point point = grz_node_point(a, b, node);
    memcpy(position, point.rounded, sizeof point.rounded);
}
