// SPDX-License-Identifier: MIT
// Compares a point with all triangles of a mesh: squared distances as fractions of integers, no tree, no bounds.
#include "support_all_triangles.h"

#include <string.h>

#include "geometry/distance/nearest.h"
#include "mesh/triangles.h"

bool test_same_point_distance(const grz_point_distance *x, const grz_point_distance *y)
{
    return memcmp(&x->distance, &y->distance, sizeof x->distance) == 0 &&
           memcmp(&x->lower, &y->lower, sizeof x->lower) == 0 && memcmp(&x->upper, &y->upper, sizeof x->upper) == 0 &&
           memcmp(x->point, y->point, sizeof x->point) == 0 && x->face == y->face && x->location == y->location &&
           x->feature.vertex[0] == y->feature.vertex[0] && x->feature.vertex[1] == y->feature.vertex[1];
}

static grz_feature user_feature(const grz_mesh *mesh, uint32_t triangle, uint8_t feature)
{
    const uint32_t *v = mesh->triangles + 3 * (size_t)triangle;
    grz_feature own = {{GRZ_NO_VERTEX, GRZ_NO_VERTEX}};
    if (feature <= GRZ_CORNER_2) {
        own.vertex[0] = v[feature];
        for (int i = 0; i < 3; i++) {
            const double *p = grz_mesh_position(mesh, v[i]), *q = grz_mesh_position(mesh, v[feature]);
            if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2] && v[i] < own.vertex[0])
                own.vertex[0] = v[i];
        }
    } else if (feature <= GRZ_EDGE_2 && grz_mesh_edge_is_side(mesh, triangle, feature - GRZ_EDGE_0)) {
        const uint32_t x = v[feature - GRZ_EDGE_0], y = v[(feature - GRZ_EDGE_0 + 1) % 3];
        own = (grz_feature){{x < y ? x : y, x < y ? y : x}};
    }
    return own;
}

grz_point_distance test_distance_to_all_triangles(const grz_object *object, const double point[3])
{
    const grz_mesh *mesh = object->mesh;
    double dot[3][3];
    bool any = false;
    grz_square best = {.shift = 0};
    grz_point_distance answer = {.face = GRZ_NO_FACE};
    for (int i = 0; i < 3; i++)
        memcpy(dot[i], point, sizeof dot[i]);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double c[3][3], same[3];
        grz_square square;
        grz_intersection meeting;
        grz_world_corners(mesh, &object->pose, t, c);
        grz_triangles_intersect((const double(*)[3])dot, (const double(*)[3])c, &meeting);
        if (meeting.node_count > 0) {
            answer = (grz_point_distance){.face = grz_mesh_triangle_face(mesh, t),
                                          .feature = user_feature(mesh, t, meeting.nodes[0].b),
                                          .point = {point[0] + 0.0, point[1] + 0.0, point[2] + 0.0}};
            return answer;
        }
        const grz_nearest nearest = grz_triangles_nearest((const double(*)[3])dot, (const double(*)[3])c);
        grz_square_of((const double(*)[3])dot, (const double(*)[3])c, nearest, &square);
        if (any && grz_square_compare(&square, &best) >= 0)
            continue;
        any = true;
        best = square;
        answer.face = grz_mesh_triangle_face(mesh, t);
        answer.feature = user_feature(mesh, t, nearest.b);
        grz_nearest_points((const double(*)[3])dot, (const double(*)[3])c, nearest, same, answer.point);
    }
    const grz_root root = grz_square_root(&best);
    answer.distance = root.nearest;
    answer.lower = root.lower;
    answer.upper = root.upper;
    return answer;
}
