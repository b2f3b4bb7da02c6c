// SPDX-License-Identifier: MIT
// Exact questions about one triangle, answered by signs of orient2d on its projections along the axes.
#include "geometry/triangle/triangle.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

int grz_triangle_dimension(const double corners[3][3])
{
    for (int axis = 0; axis < 3; axis++)
        if (grz_orient_projected(axis, corners[0], corners[1], corners[2]) != 0)
            return 2;
    bool point = grz_same_point(corners[0], corners[1]) && grz_same_point(corners[0], corners[2]);
    return point ? 0 : 1;
}

int grz_projection_axis(const double corners[3][3], int *orientation)
{
    // Try the axis of the largest component of the rounded normal first. It is nearly always right; the exact sign
    // decides.
    double u[3], v[3];
    for (int i = 0; i < 3; i++) {
        u[i] = corners[1][i] - corners[0][i];
        v[i] = corners[2][i] - corners[0][i];
    }
    double normal[3] = {fabs(u[1] * v[2] - u[2] * v[1]), fabs(u[2] * v[0] - u[0] * v[2]),
                        fabs(u[0] * v[1] - u[1] * v[0])};
    int first = normal[0] >= normal[1] ? (normal[0] >= normal[2] ? 0 : 2) : (normal[1] >= normal[2] ? 1 : 2);
    for (int i = 0; i < 3; i++) {
        int axis = (first + i) % 3;
        *orientation = grz_orient_projected(axis, corners[0], corners[1], corners[2]);
        if (*orientation != 0)
            return axis;
    }
    assert(false && "a triangle with area has a projection with area");
    return 0;
}

int grz_feature_of_sides(const int side[3])
{
    assert(abs(side[0]) <= 1 && abs(side[1]) <= 1 && abs(side[2]) <= 1);
    if (side[0] < 0 || side[1] < 0 || side[2] < 0)
        return GRZ_NOWHERE;
    for (int i = 0; i < 3; i++)
        if (side[i] == 0 && side[(i + 1) % 3] == 0)
            return GRZ_CORNER_0 + (i + 1) % 3;
    for (int i = 0; i < 3; i++)
        if (side[i] == 0)
            return GRZ_EDGE_0 + i;
    return GRZ_FACE;
}

int grz_locate_in_plane(const double corners[3][3], const double p[3])
{
    int orientation, side[3];
    int axis = grz_projection_axis(corners, &orientation);
    assert(grz_orient3d(corners[0], corners[1], corners[2], p) == 0);
    for (int i = 0; i < 3; i++) {
        side[i] = orientation * grz_orient_projected(axis, corners[i], corners[(i + 1) % 3], p);
        if (side[i] < 0)
            return GRZ_NOWHERE;
    }
    return grz_feature_of_sides(side);
}

void grz_add_node(grz_intersection *out, int a, int b)
{
    assert(a >= 0 && a <= GRZ_FACE && b >= 0 && b <= GRZ_FACE);
    for (uint32_t i = 0; i < out->node_count; i++)
        if (out->nodes[i].a == a && out->nodes[i].b == b)
            return;
    assert(out->node_count < GRZ_MAX_NODES);
    out->nodes[out->node_count++] = (grz_node){(uint8_t)a, (uint8_t)b};
}
